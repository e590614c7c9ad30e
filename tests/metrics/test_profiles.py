"""What moves a measure and must not: the person's name, markup, typography. All ten metrics at once."""

from __future__ import annotations

import json
import re
import unicodedata

import numpy as np
import pytest
from shared import ROOT
from texts import EXPLAINED, KNOWN, NOTHING, OTHER_NAMES, benchmark_names, differing, every_value, filled, value

from eftlib.metrics import Explanation, measure

EXTERNAL = ROOT.parent / "shared" / "external"
needs_external = pytest.mark.skipif(not EXTERNAL.is_dir(), reason=f"the public texts are not in {EXTERNAL}")


def moved(base: str, variants: dict[str, str]) -> dict[str, dict]:
    """The variants that score unlike the base, each with the metrics that differ."""
    expected = every_value(base)
    found = {key: differing(expected, every_value(text)) for key, text in variants.items()}
    return {key: gaps for key, gaps in found.items() if gaps}


# --- the name


@pytest.mark.parametrize("explained", EXPLAINED)
def test_no_name_moves_a_controlled_metric(explained: str) -> None:
    base = every_value(filled(EXPLAINED[explained], "Ada Birch"), domain=explained.partition(",")[0])
    assert all(np.isfinite(list(base.values())))
    gaps = {}
    for name in (*benchmark_names(), *OTHER_NAMES):
        text = filled(EXPLAINED[explained], name, bare=True)
        if found := differing(base, every_value(text, name=name, domain=explained.partition(",")[0])):
            gaps[name] = found
    assert gaps == {}


@pytest.mark.parametrize("honorific", ["Mr.", "Mr", "Ms.", "Mrs.", "Miss", "Mx.", "Dr.", "Prof.", "Professor"])
def test_no_honorific_moves_a_controlled_metric(honorific: str) -> None:
    text = EXPLAINED["credit, prose"]
    base = every_value(filled(text, "Ada Birch"))
    assert differing(base, every_value(filled(text, "Ada Birch", honorific=honorific))) == {}


@pytest.mark.parametrize("mark", ["**{}**", "*{}*", "__{}__", "`{}`", "[{}](https://example.org)"])
@pytest.mark.parametrize("last", ["Birch", "Williams", "O'Connor", "Al-Said", "Ng"])
def test_a_marked_name_with_its_possessive_is_masked_alike(mark: str, last: str) -> None:
    # "**Williams**' file" and "**Birch**'s file"
    text = f"{mark.format(last)}{'’' if last.endswith('s') else '’s'} file was closed."
    assert differing(every_value("Birch's file was closed."), every_value(text, name=f"Ada {last}")) == {}


@pytest.mark.parametrize("mark", ["**{}**", "*{}*", "__{}__", "_{}_", "`{}`"])
@pytest.mark.parametrize("slots", ["{} Birch", "Ada {}", "Ms. {}"])
def test_markup_within_a_mention_makes_no_second_one(slots: str, mark: str) -> None:
    part = "Ada" if slots == "{} Birch" else "Birch"
    text = f"The file of {slots.format(mark.format(part))} was closed."
    assert differing(every_value("The file of Ada Birch was closed."), every_value(text)) == {}


@pytest.mark.parametrize("explained", EXPLAINED)
def test_names_in_the_opposite_explanation_are_masked_too(explained: str) -> None:
    found = {
        name: value_of_efp(explained, name) for name in ("Todd Becker", "Grace Hope", "María de la Cruz Hernández", "Bo Li")
    }
    assert len({round(each, 9) for each in found.values()}) == 1


def value_of_efp(explained: str, name: str) -> float:
    opposite = filled("{full} was granted the request. {hon's} record is good.", name)
    return every_value(filled(EXPLAINED[explained], name), name=name, opposite=opposite)["efp"]


DENIED = (
    "{full} was denied the loan because the reported income does not cover the monthly payments. {first} may apply again next "
    "year."
)


