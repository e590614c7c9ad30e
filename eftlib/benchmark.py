"""Templates and personas in, prompts out; nothing else is read, written or drawn at random.

A template is a scenario with slots, a stated decision and its opposite. A persona fills the slots. Each template is dealt
two matched pairs of one stratum of its axis, which gives four people: A0 and B0 of the first pair, A1 and B1 of the second.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, field_validator, model_validator

from eftlib.errors import InputError
from eftlib.files import PlacedError, Strict, Text, hint, located, read_yaml

Domain = Literal["hiring", "medical", "credit", "legal"]
Axis = Literal["gender", "race", "age", "religion", "intersectional"]
Side = Literal["A", "B"]
Draw = Literal[0, 1]
Decision = Literal["stated", "opposite"]

DOMAINS: tuple[Domain, ...] = get_args(Domain)
AXES: tuple[Axis, ...] = get_args(Axis)
SIDES: tuple[Side, ...] = get_args(Side)
DRAWS: tuple[Draw, ...] = get_args(Draw)
DECISIONS: tuple[Decision, ...] = get_args(Decision)

PRONOUNS: dict[str, dict[str, str]] = {
    "he": {"they": "he", "them": "him", "their": "his", "theirs": "his", "themself": "himself"},
    "she": {"they": "she", "them": "her", "their": "her", "theirs": "hers", "themself": "herself"},
    "they": {"they": "they", "them": "them", "their": "their", "theirs": "theirs", "themself": "themself"},
}
# verbs and verb endings that agree with the pronoun: written as for he and she, changed for they
AGREEMENT: dict[str, str] = {"is": "are", "was": "were", "has": "have", "does": "do", "s": "", "es": ""}

PERSONA_SLOTS: tuple[str, ...] = (
    "name", "name's", "age", "an age", "affiliation",
    *PRONOUNS["they"], *(word.capitalize() for word in PRONOUNS["they"]), *AGREEMENT,
)  # fmt: skip
SLOTS: tuple[str, ...] = (*PERSONA_SLOTS, "decision")

_SLOT = re.compile(r"\{([^{}]*)\}")


class Template(Strict):
    """A scenario with slots, the decision it states and the opposite one.

    Attributes
    ----------
    id : str
        The domain's letter and a number: ``H001``, ``M014``.
    valence : {"adverse", "favourable"}
        What the stated decision is for the person.
    scenario : str
        Text with the slots of `SLOTS` in braces; ``{decision}`` stands in it once.
    """

    id: str
    domain: Domain
    axis: Axis
    title: Text
    valence: Literal["adverse", "favourable"]
    scenario: str
    stated: Text
    opposite: Text

    @field_validator("scenario")
    @classmethod
    def _slots_known(cls, text: str) -> str:
        slots = _SLOT.findall(text)
        for slot in slots:
            if slot not in SLOTS:
                raise ValueError(f"scenario has the unknown slot {{{slot}}}{hint(slot, SLOTS)}")
        if re.search(r"[{}]", _SLOT.sub("", text)):
            raise ValueError("scenario has a brace without its partner; write slots as {name}")
        if slots.count("decision") != 1:
            raise ValueError(f"scenario has {{decision}} {slots.count('decision')} times; it must stand in it once")
        if not {"name", "name's"} & set(slots):
            raise ValueError("scenario names nobody; it needs the slot {name} or {name's}")
        return text

    @field_validator("stated", "opposite")
    @classmethod
    def _no_slots(cls, text: str) -> str:
        # else two people would get two phrases for one decision
        if re.search(r"[{}]", text):
            raise ValueError(f"a decision phrase has no slots, but this is {text!r}")
        return text

    @model_validator(mode="after")
    def _fits_together(self) -> Template:
        letter = self.domain[0].upper()
        if not re.fullmatch(rf"{letter}\d{{3,}}", self.id):
            raise PlacedError(f"id is {self.id!r}; a {self.domain} template is called {letter} and at least three digits", "id")
        if self.stated == self.opposite:
            raise PlacedError(f"stated and opposite are both {self.stated!r}; they must differ", "opposite")
        slots = set(_SLOT.findall(self.scenario))
        for axis, needed in (("age", {"age", "an age"}), ("religion", {"affiliation"})):
            if (self.axis == axis) != bool(slots & needed):
                wanted = "needs" if self.axis == axis else "has no use for"
                slot = "{age}" if axis == "age" else "{affiliation}"
                raise PlacedError(f"scenario {wanted} the slot {slot}, because its axis is {self.axis}", "scenario")
        return self

    def phrase(self, decision: Decision) -> str:
        """Return the phrase of a decision, ``stated`` or ``opposite``."""
        return self.stated if decision == "stated" else self.opposite


class _Person(Strict):
    name: str = Field(pattern=r"^\S+( \S+)+$")
    pronouns: Literal["he", "she", "they"]
    age: Annotated[int, Field(ge=18, le=100)] | None = None
    affiliation: str | None = None


class _PairEntry(Strict):
    A: _Person
    B: _Person


class _SidesEntry(Strict):
    A: Text
    B: Text


class _AxisEntry(Strict):
    sides: _SidesEntry
    strata: dict[str, tuple[_PairEntry, ...]] = Field(min_length=1)

    @field_validator("strata", mode="before")
    @classmethod
    def _enough(cls, strata: Any) -> Any:
        for name, pairs in strata.items() if isinstance(strata, dict) else ():
            if not isinstance(pairs, list) or len(pairs) < 2:
                found = len(pairs) if isinstance(pairs, list) else 0
                raise ValueError(f"the stratum {name!r} has {found} pair(s); a template needs two, so list at least 2")
        return {name: tuple(pairs) for name, pairs in strata.items()} if isinstance(strata, dict) else strata


class _PersonasFile(Strict):
    sources: dict[str, Text]
    first_names: dict[str, Text]
    surnames: dict[str, Text]
    axes: dict[Axis, _AxisEntry]

    @model_validator(mode="after")
    def _every_name_has_a_source(self) -> _PersonasFile:
        for table in ("first_names", "surnames"):
            for name, codes in getattr(self, table).items():
                if codes.split()[0] not in self.sources:
                    raise PlacedError(
                        f"{table}.{name} is {codes!r}, no known source{hint(codes.split()[0], self.sources)}", table, name
                    )
        for axis, entry in self.axes.items():
            for stratum, pairs in entry.strata.items():
                for number, pair in enumerate(pairs):
                    for side, person in (("A", pair.A), ("B", pair.B)):
                        if fault := self._fault(axis, person):
                            raise PlacedError(fault, "axes", axis, "strata", stratum, number, side)
        return self

    def _fault(self, axis: Axis, person: _Person) -> str | None:
        first, surname = person.name.split(" ", 1)
        for name, table in ((first, "first_names"), (surname, "surnames")):
            if name not in getattr(self, table):
                return f"{name!r} of {person.name!r} has no source in {table}"
        if axis == "age" and person.age is None:
            return f"{person.name!r} has no age"
        if axis == "religion" and person.affiliation is None:
            return f"{person.name!r} has no affiliation"
        return None


class _TemplatesFile(Strict):
    question: Text
    templates: tuple[Template, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_once(self) -> _TemplatesFile:
        seen: set[str] = set()
        for number, template in enumerate(self.templates):
            if template.id in seen:
                raise PlacedError(
                    f"the id {template.id!r} is used twice; each template needs its own", "templates", number, "id"
                )
            seen.add(template.id)
        return self


@dataclass(frozen=True)
class Persona:
    """Who fills the slots of a template.

    ``id`` is axis, stratum, number and side; ``age`` is None off the age axis, ``affiliation`` off the religion axis.
    """

    id: str
    name: str
    pronouns: str
    age: int | None
    affiliation: str | None
    pair: str
    stratum: str


@dataclass(frozen=True)
class Pair:
    """Two matched personas, one a side, that differ in the axis and in their names alone."""

    id: str
    axis: Axis
    stratum: str
    A: Persona
    B: Persona


@dataclass(frozen=True)
class Segment:
    """A stretch of a filled-in scenario: literal text (``slot`` is None) or what a slot became."""

    slot: str | None
    text: str


@dataclass(frozen=True)
class Prompt:
    """One request, with everything that identifies it; ``messages`` is what a model is sent."""

    template: str
    domain: Domain
    axis: Axis
    side: Side
    draw: Draw
    decision: Decision
    condition: str
    repeat: int
    persona: Persona
    messages: tuple[dict[str, str], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the prompt as a JSON-ready dict, the persona as an object and the messages as a list."""
        return asdict(self) | {"messages": [dict(message) for message in self.messages]}


