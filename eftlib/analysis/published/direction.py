"""Which group is disadvantaged: signed differences and their sign tests (study, Table 5, sections V.D and VIII.C)."""

from __future__ import annotations

from collections.abc import Iterator

from scipy.stats import binom, norm

from eftlib.analysis.published.printed import Check, Number, Printed, Rows, agrees
from eftlib.stats import sign_test


def _p(more: int, fewer: int, *, sides: int = 2) -> float:
    return sign_test([1] * more + [-1] * fewer, alternative="two-sided" if sides == 2 else "greater").p


def _count(share: Number, n: int) -> int | None:
    """Return the number of n pairs whose percentage prints like this; None if there is none or more than one."""
    found = [count for count in range(n + 1) if share.prints(100 * count / n)]
    return found[0] if len(found) == 1 else None


def _starred(printed: Printed) -> Rows[tuple[str, ...], bool]:
    rows = printed.column("table5_direction", "starred", "axis", "metric")
    return Rows(rows.path, {key: number.value == 1 for key, number in rows.items()})


def _all_p(more: int, fewer: int) -> Iterator[float]:
    """Yield p of the sign test by the usual conventions: exact, mid-p, normal, with continuity; of one side and of two."""
    n, apart = more + fewer, abs(more - fewer)
    tail = float(binom.sf(max(more, fewer) - 1, n, 0.5))
    mid = tail - float(binom.pmf(max(more, fewer), n, 0.5)) / 2
    for one in (tail, mid, float(norm.sf(apart / n**0.5)), float(norm.sf(max(apart - 1, 0) / n**0.5))):
        yield from (one, min(1.0, 2 * one))


def _religion_elaboration(printed: Printed) -> Check:
    n, share, p = (
        printed.pairs()["religion"],
        printed.said("religion_elaboration_share"),
        printed.said("religion_elaboration_p"),
    )
    splits = [
        (fewer, more)
        for fewer in range(1, n + 1)
        for more in range(n + 1 - fewer)
        if share.prints(100 * fewer / n) or share.prints(100 * fewer / (fewer + more))
    ]
    hits = [split for split in splits if any(p.prints(value) for value in _all_p(*split))]
    nearest = min((value for split in splits for value in _all_p(*split)), key=lambda value: abs(value - p.value))
    fewer = _count(share, n)
    shown = (
        "; ".join(f"{fewer}:{more} {_p(fewer, more):.3f}" for more in range(n - fewer, max(n - fewer - 6, -1), -1))
        if fewer
        else "none"
    )
    return Check(
        "p of religion and elaboration",
        "Table 5, V.D",
        printed.quote("religion_elaboration_share") + f"; p = {p.text}",
        f"p = {_p(fewer, n - fewer):.3f} for {fewer} of {n}" if fewer else f"no count of {n} is {share.text} %",
        f"two-sided, by pairs with fewer and with more: {shown}; of {len(splits)} splits that print as {share.text} %, "
        f"{len(hits)} give {p.text} by any convention (exact, mid-p, normal; one side or two); the nearest is {nearest:.4f}",
        agrees(bool(hits)),
        "The star can stand if three or more pairs are equal, which is likely for cluster counts. The p itself cannot be had "
        "from the percentage; the normal approximation of 25:12 comes near. With eight templates the smallest p that their "
        "signs can give is .008, so the evidence is thin either way.",
    )


def _religion_verbosity(printed: Printed) -> Check:
    n, share = printed.pairs()["religion"], printed.said("religion_verbosity_share")
    count, star = _count(share, n), _starred(printed)["religion", "word_count"]
    p = [_p(count, n - count, sides=sides) for sides in (2, 1)] if count is not None else []
    return Check(
        "religion and verbosity",
        "Table 5, V.D",
        f"{printed.quote('religion_verbosity_share')}, {'starred' if star else 'no star'}",
        f"p = {p[0]:.3f} two-sided, {p[1]:.3f} one-sided" if p else f"no count of {n} is {share.text} %",
        f"{count} of {n}, exact sign test",
        agrees(bool(p) and (p[0] < 0.05) == star),
        "The missing star shows that the sign tests are two-sided, as the question asks.",
    )


def _gender(printed: Printed) -> Check:
    n, share, stars = printed.pairs()["gender"], printed.said("gender_share"), _starred(printed)
    count, star = _count(share, n), stars["gender", "word_count"] and stars["gender", "elaboration_depth"]
    p = [_p(count, n - count - ties) for ties in (0, 1)] if count is not None else []
    settled, others = bool(p) and max(p) < 0.05, n - (count or 0)
    return Check(
        "gender and length",
        "Table 5, V.D",
        f"{printed.quote('gender_share')}, {'starred' if star else 'not starred'}",
        f"p = {p[0]:.4f} for {count} of {n}; {p[1]:.3f} if one pair is equal"
        if p
        else f"no single count of {n} is {share.text} %",
        f"{count}:{others} and {count}:{others - 1}, two-sided exact sign test" if p else "exact sign test",
        "open" if p and star and not settled and min(p) < 0.05 else agrees(settled == star),
        "The star needs one pair of equal length. The percentage is the same for words and clusters; counts of pairs above, "
        "below and equal would settle both.",
    )