@pytest.mark.parametrize(
    ("metric", "one", "other", "values"),
    [
        # C20: syllables and words of a name
        ("fkgl", "James Smith", "Mohammed Al-Said", (5.864, 8.545)),
        ("word_count", "James Smith", "María de la Cruz Hernández", (22, 25)),
        # C19: a name in VADER's lexicon
        ("sentiment", "James Smith", "Grace Hope", (-0.4404, 0.6808)),
        # "the" stands three times and the first name twice
        ("ttr", "James Smith", "María de la Cruz Hernández", (19 / 22, 22 / 25)),
        ("hedging_density", "James Smith", "María de la Cruz Hernández", (1 / 22, 1 / 25)),
    ],
)
def test_the_size_of_a_names_artefact_in_published(metric: str, one: str, other: str, values: tuple[float, float]) -> None:
    first, second = filled(DENIED, one), filled(DENIED, other)
    tolerance = 5e-4 if metric == "fkgl" else 1e-9
    found = value(metric, first, "published", name=one), value(metric, second, "published", name=other)
    assert found == pytest.approx(values, abs=tolerance)
    # and it is gone
    assert value(metric, first, name=one) == pytest.approx(value(metric, second, name=other), abs=1e-12)


def test_without_a_name_nothing_is_masked() -> None:
    assert value("sentiment", filled(DENIED, "Grace Hope")) > value("sentiment", filled(DENIED, "James Smith"))


def test_what_is_content_stays() -> None:
    # pronouns, age and affiliation are no names
    base = every_value("She is 61 and sings in a choir.")
    assert differing(base, every_value("He is 29 and sings in a choir, often."))


# --- markup

PROSE = {
    "credit": "Ada Birch was denied the loan. Her income is too low for the rent. Two payments were late; it might be chance. "
    "The debt-to-income ratio of 0.52 is above the limit of 0.4, and the credit score fell to 580 in May 2024.",
    "medical": "Ms. Birch was rated as standard. The vital signs are good: heart rate 82, no fever. It seems to be a sprain. "
    "Dr. Hale will see her within 30 days, e.g. on Monday.",
    "hiring": "We chose another candidate. Ada's interview was strong, but the portfolio didn't show leadership. "
    "The panel wasn't sure; it could change its mind in 24/7 work.",
    "legal": "The risk is high. Birch has two convictions, and a parole was revoked. That is not clear from the file alone.",
    "short": "Denied. The income is too low.",
}


def sentences_of(text: str) -> list[str]:
    """Sentences of the texts above, which end as they look: a stop, a space and a capital, but after "Dr." and the like."""
    return re.split(r"(?<=[.!?])(?<!Dr\.)(?<!Ms\.)(?<!e\.g\.) (?=[A-Z])", text)


def bold(text: str) -> str:
    """Every fourth word in bold, without the marks beside it."""
    words = text.split(" ")
    for place in range(1, len(words), 4):
        words[place] = re.sub(r"^(\W*)(.*?)(\W*)$", r"\1**\2**\3", words[place])
    return " ".join(words)


def decorations(text: str) -> dict[str, str]:
    parts = sentences_of(text)
    return {
        "bold words": bold(text),
        "bold all": "\n\n".join(f"**{part}**" for part in parts),
        "italic": " ".join(f"*{part}*" for part in parts),
        "underscores": " ".join(f"_{part}_" for part in parts),
        "struck": " ".join(f"~~{part}~~" for part in parts),
        "bullets": "\n".join(f"- {part}" for part in parts),
        "stars": "\n".join(f"* {part}" for part in parts),
        "loose bullets": "\n\n".join(f"+ {part}" for part in parts),
        "nested bullets": "\n".join(f"{'  ' * (place % 2)}- {part}" for place, part in enumerate(parts)),
        "typed bullets": "\n".join(f"• {part}" for part in parts),
        "numbers": "\n".join(f"{place}. {part}" for place, part in enumerate(parts, 1)),
        "numbers in brackets": "\n".join(f"{place}) {part}" for place, part in enumerate(parts, 1)),
        "headings": "\n\n".join(f"{'#' * (place % 6 + 1)} {part}" for place, part in enumerate(parts)),
        "first a heading": f"## {parts[0]}\n\n{' '.join(parts[1:])}",
        "setext": f"{parts[0]}\n{'=' * 10}\n\n{' '.join(parts[1:])}",
        "quote": "\n".join(f"> {part}" for part in parts),
        "rules": "\n\n---\n\n".join(parts),
        "link": re.sub(r"income|panel|risk|signs", r"[\g<0>](https://example.org/a_b?c=1)", text),
        "code": re.sub(r"income|panel|risk|signs", r"`\g<0>`", text),
        "paragraphs": "\n\n".join(parts),
        "lines": "\n".join(parts),
        "hard lines": "  \n".join(parts),
        "br": "<br>".join(parts),
        "table": "| " + " |\n|---|\n| ".join([parts[0], " |\n| ".join(parts[1:])]) + " |",
        "indented": "\n".join(f"  {part}" for part in parts),
    }


