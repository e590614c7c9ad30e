"""What a notebook shows: the banner, tables, figures and numbers of one study, each written to a file as well."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
from filelock import FileLock
from IPython.display import Markdown, display
from matplotlib.figure import Figure
from myst_nb import glue

from eftlib import __version__, analysis, figures, responses, scoring, tables
from eftlib import study as studies
from eftlib.collect.lane import tokens as count_tokens
from eftlib.errors import InputError
from eftlib.files import data_dir
from eftlib.metrics import METRICS, PROFILES, STUDY_METRICS, Profile

SHOWN = Path("shown")  # beside the executed notebooks: what their pages include
# stands where a figure would, so that it keeps its number and whatever refers to it has one to name
_NOTHING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="60"><rect width="320" height="60" fill="#eeeeee"/>'
    '<text x="160" y="35" text-anchor="middle" font-family="sans-serif" font-size="14">nothing to draw yet</text></svg>\n'
)


class Page:
    """One results page of a study.

    Parameters
    ----------
    notebook : str
        Its name, which begins the keys of its numbers.
    study : str
        A name or a folder.
    models : sequence of str or "all"
    profile : {"published", "controlled"}
        The one that the text is about.
    alpha : float
    seed : int
        Of whatever chance the page uses.
    """

    def __init__(
        self, notebook: str, study: str, *, models: Sequence[str] | str = "all", profile: Profile = "published",
        alpha: float = 0.05, seed: int = 20260509,
    ) -> None:  # fmt: skip
        self.notebook, self.profile, self.alpha, self.seed = notebook, profile, alpha, seed
        self.asked_for = study
        self.study = studies.load(study)
        if profile not in PROFILES:
            raise InputError(f"profile is {profile!r}; allowed: {', '.join(PROFILES)}")
        if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 < alpha < 1:
            raise InputError(f"alpha is {alpha!r}; allowed: a number above 0 and below 1")
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise InputError(f"seed is {seed!r}; allowed: a whole number, 0 or above")
        if not models:
            raise InputError("models names none; allowed: 'all', a name or a list of names")
        self.models = [self.study.model(name) for name in (m.name for m in self.study.models)] if models == "all" else [
            self.study.model(name) for name in ([models] if isinstance(models, str) else models)
        ]  # fmt: skip
        self.results = scoring.results_dir(self.study)
        self._numbers: dict[str, float | int | None] = {}

    # --- data

    @cached_property
    def explanations(self) -> pd.DataFrame:
        """The explanations of the page's models; empty without responses."""
        table = scoring.explanations(self.study)
        return table[table["model"].isin([model.name for model in self.models])]

    @cached_property
    def scores(self) -> pd.DataFrame:
        """The score frame that the build has made, of the page's models; empty without responses."""
        path = self.results / "scores.parquet"
        scores = pd.read_parquet(path) if path.exists() else scoring.score(self.explanations.iloc[:0], self.profile, "")
        return scores[scores["model"].isin([model.name for model in self.models])]

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Differences of all pairs."""
        return analysis.differences(self.scores)

    def pairs(self, profile: Profile, **selection: Any) -> pd.DataFrame:
        """Return the pairs of an analysis, or none: see `eftlib.analysis.selected`."""
        try:
            return analysis.selected(self.differences, profile=profile, **selection)
        except InputError:
            return self.differences.iloc[:0]

    @cached_property
    def cosines(self) -> scoring.StoredCosines:
        """The cosines on file."""
        return scoring.StoredCosines(self.study.folder / "similarities.parquet")

    @property
    def labels(self) -> dict[str, str]:
        """What a reader sees of each model."""
        return {model.name: model.label for model in self.models}

    # --- what is shown

    def banner(self) -> None:
        """Say which study, models, dates and instruction the page shows, and which answers are missing."""
        rows = self.explanations
        when = "no answers yet"
        if len(rows):
            first, last = (f"{pick(rows['created']):%Y-%m-%d}" for pick in (min, max))
            when = f"collected {first}" if first == last else f"collected {first} to {last}"
        models = ", ".join(tables.literal(model.label) for model in self.models)
        said = f"“{tables.literal(self.study.instruction)}”" if self.study.instruction else "none."
        missing = int(self._coverage["missing"].sum())
        unmeasured = Counter(rows["outcome"][rows["outcome"] != "ok"])
        kinds = ", ".join(f"{number:,} {outcome.replace('_', ' ')}" for outcome, number in sorted(unmeasured.items()))
        lines = [] if len(rows) else [
            "**There are no answers yet.** Tables and figures are empty, and a dash (–) or a 0 stands where a number belongs.",
        ]  # fmt: skip
        lines += [
            f"Study **{tables.literal(self.study.name)}** · {models} · {when} · instruction: {said}",
            f"{len(rows):,} explanations of the stated decision are on file{f' ({kinds})' if kinds else ''}; "
            + (f"**{missing:,} of {int(self._coverage['planned'].sum()):,} requests have no answer yet.**" if missing
               else "every request has its answer."),
        ]  # fmt: skip
        if waiting := int(self.scores["reason"].eq(scoring.NOT_SCORED).sum()):
            lines.append(f"{waiting:,} values wait for the embedder (`make score STUDY={self.asked_for}`) and are excluded.")
        self.say(
            "\n".join([":::{admonition} What this page shows", f":class: {'note' if len(rows) else 'warning'}", *lines, ":::"])
        )

    @cached_property
    def _coverage(self) -> pd.DataFrame:
        table = responses.coverage(self.study)
        return table[table["model"].isin([model.name for model in self.models])]

    @property
    def coverage(self) -> pd.DataFrame:
        """Planned and standing answers by model, condition, decision, side and draw."""
        return self._coverage

    def summary(self) -> None:
        """Give the landing page its numbers and words: templates, models, answers on file, and what study it is."""
        planned, missing = (int(self._coverage[name].sum()) for name in ("planned", "missing"))
        self.number("templates", len(self.study.templates))
        self.number("models", len(self.models))
        self.number("explanations", len(self.explanations), f"{len(self.explanations):,}")
        self.number("planned", planned, f"{planned:,}")
        self.number("missing", missing, f"{missing:,}")
        self.number("answered", planned - missing, f"{planned - missing:,}")
        self.words("title", self.study.title)
        said = [", ".join(model.label for model in self.models)]
        if self.study.parameters.temperature is not None:
            said.append(f"temperature {self.study.parameters.temperature:g}")
        said.append(f"instruction: “{self.study.instruction}”" if self.study.instruction else "no instruction.")
        self.words("setting", "; ".join(said))
        self.words(
            "state",
            f"Every number here is of the study “{self.study.name}”."
            if len(self.explanations)
            else f"The study “{self.study.name}” has no answers yet: a dash (–) or a 0 stands where a number belongs.",
        )

    def words(self, key: str, text: str) -> None:
        """Give words to the prose, where they stand as ``{glue:text}`key```.

        Parameters
        ----------
        key, text : str
        """
        glue(key, text, display=False)

    def say(self, text: str) -> None:
        """Show markdown."""
        display(Markdown(text))

    def number(self, key: str, value: float | int | None, text: str | None = None) -> str:
        """Keep a number for ``numbers.json`` and give its text to the prose.

        Parameters
        ----------
        key : str
            After the notebook's name; in the prose the text stands as ``{glue:text}`key```.
        value : float, int or None
        text : str, optional
            How the prose writes it; three significant digits by default.

        Returns
        -------
        str
        """
        known = value is not None and not (isinstance(value, float) and math.isnan(value))
        shown = text if text is not None else tables.cell(key, value)
        self._numbers[f"{self.notebook}.{key}"] = value if known else None
        glue(key, shown, display=False)
        return shown

    def table(
        self, name: str, table: pd.DataFrame, caption: str, *, key: Sequence[str], columns: Sequence[str] | None = None
    ) -> None:
        """Write a table to the results, keep its numbers, and show it; an empty one says why there is nothing.

        Parameters
        ----------
        name : str
            Of the files, and of the label ``tbl-<name>``.
        table : pandas.DataFrame
        caption : str
            Markdown.
        key : sequence of str
            Columns that name a row.
        columns : sequence of str, optional
            What the page shows, in this order; the files have all.
        """
        if table.empty:
            # a table all the same, so that whatever refers to it has a number to name
            self.say(f":::{{table}} {caption}\n:name: tbl-{name}\n\n| No rows |\n|:---|\n| {self._nothing()} |\n\n:::")
            return
        labels = (
            {analysis.ALL_MODELS: "All models"} | {name: model.label for name, model in studies.models().items()} | self.labels
        )
        tables.write(table, self.results / "tables", name, labels)
        self._numbers |= dict(self._cells(name, table, key))
        # a reason, or what the study prints, is shown where there is one
        chosen = [
            each for each in (columns or table.columns)
            if not (each == "reason" or each.startswith("study_")) or table[each].notna().any()
        ]  # fmt: skip
        numeric = [pd.api.types.is_numeric_dtype(tables.as_numbers(table[column])) for column in chosen]
        body = tables.markdown(tables.shown(table, chosen, labels=labels), numeric)
        self.say(f":::{{table}} {caption}\n:name: tbl-{name}\n\n{body}\n\n:::")
        if {"n", "excluded"} <= set(table) and "reason" not in table and not table["n"].any():
            self.say(self._nothing())  # a table that has reasons of its own says them itself

    def _cells(self, name: str, table: pd.DataFrame, key: Sequence[str]) -> Iterator[tuple[str, float | int | None]]:
        values = table.assign(**{str(each): tables.as_numbers(table[each]) for each in table if each not in key})
        for row in values.to_dict("records"):
            where = "-".join(str(row[part]) for part in key)
            for column, value in row.items():
                if column not in key and isinstance(value, int | float) and not isinstance(value, bool):
                    known = value if math.isfinite(value) else None
                    yield f"{self.notebook}.{name}.{where}.{column}", known

    def figure(self, name: str, draw: Callable[[], Figure], caption: str, *, alt: str, data: pd.DataFrame) -> None:
        """Write a figure to the results and show it; without data it says why there is nothing.

        Parameters
        ----------
        name : str
            Of the files, and of the label ``fig-<name>``.
        draw : callable
            Makes the figure.
        caption : str
            Markdown.
        alt : str
            What the figure shows, for those who do not see it.
        data : pandas.DataFrame
            What is drawn, without the rows in which it is undefined.
        """
        if data.empty:
            SHOWN.mkdir(parents=True, exist_ok=True)
            (SHOWN / "nothing.svg").write_text(_NOTHING, encoding="utf-8")
            why = self._nothing()
            self.say(f"```{{figure}} {SHOWN}/nothing.svg\n:name: fig-{name}\n:alt: no figure\n\n{caption}\n\n{why}\n```")
            return
        figure = draw()
        figures.save(figure, self.results / "figures", name)
        figures.save(figure, SHOWN, name)
        # the link opens the drawing alone, which a phone can enlarge; pages lie one folder below the book's images
        options = f":name: fig-{name}\n:target: ../_images/{name}.svg\n:alt: {' '.join(alt.split())}"
        self.say(f"```{{figure}} {SHOWN}/{name}.svg\n{options}\n\n{caption}\n```")

    def _nothing(self) -> str:
        """Say in a line, as a cell of a table takes it, why there is nothing to show."""
        undefined = Counter(self.differences["reason"].dropna())
        if self.differences.empty:
            command = f"`make collect STUDY={self.asked_for}` asks for what is missing."
            return f"There is nothing to show here yet: no answers. {command}"
        if self.differences["difference"].notna().any():
            return "There is nothing to show here: the pairs on file lack the condition, or the values, that this needs."
        reasons = "; ".join(f"{tables.literal(reason)} ({number:,})" for reason, number in undefined.most_common())
        return f"There is nothing to show here: every difference is undefined. Reasons: {reasons}."

    def without_pairs(self, column: str, values: Sequence[str]) -> None:
        """Say which of some values have no pair of answers, if any; they are in no table.

        Parameters
        ----------
        column : str
            Of the pairs, such as ``axis``.
        values : sequence of str
        """
        if len(self.differences) and (gone := [each for each in values if each not in set(self.differences[column])]):
            self.say(f"No pair of answers has the {column} {', '.join(gone)}, so that no table here has a row for it.")

    def without_values(self, pairs: pd.DataFrame, metrics: Sequence[str]) -> None:
        """Say which metrics have no value in any pair, if there are pairs, and why; a figure leaves them out.

        Parameters
        ----------
        pairs : pandas.DataFrame
        metrics : sequence of str
        """
        for name in metrics:
            here = pairs[pairs["metric"] == name]
            if len(here) and here["difference"].isna().all():
                reasons = tables.literal("; ".join(sorted(set(here["reason"].dropna()))) or "undefined")
                self.say(f"{METRICS[name].label} has no value in any pair ({reasons}), so that the figure leaves it out.")

    def unanswered_mitigations(self, table: pd.DataFrame) -> None:
        """Say which models still lack answers under a mitigation, if any, and what it does to the family of the adjustment.

        Parameters
        ----------
        table : pandas.DataFrame
            As `eftlib.analysis.mitigations` gives it.
        """
        if self.differences.empty:
            return
        asked = self._coverage[self._coverage["condition"] != "baseline"]
        drawn = asked["draw"].eq(0)
        lacking, later = (self._lacking(part) for part in (asked[drawn], asked[~drawn]))
        if lacking:
            cells, known = len(asked[["model", "condition"]].drop_duplicates()), self.count_known(table, "p") or 0
            self.say(
                f"**Not every request under a mitigation has its answer yet** (draw 0, answered: {lacking}). "
                f"Once all have, BH is over at most *m* = {len(STUDY_METRICS) * cells} comparisons "
                f"(metrics × models × mitigations); so far {known} can be tested, which is the *m* of the table below."
            )
        if later:
            self.say(
                "The study's tables rest on draw 0. Of later draws under a mitigation not every request has its answer yet "
                f"(answered: {later}): where both draws are compared below, such a model has draw 0 alone or stands in no row."
            )

    def _lacking(self, coverage: pd.DataFrame) -> str:
        """Return which models and conditions lack answers, with how many of how many each has; empty if none does."""
        cells = coverage.groupby(["model", "condition"], sort=False)[["planned", "missing"]].sum().reset_index()
        return "; ".join(
            f"{tables.literal(self.labels[each['model']])}, {tables.literal(each['condition'])}: "
            f"{each['planned'] - each['missing']:,} of {each['planned']:,}"
            for each in cells.to_dict("records")
            if each["missing"]
        )

    def templates_of_models(self, pairs: pd.DataFrame) -> None:
        """Say on how many templates each model is compared, and how many of them all models share.

        Parameters
        ----------
        pairs : pandas.DataFrame
            As `pairs` gives them.
        """
        if pairs.empty:
            return
        answered = {str(name): set(here["template"]) for name, here in pairs.groupby("model", sort=False)}
        shared = self.number("templates_shared", len(set.intersection(*answered.values())))
        if len(answered) == 1:
            self.say(f"One model alone has answers ({self.labels[next(iter(answered))]}), so that nothing is ranked.")
        elif all(each == answered[next(iter(answered))] for each in answered.values()):
            self.say(f"All models are compared on the same {shared} templates.")
        else:
            counted = ", ".join(f"{tables.literal(self.labels[name])} {len(each):,}" for name, each in answered.items())
            self.say(
                f"**The models have not answered the same templates** ({counted}; {shared} in common). A rank over all of them "
                "mixes what a model does with what it was asked; only the ranks over those in common compare models."
            )

    def cut_off(self, pairs: pd.DataFrame) -> None:
        """Say how many of the texts that pairs compare were cut off at the token limit, and whether the profile measures them.

        Parameters
        ----------
        pairs : pandas.DataFrame
            Of one profile.
        """
        if pairs.empty:
            return
        by = ["model", "template", "condition", "draw"]
        texts = self.explanations.merge(pairs[by].drop_duplicates(), on=by)
        cut = self.number("cut_off", int((texts["outcome"] == "truncated").sum()))
        of = self.number("texts", len(texts))
        measures = {
            "published": "the published profile measures them, as the study seems to have done; the controlled one does not",
            "controlled": "the controlled profile does not measure them",
        }
        self.say(f"Of the {of} texts compared here {cut} were cut off at the token limit: {measures[self.profile]}.")

    def all_conditions(self, profile: Profile, draws: Sequence[int] = (0,)) -> pd.DataFrame:
        """Return the pairs of the study's metrics in one profile, under every condition.

        Parameters
        ----------
        profile : {"published", "controlled"}
        draws : sequence of int
            The study's tables use draw 0 alone.

        Returns
        -------
        pandas.DataFrame
        """
        table = self.differences
        return table[(table["profile"] == profile) & table["draw"].isin(list(draws)) & table["metric"].isin(STUDY_METRICS)]

    def model_table(self) -> pd.DataFrame:
        """Return what was asked: a row a model with its id, where it runs, and the parameters it was sent."""
        rows = []
        for model in self.models:
            here = self.explanations[self.explanations["model"] == model.name]
            sent = sorted({json.dumps(each, sort_keys=True) for each in here["sent"]}) if len(here) else []
            where = (
                f"{model.weights.quantisation}, {model.weights.server}" if model.weights else model.base_url or model.provider
            )
            rows.append(
                {
                    "model": model.name, "label": model.label, "id": model.id, "runs_on": where,
                    "sent": "; ".join(sent) or None,
                    "served_as": ", ".join(sorted(set(here["served_model"].dropna()))) or None,
                }
            )  # fmt: skip
        return pd.DataFrame(rows)

    def usage_table(self) -> pd.DataFrame:
        """Return tokens and seconds of all requests, a row a model."""
        table = responses.frame(self.study)
        rows = []
        for model in self.models:
            here = table[table["model"] == model.name]
            tokens = {kind: sum(count_tokens(usage, kind) for usage in here["usage"]) for kind in ("input", "output")}
            if len(here):
                rows.append(
                    {
                        "model": model.name, "requests": len(here), "input_tokens": tokens["input"],
                        "output_tokens": tokens["output"], "median_seconds": float(here["latency_s"].median()),
                    }
                )  # fmt: skip
        return pd.DataFrame(rows)

    def repeats_table(self) -> pd.DataFrame:
        """Return how many requests of the study ``repeat`` got the same answer twice, a row a model of this page."""
        table = responses.frame(studies.load("repeat"))
        return analysis.repeats(table[table["model"].isin([model.name for model in self.models])])

    def beside(self, ours: pd.DataFrame, theirs: pd.DataFrame, on: Sequence[str]) -> pd.DataFrame:
        """Put the study's printed numbers beside ours; where it prints none there is none.

        Parameters
        ----------
        ours, theirs : pandas.DataFrame
        on : sequence of str
            Columns that name a row.

        Returns
        -------
        pandas.DataFrame
        """
        return ours if ours.empty else ours.merge(theirs, on=list(on), how="left")

    def count_below(self, table: pd.DataFrame, column: str) -> int | None:
        """Return how many values of a column are at most alpha; None without a table."""
        return None if table.empty else int((table[column] <= self.alpha).sum())

    def count_equal(self, table: pd.DataFrame, column: str, value: str | bool) -> int | None:
        """Return how many rows of a column have a value; None without a table.

        Parameters
        ----------
        table : pandas.DataFrame
        column : str
        value : str or bool

        Returns
        -------
        int or None
        """
        return None if table.empty else int((table[column] == value).sum())

    def percent(self, share: float | None) -> str:
        """Return a share as the prose writes it: a whole percentage; what has no bound is said to have none.

        Parameters
        ----------
        share : float or None

        Returns
        -------
        str
        """
        if share is None or math.isnan(share):
            return "–"
        return f"{share:.0%}".replace("%", " %") if math.isfinite(share) else "an unbounded share"

    def count_known(self, table: pd.DataFrame, column: str) -> int | None:
        """Return how many values of a column are defined; None without a table."""
        return None if table.empty else int(table[column].notna().sum())

    def extreme(self, table: pd.DataFrame, column: str, pick: Callable[..., float]) -> float | None:
        """Return the smallest or largest defined value of a column.

        Parameters
        ----------
        table : pandas.DataFrame
        column : str
        pick : callable
            ``min`` or ``max``.

        Returns
        -------
        float or None
            None without a value.
        """
        known = [] if table.empty else [float(value) for value in table[column].dropna()]
        return pick(known) if known else None

    def describe(self, table: pd.DataFrame, name: str | Sequence[str], column: str, what: str, *, by: str | None = None) -> str:
        """Return an alternative text for a figure: what it is, and the smallest and largest value of each of its parts.

        Parameters
        ----------
        table : pandas.DataFrame
        name : str or sequence of str
            The columns that name a value.
        column : str
            That of the values.
        what : str
            What the figure shows, as the beginning of a sentence.
        by : str, optional
            The column that tells the figure's parts apart; without it the figure is one.

        Returns
        -------
        str
        """
        known = table if table.empty else table[table[column].map(math.isfinite)]
        if known.empty:
            return f"{what}; no values yet."
        names = [name] if isinstance(name, str) else list(name)
        parts = []
        for part, here in known.groupby(by, sort=False) if by else [("", known)]:
            rows = here.sort_values(column).to_dict("records")
            ends = [
                f"{' '.join(self._called(each, row[each]) for each in names)} {tables.number(float(row[column]))}"
                for row in (rows[0], rows[-1])
            ]
            said = f"from {' to '.join(ends)}" if len(rows) > 1 else ends[0]
            parts.append(f"{self._called(by, part)} {said}" if by else said)
        return f"{what} {'; '.join(parts)}."

    def _called(self, column: str, value: Any) -> str:
        """Return what a reader calls a value: a model by its label."""
        return self.labels.get(value, tables.cell(column, value))

    def published(self, name: str) -> pd.DataFrame:
        """Return a table that the study prints, from ``data/published``: text, so that each number keeps its digits."""
        return pd.read_csv(data_dir() / "published" / f"{name}.csv", dtype=str)

    def close(self) -> None:
        """Write the page's numbers into ``numbers.json`` of the study."""
        path = self.results / "numbers.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = self.explanations
        meta = {
            "study": self.study.name,
            "models": [model.name for model in self.study.models],
            "dates": [str(pick(rows["created"])) for pick in (min, max)] if len(rows) else [],
            "instruction": self.study.instruction,
            "versions": {"eftlib": __version__},
            "seed": self.seed,
        }
        with FileLock(path.with_name("numbers.lock")):  # pages are made side by side
            before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            kept = {key: value for key, value in before.items() if key != "meta" and not key.startswith(f"{self.notebook}.")}
            numbers = {**dict(sorted((kept | self._numbers).items())), "meta": meta}
            path.write_text(json.dumps(numbers, indent=1, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
