"""Anthropic's messages endpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from eftlib.clients.base import Client, Reply, Transient, about, call, closing, load_sdk, open_sdk, text_of
from eftlib.study import Model

SDK = "anthropic"
# named here, or a variable of the environment that the SDK reads could change who is asked
ADDRESS = "https://api.anthropic.com"


@dataclass(frozen=True)
class MessagesClient:
    """A client of the messages endpoint."""

    sdk: str
    module: Any
    create: Callable[..., Any]
    model: str
    timeout: float

    def ask(self, messages: Sequence[dict[str, str]], parameters: dict[str, Any]) -> Reply:
        """Make one request; see `eftlib.clients.base.Client.ask`."""
        # the SDK has no argument for a temperature any more; in the extra body it reaches the server
        extra = {name: value for name, value in parameters.items() if name != "max_tokens"}
        body = call(
            self.module,
            lambda: self.create(
                model=self.model, messages=list(messages), max_tokens=parameters["max_tokens"], extra_body=extra
            ),
            parameters,
            self.timeout,
        )
        return messages_reply(body)


def messages_reply(body: dict[str, Any]) -> Reply:
    """Read the body of a message: all text blocks in order are the answer, thinking is reasoning.

    Parameters
    ----------
    body : dict
        As decoded from JSON.

    Returns
    -------
    eftlib.clients.Reply

    Raises
    ------
    Transient
        If the body has no list of content blocks.
    """
    blocks = body.get("content")
    if not isinstance(blocks, list):
        raise Transient(f"the answer holds no content: {str(body)[:200]}")
    thoughts = [block["thinking"] for block in blocks if isinstance(block, dict) and isinstance(block.get("thinking"), str)]
    return Reply(
        raw={name: body.get(name) for name in ("content", "stop_reason", "stop_details") if name in body},
        content=text_of(blocks),
        reasoning="\n".join(thoughts) or None,
        **about(body, body.get("stop_reason")),
    )


def connect(model: Model, *, key: str | None, timeout: float) -> AbstractContextManager[Client]:
    """Connect through the Anthropic SDK; see `eftlib.clients.connect`.

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
    client = open_sdk(module, module.Anthropic, key=key, address=model.base_url or ADDRESS, timeout=timeout)
    return closing(client, MessagesClient(sdk, module, client.messages.with_streaming_response.create, model.id, timeout))
