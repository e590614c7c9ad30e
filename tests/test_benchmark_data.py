"""The shipped 80 templates and their personas: that two prompts differ in what they should differ in, and in nothing else."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations, product

import grammar
import pytest
import yaml
from shared import ROOT
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from eftlib import benchmark as bench
from eftlib import lexicons

BENCHMARK = bench.load(ROOT / "data" / "benchmark")
PERSONAS = yaml.safe_load((ROOT / "data" / "benchmark" / "personas.yml").read_text(encoding="utf-8"))
PAIRS = {axis: [pair for pairs in strata.values() for pair in pairs] for axis, strata in BENCHMARK.strata.items()}
PEOPLE = [person for pairs in PAIRS.values() for pair in pairs for person in (pair.A, pair.B)]

# arXiv 2605.08671, Table 2, transcribed, with its totals
TABLE_2 = """
                gender  race  age  religion  intersectional  total
hiring               7     7    2         2               2     20
medical              5     7    5         1               2     20
credit               5     8    4         2               1     20
legal                4     7    4         3               2     20
total               21    29   15         8               7     80
"""


def each(items, **options):
    return pytest.fixture(params=items, **options)(lambda request: request.param)


template = each(BENCHMARK.templates, ids=lambda template: template.id)
decision = each(["stated", "opposite"])
axis = each(BENCHMARK.strata)


def four(template: bench.Template) -> dict[str, bench.Persona]:
    """The people of a template: A0, B0, A1, B1."""
    return {f"{side}{draw}": BENCHMARK.persona(template.id, side, draw) for draw in (0, 1) for side in "AB"}


def of_axis(axis: str) -> list[bench.Template]:
    return [template for template in BENCHMARK.templates if template.axis == axis]


def texts(template: bench.Template, decision: str) -> dict[str, str]:
    """What each of the four makes of a scenario."""
    return {key: bench.scenario(template, person, decision) for key, person in four(template).items()}


# --- the distribution


def _cells() -> list[tuple[str, str, int]]:
    head, *rows = [line.split() for line in TABLE_2.strip().splitlines()]
    return [(row[0], column, int(value)) for row in rows for column, value in zip(head, row[1:], strict=True)]


@pytest.mark.parametrize(("domain", "axis_", "count"), _cells())
def test_counts_of_table_2(domain, axis_, count):
    chosen = [t for t in BENCHMARK.templates if domain in (t.domain, "total") and axis_ in (t.axis, "total")]
    assert len(chosen) == count


@pytest.mark.parametrize("domain", ["hiring", "medical", "credit", "legal"])
def test_ids_of_a_domain_run_from_001_to_020(domain):
    # the study names its own templates so: M004, C009, C010, C012 (section IV.C)
    found = [template.id for template in BENCHMARK.templates if template.domain == domain]
    assert found == [f"{domain[0].upper()}{number:03}" for number in range(1, 21)]


@pytest.mark.parametrize(
    ("field", "value"), [("domain", domain) for domain in bench.DOMAINS] + [("axis", axis) for axis in bench.AXES]
)
def test_stated_decisions_are_adverse_in_half(field, value):
    chosen = [template.valence for template in BENCHMARK.templates if getattr(template, field) == value]
    assert abs(chosen.count("adverse") - chosen.count("favourable")) <= 1


# --- two prompts differ in their slots alone


def literals(segments: list[bench.Segment]) -> list[tuple[str | None, str | None]]:
    """A scenario with what its slots became blanked out."""
    return [(segment.slot, None if segment.slot else segment.text) for segment in segments]


def test_two_people_differ_in_persona_slots_alone(template, decision):
    filled = [bench.segments(template, person, decision) for person in four(template).values()]
    for one, two in combinations(filled, 2):
        assert literals(one) == literals(two)
        assert {a.slot for a, b in zip(one, two, strict=True) if a != b} <= set(bench.PERSONA_SLOTS)


def test_two_decisions_differ_in_the_decision_slot_alone(template):
    for person in four(template).values():
        stated, opposite = (bench.segments(template, person, decision) for decision in bench.DECISIONS)
        assert literals(stated) == literals(opposite)
        assert [a.slot for a, b in zip(stated, opposite, strict=True) if a != b] == ["decision"]


# The same two claims once more, from the prompts as a model gets them and without the library's slots: what belongs to a
# person is replaced by a sign by means of regular expressions, and the rest must be equal.
FORMS = {
    "SUBJECT": ("he", "she"),
    # "her" is both "him" and "his", so the three forms share a sign
    "OTHER": ("him", "his", "her", "hers"),
    "SELF": ("himself", "herself"),
}


def neutral(text: str, person: bench.Persona) -> str:
    """A prompt without its person."""
    text = re.sub(re.escape(person.name), "NAME", text)
    if person.affiliation:
        text = text.replace(person.affiliation, "AFFILIATION")
    if person.age is not None:
        text = re.sub(rf"\b(an? )?{person.age}(?=\b)", lambda found: ("AN " if found[1] else "") + "AGE", text, count=1)
    for sign, forms in FORMS.items():
        text = re.sub(rf"\b({'|'.join(forms)})\b", sign.lower(), text)
        text = re.sub(rf"\b({'|'.join(form.capitalize() for form in forms)})\b", sign, text)
    return text


def test_neutral_keeps_all_that_is_not_the_person():
    she = bench.Persona("p", "Ada Cedar", "she", 29, "a driver", "pair", "stratum")
    he = replace(she, name="Bob Alder", pronouns="he", age=80, affiliation="a coach")
    one = neutral("Ada Cedar's file: She is a 29-year-old, a driver. It is hers, in 3 years.", she)
    assert one == neutral("Bob Alder's file: He is an 80-year-old, a coach. It is his, in 3 years.", he)
    assert one != neutral("Bob Alder's file: He is an 80-year-old, a coach. It is his, in 4 years.", he)


def asked(**options) -> dict[tuple, bench.Prompt]:
    conditions = {"baseline": "", "other": "A first paragraph."}
    every = bench.prompts(BENCHMARK, conditions=conditions, instruction="A last paragraph.", **options)
    return {(p.template, p.decision, p.condition, p.side, p.draw): p for p in every}


def test_prompts_of_a_template_are_equal_but_for_the_person():
    remaining = defaultdict(set)
    for key, prompt in asked().items():
        remaining[key[:3]].add(neutral(prompt.messages[0]["content"], prompt.persona))
    assert {key: found for key, found in remaining.items() if len(found) > 1} == {}


def test_prompts_of_a_decision_pair_are_equal_but_for_the_phrase():
    stated, opposite = ({k[:1] + k[2:]: p for k, p in asked(decisions=[each]).items()} for each in bench.DECISIONS)
    faults = []
    for key, prompt in stated.items():
        phrases = BENCHMARK.template(key[0])
        one, two = prompt.messages[0]["content"], opposite[key].messages[0]["content"]
        places = [found.start() for found in re.finditer(re.escape(phrases.stated), one)]
        swapped = [one[:place] + phrases.opposite + one[place + len(phrases.stated) :] for place in places]
        faults += [key] if two not in swapped else []
    assert faults == []


# --- the four people of a template


def shared(one: bench.Persona, two: bench.Persona) -> set[str]:
    """What two people have in common."""
    parts = {"first name": 0, "surname": -1}
    same = {name for name, index in parts.items() if one.name.split()[index] == two.name.split()[index]}
    same |= {name for name in ("pronouns", "age", "affiliation", "stratum") if getattr(one, name) == getattr(two, name)}
    return same


def test_the_four_are_of_one_stratum_of_the_axis(template):
    strata = BENCHMARK.strata[template.axis]
    names = {person.stratum for person in four(template).values()}
    assert len(names) == 1
    assert names <= set(strata)


def test_a_pair_is_no_more_alike_than_two_people_across_pairs(template):
    people = four(template)
    alike = {f"{a}-{b}": shared(people[a], people[b]) for a, b in product(("A0", "A1"), ("B0", "B1"))}
    assert [key for key, same in alike.items() if same != alike["A0-B0"]] == []


def test_placebo_people_share_at_least_what_a_pair_shares(template):
    people = four(template)
    pair = shared(people["A0"], people["B0"])
    assert pair <= shared(people["A0"], people["A1"])
    assert pair <= shared(people["B0"], people["B1"])


def test_no_name_is_shared_but_on_the_age_axis(template):
    names = [person.name.split() for person in four(template).values()]
    distinct = 1 if template.axis == "age" else 4
    assert [len({name[part] for name in names}) for part in (0, -1)] == [distinct, distinct]


@pytest.mark.parametrize("axis_", ["gender", "intersectional"])
def test_men_against_women(axis_):
    found = {(person.pronouns, key[0]) for template in of_axis(axis_) for key, person in four(template).items()}
    assert found == {("he", "A"), ("she", "B")}


@pytest.mark.parametrize("axis_", ["race", "age", "religion"])
def test_pronouns_are_equal_within_a_template(axis_):
    found = {template.id: {person.pronouns for person in four(template).values()} for template in of_axis(axis_)}
    assert {name: pronouns for name, pronouns in found.items() if len(pronouns) > 1} == {}


@pytest.mark.parametrize("axis_", ["race", "age", "religion"])
def test_both_genders_occur(axis_):
    assert {person.pronouns for pair in PAIRS[axis_] for person in (pair.A, pair.B)} == {"he", "she"}


def test_ages_are_29_and_31_against_59_and_61():
    # noise-floor, section 10
    found = {tuple((key, person.age) for key, person in four(template).items()) for template in of_axis("age")}
    young, old = (29, 31), (59, 61)
    assert {(dict(ages)["A0"], dict(ages)["A1"]) for ages in found} == {young}
    assert {(dict(ages)["B0"], dict(ages)["B1"]) for ages in found} == {old}


def test_age_and_affiliation_are_given_on_their_axes_alone(axis):
    people = [person for pair in PAIRS[axis] for person in (pair.A, pair.B)]
    given = {name for name in ("age", "affiliation") for person in people if getattr(person, name) is not None}
    assert given == {"age": {"age"}, "religion": {"affiliation"}}.get(axis, set())


RELIGION = {"A": r"\b(Christian|church)\b", "B": r"\b(Muslim|Islamic|mosque)\b"}


@pytest.mark.parametrize("side", "AB")
def test_affiliation_says_the_religion_of_its_side_once(side):
    faults = [p.id for p in PAIRS["religion"] if len(re.findall(RELIGION[side], getattr(p, side).affiliation)) != 1]
    assert faults == []


def test_affiliations_of_a_template_are_equal_but_for_the_religion():
    faults = []
    for template in of_axis("religion"):
        bare = {re.sub(RELIGION[key[0]], "RELIGION", person.affiliation) for key, person in four(template).items()}
        lengths = {len(person.affiliation.split()) for person in four(template).values()}
        faults += [template.id] if len(bare) > 1 or len(lengths) > 1 else []
    assert faults == []


@pytest.mark.parametrize("side", "AB")
def test_at_least_four_wordings_of_an_affiliation_a_side(side):
    dealt = {BENCHMARK.persona(template.id, side, 0).affiliation for template in of_axis("religion")}
    assert len(dealt) >= 4


def test_affiliations_take_the_right_article():
    assert [p.affiliation for p in PEOPLE if p.affiliation and grammar.wrong_articles(p.affiliation)] == []


def test_both_religions_bear_the_same_surnames():
    # names.md: Valfort and Adida et al. hold surname and origin fixed
    surnames = {side: {getattr(pair, side).name.split()[-1] for pair in PAIRS["religion"]} for side in "AB"}
    assert surnames["A"] == surnames["B"]


# --- how pairs are made and dealt


def test_at_least_twelve_pairs_an_axis(axis):
    # age: a pair is a name at two ages; two pairs a name, at least six names
    assert len(PAIRS[axis]) >= 12
    assert len({pair.A.name for pair in PAIRS[axis]}) >= (6 if axis == "age" else 12)


def test_at_least_three_pairs_a_stratum_and_two_on_the_age_axis(axis):
    sizes = {name: len(pairs) for name, pairs in BENCHMARK.strata[axis].items()}
    assert [name for name, size in sizes.items() if (size != 2 if axis == "age" else size < 3)] == []


def test_an_age_stratum_is_one_name():
    names = [{person.name for pair in pairs for person in (pair.A, pair.B)} for pairs in BENCHMARK.strata["age"].values()]
    assert [found for found in names if len(found) > 1] == []
    assert len(set.union(*names)) == len(names)


def test_nobody_is_listed_twice_on_an_axis(axis):
    names = [person.name for pair in PAIRS[axis] for person in (pair.A, pair.B)]
    times = 4 if axis == "age" else 1
    assert {name: count for name, count in Counter(names).items() if count != times} == {}


GROUPS = ("black", "hispanic", "asian")


@pytest.mark.parametrize(
    ("axis_", "strata", "spread"),
    [
        # design, "Benchmark": 18 race pairs in six strata, their 29 templates 5, 5, 5, 5, 5, 4; intersectional 3, 2, 2
        ("race", {f"{group}-{gender}": 3 for group in GROUPS for gender in ("men", "women")}, [4, 5, 5, 5, 5, 5]),
        ("intersectional", {f"{group}-women": 4 for group in GROUPS}, [2, 2, 3]),
    ],
)
def test_strata_and_the_spread_of_templates(axis_, strata, spread):
    assert {name: len(pairs) for name, pairs in BENCHMARK.strata[axis_].items()} == strata
    assert sorted(Counter(BENCHMARK.deal[template.id][0].stratum for template in of_axis(axis_)).values()) == spread


def test_the_name_of_a_race_stratum_is_true():
    expected = {"men": "he", "women": "she"}
    faults = [pair.id for pair in PAIRS["race"] if {pair.A.pronouns, pair.B.pronouns} != {expected[pair.stratum.split("-")[1]]}]
    assert faults == []


def census_group(person: bench.Persona) -> str:
    """The group that most bearers of a surname report, as the file has it from the census."""
    return PERSONAS["surnames"][person.name.split()[-1]].split()[-1].lower()


@pytest.mark.parametrize("axis_", ["gender", "race", "intersectional"])
def test_surnames_signal_the_group_of_side_and_stratum(axis_):
    faults = []
    for pair in PAIRS[axis_]:
        group = pair.stratum.split("-")[0]
        expected = {"A": group if axis_ == "gender" else "white", "B": group}
        faults += [getattr(pair, side).name for side in "AB" if census_group(getattr(pair, side)) != expected[side]]
    assert faults == []


def test_use_within_a_stratum_differs_by_at_most_one():
    used = Counter(pair.id for two in BENCHMARK.deal.values() for pair in two)
    counts = {
        (axis, name): [used[pair.id] for pair in pairs]
        for axis, strata in BENCHMARK.strata.items()
        for name, pairs in strata.items()
    }
    assert {stratum: found for stratum, found in counts.items() if max(found) - min(found) > 1} == {}


def test_every_pair_is_dealt():
    dealt = {pair.id for two in BENCHMARK.deal.values() for pair in two}
    assert {pair.id for pairs in PAIRS.values() for pair in pairs} - dealt == set()


def test_pairs_mix():
    # three templates of a stratum with three or more pairs can show three different couples
    met = defaultdict(list)
    for one, two in BENCHMARK.deal.values():
        met[one.axis, one.stratum].append(frozenset((one.id, two.id)))
    sizes = {key: len(BENCHMARK.strata[key[0]][key[1]]) for key in met}
    faults = {key: found for key, found in met.items() if sizes[key] >= 3 and len(set(found)) < min(len(found), 3)}
    assert faults == {}


@pytest.mark.parametrize("length", range(1, 80, 13))
def test_later_templates_change_no_earlier_deal(length):
    shorter = replace(BENCHMARK, templates=BENCHMARK.templates[:length])
    assert shorter.deal == {name: BENCHMARK.deal[name] for name in shorter.deal}


# --- grammar once the slots are filled


def rendered(template: bench.Template) -> list[tuple[str, str]]:
    """Every text of a template with its pronouns: of its own four people, and of one man, one woman and one "they"."""
    own = list(four(template).values())
    guests = (("Thomas Harris", "he"), ("Anne Reyes", "she"), ("Robin Ellis", "they"))
    people = own + [replace(own[0], name=name, pronouns=pronouns) for name, pronouns in guests]
    return [(each.pronouns, bench.scenario(template, each, decision)) for each, decision in product(people, bench.DECISIONS)]


def test_verbs_agree_with_he_she_and_they(template):
    assert {fault for pronouns, text in rendered(template) for fault in grammar.disagreement(pronouns, text)} == set()


def test_no_pronoun_of_another_gender(template):
    # a gendered pronoun of somebody else in a literal would be taken for the person's
    assert {fault for pronouns, text in rendered(template) for fault in grammar.foreign_pronouns(pronouns, text)} == set()


@pytest.mark.parametrize("rule", [grammar.wrong_articles, grammar.wrong_capitals, grammar.untidy])
def test_articles_capitals_and_tidiness(template, rule):
    assert {fault for _, text in rendered(template) for fault in rule(text)} == set()


def test_possessive_of_a_name_is_apostrophe_s(template):
    names = "|".join(["Harris", "Reyes", "Ellis", *(person.name for person in four(template).values())])
    assert {found for _, text in rendered(template) for found in re.findall(rf"(?:{names})(?:'(?!s\b)|s\b).*", text)} == set()


@pytest.mark.parametrize("age", [18, 80, 81, 85, 88, 89, 90, 100])
def test_every_age_fits_the_age_templates(age):
    faults = []
    for template in of_axis("age"):
        text = bench.scenario(template, replace(BENCHMARK.persona(template.id, "A", 0), age=age), "stated")
        faults += [template.id] if grammar.wrong_articles(text) or str(age) not in text else []
    assert faults == []


# --- the scenarios themselves


def test_a_scenario_has_40_to_90_words(template):
    lengths = {len(text.split()) for _, text in rendered(template)}
    assert min(lengths) >= 40
    assert max(lengths) <= 90


def test_a_scenario_has_figures(template):
    # design: scenarios are concrete, with figures, dates and duties
    number = r"\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
    assert len(re.findall(number, template.scenario)) >= 3


def test_scenario_has_nothing_that_fits_some_people_alone(template):
    told = (
        r"\b([Mm]an|[Ww]oman|[Mm]en|[Ww]omen|[Mm]ale|[Ff]emale|Mrs?|Ms|husband|wife|father|mother|son|daughter|brother|sister|"
        r"pregnan\w*|prostate|matern\w*|patern\w*|Black|White|Hispanic|Asian|African|immigra\w*|church|mosque|Christian|Muslim|"
        r"elderly|retire[ds]?|teenager|\d+[- ]year[- ]old(?= (?:man|woman|applicant|patient|candidate)))\b"
    )
    assert re.search(told, f"{template.scenario} {template.stated} {template.opposite}") is None


def test_no_two_scenarios_are_alike():
    sets = {template.id: grammar.shingles(template.scenario) for template in BENCHMARK.templates}
    alike = {(a, b): grammar.jaccard(sets[a], sets[b]) for a, b in combinations(sets, 2)}
    assert len(alike) == 80 * 79 / 2
    assert {key: value for key, value in alike.items() if value >= 0.2} == {}


def test_titles_are_all_different():
    titles = [template.title.lower() for template in BENCHMARK.templates]
    assert sorted(titles) == sorted(set(titles))


def test_phrases_of_a_decision_are_alike_in_length(template):
    # a longer phrase would tell a model and a word counter more than the decision
    assert abs(len(template.stated.split()) - len(template.opposite.split())) <= 2


# --- names

FUNCTION_WORDS = frozenset(("a", "an", "the", "of", "for", "in", "at", "to", "with", "by", "on", "and", "or", "one"))
# English words that are given or family names: to a metric, such a name is a word, and such a word the name
WORDS = """
abbot amber angel april art ash august autumn bailey baker banks barber baron bell berry best bill bishop black bliss bloom
bob bond booker bowman brook brooks brown buck bush butler carpenter carter case cash chance chandler charity chase chin
church clay cliff cole cook cooper cotton crisp cross crystal daisy dale dawn day dean destiny diamond dick dong drew duke
dusty dwell earl early earnest ebony ernest eve faith farmer favor field fields finch fisher flower ford forest foster fox
frank freeman french friend gay gene glass glen gold good goodwin grace grant graves gray green grey grimes gross guy hail
hall happy hardy harmony harper haven hazel heath heather heaven herb hill holiday holly honor hope hung hunt hunter iris ivy
jack jade jasmine jay jean jewel john joy judge june justice king knight lake lance lane law lee lily little long love lowe
lowery loyal luck major mark marsh marshall mason may mercy merit merry mild miles mill miller miracle misty moody moon moss
nasty nick noble north olive page park parker pat patience peace pearl penny pepper piper pleasant pope porter potter power
powers precious price pride priest prince prudence queen rain raven ray read reed rich ridge rivers rob robin rock rose royal
ruby rush rusty sage sandy savage serene shark sharp shepherd short silver skinner skip sky small smith song spring star steel
sterling stern stone storm stout strange strong sue summer summers sun swift tate temple terry tiger trinity true tucker
turner van victor victory viola violet walker wall ward waters weaver wells west will winner winter wise wolf wood woods worth
wright yang young
"""
NAMES_THAT_ARE_WORDS = frozenset(WORDS.split())


NAMES = {word for person in PEOPLE for word in person.name.lower().split()}
AFFILIATION_WORDS = {word for person in PEOPLE for word in re.findall(r"[\w'-]+", (person.affiliation or "").lower())}


def words_of(phrases) -> set[str]:
    """The words of a lexicon's phrases, and the phrases."""
    return {word for phrase in phrases for word in (phrase, *re.split(r"[\s-]", phrase))} - FUNCTION_WORDS


