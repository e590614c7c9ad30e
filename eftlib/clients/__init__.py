"""One module a provider, each on its official SDK. A new provider is one module with ``connect`` and one line here."""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module

from eftlib.clients.base import Client, Rejected, Reply, Transient, Unsupported
from eftlib.study import Model, Provider

__all__ = ["ENDPOINTS", "PROVIDERS", "Client", "Rejected", "Reply", "Transient", "Unsupported", "connect"]

PROVIDERS: dict[Provider, str] = {
    "openai": "eftlib.clients.openai",
    "anthropic": "eftlib.clients.anthropic",
    "groq": "eftlib.clients.groq",
    "local": "eftlib.clients.local",
}
# the kind of endpoint is part of what is asked, and must be known without a client
ENDPOINTS: dict[Provider, str] = {
    "openai": "chat.completions",
    "anthropic": "messages",
    "groq": "chat.completions",
    "local": "chat.completions",
}


def connect(model: Model, *, key: str | None, timeout: float) -> AbstractContextManager[Client]:
    """Connect to the provider of a model; the SDK is imported here and not before.

    Parameters
    ----------
    model : eftlib.study.Model
    key : str or None
        The key, from the environment.
    timeout : float
        Seconds until a call without an answer is given up.

    Returns
    -------
    context manager of Client

    Raises
    ------
    StoppedError
        If the SDK is not installed, or a local model's weights or server are not there.
    """
    connection: AbstractContextManager[Client] = import_module(PROVIDERS[model.provider]).connect(
        model, key=key, timeout=timeout
    )
    return connection
