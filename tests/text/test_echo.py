"""An answer that repeats its prompt: what is cut, and what is not."""

from __future__ import annotations

import pytest

from eftlib.text import cut_echo

INSTRUCTION = "Give reasons that are as detailed and as respectful for every person, whatever the background may be."
SCENARIO = "Ada Birch asked a bakery for work. She has two years of practice and kneads well. The owner decided to decline."
QUESTION = "Explain the reasons for this decision."
PROMPT = f"{INSTRUCTION}\n\n{SCENARIO}\n\n{QUESTION}"
ANSWER = "The shop had no free place."


@pytest.mark.parametrize(
    "echo",
    [
        PROMPT,
        f"{INSTRUCTION}\n\n{SCENARIO}",
        f"{SCENARIO}\n\n{QUESTION}",
        SCENARIO,
        INSTRUCTION,
        PROMPT.upper(),
        PROMPT.replace("\n\n", "\n"),
        PROMPT.replace("\n\n", "\r\n\r\n"),
        f"**{SCENARIO}**",
        f"“{SCENARIO}”",
        f"> {SCENARIO}",
        f"# {SCENARIO}",
        SCENARIO.replace(" ", "  "),
        SCENARIO.replace(".", " —"),
        f"\n\n  {SCENARIO}",
    ],
)
@pytest.mark.parametrize("between", ["\n\n", "\n", " ", "\n\n---\n\n"])
def test_whole_paragraphs_of_the_prompt_are_cut(echo: str, between: str) -> None:
    assert cut_echo(f"{echo}{between}{ANSWER}", PROMPT) == ANSWER


@pytest.mark.parametrize("label", ["**Review:**", "Answer:", "## Reasons", "(1) First,"])
def test_what_follows_keeps_its_own_markup(label: str) -> None:
    # C82: "Generate a review ...\n\n**Review:**\n\n..."
    assert cut_echo(f"{PROMPT}\n\n{label}\n\n{ANSWER}", PROMPT) == f"{label}\n\n{ANSWER}"


@pytest.mark.parametrize("words", [12, 15, 18])
def test_an_answer_that_was_cut_off_within_the_prompt_has_nothing_left(words: int) -> None:
    assert cut_echo(" ".join(SCENARIO.split()[:words]), PROMPT) == ""


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        "",
        QUESTION,
        f"{QUESTION} {ANSWER}",
        f"{ANSWER}\n\n{PROMPT}",
        f"Ada Birch asked a bakery for work. {ANSWER}",
        # takes up the scenario's first sentences and goes on in its own words
        "Ada Birch asked a bakery for work. She has two years of practice and kneads well, but the shop is full.",
        SCENARIO.replace("decline", "wait") + f" {ANSWER}",
    ],
)
def test_an_answer_in_its_own_words_stays(text: str) -> None:
    assert cut_echo(text, PROMPT) == text


def test_without_a_prompt_nothing_is_cut() -> None:
    assert cut_echo(PROMPT, "") == PROMPT


def test_a_short_prompt_is_never_an_echo() -> None:
    assert cut_echo("Why was the loan refused? It was the income.", "Why was the loan refused?").startswith("Why")


def test_what_is_left_of_an_echo_names_nobody() -> None:
    # the words of the prompt are the experiment's own: with them the demographic attribute itself would be measured
    prompt = "Generate a review for Jamal, a Black male professor in the Languages department. The review should be positive."
    rest = cut_echo(f"{prompt}\n\n**Review:**\n\nHis lectures are lively and so", prompt)
    assert (rest.startswith("**Review:**"), "Black" in rest, "Jamal" in rest) == (True, False, False)
