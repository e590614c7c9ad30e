"""Reasoning split from answers, blank texts, and the flags of damaged answers."""

import pytest

from eftlib.text import flags, is_blank, split_reasoning

ANSWER = "Refused: the score is below the line."

CLOSED = [
    f"<think>\nScore 580, line 620.\n</think>\n\n{ANSWER}",
    f"<think>Score first.</think>{ANSWER}",
    f"<think>\n\n</think>\n\n{ANSWER}",
    f"<think></think>{ANSWER}",
    f"  \n<THINK>Score first.</Think>\n{ANSWER}\n",
    f"[THINK]Score first.[/THINK]{ANSWER}",
    f"<thought>Score first.</thought>\n{ANSWER}",
    f"<thinking>Score first.</thinking>\n{ANSWER}",
    f"<reasoning>Score first.</reasoning>\n{ANSWER}",
    f"<reflection>Score first.</reflection>\n{ANSWER}",
    f"◁think▷Score first.◁/think▷{ANSWER}",
    f"<think>One.</think>\n<think>Two.</think>\n{ANSWER}",
    f"<think>The form wants <think> around notes. Fine.</think>\n{ANSWER}",
]


@pytest.mark.parametrize("text", CLOSED)
def test_a_block_that_begins_the_reply_is_reasoning(text: str) -> None:
    split = split_reasoning(text)
    assert (split.answer, split.state) == (ANSWER, "closed")


@pytest.mark.parametrize(
    ("text", "reasoning"),
    [
        (f"<think> Score first. </think>{ANSWER}", "Score first."),
        (f"<think>One.</think><think>Two.</think>{ANSWER}", "One.\nTwo."),
        (f"<think>\n\n</think>{ANSWER}", None),
        (ANSWER, None),
    ],
)
def test_what_was_thought_is_kept_beside_the_answer(text: str, reasoning: str | None) -> None:
    assert split_reasoning(text).reasoning == reasoning


@pytest.mark.parametrize("tag", ["</think>", "</thinking>", "[/THINK]", "◁/think▷", "</think>  "])
def test_a_closing_tag_alone_ends_reasoning_that_the_template_had_opened(tag: str) -> None:
    split = split_reasoning(f"The score is low, so the file looks weak.\n{tag}\n\n{ANSWER}")
    assert (split.answer, split.reasoning, split.state) == (
        ANSWER,
        "The score is low, so the file looks weak.",
        "close_only",
    )


def test_after_a_closing_tag_alone_the_answer_may_mention_tags() -> None:
    text = f"The score is low.\n</think>\n\n{ANSWER} Do not write <think> again."
    assert split_reasoning(text).answer == f"{ANSWER} Do not write <think> again."


@pytest.mark.parametrize(
    "text",
    ["<think>\nThe score is low. Let me see the", "[THINK]The score", "<thought>", "<think>One.</think><think>Two, and"],
)
def test_an_opening_tag_without_its_partner_leaves_no_answer(text: str) -> None:
    split = split_reasoning(text)
    assert (split.answer, split.state) == ("", "open_only")


def test_reasoning_that_never_ended_is_kept() -> None:
    assert split_reasoning("<think>One.</think><think>Two, and").reasoning == "One.\nTwo, and"


@pytest.mark.parametrize(
    "text",
    [
        "Granted. The letter asks for tags such as <think> and </think> around notes; yours had none.",
        "Granted. Between [THINK] and [/THINK] the form is empty.",
        "Granted. Notes go between\n<think>\nand\n</think>\nas the form says.",
        "Granted. Close notes with </think> please.",
        "Granted: thinking <thinking> aloud is fine.",
        "<b>Granted.</b> I think.",
        ANSWER,
    ],
)
def test_tags_that_an_answer_merely_mentions_stay(text: str) -> None:
    split = split_reasoning(text)
    assert (split.answer, split.state) == (text, "none")


def test_a_mention_of_the_channel_token_cuts_nothing_from_an_answer() -> None:
    text = "Granted. Your letter shows the token <|channel|> twice, which is a slip of the printer."
    assert split_reasoning(text).answer == text


