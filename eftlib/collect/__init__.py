"""Ask for what is missing: plan, ask with bounded concurrency, write each answer before anything else, report."""

from eftlib.collect.planning import SEED, Call, Plan, describe, plan
from eftlib.collect.running import CONCURRENCY, RETRIES, TIMEOUT_S, Summary, collect, report

__all__ = [
    "CONCURRENCY",
    "RETRIES",
    "SEED",
    "TIMEOUT_S",
    "Call",
    "Plan",
    "Summary",
    "collect",
    "describe",
    "plan",
    "report",
]
