"""A run: one lane an address, in threads, so that a notebook, whose event loop is running, can start one too."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from eftlib import responses
from eftlib.clients import prepare
from eftlib.collect.lane import Budget, Lane, Shared, tokens
from eftlib.collect.planning import Call, Plan, counted
from eftlib.errors import InputError, StoppedError
from eftlib.files import shown
from eftlib.responses import FINAL, Record, Store

CONCURRENCY = 4  # calls under way at one provider; a local server has one slot
TIMEOUT_S = 120.0  # one call without an answer
RETRIES = 4  # further tries of a call that failed for a passing reason
_BYTES_A_RECORD = 6_000


@dataclass
class Summary:
    """What a run did; ``stopped`` holds the reasons for which lanes stopped early, ``mended`` what models did not take."""

    asked: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    missing: int = 0
    stopped: list[str] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    interrupted: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as a JSON-ready dict."""
        return asdict(self) | {"outcomes": dict(self.outcomes)}


def report(summary: Summary) -> str:
    """Return the summary in words.

    Parameters
    ----------
    summary : Summary

    Returns
    -------
    str
    """
    cost = f", about ${summary.cost:,.2f}" if summary.cost else ""
    lines = [
        f"{summary.asked:,} calls in {summary.seconds:,.1f} s: {counted(dict(summary.outcomes)) or 'nothing to ask'}; "
        f"{summary.input_tokens:,} tokens in, {summary.output_tokens:,} out{cost}"
    ]
    lines += [f"  {mended}" for mended in summary.mended]
    lines += [f"stopped: {reason}" for reason in summary.stopped]
    if summary.missing:
        lines.append(f"{summary.missing:,} answers are still missing; the same command resumes")
    return "\n".join(lines)


def collect(
    planned: Plan,
    *,
    max_cost: float | None = None,
    concurrency: int = CONCURRENCY,
    timeout: float = TIMEOUT_S,
    retries: int = RETRIES,
    progress: bool = True,
) -> Summary:
    """Make the calls of a plan; with nothing to ask, no key, client or network is needed.

    Ctrl-C and SIGTERM let the calls under way finish; a second Ctrl-C does not.

    Parameters
    ----------
    planned : Plan
    max_cost : float, optional
        Dollars of this run; no call is made that could pass them.
    concurrency : int
        Calls under way at one provider.
    timeout : float
        Seconds until a call without an answer is given up; it is tried ``retries`` times more.
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
        If a key is missing, or the files cannot be written; nothing was asked then.
    """
    began = time.monotonic()
    summary = Summary(missing=len(planned.calls))
    if not planned.calls:
        if not (planned.study.folder / "MANIFEST.json").exists():
            with suppress(OSError):  # made up for where it can be; a folder that cannot be written is complete all the same
                responses.write_manifest(planned.study)
        return summary
    if planned.study.folder.resolve().is_relative_to(Path(__file__).resolve().parents[1]):
        raise InputError(
            f"{shown(planned.study.folder)}: lies inside the installed package, where answers would go with an upgrade; copy "
            "the folder to a place of your own and name that: --study FOLDER"
        )
    keys = _keys(planned)
    _check_prices(planned, max_cost)
    with ExitStack() as stack:
        stores = {
            model.name: stack.enter_context(Store(responses.path_of(planned.study, model), keys.values()))
            for model in planned.models
        }
        calls = _still_missing(planned)
        _check_room(planned)
        for store in stores.values():
            if store.torn:
                print(store.torn, file=sys.stderr)
        bar = stack.enter_context(_bar(len(planned.calls), shown=progress))
        stop = stack.enter_context(_stop_on_signal(summary))
        shared = Shared(
            stop,
            Budget(max_cost),
            timeout,
            retries,
            keys,
            append=lambda record: stores[record.model].append(record),
            count=_counter(summary, bar),
            note_mended=summary.mended.append,
        )
        summary.missing = len(calls)
        prepare({call.model.provider for call in calls})
        lanes = _lanes(calls, shared, concurrency)
        _run(lanes)
    summary.stopped += [reason for lane in lanes for reason in lane.stopped]
    summary.seconds = time.monotonic() - began
    try:
        responses.write_manifest(planned.study)
    except OSError as error:
        summary.stopped.append(f"{shown(planned.study.folder)}: MANIFEST.json cannot be written ({error.strerror})")
    return summary


