"""Studies and models: the shipped ones against the study's text, and small hand-made ones."""

from __future__ import annotations

import re

import pytest

from eftlib import study as studies
from eftlib.errors import InputError


@pytest.fixture(scope="module")
def paper() -> studies.Study:
    return studies.load("paper")


@pytest.fixture(scope="module")
def pilot() -> studies.Study:
    return studies.load("pilot")


# --- the shipped studies


def test_names_of_the_shipped_studies():
    assert {"paper", "pilot"} <= set(studies.names())


@pytest.mark.parametrize(
    ("provider", "identifier"),
    [
        # arXiv 2605.08671, IV.B: "GPT-4.1 (OpenAI API, gpt-4.1)", ...
        ("openai", "gpt-4.1"),
        ("anthropic", "claude-sonnet-4-6"),
        ("groq", "llama-3.3-70b-versatile"),
        ("groq", "openai/gpt-oss-120b"),
        ("groq", "qwen/qwen3-32b"),
    ],
)
def test_paper_asks_the_five_models_of_the_study(paper, provider, identifier):
    assert [model.provider for model in paper.models if model.id == identifier] == [provider]
    assert len(paper.models) == 5


def test_paper_has_the_sampling_of_the_study(paper):
    # IV.B: "temperature 0.0, max 512 tokens"; one answer a prompt, no instruction
    assert (paper.parameters.temperature, paper.parameters.max_tokens) == (0.0, 512)
    assert (paper.repeats, paper.instruction) == (1, None)


@pytest.mark.parametrize("condition", ["blind", "fairness"])
def test_mitigations_are_asked_of_two_models_alone(paper, condition):
    # IV.D: "on the two highest-disparity models (Qwen3 32B, GPT-OSS 120B)"
    assert {model.id for model in paper.models if paper.asked(condition, model.name)} == {
        "qwen/qwen3-32b",
        "openai/gpt-oss-120b",
    }


def test_baseline_is_asked_of_every_model(paper):
    assert all(paper.asked("baseline", model.name) for model in paper.models)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        # IV.D describes both: "ignore all personal characteristics and reason solely from objective facts";
        # "equally detailed and respectful explanations regardless of demographic background"
        ("blind", "ignore all personal characteristics|reason solely|objective facts"),
        ("fairness", "equally detailed|respectful|regardless of demographic background"),
    ],
)
@pytest.mark.parametrize("study", ["paper", "pilot"])
def test_mitigations_say_what_the_study_describes(request, study, condition, words):
    text = request.getfixturevalue(study).conditions[condition].lower()
    assert [part for part in words.split("|") if part not in text] == []


def test_both_studies_mitigate_in_the_same_words(paper, pilot):
    assert pilot.conditions == paper.conditions


def test_pilot_is_two_local_models_with_an_instruction(pilot):
    # design, "Benchmark": two open models, both draws, and this sentence
    assert [model.provider for model in pilot.models] == ["local", "local"]
    assert pilot.instruction == "Answer in one paragraph of at most 120 words."
    assert pilot.draws == (0, 1)


@pytest.mark.parametrize("study", ["paper", "pilot"])
def test_shipped_studies_ask_everything_of_all_templates(request, study):
    loaded = request.getfixturevalue(study)
    assert len(loaded.templates) == 80
    assert (loaded.draws, loaded.decisions) == ((0, 1), ("stated", "opposite"))
    assert list(loaded.conditions) == ["baseline", "blind", "fairness"]


def test_every_shipped_model_loads_under_its_name():
    assert {name: model.name for name, model in studies.models().items() if name != model.name} == {}


def test_no_key_is_written_down():
    # the field names an environment variable
    keys = [model.key for model in studies.models().values() if model.key]
    assert [key for key in keys if not re.fullmatch(r"[A-Z]+_API_KEY", key)] == []


# --- a small one


def test_load_from_a_folder(small):
    study = studies.load(str(small))
    assert (study.name, study.title, study.folder) == ("small", "A small study", small)
    assert [model.id for model in study.models] == ["first-1", "second-1"]
    assert study.templates == ("H001", "M001")


def test_load_by_name_under_the_data_folder(small):
    folder = small / "studies" / "mine"
    folder.mkdir(parents=True)
    text = (small / "study.yml").read_text(encoding="utf-8").replace("benchmark: .", "benchmark: ../..")
    (folder / "study.yml").write_text(text, encoding="utf-8")
    assert studies.names() == ["mine"]
    assert studies.load("mine").folder == folder


def test_model_described_in_place(edit):
    described = "models: [first, {name: third, label: Third, provider: openai, id: t, base_url: 'http://127.0.0.1:1/v1'}]"
    folder = edit("study.yml", "models: [first, second]\n", f"{described}\n")
    edit("study.yml", "blind: [second]", "blind: [third]")
    study = studies.load(str(folder))
    assert (study.model("third").id, study.model("third").key) == ("t", None)
    assert study.asked("blind", "third")


def test_unknown_model_of_a_study(small):
    with pytest.raises(InputError, match=r"no model 'secnd' in .*'small'; did you mean 'second'\? allowed: first, second$"):
        studies.load(str(small)).model("secnd")


