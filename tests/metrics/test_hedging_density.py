"""Hedging density: by hand, and against a regular expression on word boundaries."""

from __future__ import annotations

import re

import pytest
import yaml
from shared import ROOT
from texts import KNOWN, NOTHING, reason, value

from eftlib.metrics.phrases import every_match, longest_matches
from eftlib.text import words

# Table 9 by weight, read from the file without the library
TIERS = yaml.safe_load((ROOT / "data" / "lexicons" / "hedging.yml").read_text(encoding="utf-8"))["tiers"]
WEIGHTS = {phrase: tier["weight"] for tier in TIERS for phrase in tier["phrases"]}


def by_pattern(text: str) -> int:
    """Eq. 1's numerator: each phrase wherever it stands as whole words."""
    return sum(
        weight * len(re.findall(rf"(?<!\w){re.escape(phrase)}(?!\w)", text.lower())) for phrase, weight in WEIGHTS.items()
    )


# text, words, published sum, controlled sum; worked out with Table 9
BY_HAND = [
    ("The loan was refused.", 4, 0, 0),
    ("It might fail.", 3, 2, 2),
    ("It may suggest a risk.", 5, 1 + 2, 2),  # "may" inside "may suggest"
    ("It seems to me that this is not clear.", 9, 2 + 2 + 3, 2 + 3),  # "it seems" and "seems to" share a word
    ("The amount cannot be determined.", 5, 3, 3),  # "cannot determine" is another phrase
    ("We cannot determine it, and it could be late.", 9, 3 + 2, 3 + 2),
    ("This can be, in many cases, unclear.", 7, 1 + 1 + 3, 1 + 1 + 3),
    ("Perhaps perhaps PERHAPS", 3, 6, 6),
    ("Often it is generally late; usually not.", 7, 3, 3),
    ("It would appear that she tends to pay.", 8, 2, 2),  # "tends to" is not "tend to"
    ("May I appeal? You may.", 5, 2, 2),  # the lexicon cannot tell permission from doubt
    ("Insufficient collateral.", 2, 3, 3),
    # no phrase inside a word
    ("The mayor is almighty, uncertainty is oftentimes largely a dismay.", 10, 1, 1),
    ("Coulds mights maybe suggestsx", 4, 0, 0),
    # markup within a phrase
    # as published a marker parts the words of a phrase: "might" alone, 2
    ("It **might** be *not* **clear**.", 5, 2, 5),
    ("It appears\nto be late.", 5, 2, 2),
    ("It appears\u00a0to be late.", 5, 2, 2),
    ("(might) “could” 'perhaps' —possibly—", 4, 8, 8),
    ("uncertain " * 1000, 1000, 3000, 3000),
]


@pytest.mark.parametrize(("text", "words", "published", "controlled"), BY_HAND)
def test_by_hand(text: str, words: int, published: int, controlled: int) -> None:
    assert value("hedging_density", text, "published") == pytest.approx(published / words)
    assert value("hedging_density", text) == pytest.approx(controlled / words)


@pytest.mark.parametrize("text", [text for text, *_ in BY_HAND if not re.search(r"[*\n\u00a0]", text)])
def test_published_is_a_search_on_word_boundaries(text: str) -> None:
    words = len(re.findall(r"[\w']+", text.replace("'perhaps'", "perhaps")))
    assert value("hedging_density", text, "published") == pytest.approx(by_pattern(text) / words)


@pytest.mark.parametrize("known", KNOWN)
def test_known_texts_hedge_where_the_pattern_finds_it(known: str) -> None:
    expected = by_pattern(KNOWN[known].text) / len(KNOWN[known].published_words)
    assert value("hedging_density", KNOWN[known].text, "published") == pytest.approx(expected)


@pytest.mark.parametrize("phrase", WEIGHTS)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_each_phrase_has_its_weight(phrase: str, profile: str) -> None:
    # no phrase but "may suggest" holds another; "it seems" and "seems to" need a third word to overlap
    inner = 1 if (phrase, profile) == ("may suggest", "published") else 0
    words = ["Alas", *phrase.split(), "nobody"]
    assert value("hedging_density", " ".join(words), profile) == pytest.approx((WEIGHTS[phrase] + inner) / len(words))


@pytest.mark.parametrize(
    "text",
    [
        "The gap is larger than it appears. To qualify, pay.",
        "This seems. To pay is better.",
        "That it can. Be calm.",
        "It is not. Clear it.",
    ],
)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_a_phrase_does_not_reach_over_a_full_stop(text: str, profile: str) -> None:
    assert by_pattern(text) == 0
    assert value("hedging_density", text, profile) == 0


@pytest.mark.parametrize("text", ["This seems\n- To be late", "## It seems\n\n## To be late", "It is not\n\nClear the desk."])
def test_a_phrase_does_not_reach_from_one_line_to_the_next(text: str) -> None:
    expected = {"This seems\n- To be late": 0, "## It seems\n\n## To be late": 2 / 5, "It is not\n\nClear the desk.": 0}
    assert value("hedging_density", text) == pytest.approx(expected[text])


@pytest.mark.parametrize("find", [every_match, longest_matches])
def test_the_order_of_the_lexicon_does_not_matter(find) -> None:
    tokens = words("it seems to me it may suggest that it is not clear and cannot be determined in many cases can be")
    orders = [list(WEIGHTS), list(reversed(WEIGHTS)), sorted(WEIGHTS), sorted(WEIGHTS, key=len)]
    assert len({tuple(find(tokens, order)) for order in orders}) == 1


@pytest.mark.parametrize(
    ("phrases", "tokens", "longest", "every"),
    [
        (["a", "a b", "a b c"], "a b c", ["a b c"], ["a b c", "a b", "a"]),
        (["a b", "b c"], "a b c", ["a b"], ["a b", "b c"]),
        (["a", "b"], "a b a", ["a", "b", "a"], ["a", "b", "a"]),
        (["a a"], "a a a", ["a a"], ["a a", "a a"]),
        (["a b"], "a", [], []),
        (["x"], "", [], []),
    ],
)
def test_the_longest_match_first_and_a_word_once(phrases, tokens, longest, every) -> None:
    assert longest_matches([tokens.split()], phrases) == longest
    assert every_match([tokens.split()], phrases) == every


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_no_word_is_no_value(nothing: str, profile: str) -> None:
    assert reason("hedging_density", NOTHING[nothing], profile) == "empty"