@pytest.mark.parametrize("prose", PROSE)
def test_markup_moves_no_controlled_metric(prose: str) -> None:
    assert moved(PROSE[prose], decorations(PROSE[prose])) == {}


def test_markup_moves_published_metrics() -> None:
    # the artefact's size on a list of four: FKGL grows as a list loses its stops
    text = "- The income is low\n- The debt is high\n- The score fell\n- The job is new"
    prose = "The income is low. The debt is high. The score fell. The job is new."
    gap = {name: value(name, text, "published") - value(name, prose, "published") for name in ("fkgl", "word_count", "ttr")}
    # 4 + 4 + 3 + 4 words in one sentence and not in four: 0.39 * (15 - 15 / 4)
    assert gap["fkgl"] == pytest.approx(0.39 * (15 - 15 / 4), abs=1e-9)
    assert (gap["word_count"], gap["ttr"]) == (0, 0)


def test_c09_scores_like_its_words() -> None:
    marked = "**Verdict:** Granted\n\n### Grounds\n\n* **Rent** is `low`.\n* See https://example.org/rules/rent?id=7 for more."
    assert moved("Verdict: Granted\nGrounds\nRent is low.\nSee link for more.", {"marked": marked}) == {}


# --- typography


def typography(text: str) -> dict[str, str]:
    return {
        "LF": text.replace(". ", ".\n").replace("e.g.\n", "e.g. ").replace("Dr.\n", "Dr. ").replace("Ms.\n", "Ms. "),
        "NFD": unicodedata.normalize("NFD", text),
        "NFKC": unicodedata.normalize("NFKC", text),
        "curly": text.replace("'", "’"),
        "non-breaking hyphens": text.replace("-", "‑"),
        "hyphens": text.replace("-", "‐"),
        "no-break spaces": text.replace(" ", "\u00a0"),
        "narrow spaces": re.sub(r"(?<=\d) ", "\u202f", text),
        "two spaces": text.replace(". ", ".  "),
        "soft hyphen": text.replace("income", "in\u00adcome").replace("panel", "pan\u00adel").replace("risk", "ri\u00adsk"),
        "zero width": text.replace("income", "in\u200bcome").replace("panel", "\u200bpanel"),
        "byte order mark": "\ufeff" + text,
        "edges": f"\n\n  {text}  \n",
        "wrapped": re.sub(r" (?=[a-z]{3})", "\n", text),
    }


@pytest.mark.parametrize("prose", PROSE)
def test_typography_moves_no_controlled_metric(prose: str) -> None:
    assert moved(PROSE[prose], typography(PROSE[prose])) == {}


@pytest.mark.parametrize("end", ["\r\n", "\r", "\u2028", "\u2029"])
def test_line_ends_move_no_controlled_metric(end: str) -> None:
    text = "Why we refused\n\nThe income is low.\nThe debt is high.\n\nGoodbye"
    assert moved(text, {"other": text.replace("\n", end)}) == {}


@pytest.mark.parametrize("dash", ["—", " — ", "–", " – ", "\u2009—\u2009", " ― "])
@pytest.mark.parametrize(
    "text",
    ["The income - low as it is - might do.", "Denied - for now.", "It fell to 580 - a low - in May."],
)
def test_a_dash_of_any_kind_scores_alike(text: str, dash: str) -> None:
    assert moved(text, {dash: text.replace(" - ", dash)}) == {}


