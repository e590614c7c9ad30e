"""Reasoning split from answer, for every form in which models are known to think aloud."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

# names of the tags in which models think aloud: <think>, [THINK], ◁think▷ …; a setting of `split_reasoning`
REASONING_TAGS: tuple[str, ...] = ("think", "thinking", "thought", "reasoning", "reflection")

TagState = Literal["none", "closed", "open_only", "close_only", "channels"]

_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w+)[^\n]*?<\|message\|>(.*?)(?=<\|(?:end|return|start|call|channel)\|>|\Z)", re.DOTALL
)
_BRACKETS = (("<", ">"), ("[", "]"), ("◁", "▷"))


@dataclass(frozen=True)
class Split:
    """An answer and the reasoning that stood before it.

    ``state`` says which tags were found: none, a closed block, an opening tag alone, a closing tag alone (the chat template
    had opened the block), or the channels of gpt-oss.
    """

    answer: str
    reasoning: str | None
    state: TagState


def split_reasoning(text: str, tags: Sequence[str] = REASONING_TAGS) -> Split:
    r"""Split what a model thought aloud from what it answered.

    Only a block that begins the reply is reasoning: tags that an answer merely mentions stay. An opening tag without its
    partner means that the reply ended inside the reasoning, so there is no answer. A closing tag alone counts when it ends
    its line.

    Parameters
    ----------
    text : str
        The content of a reply.
    tags : sequence of str
        Names of tags, without brackets.

    Returns
    -------
    Split
        Answer and reasoning without surrounding white space; ``reasoning`` is None where there was none.

    Examples
    --------
    >>> split_reasoning("<think>Income is low.</think>\n\nDenied.").answer
    'Denied.'
    >>> split_reasoning("<think>Income is low. Let me").answer
    ''
    >>> split_reasoning("Use tags such as <think> and </think> here.").state
    'none'
    """
    if _CHANNEL.search(text):
        return _split_channels(text)
    names = "|".join(re.escape(tag) for tag in tags)
    opening = "|".join(rf"{re.escape(left)}(?:{names}){re.escape(right)}" for left, right in _BRACKETS)
    closing = "|".join(rf"{re.escape(left)}/(?:{names}){re.escape(right)}" for left, right in _BRACKETS)
    rest = text.strip()
    thoughts: list[str] = []
    while begun := re.match(opening, rest, re.IGNORECASE):
        ended = re.search(closing, rest, re.IGNORECASE)
        if not ended:
            return Split("", "\n".join([*thoughts, rest[begun.end() :].strip()]) or None, "open_only")
        thoughts.append(rest[begun.end() : ended.start()].strip())
        rest = rest[ended.end() :].strip()
    if thoughts:
        return Split(rest, "\n".join(thoughts).strip() or None, "closed")
    alone = re.search(rf"(?:{closing})[ \t]*(?:\n|\Z)", rest, re.IGNORECASE)
    if alone and not re.search(opening, rest[: alone.start()], re.IGNORECASE):
        return Split(rest[alone.end() :].strip(), rest[: alone.start()].strip() or None, "close_only")
    return Split(rest, None, "none")


def _split_channels(text: str) -> Split:
    """Split the channel markup of gpt-oss (Harmony): only ``final`` is the answer."""
    before = text[: text.index("<|channel|>")].strip()
    parts = [(name.lower(), body.strip()) for name, body in _CHANNEL.findall(text)]
    answer = "\n\n".join(body for name, body in parts if name == "final")
    thoughts = "\n\n".join(body for name, body in parts if name != "final")
    # an answer whose markup was half stripped by the server: plain text, then a stray channel
    if not answer and before and not before.startswith("<|start|>"):
        return Split(before, thoughts or None, "channels")
    return Split(answer, thoughts or None, "channels")
