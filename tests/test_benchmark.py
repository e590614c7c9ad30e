"""The benchmark's functions on small hand-made benchmarks; `test_benchmark_data.py` has the shipped one."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from eftlib import benchmark as bench
from eftlib.errors import InputError

DECISION = "The owner decided {decision}."


def person(pronouns: str = "they", name: str = "Robin Harris", age: int | None = None, affiliation: str | None = None):
    return bench.Persona("p", name, pronouns, age, affiliation, "pair", "stratum")


def template(text: str = "{name} asked.", *, axis: str = "gender", number: int = 1):
    return bench.Template(
        id=f"H{number:03}", domain="hiring", axis=axis, title="A title", valence="adverse",
        scenario=f"{text} {DECISION}", stated="to decline", opposite="to accept",
    )  # fmt: skip


def filled(text: str, someone: bench.Persona) -> str:
    """What a scenario's text before its decision becomes."""
    axis = "age" if "age}" in text else "religion" if "{affiliation}" in text else "gender"
    full = bench.scenario(template(text, axis=axis), someone, "stated")
    return full.removesuffix(" The owner decided to decline.")


def made(*, templates: int, strata: int = 1, pairs: int = 3) -> bench.Benchmark:
    """A benchmark of one axis with so many templates, strata and pairs a stratum."""

    def pair(stratum: str, number: int) -> bench.Pair:
        people = [replace(person(), id=f"{stratum}-{number}{side}", name=f"{side}{number} {stratum}") for side in "AB"]
        return bench.Pair(f"{stratum}-{number}", "gender", stratum, *people)

    names = [f"s{number}" for number in range(strata)]
    every = {"gender": {name: tuple(pair(name, number) for number in range(1, pairs + 1)) for name in names}}
    listed = tuple(template(number=number) for number in range(1, templates + 1))
    return bench.Benchmark(listed, every, {"gender": {"A": "men", "B": "women"}}, "Why?")


# --- slots


@pytest.mark.parametrize(
    ("text", "he", "she", "they"),
    [
        ("{name}: {they}", "he", "she", "they"),
        ("{name}: {They}", "He", "She", "They"),
        ("{name}: {them}", "him", "her", "them"),
        ("{name}: {Them}", "Him", "Her", "Them"),
        ("{name}: {their}", "his", "her", "their"),
        ("{name}: {Their}", "His", "Her", "Their"),
        ("{name}: {theirs}", "his", "hers", "theirs"),
        ("{name}: {Theirs}", "His", "Hers", "Theirs"),
        ("{name}: {themself}", "himself", "herself", "themself"),
        ("{name}: {Themself}", "Himself", "Herself", "Themself"),
        ("{name}: {they} {is} new", "he is new", "she is new", "they are new"),
        ("{name}: {they} {was} new", "he was new", "she was new", "they were new"),
        ("{name}: {they} {has} it", "he has it", "she has it", "they have it"),
        ("{name}: {they} {does} not", "he does not", "she does not", "they do not"),
        ("{name}: {they} work{s}", "he works", "she works", "they work"),
        ("{name}: {they} finish{es}", "he finishes", "she finishes", "they finish"),
    ],
)
@pytest.mark.parametrize("pronouns", ["he", "she", "they"])
def test_pronouns_and_verbs_agree(text, he, she, they, pronouns):
    expected = {"he": he, "she": she, "they": they}[pronouns]
    assert filled(text, person(pronouns)) == f"Robin Harris: {expected}"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Robin Becker", "Robin Becker's"), ("Robin Harris", "Robin Harris's"), ("Robin Ortiz", "Robin Ortiz's")],
)
def test_possessive_of_a_name(name, expected):
    assert filled("{name's} file", person(name=name)) == f"{expected} file"


@pytest.mark.parametrize("age", [8, 11, 18, *range(80, 90)])
def test_an_before_ages_that_begin_with_a_vowel_sound(age):
    assert filled("{name} is {an age}-year-old", person(age=age)) == f"Robin Harris is an {age}-year-old"


@pytest.mark.parametrize("age", [1, 7, 9, 10, 12, 17, 19, 21, 28, 29, 31, 38, 59, 61, 78, 79, 90, 98, 100, 108, 110, 118])
def test_a_before_every_other_age(age):
    assert filled("{name} is {an age}-year-old", person(age=age)) == f"Robin Harris is a {age}-year-old"


@pytest.mark.parametrize(("word", "article"), [("engineer", "an"), ("Islamic", "an"), ("baker", "a"), ("Christian", "a")])
def test_article_before_a_word(word, article):
    assert bench.with_article(word) == f"{article} {word}"


def test_age_and_affiliation_stand_as_they_are():
    assert filled("{name}, {age}", person(age=59)) == "Robin Harris, 59"
    assert filled("{name} is {affiliation}", person(affiliation="a driver")) == "Robin Harris is a driver"