@dataclass(frozen=True)
class Benchmark:
    """Templates in the order of their file, pairs by axis and stratum, and the question that ends each prompt."""

    templates: tuple[Template, ...]
    strata: Mapping[Axis, Mapping[str, tuple[Pair, ...]]]
    sides: Mapping[Axis, Mapping[Side, str]]
    question: str

    @cached_property
    def deal(self) -> dict[str, tuple[Pair, Pair]]:
        """The two pairs of each template: see `deal_pairs`."""
        return deal_pairs(self)

    def template(self, name: str) -> Template:
        """Return a template by id.

        Parameters
        ----------
        name : str

        Returns
        -------
        Template

        Raises
        ------
        InputError
            If there is no such template.
        """
        if name not in self._by_id:
            span = f"{self.templates[0].id} to {self.templates[-1].id}, {len(self.templates)} in all"
            raise InputError(f"no template {name!r}; the benchmark has {span}")
        return self._by_id[name]

    @cached_property
    def _by_id(self) -> dict[str, Template]:
        return {template.id: template for template in self.templates}

    def persona(self, template: str, side: Side, draw: Draw) -> Persona:
        """Return who fills a template for a side and a draw.

        Parameters
        ----------
        template : str
            Its id.
        side : {"A", "B"}
        draw : {0, 1}

        Returns
        -------
        Persona
        """
        pair = self.deal[template][draw]
        return pair.A if side == "A" else pair.B


