"""Ask for what is missing: plan, ask with bounded concurrency, write each answer before anything else, report.

A provider has a lane of its own: its threads share one queue, one pause and one reason to stop, so a day limit at one
provider does not hold up another. Everything is in threads, so that a notebook, whose event loop is running, can call it.
"""

from __future__ import annotations

import datetime
import os
import platform
import random
import shutil
import signal
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import groupby
from typing import Any

import tenacity
from tqdm import tqdm

from eftlib import __version__, responses
from eftlib.benchmark import Decision, Draw, Prompt
from eftlib.clients import ENDPOINTS, Client, Rejected, Reply, Transient, Unsupported, connect
from eftlib.errors import InputError, StoppedError
from eftlib.files import hint
from eftlib.responses import FINAL, MAX_ATTEMPTS, OUTCOMES, Outcome, Record, Store
from eftlib.study import Model, Study
from eftlib.text import flags

SEED = 20260509
CONCURRENCY = 4  # calls under way at one provider; a local server has one slot
TIMEOUT_S = 120.0  # one call without an answer
RETRIES = 4  # further tries of a call that failed for a passing reason
PATIENCE_S = 3600.0  # the longest that one call waits for limits to pass
FAILURES_IN_A_ROW = 5  # calls that end in an error, one after another, before a lane stops
_BYTES_A_RECORD = 6_000


@dataclass(frozen=True)
class Call:
    """One request that is to be made: its prompt, its model, its key, and which try it is."""

    model: Model
    prompt: Prompt
    key: str
    requested: dict[str, Any]
    attempt: int


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
    def input_tokens(self) -> int:
        """Tokens that will be sent, at four characters a token."""
        return sum(_input_tokens(call) for call in self.calls)

    @property
    def most_output_tokens(self) -> int:
        """Tokens that can come back at the most."""
        return sum(int(call.requested["max_tokens"]) for call in self.calls)

    @property
    def most_cost(self) -> float:
        """Dollars at the most, over the models that have a price."""
        return sum(_most_cost(call) for call in self.calls)