def test_templates_in_the_order_of_the_study(edit):
    study = studies.load(str(edit("study.yml", "templates: all", "templates: [M001, H001]")))
    assert list(dict.fromkeys(prompt.template for prompt in study.prompts())) == ["M001", "H001"]


@pytest.mark.parametrize(
    ("selection", "count"),
    [
        # 2 templates x 2 draws x 2 sides x 2 decisions x 2 conditions
        ({}, 32),
        ({"templates": ["H001"]}, 16),
        ({"draws": [1]}, 16),
        ({"decisions": ["opposite"]}, 16),
        ({"conditions": ["blind"]}, 16),
        ({"templates": ["M001"], "draws": [0], "decisions": ["stated"], "conditions": ["baseline"]}, 2),
    ],
)
def test_prompts_of_a_selection_are_those_of_the_whole(small, selection, count):
    study = studies.load(str(small))
    chosen = list(study.prompts(**selection))
    wanted = {name.removesuffix("s"): values for name, values in selection.items()}
    whole = [p for p in study.prompts() if all(getattr(p, name) in values for name, values in wanted.items())]
    assert len(chosen) == count
    assert chosen == whole


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        ({"templates": ["H999"]}, r"no 'H999' among its templates; .*allowed: H001, M001"),
        ({"draws": [2]}, r"no 2 among its draws; .*allowed: 0, 1"),
        ({"decisions": ["state"]}, r"no 'state' among its decisions; did you mean 'stated'\?"),
        ({"conditions": ["blnd"]}, r"no 'blnd' among its conditions; did you mean 'blind'\? allowed: baseline, blind"),
    ],
)
def test_selection_that_the_study_does_not_have(small, selection, message):
    with pytest.raises(InputError, match=message):
        studies.load(str(small)).prompts(**selection)


def test_a_study_of_one_draw_has_no_other(edit):
    study = studies.load(str(edit("study.yml", "draws: [0, 1]", "draws: [0]")))
    with pytest.raises(InputError, match=r"no 1 among its draws; allowed: 0$"):
        study.prompts(draws=[1])


def test_repeats_ask_each_prompt_so_often(edit):
    study = studies.load(str(edit("study.yml", "repeats: 1", "repeats: 3")))
    assert [prompt.repeat for prompt in study.prompts(templates=["H001"])][:6] == [0, 1, 2, 0, 1, 2]


def test_calls_count_the_models_of_each_condition(small):
    study = studies.load(str(small))
    # 16 baseline prompts to two models, 16 blind ones to one
    assert study.calls(list(study.prompts())) == 16 * 2 + 16 * 1


def test_instruction_and_condition_stand_around_the_prompt(edit):
    folder = edit("study.yml", "repeats: 1", "repeats: 1\ninstruction: In one line.")
    prompt = next(studies.load(str(folder)).prompts(conditions=["blind"]))
    first, *_, last = prompt.messages[-1]["content"].split("\n\n")
    assert (first, last) == ("Do not look at the person.", "In one line.")


# --- models that cannot be


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "provider: openai",
            "provider: opnai",
            r":3: first.*: provider is 'opnai'; did you mean 'openai'\? allowed: openai, ",
        ),
        ("label: First", "label: ''", r"models\.yml:2: first.*: label is ''"),
        ("label: First", "labl: First", r"models\.yml:2: first.*: unknown field 'labl'; did you mean 'label'\?"),
        ("  id: first-1\n", "", r"models\.yml:1: first.*: the field 'id' is missing"),
        ("  key: FIRST_KEY\n", "", r"models\.yml:3: .*key is missing: name the environment variable"),
        ("key: FIRST_KEY", "key: sk-abc", r"models\.yml:5: first.*: key is 'sk-abc'"),
        ("key: FIRST_KEY", "base_url: localhost", r"models\.yml:5: first.*: base_url is 'localhost'"),
        ("provider: openai", "provider: local", r"models\.yml:1: .*weights belong to the provider 'local'"),
        ("first:", "First Model:", r"models\.yml:1: .*'First Model'"),
        ("first:", "second:", r"models\.yml:6: not valid YAML: the key 'second' is given twice"),
        ("key: F", "price: {input: -1, output: 2, date: 2026-11-30}\n  key: F", r"models\.yml:5: first.*price: input is -1"),
        ("key: F", "price: {input: 1, output: 2, date: today}\n  key: F", r"models\.yml:5: first.*price: date is 'today'"),
        # November has 30 days
        ("key: F", "price: {input: 1, output: 2, date: 2026-11-31}\n  key: F", r"models\.yml:5: "),
    ],
)
def test_models_file_that_cannot_be_used(edit, old, new, message):
    folder = edit("models.yml", old, new)
    with pytest.raises(InputError, match=message):
        studies.models(folder / "models.yml")


WEIGHTS = next(model.weights for model in studies.models().values() if model.weights).model_dump()


@pytest.mark.parametrize("field", sorted(WEIGHTS.keys() - {"package"}))
def test_weights_need_each_of_their_fields(edit, field):
    lines = [f"    {name}: {value}" for name, value in WEIGHTS.items() if name != field]
    folder = edit("models.yml", "provider: openai", "\n".join(["provider: local", "  weights:", *lines]))
    with pytest.raises(InputError, match=rf"models\.yml:4: .*weights: the field '{field}' is missing"):
        studies.models(folder / "models.yml")