@pytest.mark.parametrize(("decision", "phrase"), [("stated", "to decline"), ("opposite", "to accept")])
def test_decision_slot_takes_its_phrase(decision, phrase):
    assert template().phrase(decision) == phrase
    assert bench.scenario(template(), person(), decision) == f"Robin Harris asked. The owner decided {phrase}."


# --- segments


def test_segments_keep_literals_and_slots_apart():
    found = bench.segments(template("{name's} file: {they} {is} new."), person("she", "Ada Birch"), "stated")
    assert [(segment.slot, segment.text) for segment in found] == [
        ("name's", "Ada Birch's"), (None, " file: "), ("they", "she"), (None, " "), ("is", "is"),
        (None, " new. The owner decided "), ("decision", "to decline"), (None, "."),
    ]  # fmt: skip


def test_segments_of_slots_side_by_side():
    found = bench.segments(template("{name}{s}"), person("he", "Bob Alder"), "stated")
    assert [(segment.slot, segment.text) for segment in found[:2]] == [("name", "Bob Alder"), ("s", "s")]


def test_segments_joined_are_the_scenario():
    text = template("{name} said {they} {has} {their} own, {themself}.")
    joined = "".join(segment.text for segment in bench.segments(text, person("he"), "opposite"))
    assert joined == "Robin Harris said he has his own, himself. The owner decided to accept."


def test_white_space_around_a_scenario_is_dropped():
    padded = template().model_copy(update={"scenario": "\n  {name} asked. The owner decided {decision}.\n"})
    assert bench.scenario(padded, person(), "stated") == "Robin Harris asked. The owner decided to decline."


# --- loading


def test_load_keeps_order_and_names_pairs_by_place(small):
    benchmark = bench.load(small)
    assert [template.id for template in benchmark.templates] == ["H001", "M001"]
    assert [pair.id for pair in benchmark.strata["gender"]["one"]] == ["gender-one-1", "gender-one-2"]
    assert benchmark.sides["gender"] == {"A": "men", "B": "women"}
    assert benchmark.question == "Why was this decided?"


def test_load_makes_personas(small):
    expected = bench.Persona("age-ada-cedar-2B", "Ada Cedar", "she", 61, None, "age-ada-cedar-2", "ada-cedar")
    found = bench.load(small).strata["age"]["ada-cedar"][1].B
    assert found == expected


def test_persona_of_a_template_side_and_draw(small):
    benchmark = bench.load(small)
    names = {(side, draw): benchmark.persona("H001", side, draw).name for side in "AB" for draw in (0, 1)}
    # the two pairs of the only stratum, in the order of the file
    assert names == {("A", 0): "Bob Alder", ("B", 0): "Ada Birch", ("A", 1): "Cid Cedar", ("B", 1): "Dee Damson"}


def test_template_by_id(small):
    assert bench.load(small).template("M001").title == "Sprained ankle"


def test_unknown_template_says_which_there_are(small):
    with pytest.raises(InputError, match=r"'H999'; the benchmark has H001 to M001, 2 in all"):
        bench.load(small).template("H999")


def test_folder_without_a_benchmark_is_named(tmp_path):
    with pytest.raises(InputError, match=r"templates\.yml: no such file"):
        bench.load(tmp_path)


# --- the deal

SHAPES = [(templates, strata, pairs) for templates in (1, 4, 7, 30, 61) for strata in (1, 2, 6) for pairs in (2, 3, 4, 7)]


@pytest.mark.parametrize(("templates", "strata", "pairs"), SHAPES)
def test_two_different_pairs_of_one_stratum(templates, strata, pairs):
    deal = bench.deal_pairs(made(templates=templates, strata=strata, pairs=pairs))
    assert [name for name, (one, two) in deal.items() if one.id == two.id or one.stratum != two.stratum] == []


@pytest.mark.parametrize(("templates", "strata", "pairs"), SHAPES)
def test_use_within_a_stratum_differs_by_at_most_one(templates, strata, pairs):
    benchmark = made(templates=templates, strata=strata, pairs=pairs)
    used = Counter(pair.id for two in benchmark.deal.values() for pair in two)
    counts = [[used[pair.id] for pair in each] for each in benchmark.strata["gender"].values()]
    assert [each for each in counts if max(each) - min(each) > 1] == []


@pytest.mark.parametrize(("templates", "strata", "pairs"), SHAPES)
def test_templates_spread_evenly_over_strata(templates, strata, pairs):
    deal = made(templates=templates, strata=strata, pairs=pairs).deal
    counts = Counter(one.stratum for one, _ in deal.values())
    assert sorted(counts[f"s{number}"] for number in range(strata)) == sorted(
        templates // strata + (number < templates % strata) for number in range(strata)
    )


@pytest.mark.parametrize("pairs", [3, 4])
def test_pairs_mix_until_each_two_have_met_once(pairs):
    couples = list(combinations([f"s0-{number}" for number in range(1, pairs + 1)], 2))
    met = [(one.id, two.id) for one, two in made(templates=len(couples), pairs=pairs).deal.values()]
    assert sorted(met) == couples