LEXICONS = {
    "vader": set(SentimentIntensityAnalyzer().lexicon),
    "hedging": words_of(lexicons.hedging()),
    **{domain: words_of(terms) for domain, terms in lexicons.domains().items()},
}


@pytest.mark.parametrize("lexicon", LEXICONS)
def test_no_persona_word_is_counted_by_a_metric(lexicon):
    assert (NAMES | AFFILIATION_WORDS) & LEXICONS[lexicon] == set()


def test_no_name_is_a_common_english_word():
    assert not NAMES & NAMES_THAT_ARE_WORDS


@pytest.mark.parametrize(
    ("lexicon", "word"),
    [
        # names that published lists use and a metric counts; without these hits, the test above could see nothing
        *(("vader", word) for word in ("grace", "joy", "precious", "grant", "hope", "faith", "freeman", "hardy", "moody")),
        ("hedging", "may"),
    ],
)
def test_names_of_published_lists_that_are_counted(lexicon, word):
    assert word in LEXICONS[lexicon]
    assert word in NAMES_THAT_ARE_WORDS


@pytest.mark.parametrize("table", ["first_names", "surnames"])
def test_every_source_of_a_name_exists(table):
    codes = {name: re.findall(r"\b[A-Z][A-Z0-9]+\b", source) for name, source in PERSONAS[table].items()}
    assert {name: found for name, found in codes.items() if not found or set(found) - set(PERSONAS["sources"])} == {}


@pytest.mark.parametrize(("table", "part"), [("first_names", 0), ("surnames", -1)])
def test_every_name_has_a_source_and_every_source_a_name(table, part):
    assert {person.name.split()[part] for person in PEOPLE} == set(PERSONAS[table])


def test_every_source_is_used():
    used = " ".join([*PERSONAS["first_names"].values(), *PERSONAS["surnames"].values()]).split()
    assert set(PERSONAS["sources"]) - set(used) == set()


# --- frozen


def test_the_benchmark_is_what_was_frozen():
    file = ROOT / "data" / "benchmark" / "FROZEN.json"
    studies = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in (ROOT / "data" / "studies").glob("*/study.yml")]
    if not file.exists() and not any(study["frozen"] for study in studies):
        pytest.skip("nothing is frozen yet")
    assert bench.digest(BENCHMARK) == json.loads(file.read_text(encoding="utf-8"))["sha256"]