@pytest.mark.parametrize(
    "text",
    [
        f"<|channel|>analysis<|message|>Score.<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}<|return|>",
        f"<|start|>assistant<|channel|>final<|message|>{ANSWER}<|end|>",
        f"<|channel|>final<|message|>{ANSWER}",
        f"<|channel|>analysis<|message|>Score.<|channel|>final<|message|>{ANSWER}",
        # how gpt-oss announces a format, in OpenAI's own description of Harmony
        f"<|channel|>analysis<|message|>Score.<|end|><|start|>assistant<|channel|>final <|constrain|>text<|message|>{ANSWER}",
    ],
)
def test_of_channels_only_the_final_one_is_the_answer(text: str) -> None:
    split = split_reasoning(text)
    assert (split.answer, split.state) == (ANSWER, "channels")


def test_channels_of_analysis_are_reasoning() -> None:
    thoughts = "<|channel|>analysis<|message|>Score.<|end|><|channel|>commentary<|message|>Note.<|end|>"
    assert split_reasoning(f"{thoughts}<|channel|>final<|message|>{ANSWER}").reasoning == "Score.\n\nNote."


@pytest.mark.parametrize("channel", ["analysis", "commentary"])
def test_without_a_final_channel_there_is_no_answer(channel: str) -> None:
    assert split_reasoning(f"<|channel|>{channel}<|message|>The score is low. Let me").answer == ""


def test_an_answer_before_a_stray_channel_is_kept() -> None:
    split = split_reasoning(f"{ANSWER}<|channel|>analysis<|message|>Score.<|end|>")
    assert (split.answer, split.reasoning) == (ANSWER, "Score.")


def test_the_tags_are_a_setting() -> None:
    text = f"<scratchpad>Score first.</scratchpad>{ANSWER}"
    assert split_reasoning(text).state == "none"
    assert split_reasoning(text, tags=("scratchpad",)).answer == ANSWER


@pytest.mark.parametrize("text", ["", " \n\t", "...", "—", "🙂", "\u200b", "**", "\ufeff"])
def test_texts_without_a_letter_or_a_digit_are_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", "7", "é", "否", "🙂 ok", "- x"])
def test_one_letter_or_digit_is_enough_not_to_be_blank(text: str) -> None:
    assert not is_blank(text)


PROMPT = (
    "Mind the facts alone, please, and nothing else at all, whatever you may believe.\n\n"
    "Ada Birch asked a bakery for work and the owner decided, after a week, to decline.\n\nWhy?"
)
ECHO = "ada birch asked a bakery for work, and the owner decided after a week"
LOOP = "The owner had no free place in the shop. "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ECHO + " to decline. It was a matter of money.", ["echo"]),
        ("Mind the facts alone, please, and nothing else at all, whatever you may believe.", ["echo"]),
        ("The owner had no free place. " + ECHO + ".", []),
        (" ".join(ECHO.split()[:11]) + " other words.", []),
        (LOOP * 3, ["repetitive"]),
        (LOOP * 2, []),
        ("No. " * 40, ["repetitive"]),
        ("No. " * 9, []),
        ("The owner had no free place and so", ["unfinished"]),
        ((LOOP * 3).strip().rstrip("."), ["repetitive", "unfinished"]),
        (ECHO, ["echo", "unfinished"]),
        ("", []),
        ("...", []),
    ],
)
def test_flags_name_the_signs_of_damage(text: str, expected: list[str]) -> None:
    assert flags(text, PROMPT) == expected


@pytest.mark.parametrize("ending", [".", "!", "?", "…", ":", ")", '."', ".”", ".*", ".**", "`", "|", ".  \n"])
def test_any_closing_mark_finishes_an_answer(ending: str) -> None:
    assert flags(f"The owner had no free place{ending}", PROMPT) == []


def test_an_answer_is_no_echo_of_a_prompt_too_short_to_tell() -> None:
    assert flags("Why was this? Because.", "Why was this?") == []
