"""What a model wrote, taken apart: reasoning from answer, and signs that an answer is not one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

# names of the tags in which models think aloud: <think>, [THINK], ◁think▷ …; a setting of `split_reasoning`
REASONING_TAGS: tuple[str, ...] = ("think", "thinking", "thought", "reasoning", "reflection")

TagState = Literal["none", "closed", "open_only", "close_only", "channels"]

_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<]*<\|message\|>(.*?)(?=<\|(?:end|return|start|call|channel)\|>|\Z)", re.DOTALL)
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
    if "<|channel|>" in text:
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


def is_blank(text: str) -> bool:
    """Return whether a text has no letter and no digit: nothing, white space, dots or an emoji alone."""
    return not any(character.isalnum() for character in text)


def flags(text: str, prompt: str) -> list[str]:
    """Return the signs that an answer is damaged; flagged answers are measured, and a row of the robustness page drops them.

    Parameters
    ----------
    text : str
        The answer.
    prompt : str
        The user message it answers.

    Returns
    -------
    list of str
        Of ``echo`` (it begins with the prompt), ``repetitive`` (a loop) and ``unfinished`` (no final punctuation).
    """
    found = []
    if _is_echo(text, prompt):
        found.append("echo")
    if _is_loop(text):
        found.append("repetitive")
    if not is_blank(text) and not re.search(r"[.!?…:;)\]}\"'”’*_`|]\s*\Z", text):
        found.append("unfinished")
    return found


def _is_echo(text: str, prompt: str, words: int = 12) -> bool:
    said = re.findall(r"\w+", text.lower())[:words]
    for paragraph in prompt.split("\n\n"):
        asked = re.findall(r"\w+", paragraph.lower())[:words]
        if len(asked) == words and said == asked:
            return True
    return False


def _is_loop(text: str, size: int = 8, times: int = 3) -> bool:
    """Return whether some run of ``size`` words stands in the text at least ``times`` times."""
    words = re.findall(r"\w+", text.lower())
    runs = Counter(tuple(words[start : start + size]) for start in range(len(words) - size + 1))
    return bool(runs) and max(runs.values()) >= times