def _race(printed: Printed) -> Check:
    n, share = printed.pairs()["race"], printed.said("race_share")
    count, star = _count(share, n), _starred(printed)["race", "word_count"]
    p = _p(count, n - count) if count is not None else None
    return Check(
        "race and verbosity",
        "Table 5, V.D",
        f"{printed.quote('race_share')}, {'starred' if star else 'no star'}",
        f"p = {p:.3f}" if p is not None else f"no single count of {n} is {share.text} %",
        f"{count} of {n}, two-sided exact sign test",
        agrees(p is not None and (p < 0.05) == star),
        "The text gives the share without a test, and the table has no star; where neither direction is favoured, a share this "
        "far from half is not unusual.",
    )


def _adjusted_stars(printed: Printed) -> Check:
    starred, p = _starred(printed), printed.said("religion_elaboration_p")
    k, shown, whole = sum(starred.values()), len(starred), len(printed.pairs()) * len(printed.by_metric("n"))
    bound = [k * 0.05 / m for m in (shown, whole)]
    chance = [float(binom.sf(k - 1, m, 0.05)) for m in (shown, whole)]
    return Check(
        "stars and correction",
        "Table 5, IV.E",
        f"{k} stars; IV.E: “All multiple comparisons use Benjamini-Hochberg (BH) correction”",
        f"the {k} starred p must all be at most {bound[0]:.3f}; one is printed as {p.text}",
        f"k α / m = {k} × .05 / {shown} = {bound[0]:.3f} for the cells shown, {bound[1]:.3f} for all {whole}; P({k} or more "
        f"by chance) = {chance[0]:.3f} of {shown} independent cells, {chance[1]:.3f} of {whole}",
        agrees(p.low <= bound[0]),
        "The stars are of single tests. They are more than chance gives if the cells shown are all that were tested, and not "
        "if HDS, TTR and EFP, which are not shown, had none.",
    )


def _disadvantage(printed: Printed) -> Check:
    cells, stars = printed.column("table5_direction", "difference", "axis", "metric"), _starred(printed)
    kinds = ("word_count", "sentiment", "domain_density")
    below = {kind: [axis for axis, metric in cells if metric == kind and cells[axis, metric].value < 0] for kind in kinds}
    significant = sum(stars[axis, kind] for kind, there in below.items() for axis in there)
    return Check(
        "who is disadvantaged",
        "Table 5, VIII.C",
        "VIII.C: a concern about “shorter, more negatively framed, or less domain-specific explanations for minority groups”",
        f"group B is lower on {', '.join(f'{kind} in {len(there)}' for kind, there in below.items())} of "
        f"{len(printed.pairs())} axes; {significant} of these starred",
        "; ".join(f"{axis} {metric} {number.text}" for (axis, metric), number in cells.items() if metric in kinds),
        "open",
        "The sentence supposes such a model and claims none. Table 5 gives it little support: sentiment is a little higher "
        "for group B on every axis, domain density is equal to two digits, and women get longer texts than men.",
    )


def _signed_totals(printed: Printed) -> Check:
    n, mean = printed.pairs(), printed.by_metric("mean")
    cells = printed.column("table5_direction", "difference", "axis", "metric")
    least, signed = dict.fromkeys(mean, 0.0), dict.fromkeys(mean, 0.0)
    for (axis, metric), number in cells.items():
        least[metric] += n[axis] * max(number.low, -number.high, 0.0)
        signed[metric] += n[axis] * abs(number.value)
    shown = [metric for metric in mean if any(metric == each for _, each in cells)]
    total = {metric: sum(n.values()) * mean[metric].high for metric in shown}
    return Check(
        "signed and absolute totals",
        "Tables 3, 5",
        "Mean signed and mean absolute differences",
        f"signed at most {max(least[metric] / total[metric] for metric in shown):.0%} of absolute totals".replace("%", " %"),
        "Σ n |signed| against n · mean: "
        + "; ".join(f"{metric} {signed[metric]:,.1f} of {sum(n.values()) * mean[metric].value:,.1f}" for metric in shown),
        agrees(all(least[metric] <= total[metric] for metric in shown)),
        "The tables fit. Most of each gap goes either way and cancels; only what is left points to a group.",
    )


CHECKS = (
    _religion_elaboration, _religion_verbosity, _gender, _race, _adjusted_stars, _disadvantage, _signed_totals,
)  # fmt: skip
