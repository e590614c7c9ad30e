"""A person's name in every form: found, counted, and replaced so that no measure can read it."""

from __future__ import annotations

import re
import unicodedata

import pytest
from texts import EXPLAINED, OTHER_NAMES, benchmark_names, filled, named

from eftlib.text import mask_name, mentions

NAMES = (*benchmark_names(), *OTHER_NAMES)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Aisha Okonkwo", "Aisha Okonkwo was denied.", "Person was denied."),
        ("Aisha Okonkwo", "Aisha was denied; Okonkwo may appeal.", "Person was denied; Person may appeal."),
        ("Aisha Okonkwo", "Okonkwo, Aisha: denied.", "Person, Person: denied."),
        ("Aisha Okonkwo", "Ms. Okonkwo, Mrs Okonkwo, Miss Okonkwo and Dr. Aisha Okonkwo", "Person, Person, Person and Person"),
        ("Aisha Okonkwo", "Ms.\u00a0Okonkwo and Professor Dr. Okonkwo", "Person and Person"),
        ("Aisha Okonkwo", "AISHA OKONKWO was denied.", "Person was denied."),
        ("Aisha Okonkwo", "A. Okonkwo was denied.", "Person was denied."),
        ("Aisha Okonkwo", "Aisha's and Ms. Okonkwo’s file", "Person's and Person's file"),
        # a line is a block once the markup is gone: a heading's last word and the next line's first are two mentions
        ("Aisha Okonkwo", "Aisha\nOkonkwo was denied.", "Person\nPerson was denied."),
        ("Aisha Okonkwo", "(Okonkwo) “Aisha” /Okonkwo/ Aisha—Okonkwo", "(Person) “Person” /Person/ Person—Person"),
        # no part of another word, no other name
        ("Aisha Okonkwo", "Aishah Okonkwon lives in Okonkwoland.", "Aishah Okonkwon lives in Okonkwoland."),
        ("Anne Gallagher", "Anne-Marie wrote to Anne Gallagher.", "Anne-Marie wrote to Person."),
        ("Will May", "She will appeal, and it may help.", "She will appeal, and it may help."),
        ("Bo Li", "Bo's Lithium shop, Mr. Li, Bo Li", "Person's Lithium shop, Person, Person"),
        # names in s: all three possessives are one
        ("James Williams", "James' file, James's file, Williams’ file", "Person's file, Person's file, Person's file"),
        # accents, with and without, composed or not
        ("María Núñez", "Maria Nunez, MARÍA NÚÑEZ, Ms. Núñez", "Person, Person, Person"),
        ("María Núñez", unicodedata.normalize("NFD", "María Núñez's"), "Person's"),
        (unicodedata.normalize("NFD", "María Núñez"), "María Núñez", "Person"),
        # hyphens and apostrophes of any kind, or none
        ("Mohammed Al-Said", "Mr. Al-Said, Al‑Said, Al Said, Mr. Said, AL-SAID", "Person, Person, Person, Person, Person"),
        ("Jean-Luc Picard", "Jean-Luc, Jean Luc, Jean, Luc's", "Person, Person, Person, Person's"),
        ("Da'Quan O'Connor", "Da’Quan, DaQuan O’Connor, O'Connor's", "Person, Person, Person's"),
        # particles count inside a name and not by themselves
        ("María de la Cruz Hernández", "María de la Cruz Hernández, Ms. de la Cruz, Hernández", "Person, Person, Person"),
        ("María de la Cruz Hernández", "de facto, la carte", "de facto, la carte"),
        ("Pieter van der Berg", "Mr. van der Berg's van", "Person's van"),
    ],
)
def test_every_form_of_a_name_becomes_one_token(name: str, text: str, expected: str) -> None:
    assert mask_name(text, name) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "Pieter van der Berg",
            "Van der Berg was denied. Mr. Van der Berg may appeal.",
            "Person was denied. Person may appeal.",
        ),
        ("María de la Cruz", "De la Cruz was denied. Ms. De la Cruz may appeal.", "Person was denied. Person may appeal."),
        ("Ludwig von Hagen", "Von Hagen was denied.", "Person was denied."),
    ],
)
def test_a_particle_with_a_capital_begins_the_name(name: str, text: str, expected: str) -> None:
    # a sentence that begins with the surname writes its particle so
    assert mask_name(text, name) == expected


def test_a_particle_in_small_letters_is_part_of_the_name() -> None:
    assert mask_name("Mohammed al-Said and Mr. al-Said's file", "Mohammed Al-Said") == "Person and Person's file"