@dataclass
class Summary:
    """What a run did; ``stopped`` holds the reasons for which lanes stopped early."""

    asked: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    missing: int = 0
    stopped: list[str] = field(default_factory=list)
    interrupted: bool = False
    mended: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as a JSON-ready dict."""
        return asdict(self) | {"outcomes": dict(self.outcomes)}


def _input_tokens(call: Call) -> int:
    return sum(len(message["content"]) for message in call.prompt.messages) // 4


def _most_cost(call: Call) -> float:
    return _cost(call.model, _input_tokens(call), int(call.requested["max_tokens"]))


def _cost(model: Model, input_tokens: int, output_tokens: int) -> float:
    if model.price is None:
        return 0.0
    return (input_tokens * model.price.input + output_tokens * model.price.output) / 1e6


def requested_of(study: Study, model: Model) -> dict[str, Any]:
    """Return the parameters that a study requests of a model: the study's, and the model's own."""
    shared = {name: value for name, value in study.parameters.model_dump().items() if value is not None}
    return shared | model.extra


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
    chosen = [study.model(name) for name in models] if models is not None else list(study.models)
    ranks = _ranks(study, seed)
    prompts = sorted(study.prompts(draws=draws, decisions=decisions, conditions=conditions), key=ranks)
    calls: list[Call] = []
    standing: Counter[str] = Counter()
    given_up = 0
    for model in chosen:
        wanted = {call.key: call for call in _calls_of(study, model, prompts)}
        for key, (tries, outcome) in responses.attempts(responses.path_of(study, model), wanted.keys()).items():
            done = outcome in FINAL or tries >= MAX_ATTEMPTS
            if done and outcome not in again:
                del wanted[key]
                standing[outcome] += 1
                given_up += outcome not in FINAL
            else:
                wanted[key] = Call(**{**vars(wanted[key]), "attempt": tries + 1})
        calls += wanted.values()
    return Plan(study, tuple(calls[:limit]), dict(standing), given_up)


def _ranks(study: Study, seed: int) -> Callable[[Prompt], tuple[Any, ...]]:
    shuffled = list(study.templates)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - an order, not a secret
    place = {template: number for number, template in enumerate(shuffled)}
    conditions = list(study.conditions)
    return lambda prompt: (conditions.index(prompt.condition), place[prompt.template], prompt.repeat, prompt.draw, prompt.side)


def _calls_of(study: Study, model: Model, prompts: Sequence[Prompt]) -> Iterator[Call]:
    requested = requested_of(study, model)
    for prompt in prompts:
        if study.asked(prompt.condition, model.name):
            key = responses.key_of(prompt, model, ENDPOINTS[model.provider], requested)
            yield Call(model, prompt, key, requested, attempt=1)


def describe(planned: Plan) -> str:
    """Return the plan in words: calls, tokens and cost by model, before anything is asked."""
    lines = [
        f"study {planned.study.name}: {len(planned.calls):,} calls to make; on file: {_counts(planned.standing) or 'nothing'}"
    ]
    if planned.given_up:
        lines.append(
            f"  {planned.given_up:,} were tried {MAX_ATTEMPTS} times in vain and are left alone; --again asks once more"
        )
    for model, group in groupby(planned.calls, key=lambda call: call.model):
        part = Plan(planned.study, tuple(group), {}, 0)
        cost = f"at most ${part.most_cost:,.2f} (price of {model.price.date})" if model.price else "no price known"
        cost = "free, on this machine" if model.provider == "local" else cost
        lines.append(
            f"  {model.name}: {len(part.calls):,} calls, about {part.input_tokens:,} tokens in, "
            f"at most {part.most_output_tokens:,} out, {cost}"
        )
    lines.append(
        f"  a call is given up after {TIMEOUT_S:.0f} s without an answer and tried again up to {RETRIES} times; "
        f"limits are waited out for up to {PATIENCE_S / 60:.0f} minutes"
    )
    return "\n".join(lines)


def report(summary: Summary) -> str:
    """Return the summary in words."""
    lines = [
        f"{summary.asked:,} calls in {summary.seconds:,.1f} s: {_counts(dict(summary.outcomes)) or 'nothing to ask'}; "
        f"{summary.input_tokens:,} tokens in, {summary.output_tokens:,} out"
        + (f", about ${summary.cost:,.2f}" if summary.cost else "")
    ]
    lines += [f"  {mended}" for mended in summary.mended]
    lines += [f"stopped: {reason}" for reason in summary.stopped]
    if summary.missing:
        lines.append(f"{summary.missing:,} calls are still missing; the same command resumes")
    return "\n".join(lines)


def _counts(outcomes: dict[str, int]) -> str:
    return ", ".join(f"{outcomes[name]:,} {name}" for name in OUTCOMES if outcomes.get(name))


def collect(
    planned: Plan,
    *,
    max_cost: float | None = None,
    concurrency: int = CONCURRENCY,
    timeout: float = TIMEOUT_S,
    retries: int = RETRIES,
    progress: bool = True,
) -> Summary:
    """Make the calls of a plan.

    Ctrl-C and SIGTERM let the calls under way finish; a second Ctrl-C does not.

    Parameters
    ----------
    planned : Plan
    max_cost : float, optional
        Dollars; no call is made that could pass them.
    concurrency : int
        Calls under way at one provider.
    timeout : float
        Seconds until a call without an answer is given up.
    retries : int
        Further tries of a call that failed for a passing reason.
    progress : bool
        Whether to show progress on standard error.

    Returns
    -------
    Summary
        Of what was done, whether or not it was stopped.

    Raises
    ------
    InputError
        If ``max_cost`` is set and a model has no price.
    StoppedError
        If a key, a package or a weights file is missing, before anything is asked.
    """
    began = time.monotonic()
    summary = Summary(missing=len(planned.calls))
    if planned.calls:
        keys = _keys(planned)
        _check_cost(planned, max_cost)
        _check_room(planned)
        stop = threading.Event()
        bar = _bar(len(planned.calls), shown=progress)
        with ExitStack() as stack:
            stack.callback(bar.close)
            stack.enter_context(_signals(stop, summary))
            run = _Run(summary, stop, _Budget(max_cost), timeout, retries, bar, keys)
            stores = {
                model.name: stack.enter_context(Store(responses.path_of(planned.study, model), keys.values()))
                for model in _models(planned)
            }
            for store in stores.values():
                if store.torn:
                    print(store.torn, file=sys.stderr)
            _run_lanes(_lanes(planned.calls, stores, run, concurrency))
    summary.seconds = time.monotonic() - began
    responses.write_manifest(planned.study)
    return summary


def _models(planned: Plan) -> list[Model]:
    return list({call.model.name: call.model for call in planned.calls}.values())


def _keys(planned: Plan) -> dict[str, str]:
    """Return the keys by variable.

    Raises
    ------
    StoppedError
        Naming the variables to set and who needs them.
    """
    needed: dict[str, list[str]] = defaultdict(list)
    for model in _models(planned):
        if model.key:
            needed[model.key].append(model.name)
    missing = [f"{variable} (for {', '.join(names)})" for variable, names in needed.items() if not os.environ.get(variable)]
    if missing:
        raise StoppedError(
            f"nothing was asked: set the environment variable {' and '.join(missing)}, then run the same command"
        )
    return {variable: os.environ[variable] for variable in needed}


def _check_cost(planned: Plan, max_cost: float | None) -> None:
    for model in _models(planned):
        if max_cost is not None and model.price is None and model.provider != "local":
            raise InputError(f"--max-cost cannot be kept: {model.name!r} has no price in models.yml")


def _check_room(planned: Plan) -> None:
    folder = planned.study.folder
    free, needed = shutil.disk_usage(folder).free, len(planned.calls) * _BYTES_A_RECORD
    if free < needed:
        raise StoppedError(
            f"{folder}: {free / 1e6:,.0f} MB are free, the answers need about {needed / 1e6:,.0f}; make room, nothing was asked"
        )


def _bar(total: int, *, shown: bool) -> Any:
    # on a terminal a bar; in a log a line every half minute
    every = 0.5 if sys.stderr.isatty() else 30.0
    return tqdm(
        total=total, unit="call", mininterval=every, maxinterval=every, smoothing=0.1, disable=not shown, file=sys.stderr
    )


@contextmanager
def _signals(stop: threading.Event, summary: Summary) -> Iterator[None]:
    """Turn the first Ctrl-C or SIGTERM into a wish to stop; outside the main thread there is nothing to turn."""

    def wish(number: int, frame: Any) -> None:
        if stop.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        print("\nstopping: the calls under way are finished first (Ctrl-C again to leave at once)", file=sys.stderr)
        summary.interrupted = True
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, wish) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Budget:
    """Dollars that may be spent: what is under way is reserved at its highest price."""

    def __init__(self, most: float | None) -> None:
        self._most = most
        self._committed = 0.0
        self._lock = threading.Lock()

    def reserve(self, cost: float) -> None:
        with self._lock:
            if self._most is not None and self._committed + cost > self._most:
                raise StoppedError(f"the next call could pass the cost cap of ${self._most:,.2f}; raise --max-cost to go on")
            self._committed += cost

    def settle(self, reserved: float, spent: float) -> None:
        with self._lock:
            self._committed += spent - reserved


@dataclass
class _Run:
    """What the lanes of a run share."""

    summary: Summary
    stop: threading.Event
    budget: _Budget
    timeout: float
    retries: int
    bar: Any
    keys: dict[str, str]
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, record: Record, cost: float) -> None:
        with self.lock:
            self.summary.asked += 1
            self.summary.missing -= record.outcome in FINAL
            self.summary.outcomes[record.outcome] += 1
            self.summary.input_tokens += _tokens(record.usage, "input")
            self.summary.output_tokens += _tokens(record.usage, "output")
            self.summary.cost += cost
            self.bar.set_postfix_str(_counts(dict(self.summary.outcomes)), refresh=False)
            self.bar.update()


def _tokens(usage: dict[str, Any], kind: str) -> int:
    names = {"input": ("prompt_tokens", "input_tokens"), "output": ("completion_tokens", "output_tokens")}[kind]
    return int(next((usage[name] for name in names if usage.get(name) is not None), 0))


def _lanes(calls: Sequence[Call], stores: dict[str, Store], run: _Run, concurrency: int) -> list[_Lane]:
    by_provider: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        by_provider[call.model.provider].append(call)
    return [
        _Lane(provider, calls, stores, run=run, concurrency=1 if provider == "local" else concurrency)
        for provider, calls in by_provider.items()
    ]


def _run_lanes(lanes: list[_Lane]) -> None:
    threads = [threading.Thread(target=lane.run, name=lane.provider, daemon=True) for lane in lanes]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(0.1)  # in short waits, or a signal would find the main thread asleep
    for lane in lanes:
        if lane.failure is not None:
            raise lane.failure


class _Lane:
    """The calls to one provider, model by model, with up to ``concurrency`` under way."""

    def __init__(self, provider: str, calls: list[Call], stores: dict[str, Store], *, run: _Run, concurrency: int) -> None:
        self.provider = provider
        self.failure: BaseException | None = None
        self._calls = calls
        self._stores = stores
        self._run = run
        self._concurrency = concurrency
        self._halt = threading.Event()
        self._lock = threading.Lock()
        self._resume_at = 0.0
        self._failures = 0
        self._dropped: dict[str, dict[str, str | None]] = defaultdict(dict)

    def run(self) -> None:
        try:
            for _, group in groupby(self._calls, key=lambda call: call.model.name):
                self._run_model(list(group))
        except StoppedError as error:
            self._stop(error)
        except BaseException as error:  # handed to the main thread, which raises it
            self.failure = error
            self._run.stop.set()

    def _run_model(self, calls: list[Call]) -> None:
        model = calls[0].model
        if self._over():
            return
        key = self._run.keys.get(model.key) if model.key else None
        with connect(model, key=key, timeout=self._run.timeout) as client:
            queue = iter(calls)
            workers = [
                threading.Thread(target=self._work, args=(client, queue), daemon=True)
                for _ in range(min(self._concurrency, len(calls)))
            ]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()

    def _over(self) -> bool:
        return self._halt.is_set() or self._run.stop.is_set()

    def _stop(self, error: StoppedError) -> None:
        with self._lock:
            if not self._halt.is_set():
                self._run.summary.stopped.append(f"{self.provider}: {self._scrub(str(error))}")
                self._halt.set()

    def _scrub(self, text: str) -> str:
        for secret in self._run.keys.values():
            text = text.replace(secret, "[key removed]")
        return text

    def _work(self, client: Client, queue: Iterator[Call]) -> None:
        try:
            while not self._over():
                with self._lock:
                    call = next(queue, None)
                if call is None:
                    return
                self._make(client, call)
        except StoppedError as error:
            self._stop(error)
        except _LeftAloneError:
            return
        except BaseException as error:
            self.failure = error
            self._halt.set()
            self._run.stop.set()

    def _make(self, client: Client, call: Call) -> None:
        """Make one call, write its record, then look at it."""
        reserved = _most_cost(call)
        self._run.budget.reserve(reserved)
        spent = 0.0
        try:
            began = time.monotonic()
            reply, sent, failed = self._ask(client, call)
            failed = self._scrub(failed) if failed else None
            record = _record(call, reply, sent, client.sdk, seconds=time.monotonic() - began, failed=failed)
            spent = _cost(call.model, _tokens(record.usage, "input"), _tokens(record.usage, "output"))
            self._stores[call.model.name].append(record)
        finally:
            self._run.budget.settle(reserved, spent)
        self._run.count(record, spent)
        self._watch(record)

    def _watch(self, record: Record) -> None:
        with self._lock:
            self._failures = self._failures + 1 if record.outcome == "error" else 0
            failures = self._failures
        if failures >= FAILURES_IN_A_ROW:
            raise StoppedError(f"{failures} calls in a row failed, the last one so: {record.reason}")

    def _ask(self, client: Client, call: Call) -> tuple[Reply | None, dict[str, Any], str | None]:
        """Ask until there is an answer; return it, what was sent, and why there is none."""
        failures = 0

        def give_up(state: tenacity.RetryCallState) -> bool:
            nonlocal failures
            error = state.outcome.exception() if state.outcome else None
            # waiting for a minute limit is no failure; a day limit is a StoppedError and does not come here
            failures += not (isinstance(error, Transient) and error.limited)
            return failures > self._run.retries or (state.seconds_since_start or 0.0) > PATIENCE_S

        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(Transient),
            stop=give_up,
            wait=self._pause,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return *retrying(partial(self._ask_mended, client, call)), None
        except (Transient, Rejected) as error:
            raw = error.raw if isinstance(error, Rejected) else None
            return Reply(raw, None), self._sent(call), str(error)

    def _pause(self, state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.pause if isinstance(error, Transient) else None
        grown = min(60.0, 0.5 * 2.0**state.attempt_number) * random.uniform(0.8, 1.2)  # noqa: S311 - jitter
        if asked is None:
            return grown
        with self._lock:  # the limit is the provider's, so everyone in the lane waits
            self._resume_at = max(self._resume_at, time.monotonic() + asked)
        return asked + random.uniform(0.0, 0.2)  # noqa: S311 - jitter

    def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self._over():
                raise _LeftAloneError
            self._run.stop.wait(min(left, 0.5))

    def _ask_mended(self, client: Client, call: Call) -> tuple[Reply, dict[str, Any]]:
        """Ask, and where the model does not take a parameter, ask without it: once, for every later call too."""
        while True:
            self._sleep(self._resume_at - time.monotonic())
            sent = self._sent(call)
            try:
                return client.ask(call.prompt.messages, sent), sent
            except Unsupported as error:
                self._drop(call, error, sent)

    def _sent(self, call: Call) -> dict[str, Any]:
        dropped = self._dropped[call.model.name]
        sent = {name: value for name, value in call.requested.items() if name not in call.model.refuses}
        for name, other in dropped.items():
            if name in sent:
                value = sent.pop(name)
                if other:
                    sent[other] = value
        return sent

    def _drop(self, call: Call, error: Unsupported, sent: dict[str, Any]) -> None:
        name = error.parameter
        # newer models of OpenAI have another name for the cap on tokens; without a cap nothing may be sent
        other = "max_completion_tokens" if name == "max_tokens" and call.model.provider in ("openai", "groq") else None
        if name == "max_completion_tokens" or (name == "max_tokens" and other is None):
            raise Rejected(f"the model takes no cap on tokens: {error}") from None
        with self._lock:
            if name not in self._dropped[call.model.name] and name in sent:
                self._dropped[call.model.name][name] = other
                done = f"sent as {other}" if other else "left out, so the provider's default holds"
                self._run.summary.mended.append(f"{call.model.name}: {name} is {done}, for all sides")


class _LeftAloneError(Exception):
    """A call was left alone while it waited to be tried again, because the run is to stop."""


def _record(call: Call, reply: Reply | None, sent: dict[str, Any], sdk: str, *, seconds: float, failed: str | None) -> Record:
    reply = reply or Reply(None, None)
    text, reasoning, outcome, reason = responses.interpret(
        content=reply.content,
        reasoning=reply.reasoning,
        refusal=reply.refusal,
        finish_reason=reply.finish_reason,
        usage=reply.usage,
    )
    if failed:
        outcome, reason = "error", failed
    prompt = call.prompt
    about = prompt.as_dict()
    return Record(
        **about,
        schema=responses.SCHEMA,
        key=call.key,
        provider=call.model.provider,
        endpoint=ENDPOINTS[call.model.provider],
        model=call.model.name,
        identity=responses.identity_of(call.model),
        requested=call.requested,
        sent=sent,
        text=text,
        reasoning=reasoning,
        raw=reply.raw,
        finish_reason=reply.finish_reason,
        outcome=outcome,
        reason=reason,
        flags=tuple(flags(text, prompt.messages[-1]["content"])),
        usage=reply.usage,
        served_model=reply.served_model,
        attempt=call.attempt,
        created=datetime.datetime.now(datetime.UTC),
        latency_s=round(seconds, 3),
        versions={
            "eftlib": __version__,
            "parser": str(responses.PARSER),
            "python": platform.python_version(),
            "sdk": sdk,
        },
    )
