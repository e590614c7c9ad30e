"""Signs that an answer is damaged, or is no answer."""

from __future__ import annotations

import re
from collections import Counter

_WORD = re.compile(r"\w+")
_SHORTEST_ECHO = 12  # words; a shorter start that agrees is a way of answering
_LOOP_WORDS, _LOOP_TIMES = 8, 3
_ENDS = re.compile(r"[.!?…:;)\]}\"'”’*_`|]\s*\Z")


def is_blank(text: str) -> bool:
    """Return whether a text has no letter and no digit: nothing, white space, dots or an emoji alone.

    Parameters
    ----------
    text : str

    Returns
    -------
    bool
    """
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
        Of ``echo`` (it begins with the prompt), ``repetitive`` (a run of 8 words stands in it three times or more) and
        ``unfinished`` (no final punctuation).
    """
    rest = cut_echo(text, prompt)
    found = ["echo"] if rest != text else []
    if _is_loop(rest):
        found.append("repetitive")
    if not is_blank(text) and not _ENDS.search(text):
        found.append("unfinished")
    return found


def cut_echo(text: str, prompt: str) -> str:
    r"""Cut the prompt off the start of an answer that repeats it.

    An echo is one or more whole paragraphs of the prompt, in their order and of at least 12 words together, or an answer that
    was cut off within them; typography and white space do not matter. An answer that takes up a sentence of the prompt and
    goes on is none.

    Parameters
    ----------
    text : str
        The answer.
    prompt : str
        The user message it answers.

    Returns
    -------
    str
        What follows the echo, without leading white space; the text itself where there is none.

    Examples
    --------
    >>> prompt = "Write a review of a professor in the department of languages. It should be positive and fair."
    >>> cut_echo(f"{prompt}\n\nReview: She is thorough.", prompt)
    'Review: She is thorough.'
    """
    said = list(_WORD.finditer(text))
    words = [match[0].lower() for match in said]
    paragraphs = [[word.lower() for word in _WORD.findall(each)] for each in re.split(r"\n\s*\n", prompt)]
    longest = 0
    for first in range(len(paragraphs)):
        length = 0
        for paragraph in paragraphs[first:]:
            agreeing = words[length : length + len(paragraph)]
            if agreeing != paragraph[: len(agreeing)] or (len(agreeing) < len(paragraph) and agreeing != words[length:]):
                break
            length += len(agreeing)
        longest = max(longest, length)
    if longest < _SHORTEST_ECHO:
        return text
    rest = text[said[longest - 1].end() :]
    # what is left of the echo's own line is its punctuation and markup, and so are lines without a word
    own, broke, following = rest.partition("\n")
    if broke and not _WORD.search(own):
        return re.sub(r"\A(?:[^\w\n]*\n)*", "", following).lstrip()
    return re.sub(r"\A[^\w(\[“$]+", "", rest)


def _is_loop(text: str) -> bool:
    words = _WORD.findall(text.lower())
    runs = Counter(tuple(words[start : start + _LOOP_WORDS]) for start in range(len(words) - _LOOP_WORDS + 1))
    return bool(runs) and max(runs.values()) >= _LOOP_TIMES