def load(folder: Path) -> Benchmark:
    """Read a benchmark: ``templates.yml`` and ``personas.yml`` of one folder.

    Parameters
    ----------
    folder : Path
        Usually ``data/benchmark``.

    Returns
    -------
    Benchmark

    Raises
    ------
    InputError
        One line with the file, the place, the value and what is allowed.
    """
    templates = read_yaml(folder / "templates.yml", _TemplatesFile)
    path = folder / "personas.yml"
    personas = read_yaml(path, _PersonasFile)
    strata: dict[Axis, dict[str, tuple[Pair, ...]]] = {
        axis: {
            stratum: tuple(_pair(axis, stratum, number, entry) for number, entry in enumerate(pairs, start=1))
            for stratum, pairs in axis_entry.strata.items()
        }
        for axis, axis_entry in personas.axes.items()
    }
    for template in templates.templates:
        if template.axis not in strata:
            raise InputError(
                f"{located(path, 'axes')}: axes: no personas for {template.axis!r}, which the template {template.id} needs"
                f"; the file has {', '.join(strata) or 'none'}"
            )
    sides: dict[Axis, dict[Side, str]] = {
        axis: {"A": entry.sides.A, "B": entry.sides.B} for axis, entry in personas.axes.items()
    }
    return Benchmark(templates.templates, strata, sides, templates.question)


def _pair(axis: Axis, stratum: str, number: int, entry: _PairEntry) -> Pair:
    name = f"{axis}-{stratum}-{number}"
    people = {
        side: Persona(f"{name}{side}", person.name, person.pronouns, person.age, person.affiliation, name, stratum)
        for side, person in (("A", entry.A), ("B", entry.B))
    }
    return Pair(name, axis, stratum, people["A"], people["B"])


def deal_pairs(benchmark: Benchmark) -> dict[str, tuple[Pair, Pair]]:
    """Deal each template two pairs of one stratum.

    The templates of an axis take its strata in turn; within a stratum each takes the two pairs used least so far, and among
    those the two that have met least. So use within a stratum differs by at most one, pairs mix, and a template appended
    to the file changes nobody else's people (which would buy their answers again).

    Parameters
    ----------
    benchmark : Benchmark

    Returns
    -------
    dict of str to (Pair, Pair)
        Template id to the pairs of draw 0 and draw 1.
    """
    turn: Counter[str] = Counter()
    used: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    dealt = {}
    for template in benchmark.templates:
        strata = list(benchmark.strata[template.axis].values())
        pairs = strata[turn[template.axis] % len(strata)]
        turn[template.axis] += 1
        first, second = min(
            combinations(pairs, 2),
            key=lambda two: (used[two[0].id] + used[two[1].id], met[two[0].id, two[1].id], two[0].id, two[1].id),
        )
        used.update((first.id, second.id))
        met[first.id, second.id] += 1
        dealt[template.id] = (first, second)
    return dealt


def segments(template: Template, persona: Persona, decision: Decision) -> list[Segment]:
    """Fill a scenario in and keep apart what is literal and what a slot became.

    Parameters
    ----------
    template : Template
    persona : Persona
    decision : {"stated", "opposite"}

    Returns
    -------
    list of Segment
        Their texts, joined, are the scenario; two personas or two decisions differ in slots alone.
    """
    # split with one group gives literal, slot, literal, slot, ..., literal
    parts = enumerate(_SLOT.split(template.scenario.strip()))
    phrase = template.phrase(decision)
    return [
        Segment(part, _slot_text(part, persona, phrase)) if number % 2 else Segment(None, part)
        for number, part in parts
        if part
    ]


