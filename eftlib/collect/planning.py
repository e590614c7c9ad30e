"""Which requests are missing, in which order they are made, and what they can cost."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from eftlib import responses
from eftlib.benchmark import Decision, Draw, Prompt
from eftlib.errors import InputError
from eftlib.files import hint
from eftlib.responses import FINAL, MAX_ATTEMPTS, OUTCOMES, Outcome
from eftlib.study import Model, Study

SEED = 20260509
_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True)
class Call:
    """One request that is to be made: its prompt, its model, its key, and which try it is."""

    model: Model
    prompt: Prompt
    key: str
    requested: dict[str, Any]
    attempt: int

    @property
    def input_tokens(self) -> int:
        """Tokens that will be sent, at four characters a token."""
        return sum(len(message["content"]) for message in self.prompt.messages) // _CHARACTERS_A_TOKEN

    @property
    def most_cost(self) -> float:
        """Dollars at the most, with twice the tokens in that are expected; 0 for a model without a price."""
        return cost(self.model, 2 * self.input_tokens, int(self.requested["max_tokens"]))


@dataclass(frozen=True)
class Plan:
    """What is missing, in the order in which it is asked, and what stands already.

    ``standing`` counts outcomes on file that are not asked again; ``given_up`` those tried `MAX_ATTEMPTS` times in vain.
    """

    study: Study
    calls: tuple[Call, ...]
    standing: dict[str, int]
    given_up: int

    @property
    def models(self) -> list[Model]:
        """The models that have calls, in order."""
        return list({call.model.name: call.model for call in self.calls}.values())


def cost(model: Model, input_tokens: int, output_tokens: int) -> float:
    """Return dollars for so many tokens; 0 for a model without a price.

    Parameters
    ----------
    model : eftlib.study.Model
    input_tokens, output_tokens : int

    Returns
    -------
    float
    """
    if model.price is None:
        return 0.0
    return (input_tokens * model.price.input + output_tokens * model.price.output) / 1e6


def plan(
    study: Study,
    *,
    models: Sequence[str] | None = None,
    draws: Sequence[Draw] | None = None,
    decisions: Sequence[Decision] | None = None,
    conditions: Sequence[str] | None = None,
    limit: int | None = None,
    again: Collection[Outcome] = (),
    seed: int = SEED,
) -> Plan:
    """Find what is missing.

    Baselines come before mitigations, and within a condition one template after another in shuffled order: a run that
    stops early leaves whole quartets, spread over domains and axes.

    Parameters
    ----------
    study : eftlib.study.Study
    models, draws, decisions, conditions : sequence, optional
        Keep these alone; each must be one of the study's.
    limit : int, optional
        At most so many calls.
    again : collection of str
        Outcomes that are asked for once more although they are final, or were tried `MAX_ATTEMPTS` times.
    seed : int
        Of the shuffle.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        If something is asked for that the study does not have.
    """
    for outcome in again:
        if outcome not in OUTCOMES:
            raise InputError(f"--again has the unknown outcome {outcome!r}{hint(outcome, OUTCOMES)}")
    chosen = study.models if models is None else [study.model(name) for name in models]
    prompts = sorted(study.prompts(draws=draws, decisions=decisions, conditions=conditions), key=_rank(study, seed))
    calls: list[Call] = []
    standing: Counter[str] = Counter()
    given_up = 0
    for model in chosen:
        wanted = {call.key: call for call in _calls_of(study, model, prompts)}
        for key, (tries, outcome) in responses.attempts(responses.path_of(study, model), wanted.keys()).items():
            if outcome in again or (outcome not in FINAL and tries < MAX_ATTEMPTS):
                wanted[key] = replace(wanted[key], attempt=tries + 1)
                continue
            del wanted[key]
            standing[outcome] += 1
            given_up += outcome not in FINAL
        calls += wanted.values()
    return Plan(study, tuple(calls[:limit]), dict(standing), given_up)


def _rank(study: Study, seed: int) -> Callable[[Prompt], tuple[int, ...]]:
    shuffled = list(study.templates)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - an order, not a secret
    place = {template: number for number, template in enumerate(shuffled)}
    conditions = list(study.conditions)
    return lambda prompt: (conditions.index(prompt.condition), place[prompt.template], prompt.repeat)


def _calls_of(study: Study, model: Model, prompts: Sequence[Prompt]) -> Iterator[Call]:
    requested = study.requested(model)
    for prompt in prompts:
        if study.asked(prompt.condition, model.name):
            yield Call(model, prompt, responses.key_of(prompt, model, requested), requested, attempt=1)


def describe(planned: Plan) -> str:
    """Return the plan in words: calls, tokens and cost by model, before anything is asked.

    Parameters
    ----------
    planned : Plan

    Returns
    -------
    str
    """
    on_file = counted(planned.standing) or "nothing"
    lines = [f"study {planned.study.name}: {len(planned.calls):,} calls to make; on file: {on_file}"]
    if planned.given_up:
        lines.append(
            f"  {planned.given_up:,} were tried {MAX_ATTEMPTS} times in vain and are left alone; --again asks once more"
        )
    for model, group in groupby(planned.calls, key=lambda call: call.model):
        calls = list(group)
        price = f"at most ${sum(call.most_cost for call in calls):,.2f}"
        price = f"{price} (price of {model.price.date})" if model.price else "no price known"
        lines.append(
            f"  {model.name}: {len(calls):,} calls, about {sum(call.input_tokens for call in calls):,} tokens in, "
            f"at most {sum(int(call.requested['max_tokens']) for call in calls):,} out, "
            f"{'free, on this machine' if model.provider == 'local' else price}"
        )
    return "\n".join(lines)


def counted(outcomes: dict[str, int]) -> str:
    """Return counts of outcomes in words, in the order of `OUTCOMES`.

    Parameters
    ----------
    outcomes : dict of str to int

    Returns
    -------
    str
    """
    return ", ".join(f"{outcomes[name]:,} {name}" for name in OUTCOMES if outcomes.get(name))