def _still_missing(planned: Plan) -> list[Call]:
    """Return the calls of a plan that nobody has made since it was made: the plan is older than the lock on the files."""
    calls: list[Call] = []
    for model in planned.models:
        mine = {call.key: call for call in planned.calls if call.model.name == model.name}
        made = responses.attempts(responses.path_of(planned.study, model), mine.keys())
        calls += [call for key, call in mine.items() if made.get(key, (0, ""))[0] < call.attempt]
    return calls


def _keys(planned: Plan) -> dict[str, str]:
    """Return the keys by variable, or name the variables to set and who needs them."""
    needed: dict[str, list[str]] = defaultdict(list)
    for model in planned.models:
        if model.key:
            needed[model.key].append(model.name)
    missing = [
        f"{variable} (for {', '.join(names)})" for variable, names in needed.items() if not os.environ.get(variable, "").strip()
    ]
    if missing:
        raise StoppedError(
            f"nothing was asked: set the environment variable {' and '.join(missing)}, then run the same command"
        )
    keys = {variable: os.environ[variable].strip() for variable in needed}
    for variable, key in keys.items():
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise StoppedError(f"nothing was asked: {variable} holds a character that no key has; copy the key again")
    return keys


def _check_prices(planned: Plan, max_cost: float | None) -> None:
    for model in planned.models:
        if max_cost is not None and model.price is None and model.provider != "local":
            raise InputError(f"--max-cost cannot be kept: the model {model.name!r} has no price; add one to its entry")


def _check_room(planned: Plan) -> None:
    folder = planned.study.folder
    free, needed = shutil.disk_usage(folder).free, len(planned.calls) * _BYTES_A_RECORD
    if free < needed:
        raise StoppedError(
            f"{shown(folder)}: {free / 1e6:,.1f} MB are free, the answers need about {needed / 1e6:,.1f}; nothing was asked"
        )


def _bar(total: int, *, shown: bool) -> Any:
    # on a terminal a bar; in a log a line every half minute
    every = 0.5 if sys.stderr.isatty() else 30.0
    return tqdm(
        total=total, unit="call", mininterval=every, maxinterval=every, smoothing=0.1, disable=not shown, file=sys.stderr
    )


def _counter(summary: Summary, bar: Any) -> Any:
    lock = threading.Lock()

    def count(record: Record, cost: float) -> None:
        with lock:
            summary.asked += 1
            summary.missing -= record.outcome in FINAL
            summary.outcomes[record.outcome] += 1
            summary.input_tokens += tokens(record.usage, "input")
            summary.output_tokens += tokens(record.usage, "output")
            summary.cost += cost
            bar.set_postfix_str(counted(dict(summary.outcomes)), refresh=False)
            bar.update()

    return count


@contextmanager
def _stop_on_signal(summary: Summary) -> Iterator[threading.Event]:
    """Turn the first Ctrl-C or SIGTERM into a wish to stop; outside the main thread there is nothing to turn."""
    stop = threading.Event()

    def wish(number: int, _: Any) -> None:
        if summary.interrupted and number == signal.SIGINT:
            raise KeyboardInterrupt
        print("\nstopping: the calls under way are finished first (Ctrl-C again to leave at once)", file=sys.stderr)
        summary.interrupted = True
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, wish) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _lanes(calls: Sequence[Call], shared: Shared, concurrency: int) -> list[Lane]:
    """Return a lane for each address and key: what one provider refuses says nothing of another."""
    lanes: dict[tuple[str, ...], list[Call]] = defaultdict(list)
    for call in calls:
        lanes[call.model.provider, call.model.base_url or "", call.model.key or ""].append(call)
    addresses = Counter(provider for provider, *_ in lanes)
    return [
        Lane(
            provider if addresses[provider] == 1 else f"{provider} at {address or 'its own address'}",
            each,
            shared,
            1 if provider == "local" else concurrency,
        )
        for (provider, address, _), each in lanes.items()
    ]


def _run(lanes: list[Lane]) -> None:
    threads = [threading.Thread(target=lane.run, name=lane.provider, daemon=True) for lane in lanes]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(0.1)  # in short waits, or a signal would find the main thread asleep
    for lane in lanes:
        if lane.failure is not None:
            raise lane.failure