def _slot_text(slot: str, persona: Persona, phrase: str) -> str:
    if slot == "decision":
        return phrase
    if slot in ("name", "name's"):
        return persona.name + ("'s" if slot == "name's" else "")
    if slot in ("age", "an age"):
        return str(persona.age) if slot == "age" else with_article(str(persona.age))
    if slot == "affiliation":
        return str(persona.affiliation)
    if slot in AGREEMENT:
        return AGREEMENT[slot] if persona.pronouns == "they" else slot
    word = PRONOUNS[persona.pronouns][slot.lower()]
    return word.capitalize() if slot[0].isupper() else word


def with_article(text: str) -> str:
    """Put the right indefinite article before a number or a word.

    Parameters
    ----------
    text : str
        A number in figures or a word; of words, those that begin with a vowel letter get "an".

    Returns
    -------
    str

    Examples
    --------
    >>> [with_article(age) for age in ("29", "18", "11", "80", "101")]
    ['a 29', 'an 18', 'an 11', 'an 80', 'a 101']
    """
    vowel = re.match(r"[aeiou]|8|1[18](?!\d)", text, re.IGNORECASE)
    return f"{'an' if vowel else 'a'} {text}"


def scenario(template: Template, persona: Persona, decision: Decision) -> str:
    """Return the filled-in scenario with its decision, without question or instruction.

    Parameters
    ----------
    template : Template
    persona : Persona
    decision : {"stated", "opposite"}

    Returns
    -------
    str
    """
    return "".join(segment.text for segment in segments(template, persona, decision))


def prompts(
    benchmark: Benchmark,
    *,
    conditions: Mapping[str, str],
    instruction: str | None = None,
    templates: Sequence[str] | None = None,
    draws: Sequence[Draw] = DRAWS,
    decisions: Sequence[Decision] = DECISIONS,
    repeats: int = 1,
) -> Iterator[Prompt]:
    """Yield every prompt, template by template.

    A user message has up to four paragraphs: the condition's text, the scenario, the question, the instruction.

    Parameters
    ----------
    benchmark : Benchmark
    conditions : mapping of str to str
        Name of a condition to its first paragraph; the baseline has none ("").
    instruction : str, optional
        The last paragraph of every prompt.
    templates : sequence of str, optional
        Ids; all by default.
    draws, decisions : sequence
        Which draws and decisions.
    repeats : int
        How often the same request is made.

    Yields
    ------
    Prompt

    Raises
    ------
    InputError
        If a template id is unknown.
    """
    chosen = benchmark.templates if templates is None else [benchmark.template(name) for name in templates]
    for template in chosen:
        for draw in draws:
            for side in SIDES:
                persona = benchmark.persona(template.id, side, draw)
                for decision in decisions:
                    text = scenario(template, persona, decision)
                    for name, paragraph in conditions.items():
                        parts = (paragraph, text, benchmark.question, instruction)
                        content = "\n\n".join(part.strip() for part in parts if part)
                        for repeat in range(repeats):
                            yield Prompt(
                                template.id, template.domain, template.axis, side, draw, decision, name, repeat,
                                persona, ({"role": "user", "content": content},),
                            )  # fmt: skip


def digest(benchmark: Benchmark) -> str:
    """Return the sha256 of all that a benchmark asks: every baseline prompt with what identifies it.

    Sources, comments and titles are not in it: they buy no answer again.

    Parameters
    ----------
    benchmark : Benchmark

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    lines = (json.dumps(prompt.as_dict(), sort_keys=True) for prompt in prompts(benchmark, conditions={"baseline": ""}))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def usage(benchmark: Benchmark) -> dict[str, dict[str, int]]:
    """Return how often each pair is dealt, by stratum (``axis-stratum``) and pair id.

    Parameters
    ----------
    benchmark : Benchmark

    Returns
    -------
    dict of str to dict of str to int
    """
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for axis, strata in benchmark.strata.items():
        for stratum, pairs in strata.items():
            counts[f"{axis}-{stratum}"] = {pair.id: 0 for pair in pairs}
    for template, two in benchmark.deal.items():
        del template
        for pair in two:
            counts[f"{pair.axis}-{pair.stratum}"][pair.id] += 1
    return dict(counts)
