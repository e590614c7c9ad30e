"""OpenAI, and anything that speaks its API (vLLM, Ollama, llama.cpp, OpenRouter …) by ``base_url``."""

from __future__ import annotations

from contextlib import AbstractContextManager

from eftlib.clients.base import ChatClient, Client, closing, load_sdk
from eftlib.study import Model

# named here, or a variable of the environment that the SDK reads could change who is asked
ADDRESS = "https://api.openai.com/v1"


def connect(model: Model, *, key: str | None, timeout: float) -> AbstractContextManager[Client]:
    """Connect through the OpenAI SDK; see `eftlib.clients.connect`.

    Parameters
    ----------
    model : eftlib.study.Model
    key : str or None
    timeout : float
        Seconds.

    Returns
    -------
    context manager of Client
    """
    module, sdk = load_sdk("openai")
    client = module.OpenAI(api_key=key or "none", base_url=model.base_url or ADDRESS, timeout=timeout, max_retries=0)
    return closing(client, ChatClient(sdk, module, client.chat.completions.with_raw_response.create, model.id))
