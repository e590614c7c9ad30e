"""OpenAI, and anything that speaks its API (vLLM, Ollama, llama.cpp, OpenRouter …) by ``base_url``."""

from __future__ import annotations

from contextlib import AbstractContextManager

from eftlib.clients.base import ChatClient, Client, closing, load_sdk
from eftlib.study import Model


def connect(model: Model, *, key: str | None, timeout: float) -> AbstractContextManager[Client]:
    """Connect through the OpenAI SDK; see `eftlib.clients.connect`."""
    module, sdk = load_sdk("openai")
    client = module.OpenAI(api_key=key or "none", base_url=model.base_url, timeout=timeout, max_retries=0)
    return closing(client, ChatClient(sdk, module, client.chat.completions.with_raw_response.create, model.id))
