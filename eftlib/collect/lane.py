"""One provider's calls: its threads share a queue, a pause and a reason to stop, and there is one layer of retries."""

from __future__ import annotations

import datetime
import math
import platform
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

import tenacity

from eftlib import __version__, responses
from eftlib.clients import Client, NotThere, Rejected, Reply, Transient, Unsupported, connect
from eftlib.collect.planning import Call, cost
from eftlib.errors import StoppedError
from eftlib.responses import Record
from eftlib.study import Model
from eftlib.text import flags

PATIENCE_S = 3600.0  # the longest that one call waits for limits to pass
FAILURES_IN_A_ROW = 5  # calls that end in an error, one after another, before a lane stops


class Budget:
    """Dollars that may be spent; what is under way is reserved at the highest price it can have."""

    def __init__(self, most: float | None) -> None:
        self._most = most
        self._spent = 0.0
        self._reserved: list[float] = []  # a sum of floats, taken from and added to, would not come back to 0
        self._changed = threading.Condition()

    def reserve(self, amount: float, stop: threading.Event) -> bool:
        """Reserve the highest price of a call, waiting for calls under way where these may leave room.

        Parameters
        ----------
        amount : float
            Dollars.
        stop : threading.Event
            Ends the wait.

        Returns
        -------
        bool
            False if the wait was ended; nothing is reserved then.

        Raises
        ------
        StoppedError
            If the call could pass the cap.
        """
        with self._changed:
            while self._most is not None and self._spent + math.fsum(self._reserved) + amount > self._most:
                if not self._reserved:
                    raise StoppedError(
                        f"the next call could pass this run's cost cap of ${self._most:g}; raise --max-cost to go on"
                    )
                if stop.is_set():
                    return False
                self._changed.wait(0.5)
            self._reserved.append(amount)
        return True

    def settle(self, reserved: float, spent: float) -> None:
        """Give a reservation back and note what was spent."""
        with self._changed:
            self._reserved.remove(reserved)
            self._spent += spent
            self._changed.notify_all()


@dataclass
class Shared:
    """What the lanes of a run share: the wish to stop, the budget, the settings, and where records and reports go."""

    stop: threading.Event
    budget: Budget
    timeout: float
    retries: int
    keys: dict[str, str]
    append: Callable[[Record], None]
    count: Callable[[Record, float], None]
    note_mended: Callable[[str], None]

    def scrub(self, text: str) -> str:
        """Replace every key in a text."""
        for secret in self.keys.values():
            text = text.replace(secret, "[key removed]") if len(secret) >= 8 else text
        return text


class _LeftAloneError(Exception):
    """A call was left alone while it waited to be tried again, because the run is to stop."""


