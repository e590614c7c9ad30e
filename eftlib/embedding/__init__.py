"""The sentence embedder of the study, and a cache by content: nothing is embedded twice."""

from eftlib.embedding.cache import Cache
from eftlib.embedding.cosines import LiveCosines, chunked
from eftlib.embedding.embedder import MODEL_NAME, SHA256, WINDOW, Embedder, Encoder, model_folder

__all__ = ["MODEL_NAME", "SHA256", "WINDOW", "Cache", "Embedder", "Encoder", "LiveCosines", "chunked", "model_folder"]