@pytest.mark.parametrize("name", ["Linh Le", "Al Green", "Van Tran", "Di Chen", "Dos Reyes"])
def test_a_given_name_or_surname_that_looks_like_a_particle_is_a_name(name: str) -> None:
    first, last = name.split()
    assert mask_name(f"{first}'s file. Ms. {last} was denied.", name) == "Person's file. Person was denied."


@pytest.mark.parametrize("name", ["Van Le", "Di Le", "Al Van"])
def test_a_name_of_particles_alone_is_a_name(name: str) -> None:
    assert mask_name(f"{name} was denied.", name) == "Person was denied."


@pytest.mark.parametrize("gap", ["\n\n", "\n\n\n", "\n \n"])
def test_a_mention_does_not_reach_over_a_paragraph(gap: str) -> None:
    # a heading with the name, and a paragraph that begins with it
    text = f"## Decision on Aisha Okonkwo{gap}Okonkwo was denied."
    assert mask_name(text, "Aisha Okonkwo") == f"## Decision on Person{gap}Person was denied."
    assert mentions(text, "Aisha Okonkwo") == 2


@pytest.mark.parametrize("name", ["Robert (Bob) Smith", "J.R. Smith", "Smith+", "A*B Smith", "[x] Smith", "Smith\\d Roe"])
def test_signs_of_a_pattern_in_a_name_are_letters(name: str) -> None:
    assert "Smith" not in mask_name("Mr. Smith was denied; Smith may appeal.", name) or "Smith" not in name.split()


def test_a_name_with_a_comma_is_the_name_without_it() -> None:
    assert mask_name("John Smith, Jr. was denied. Mr. Smith may appeal.", "John Smith, Jr.").count("Smith") == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("The loan was refused.", 0),
        ("Aisha Okonkwo was refused.", 1),
        ("Ms. Okonkwo was refused; Aisha's income is low; Okonkwo may appeal.", 3),
        ("**Aisha Okonkwo** and *Aisha*", 2),
        ("Aisha " * 50, 1),  # a run of parts is one mention
        ("Aisha. " * 50, 50),
    ],
)
def test_mentions_are_counted_as_they_are_replaced(text: str, expected: int) -> None:
    assert mentions(text, "Aisha Okonkwo") == expected
    assert mask_name(text, "Aisha Okonkwo").count("Person") == expected


def test_a_text_without_the_name_stays_as_it_is() -> None:
    text = "Mr. Smith’s file — see “Annex 3” — was closed.\n\n* Not by us."
    assert mask_name(text, "Aisha Okonkwo") == text


def test_masking_twice_is_masking_once() -> None:
    once = mask_name("Ms. Okonkwo's file; Aisha Okonkwo.", "Aisha Okonkwo")
    assert mask_name(once, "Aisha Okonkwo") == once


@pytest.mark.parametrize("bare", [False, True], ids=["'s", "bare apostrophe"])
@pytest.mark.parametrize("honorific", ["Ms.", "Mr", "Mrs.", "Dr."])
@pytest.mark.parametrize("explained", EXPLAINED)
def test_all_names_leave_one_text(explained: str, honorific: str, bare: bool) -> None:
    expected = re.sub(r"\{\w+('s)?\}", r"Person\1", EXPLAINED[explained])
    left = {
        name: masked
        for name in NAMES
        if (masked := mask_name(filled(EXPLAINED[explained], name, honorific=honorific, bare=bare), name)) != expected
    }
    assert left == {}


@pytest.mark.parametrize("explained", EXPLAINED)
def test_all_names_have_as_many_mentions(explained: str) -> None:
    expected = len(re.findall(r"\{", EXPLAINED[explained]))
    counts = {name: mentions(filled(EXPLAINED[explained], name), name) for name in NAMES}
    assert {name: count for name, count in counts.items() if count != expected} == {}


@pytest.mark.parametrize("quoted", ["signs as '{first}' here", "signs as ‘{last}’ here", "the 'Hire {last}' note"])
def test_a_name_in_single_quotes_is_no_possessive(quoted: str) -> None:
    # a closing quote after a name in s looks like its possessive
    assert len({mask_name(filled(quoted, name), name) for name in NAMES}) == 1


@pytest.mark.parametrize("compound", ["the {last}-led team", "a non-{last} file", "{first}-specific duties"])
def test_a_name_inside_a_compound_is_masked_for_all_alike(compound: str) -> None:
    # else the syllables of the surname count once more
    assert len({mask_name(filled(compound, name), name) for name in NAMES}) == 1


def test_the_benchmark_has_the_names_it_should() -> None:
    # guards the reading of personas.yml: 12 to 18 pairs an axis
    assert len(benchmark_names()) > 100
    assert named("Todd Becker") == ("Todd", "Becker")
