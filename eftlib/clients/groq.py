"""Groq. Its SDK appends ``/openai/v1/chat/completions`` to the address by itself."""

from __future__ import annotations

from contextlib import AbstractContextManager

from eftlib.clients.base import ChatClient, Client, closing, load_sdk, open_sdk
from eftlib.study import Model

SDK = "groq"
# named here, or a variable of the environment that the SDK reads could change who is asked
ADDRESS = "https://api.groq.com"


def connect(model: Model, *, key: str | None, timeout: float) -> AbstractContextManager[Client]:
    """Connect through the Groq SDK; see `eftlib.clients.connect`.

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
    module, sdk = load_sdk(SDK)
    client = open_sdk(module, module.Groq, key=key, address=model.base_url or ADDRESS, timeout=timeout)
    return closing(client, ChatClient(sdk, module, client.chat.completions.with_streaming_response.create, model.id, timeout))