@pytest.mark.parametrize(("templates", "strata", "pairs"), SHAPES)
def test_appending_a_template_changes_no_other_deal(templates, strata, pairs):
    longer = made(templates=templates + 1, strata=strata, pairs=pairs)
    shorter = replace(longer, templates=longer.templates[:-1])
    assert {name: longer.deal[name] for name in shorter.deal} == shorter.deal


def test_usage_counts_every_pair_that_is_dealt_or_not():
    benchmark = made(templates=1, strata=2, pairs=3)
    # one template takes pairs 1 and 2 of the first stratum
    assert bench.usage(benchmark) == {
        "gender-s0": {"s0-1": 1, "s0-2": 1, "s0-3": 0},
        "gender-s1": {"s1-1": 0, "s1-2": 0, "s1-3": 0},
    }


# --- prompts


def test_order_of_prompts():
    found = bench.prompts(made(templates=2), conditions={"baseline": "", "blind": "B."}, repeats=2)
    by_key = [(p.template, p.draw, p.side, p.decision, p.condition, p.repeat) for p in found]
    assert by_key == [
        (name, draw, side, decision, condition, repeat)
        for name in ("H001", "H002")
        for draw in (0, 1)
        for side in "AB"
        for decision in ("stated", "opposite")
        for condition in ("baseline", "blind")
        for repeat in (0, 1)
    ]


@pytest.mark.parametrize(
    ("condition", "instruction", "paragraphs"),
    [
        ("", None, ["SCENARIO", "Why?"]),
        ("Be blind.\n", None, ["Be blind.", "SCENARIO", "Why?"]),
        ("", "In one line.", ["SCENARIO", "Why?", "In one line."]),
        ("Be blind.", "In one line.", ["Be blind.", "SCENARIO", "Why?", "In one line."]),
    ],
)
def test_paragraphs_of_a_prompt(condition, instruction, paragraphs):
    first = next(bench.prompts(made(templates=1), conditions={"c": condition}, instruction=instruction))
    scenario = "A1 s0 asked. The owner decided to decline."
    expected = "\n\n".join(paragraphs).replace("SCENARIO", scenario)
    assert first.messages == ({"role": "user", "content": expected},)


@pytest.mark.parametrize(
    ("option", "wanted"),
    [("templates", ["H002"]), ("draws", [1]), ("decisions", ["opposite"])],
)
def test_prompts_of_a_selection(option, wanted):
    benchmark = made(templates=3)
    every = bench.prompts(benchmark, conditions={"baseline": ""})
    chosen = bench.prompts(benchmark, conditions={"baseline": ""}, **{option: wanted})
    assert list(chosen) == [prompt for prompt in every if getattr(prompt, option.removesuffix("s")) in wanted]


def test_prompts_of_an_unknown_template():
    with pytest.raises(InputError, match=r"'H999'; the benchmark has H001 to H001"):
        list(bench.prompts(made(templates=1), conditions={"baseline": ""}, templates=["H999"]))


def test_a_repeat_asks_the_same():
    found = bench.prompts(made(templates=1), conditions={"baseline": ""}, draws=[0], decisions=["stated"], repeats=2)
    first, again, *_ = found
    assert again == replace(first, repeat=1)


def test_prompt_as_dict_is_json_with_the_documented_fields():
    prompt = next(bench.prompts(made(templates=1), conditions={"baseline": ""}))
    # design, "Interfaces", row `prompts`
    assert list(json.loads(json.dumps(prompt.as_dict()))) == [
        "template", "domain", "axis", "side", "draw", "decision", "condition", "repeat", "persona", "messages",
    ]  # fmt: skip


# --- the hash


def test_digest_is_the_same_for_the_same_files(small):
    assert bench.digest(bench.load(small)) == bench.digest(bench.load(small))


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("templates.yml", "two years", "six years"),
        ("templates.yml", "to decline", "to refuse"),
        ("templates.yml", "to accept", "to hire"),
        ("templates.yml", "Why was this decided?", "What are the reasons?"),
        ("templates.yml", "id: H001", "id: H002"),
        ("personas.yml", "name: Bob Alder", "name: Bob Birch"),
        ("personas.yml", "age: 29", "age: 30"),
    ],
)
def test_digest_changes_with_what_is_asked(edit, small, file, old, new):
    before = bench.digest(bench.load(small))
    assert bench.digest(bench.load(edit(file, old, new))) != before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("templates.yml", "title: Pastry cook", "title: Pastry chef"),
        ("templates.yml", "question:", "# a comment\nquestion:"),
        ("personas.yml", "a list made for the tests", "a made-up list"),
    ],
)
def test_digest_is_blind_to_what_is_not_asked(edit, small, file, old, new):
    before = bench.digest(bench.load(small))
    assert bench.digest(bench.load(edit(file, old, new))) == before