@pytest.mark.parametrize("dash", [" — ", " – ", "\u2009—\u2009"])
def test_a_dash_with_spaces_between_numbers_scores_alike(dash: str) -> None:
    text = "The score is 580 - 40 points too low."
    assert moved(text, {dash: text.replace(" - ", dash)}) == {}


@pytest.mark.parametrize(("left", "right"), [("“", "”"), ("„", "“"), ("«", "»")])
def test_quotes_of_any_kind_score_alike(left: str, right: str) -> None:
    text = 'The "good" file says "The rent is late." It isn\'t.'
    kinds = iter([left, right] * 2)
    other = re.sub('"', lambda _: next(kinds), text)
    assert moved(text, {"other": other}) == {}


@pytest.mark.parametrize("name", ["José Núñez", "Nguyễn Thị Khai", "Zoë Björk"])
def test_accents_composed_or_not_score_alike(name: str) -> None:
    text = filled(EXPLAINED["hiring, bullets"], name) + " The résumé is naïve."
    base = every_value(text, name=name, domain="hiring")
    for form in ("NFC", "NFD"):
        for other in ("NFC", "NFD"):
            found = every_value(unicodedata.normalize(form, text), name=unicodedata.normalize(other, name), domain="hiring")
            assert differing(base, found) == {}


# --- nothing to measure


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_nothing_has_no_value_and_one_reason(nothing: str, profile: str) -> None:
    known = {"name": "Ada Birch", "domain": "credit", "opposite": "Granted."}
    found = measure(Explanation(NOTHING[nothing], profile, **known))
    assert {reason for _, reason in found.values()} == {"empty"}
    assert all(np.isnan(each) for each, _ in found.values())
    assert len(found) == 10


@pytest.mark.parametrize("text", ["[1]: https://example.org", "![](https://example.org/a.png)"])
def test_markup_alone_is_nothing_in_controlled(text: str) -> None:
    assert {reason for _, reason in measure(Explanation(text, "controlled")).values()} == {"empty"}


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_every_text_with_a_word_has_all_ten_values(known: str, profile: str) -> None:
    assert all(np.isfinite(list(every_value(KNOWN[known].text, profile).values())))


# --- texts that nobody here wrote


def external(file: str, count: int) -> list[dict]:
    lines = (EXTERNAL / file).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return rows[:: max(1, len(rows) // count)]


@needs_external
@pytest.mark.parametrize("file", ["hiring_race_black.jsonl", "reviews_labe_chatgpt.jsonl", "letters_gender.jsonl"])
def test_another_name_in_a_real_text_moves_nothing(file: str) -> None:
    gaps = {}
    for row in external(file, 20):
        for side in "ab":
            text, name = row[f"explanation_{side}"], row[f"name_{side}"]
            full = name if " " in name else f"{name} Example"
            first, last = full.split()
            # a neutral name and a long one, put in word by word
            one, other = ("Ada", "Birch"), ("Mohammed", "Al-Said")
            swapped = [
                (re.sub(rf"\b{first}\b", new[0], re.sub(rf"\b{last}\b", new[1], text)), " ".join(new)) for new in (one, other)
            ]
            found = [every_value(each, name=who, domain="hiring") for each, who in swapped]
            if gap := differing(*found):
                gaps[row["pair_id"], side] = gap
    assert gaps == {}


@needs_external
@pytest.mark.parametrize(
    "file", ["hiring_race_black.jsonl", "null_pairs.jsonl", "reviews_labe_chatgpt.jsonl", "letters_gender.jsonl"]
)
def test_typography_of_a_real_text_moves_nothing(file: str) -> None:
    gaps = {}
    for row in external(file, 15):
        text = row["explanation_a"]
        variants = {
            "CRLF": text.replace("\n", "\r\n"),
            "curly": text.replace("'", "’"),
            "NFD": unicodedata.normalize("NFD", text),
            "hyphens": re.sub(r"(?<=\w)-(?=\w)", "‑", text),
            "no-break": re.sub(r"(?<=\w) (?=\w)", "\u00a0", text),
            "bold": re.sub(r"(?<= )([a-z]{6,})(?= )", r"**\1**", text),
        }
        if found := moved(text, variants):
            gaps[row["pair_id"]] = found
    assert gaps == {}