class Lane:
    """The calls to one address of one provider, model by model, with up to ``concurrency`` under way.

    After `run`, ``stopped`` holds the reasons for early stops, and ``failure`` an error that was not foreseen.
    """

    def __init__(self, provider: str, calls: Sequence[Call], shared: Shared, concurrency: int) -> None:
        self.provider = provider
        self.stopped: list[str] = []
        self.failure: BaseException | None = None
        self._calls = calls
        self._shared = shared
        self._concurrency = concurrency
        self._lock = threading.Lock()
        self._halted = False  # nothing more of this lane
        self._skipped = False  # nothing more of the model at hand
        self._resume_at = 0.0
        self._failures = 0
        # parameter -> what it is called instead, or None where it is left out; by model
        self._mended = {call.model.name: {name: _other_name(call.model, name) for name in call.model.refuses} for call in calls}

    def run(self) -> None:
        """Make the calls, until none is left, the run is to stop, or the provider gives a reason to."""
        for _, group in groupby(self._calls, key=lambda call: call.model.name):
            self._skipped, self._failures = False, 0
            if not self._over:
                self._guarded(partial(self._run_model, list(group)))

    @property
    def _over(self) -> bool:
        return self._halted or self._skipped or self._shared.stop.is_set()

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do something in this thread; what stops it is kept for the thread that reports."""
        try:
            work()
        except _LeftAloneError:
            pass
        except StoppedError as error:
            with self._lock:  # several threads meet the same reason; the first tells it
                if not self._halted and not self._skipped:
                    self.stopped.append(f"{self.provider}: {self._shared.scrub(str(error))}")
                self._skipped = True
                self._halted = self._halted or not isinstance(error, NotThere)
        except BaseException as error:
            self.failure = error
            self._shared.stop.set()

    def _run_model(self, calls: list[Call]) -> None:
        model = calls[0].model
        with connect(model, key=self._shared.keys.get(model.key or ""), timeout=self._shared.timeout) as client:
            work = partial(self._guarded, partial(self._work, client, iter(calls)))
            workers = [threading.Thread(target=work, daemon=True) for _ in range(min(self._concurrency, len(calls)))]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()

    def _work(self, client: Client, queue: Iterator[Call]) -> None:
        while not self._over:
            with self._lock:
                call = next(queue, None)
            if call is None:
                return
            self._make(client, call)

    def _make(self, client: Client, call: Call) -> None:
        """Make one call, and write its record before anything is done with it."""
        began = time.monotonic()
        reply, sent, failed = self._ask(client, call)
        record = make_record(call, reply, sent, sdk=client.sdk, seconds=time.monotonic() - began, failed=failed)
        self._shared.append(record)
        self._shared.count(record, spent_on(call, record.usage) or 0.0)
        self._watch(record)

    def _watch(self, record: Record) -> None:
        with self._lock:
            self._failures = self._failures + 1 if record.outcome == "error" else 0
            failures = self._failures
        if failures >= FAILURES_IN_A_ROW:
            # what the provider said of a request is about its model; silence is about the address
            kind = StoppedError if record.raw is None else NotThere
            raise kind(f"{failures} calls in a row failed, the last one so: {record.reason}")

    def _ask(self, client: Client, call: Call) -> tuple[Reply, dict[str, Any], str | None]:
        """Ask until there is an answer; return it, what was sent, and why there is none."""
        failures = 0

        def give_up(state: tenacity.RetryCallState) -> bool:
            nonlocal failures
            # to wait for a minute limit is no failure; a day limit is a StoppedError and does not come here
            failures += not _limited(state)
            return failures > self._shared.retries or (state.seconds_since_start or 0.0) > PATIENCE_S

        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(Transient),
            stop=give_up,
            wait=self._pause,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            reply, sent = retrying(self._ask_once, client, call)
        except Transient as error:
            if error.limited:
                raise StoppedError(f"its limits did not pass within {PATIENCE_S / 60:.0f} minutes: {error}") from None
            return Reply(None, None), self._sent(call), self._shared.scrub(str(error))
        except Rejected as error:
            return Reply(error.raw, None), self._sent(call), self._shared.scrub(str(error))
        return reply, sent, None

    def _pause(self, state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.pause if isinstance(error, Transient) else None
        if asked is None:
            return float(min(60.0, 0.5 * 2.0**state.attempt_number) * random.uniform(0.8, 1.2))  # noqa: S311 - jitter
        # a server that asks for no pause and refuses again is asked ever more rarely
        asked = max(asked, min(60.0, 0.05 * 2.0**state.attempt_number))
        with self._lock:  # the limit is the provider's, so everyone in the lane waits
            self._resume_at = max(self._resume_at, time.monotonic() + asked)
        return asked + random.uniform(0.0, 0.2)  # noqa: S311 - jitter

    def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self._over:
                raise _LeftAloneError
            self._shared.stop.wait(min(left, 0.5))

    def _ask_once(self, client: Client, call: Call) -> tuple[Reply, dict[str, Any]]:
        """Ask; where the model does not take a parameter, ask without it, now and in every later call."""
        while True:
            self._sleep(self._resume_at - time.monotonic())
            sent = self._sent(call)
            try:
                return self._ask_within_budget(client, call, sent), sent
            except Unsupported as error:
                self._mend(call.model, error)

    def _ask_within_budget(self, client: Client, call: Call, sent: dict[str, Any]) -> Reply:
        reserved = call.most_cost
        if not self._shared.budget.reserve(reserved, self._shared.stop):
            raise _LeftAloneError
        spent = 0.0
        try:
            reply = client.ask(call.prompt.messages, sent)
            counted = spent_on(call, reply.usage)
            spent = reserved if counted is None else counted  # an answer without a count may have cost the most
        except Transient as error:
            spent = reserved if error.billed else 0.0
            raise
        finally:
            self._shared.budget.settle(reserved, spent)
        return reply

    def _sent(self, call: Call) -> dict[str, Any]:
        mended = self._mended[call.model.name]
        return {
            mended.get(name) or name: value
            for name, value in call.requested.items()
            if name not in mended or mended[name] is not None
        }

    def _mend(self, model: Model, error: Unsupported) -> None:
        name = error.parameter
        other = _other_name(model, name)
        if name in ("max_tokens", "max_completion_tokens") and other is None:
            raise Rejected(f"without a cap on tokens nothing is asked: {error}") from None
        with self._lock:
            if name in self._mended[model.name]:
                return  # another thread met the same refusal
            self._mended[model.name][name] = other
        done = f"is sent as {other}" if other else "is left out, so the provider's default holds"
        self._shared.note_mended(f"{model.name}: {name} {done}, for all sides")


def _limited(state: tenacity.RetryCallState) -> bool:
    error = state.outcome.exception() if state.outcome else None
    return isinstance(error, Transient) and error.limited


def _other_name(model: Model, parameter: str) -> str | None:
    """Return what a refused parameter is called instead: newer chat models cap tokens under another name."""
    chat = model.endpoint == "chat.completions"
    return "max_completion_tokens" if chat and parameter == "max_tokens" else None


def tokens(usage: dict[str, Any], kind: str) -> int:
    """Return the ``input`` or ``output`` tokens of a usage object; 0 where the provider did not count.

    Parameters
    ----------
    usage : dict
        Of any provider.
    kind : {"input", "output"}

    Returns
    -------
    int
    """
    return _count(usage, kind) or 0


def _count(usage: dict[str, Any], kind: str) -> int | None:
    names = {"input": ("prompt_tokens", "input_tokens"), "output": ("completion_tokens", "output_tokens")}[kind]
    counts = (usage.get(name) for name in names)
    # more than any context holds, or less than nothing, is no count
    return next((int(count) for count in counts if isinstance(count, int | float) and 0 <= count <= 1e9), None)


def spent_on(call: Call, usage: dict[str, Any]) -> float | None:
    """Return what an answer cost.

    Parameters
    ----------
    call : Call
    usage : dict
        Of the provider's answer.

    Returns
    -------
    float or None
        Dollars; None where the provider did not count.
    """
    counts = [_count(usage, kind) for kind in ("input", "output")]
    return None if None in counts else cost(call.model, *(count or 0 for count in counts))


def make_record(
    call: Call, reply: Reply, sent: dict[str, Any], *, sdk: str, seconds: float, failed: str | None = None
) -> Record:
    """Make the record of one attempt.

    Parameters
    ----------
    call : Call
    reply : eftlib.clients.Reply
        Empty where there was no answer.
    sent : dict
        The parameters as they were sent.
    sdk : str
        Name and version of the SDK.
    seconds : float
        How long it took, waiting included.
    failed : str, optional
        Why there is no answer; the outcome is then ``error``.

    Returns
    -------
    eftlib.responses.Record
    """
    text, reasoning, outcome, reason = responses.interpret(
        content=reply.content,
        reasoning=reply.reasoning,
        refusal=reply.refusal,
        finish_reason=reply.finish_reason,
        usage=reply.usage,
    )
    prompt = call.prompt
    return Record(
        **prompt.as_dict(),
        schema=responses.SCHEMA,
        key=call.key,
        provider=call.model.provider,
        endpoint=call.model.endpoint,
        model=call.model.name,
        identity=responses.identity_of(call.model),
        requested=call.requested,
        sent=sent,
        text=text,
        reasoning=reasoning,
        raw=reply.raw,
        finish_reason=reply.finish_reason,
        outcome="error" if failed else outcome,
        reason=failed or reason,
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
