"""One module a provider, each on its official SDK. A new provider is one module with ``connect`` and one line here."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractContextManager, suppress
from importlib import import_module

from eftlib.clients.base import Client, NotThere, Rejected, Reply, Transient, Unsupported, http_errors, load_sdk
from eftlib.errors import StoppedError
from eftlib.study import Model, Provider

__all__ = ["PROVIDERS", "Client", "NotThere", "Rejected", "Reply", "Transient", "Unsupported", "connect", "prepare"]

PROVIDERS: dict[Provider, str] = {
    "openai": "eftlib.clients.openai",
    "anthropic": "eftlib.clients.anthropic",
    "groq": "eftlib.clients.groq",
    "local": "eftlib.clients.local",
}


def prepare(providers: Collection[Provider]) -> None:
    """Import what providers need, one after another: SDKs that are imported in two threads meet each other half made.

    One that is not installed is named by `connect`.

    Parameters
    ----------
    providers : collection of str
    """
    for provider in providers:
        with suppress(StoppedError):
            load_sdk(import_module(PROVIDERS[provider]).SDK)
    http_errors()


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
