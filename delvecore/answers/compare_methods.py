"""Comparison of methods on one task: one pair, several methods, or every pair.

Rows are those of the archive's `results` (estimates) and `comparisons` (pairs), with numbers in units of the
baseline as `standardized_...`. Sentences mark names and key facts: see `render.spans`. Verdicts come from the
pairs.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from delvecore import __version__
from delvecore.answers.answer import Answer, Column, Kind, Table, table_of
from delvecore.answers.compare_pair import (
    IDENTICAL,
    SPREADS,
    STOCHASTIC,
    Row,
    TaskFigure,
    basis_of,
    capital,
    caution_about,
    counts_sentence,
    pair_heading,
    pair_sentence,
    pair_size,
    pair_verdict,
    reason_of,
    samples_of,
    training_sets,
    untestable_sentences,
    verdict_text,
    verdict_with_p,
    with_first,
)
from delvecore.losses.published import PUBLISHED_SIGN, PublishedResult
from delvecore.measures import Measure
from delvecore.model import SCORED, TaskId
from delvecore.render.numbers import (
    SMALLEST_P,
    column_decimals,
    counted,
    parameter,
    percent,
    percentage,
    smallest_p_words,
)
from delvecore.render.provenance import PROGRAM
from delvecore.render.spans import as_name, strong
from delvecore.render.text import and_list
from delvecore.render.verdicts import SIGNIFICANTLY, WORSE
from delvecore.report import words
from delvecore.report.ranking.sentences import Standing
from delvecore.report.verdict_words import NO_DIFFERENCE, PHRASES
from delvecore.stats import notes
from delvecore.stats.choose import (
    DEFAULT_SETTING,
    SIGNIFICANT,
    Setting,
    Verdict,
    adjustment_words,
    words_of_tests,
)
from delvecore.stats.losses.anova import error_sources
from delvecore.stats.losses.results import standardized_mean
from delvecore.stats.notes import parsed
from delvecore.stats.orientation import oriented

REFERENCE = "reference"
MEAN_AND_ERROR, DIFFERENCE = ("mean", "standard_error"), ("difference", "lower", "upper")
ELSEWHERE = "published, not tested"
SPREAD_TITLES = dict(zip(SPREADS, ("SD train", "SD cases", "SD rest"), strict=True))
_PLACE = ("dataset", "prototask", "task", "loss", "instances", "test_cases")
ESTIMATE_COLUMNS = (
    *("method", *_PLACE, "mean", "standard_error", *SPREADS, "standardizer", "standardized_mean"),
    *("standardized_error", *(f"standardized_{name}" for name in SPREADS)),
)
PAIR_COLUMNS = (
    *("method_a", "method_b", *_PLACE, "mean_a", "mean_b", "difference", "standard_error", *SPREADS),
    *("test", "statistic", "df1", "df2", "p", "p_adjusted", "verdict"),
    *("p_delve", "lower", "upper", "standardizer"),
    *("standardized_mean_a", "standardized_mean_b", "standardized_difference", "standardized_error"),
    *(*(f"standardized_{name}" for name in SPREADS), "standardized_lower", "standardized_upper", "note"),
)
"""Columns of the tables of estimates and of pairs in files, by key."""
HEADS: dict[str, tuple[str, Kind]] = {
    "method": ("Method", "name"),
    "method_a": ("Method a", "name"),
    "method_b": ("Method b", "name"),
    "instances": ("Training sets", "count"),
    "test_cases": ("Test cases", "count"),
    "test_words": ("Test", "name"),
    "verdict": ("a is", "name"),
    "p_adjusted": ("p", "p"),
    "p": ("p, single test", "p"),
    "note": ("Note", "name"),
    "instance": ("Training set", "count"),
    "reference": ("Reference", "name"),
    "source": ("source", "name"),
    "share": ("share", "share"),
}
"""Titles and kinds of columns without a unit."""


@dataclass(frozen=True, eq=False)
class TaskComparison:
    """Comparison of methods on one task under one loss or metric.

    Attributes
    ----------
    estimates : tuple of Row
        Estimates of each method, best first, those without a mean last.
    pairs : tuple of Row
        All pairs of these methods, with adjusted p.
    reference : str
        One of the methods.
    design : str
        `hierarchical` or `common`.
    by_instance : Callable[[], Mapping[str, mapping of int to float]]
        Gives the mean loss on the test cases of each task instance, by method.
    published : tuple of PublishedValue
        Values of other methods, in the displayed unit.
    looks : mapping of str to Any or None
        Styles of methods in figures.
    """

    place: TaskId
    measure: Measure
    estimates: tuple[Row, ...]
    pairs: tuple[Row, ...]
    reference: str
    setting: Setting = DEFAULT_SETTING
    is_standardized: bool = False
    design: str = "hierarchical"
    by_instance: Callable[[], Mapping[str, Mapping[int, float]]] = dict
    published: tuple[PublishedResult, ...] = ()
    looks: Mapping[str, Any] | None = None

    @cached_property
    def methods(self) -> tuple[str, ...]:
        return tuple(row["method"] for row in self.estimates)

    @property
    def is_scored(self) -> bool:
        """Are the results only scores, or a metric, without losses of single test cases?"""
        return self.place[1] == SCORED or not self.measure.is_loss

    @property
    def has_cases(self) -> bool:
        """Are there losses, or scores, of single test cases?"""
        return not self.is_scored or bool(self.estimates and self.estimates[0]["test_cases"])

    @property
    def _value(self) -> str:
        """Name of a value within a sentence: `loss`, `accuracy`."""
        return "loss" if self.measure.is_loss else self.measure.title

    @property
    def quantity(self) -> tuple[str, str]:
        """Title of a column of estimates, and the extreme that is best: `Loss` and `lowest`, `accuracy` and
        `highest`.
        """
        return "Loss" if self.measure.is_loss else self.measure.title, words.best_end(self.measure)

    @cached_property
    def _by_names(self) -> dict[frozenset[str], Row]:
        return {frozenset((pair["method_a"], pair["method_b"])): pair for pair in self.pairs}

    def against(self, *others: str) -> list[Row]:
        """The pairs of each method (a) with each of these (b), in order."""
        return [
            with_first(self._by_names[frozenset((name, other))], name)
            for other in others
            for name in self.methods
            if name != other and frozenset((name, other)) in self._by_names
        ]

    @cached_property
    def ordered_pairs(self) -> list[Row]:
        """Each pair once, with the better method as method_b."""
        place = {name: number for number, name in enumerate(self.methods)}
        pairs = self.against(*self.methods)
        return [pair for pair in pairs if place[pair["method_a"]] > place[pair["method_b"]]]

    def column(self, name: str, *, standardized: bool | None = None) -> str:
        """Return the name of a column of estimates or pairs in the displayed unit, or in another one."""
        if not (self.is_standardized if standardized is None else standardized):
            return name
        return "standardized_error" if name == "standard_error" else f"standardized_{name}"

    # Sentences.

    @property
    def heading(self) -> str:
        """The finding in at most 15 words: `gp-1 has the lowest loss on /a/b/std.8; all others are ...`."""
        if len(self.methods) == 2 and self.pairs:
            return pair_heading(self.against(self.reference)[0], self.measure, self.place.title)
        place, (_, side) = as_name(self.place.title), self.quantity
        value = "loss" if self.measure.is_loss else as_name(words.short_line(self._value, longest=40))
        means = [row["mean"] for row in self.estimates]
        first = means[0]
        if first is None or not math.isfinite(first):
            return f"None of these methods has a finite mean {value} on {place}."
        if len(means) == 1:
            mean = words.with_error(*(self.estimates[0][self.column(key)] for key in MEAN_AND_ERROR))
            kind = (
                f"{'a standardized ' * self.is_standardized or 'a '}loss of"
                if self.measure.is_loss
                else value
            )
            return f"{as_name(self.methods[0])} has {kind} {mean} on {place}."
        lowest = means.count(first)
        if lowest == len(means):
            return f"All {lowest} methods have the same mean {value} on {place}."
        lead = f"{as_name(self.methods[0])} has" if lowest == 1 else f"{lowest} methods have"
        return f"{lead} the {side} {value} on {place}; {self._others(len(means) - lowest)}."

    def _others(self, others: int) -> str:
        """Report how many of the others, all worse on average, are significantly worse than the best."""
        verdicts = [pair["verdict"] for pair in self.against(self.methods[0])]
        if set(verdicts) <= {Verdict.NOT_TESTED}:
            return "no difference from it is tested"
        if not (worse := verdicts.count(Verdict.WORSE)):
            none = f"none of {others} others is" if others > 1 else "the other is not"
            return f"{none} {WORSE}"
        if worse == others:
            return f"{'all others are' if others > 1 else 'the other is'} {WORSE}"
        return f"{worse} of {others} others {'is' if worse == 1 else 'are'} {WORSE}"

    def basis(self, *, training_size: int, left_out: str = "") -> str:
        """Basis of the heading in one line: measure, training sets and test cases, and the difference of a
        pair.

        `left_out` has the number of excluded test cases, and the reason.
        """
        rests = basis_of(self.estimates[0]) if self.is_scored else self._cases_basis(training_size)
        basis = f"{capital(words.measure_within(self.measure))}, {rests.rstrip('.')}."
        if self.is_scored and self.place[1] != SCORED:
            basis = f"{capital(words.measure_within(self.measure))}. {self._scores_basis()}"
        if left_out:
            basis += f" {capital(left_out)}."
        if len(self.methods) == 2 and self.pairs:
            pair, level = self.against(self.reference)[0], self.setting.level
            size = pair_size(pair, self.measure, level=level, standardized=self.is_standardized)
            return f"{size} {basis}" if size else basis
        pairs = self.against(self.methods[0])
        reasons = {reason_of(pair) for pair in pairs if pair["verdict"] == Verdict.NOT_TESTED}
        is_tested = any(pair["verdict"] != Verdict.NOT_TESTED for pair in pairs)
        return basis if is_tested or len(reasons) != 1 else f"{basis} {capital(reasons.pop())}."

    @property
    def sentence(self) -> str:
        """Which method has the lowest loss, and which are not significantly worse?

        A single pair has the result of its test.
        """
        if len(self.methods) == 2 and self.pairs:
            pair, level = self.against(self.reference)[0], self.setting.level
            return pair_sentence(pair, self.measure, level=level, standardized=self.is_standardized)
        best = self.estimates[0]
        if best["mean"] is None or not math.isfinite(best["mean"]):
            mean = "mean loss" if self.measure.is_loss else f"mean {as_name(self.measure.title)}"
            return f"{strong(f'None of these methods has a finite {mean} here')}: they cannot be compared."
        mean, error = best[self.column("mean")], best[self.column("standard_error")]
        name, side = self.quantity
        kind = "standardized loss" if self.is_standardized else "loss"
        if not self.measure.is_loss:
            kind = as_name(name)
        lead = f"{as_name(best['method'])} has the {side} {kind}, {words.with_error(mean, error)}"
        others = _verdicts_sentence(self.against(self.methods[0]), self.measure)
        return f"{strong(lead)}, {basis_of(best)}. {others}"

    def standing_of(self, method: str | None) -> Standing | None:
        """Describe the position of a method on this task; None if it is not compared."""
        means = {row["method"]: row["mean"] for row in self.estimates}
        if method is None or method not in means:
            return None
        groups: dict[str, list[str]] = {}
        for name, pair in ((other, self._by_names.get(frozenset((method, other)))) for other in means):
            if name != method and pair is not None:
                groups.setdefault(with_first(pair, method)["verdict"], []).append(name)
        own, known = means[method], [mean for mean in means.values() if mean is not None]
        place = None if own is None else 1 + sum(oriented(mean - own, self.measure) < 0 for mean in known)
        parts = (groups.get(one, []) for one in (Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SIGNIFICANT))
        return Standing(method, place, len(means), *parts)

    @property
    def cautions(self) -> list[str]:
        """Caveats of the result, in sentences that name the pairs: `In 2 of 3 pairs ...`."""
        return self._caveats(serious=True)

    @property
    def remarks(self) -> list[str]:
        """Caveats of single terms: `Between a and b the training sets add no measurable variance.`"""
        return self._caveats(serious=False)

    def _caveats(self, *, serious: bool) -> list[str]:
        found: dict[str, list[str]] = {}
        for pair in self.pairs:
            names = f"{as_name(pair['method_a'])} and {as_name(pair['method_b'])}"
            about = (caution_about(note, pair) for note in parsed(pair["notes"]))
            for text, is_serious in filter(None, about):
                if is_serious == serious:
                    found.setdefault(text, []).append(names)
        told = []
        for text, pairs in found.items():
            some = "all" if len(pairs) == len(self.pairs) else f"{len(pairs)} of"
            where = pairs[0] if len(pairs) == 1 else f"{some} {len(self.pairs)} pairs"
            start = f"{'Between' if len(pairs) == 1 else 'In'} {where}"
            told.append(f"{capital(where)}: {text}." if serious else f"{start} {text}.")
        return told

    def basis_sentence(self, *, training_size: int, left_out: str = "") -> str:
        """`8 training sets of 256 cases; each has its own test set of 512 cases. p is adjusted ...`

        left_out: number of excluded test cases, and the reason."""
        rests = self._scores_basis() if self.is_scored else self._cases_basis(training_size, left_out)
        return f"{rests} p is {self._adjusted}." if any(pair["compared"] for pair in self.pairs) else rests

    @property
    def _adjusted(self) -> str:
        pairs = max((pair["compared"] or 0 for pair in self.pairs), default=0)
        return adjustment_words(self.setting.adjust, pairs)

    def _scores_basis(self) -> str:
        counts = {one["instances"] for one in self.estimates}
        fewest = f"{min(counts)} to " if len(counts) > 1 else ""
        if self.place[1] != SCORED:
            sets = f"{fewest}{words.count(max(counts), 'training set')}"
            return f"One number for each of {sets}; analyses of single cases are shown for losses only."
        if self.has_cases:
            cases = words.count(self.estimates[0]["test_cases"], "test case")
            return f"{cases} in {fewest}{words.count(max(counts), 'run')} of each method."
        return f"{fewest}{words.count(max(counts), 'score')} of each method."

    def _cases_basis(self, training_size: int, left_out: str = "") -> str:
        row = self.estimates[0]
        test, cases, remarks = "test set", words.count(training_size, "case"), parsed(row["notes"])
        if row["test_cases"] is not None:
            test += f" of {words.count(row['test_cases'], 'case')}{f' ({left_out})' * bool(left_out)}"
        if notes.ONE_SPLIT in remarks:
            runs = words.count(row["instances"], "run")
            return f"{runs} on one training set of {cases} and a {test}, valid for this split only."
        if samples := samples_of(row, remarks):
            return f"{samples}, each of {cases} drawn with replacement and tested on the cases left out."
        overlap = any(note.code in notes.OVERLAPS for note in remarks)
        sets = f"{words.count(row['instances'], 'overlapping ' * overlap + 'training set')} of {cases}"
        if row["instances"] == 1:
            return f"{sets} and a {test}."
        if self.design == "common":
            return f"{sets} share a {test}."
        sizes = "" if row["test_cases"] is not None else ", and their sizes differ"
        return f"{sets}; each has its own {test}{sizes}."

    # Tables with all columns: a row per method, or per pair.

    @cached_property
    def estimates_table(self) -> Table:
        """Every method with its numbers in both units, and the result of its test against the best."""
        name, side = self.quantity
        rows, first = self.estimates, self.estimates[0]["mean"]
        keys, titles = ESTIMATE_COLUMNS, {"mean": name, "standard_error": "SE", **SPREAD_TITLES}
        if STOCHASTIC in rows[0]:
            place = keys.index("standardizer")
            keys = (*keys[:place], STOCHASTIC, *keys[place:], f"standardized_{STOCHASTIC}")
            titles[STOCHASTIC] = "SD stochastic"
        verdicts = {pair["method_a"]: verdict_with_p(pair) for pair in self.against(self.methods[0])}
        against = [
            verdicts.get(row["method"], side if row["mean"] is not None else "no mean") for row in rows
        ]
        more = (
            Column("against", f"Against the {side}", "name", against),
            Column("training_sets", "Training sets", "count", list(map(training_sets, rows))),
        )
        best = [place for place, row in enumerate(rows) if first is not None and row["mean"] == first]
        bold = frozenset((row, key) for row in best for key in ("mean", "standardized_mean"))
        return Table((*self._columns(rows, keys, titles), *more), bold)

    @cached_property
    def pairs_table(self) -> Table:
        """Every pair with its numbers in both units, the better method as method_b."""
        return self._pairs_table(self.ordered_pairs)

    def _pairs_table(self, pairs: Sequence[Row]) -> Table:
        ends = {"lower": f"{percent(self.setting.level)} from", "upper": "to"}
        titles = {"difference": "a - b", **ends, **SPREAD_TITLES}
        rows = [{**one, "verdict": pair_verdict(one), "test_words": _test_words(one)} for one in pairs]
        bold = {(row, "p_adjusted") for row, one in enumerate(rows) if one["verdict"] in SIGNIFICANT}
        return Table(tuple(self._columns(rows, (*PAIR_COLUMNS, "test_words"), titles)), frozenset(bold))

    def _columns(
        self, rows: Sequence[Row], keys: Sequence[str], titles: Mapping[str, str]
    ) -> Iterator[Column]:
        """Yield columns. Those with titles form groups by unit; standard errors set their decimals."""
        decimals = {
            unit: column_decimals(row[self.column("standard_error", standardized=unit)] for row in rows)
            for unit in (False, True)
        }
        for key in keys:
            name = key.removeprefix("standardized_")
            unit, values = name != key, [row[key] for row in rows]
            if name in titles or key == "standardized_error":
                title, group = titles.get(name, "SE"), "Standardized" if unit else "Raw"
                yield Column(key, title, "number", values, group, decimals[unit])
            else:
                yield Column(*_heads(key)[0], values)

    def numbers(self, table: Table, *names: str) -> list[str]:
        """Return the keys of numbers in both units, without empty standard deviations."""
        units = (False, True) if self.measure.is_loss else (False,)
        keys = [self.column(name, standardized=unit) for unit in units for name in names]
        return [key for key in keys if "sd_" not in key or any(one is not None for one in table[key])]

    def _in_unit(self, table: Table, *keys: str) -> Table:
        """Return columns in the displayed unit, with keys that do not name it."""
        names = [(key, self.column(key)) for key in keys]
        shown = [(key, table.column(name if name in table else key)) for key, name in names]
        return Table(tuple(replace(column, key=key) for key, column in shown))

    # Answers with a figure.

    def overview(self) -> Answer:
        """Expected loss of each method, and its difference from the reference with its interval.

        Published values from elsewhere follow, with a source and without a test.
        """
        losses = self._in_unit(self.estimates_table, "method", *MEAN_AND_ERROR).rows
        keys = ("method_a", *DIFFERENCE, "p_adjusted", "verdict")
        pairs = self.against(self.reference) if len(self.methods) > 1 else []
        apart = {row[0]: row[1:] for row in self._in_unit(self._pairs_table(pairs), *keys).rows}
        none, texts = (None,) * 4, []
        rows: list[tuple[object, ...]] = []
        for name, mean, error in losses:
            *numbers, verdict = apart.get(name, (*none, REFERENCE))
            rows.append((name, mean, error, self.reference, *numbers, verdict, ""))
            texts.append(f"{name} {words.with_error(mean, error)}, {verdict_text(verdict, numbers[-1])}")
        for one in self.published:
            about = one.method + PUBLISHED_SIGN, one.mean, one.deviation
            rows.append((*about, self.reference, *none, ELSEWHERE, one.origin))
        axis = words.measure_axis(self.measure, standardized=self.is_standardized)
        if self.measure.is_loss:
            axis = words.better_side(f"{'standardized' if self.is_standardized else 'raw'} loss")
        what = capital(self._value)
        sentence = f"{what} with standard errors, and differences from {self.reference}: {'; '.join(texts)}"
        names = ("method", *MEAN_AND_ERROR, "reference", *DIFFERENCE, "p_adjusted", "verdict", "source")
        baseline = self.measure.baseline if self.is_standardized else None
        figure = TaskFigure(self.looks or {}, axis, baseline, self.measure.higher_is_better)
        return Answer(
            "overview", sentence, table_of(rows, _heads(*names)), self._overview_notes(pairs), figure
        )

    def _overview_notes(self, pairs: Sequence[Row]) -> tuple[str, ...]:
        value = "loss" if self.measure.is_loss else as_name(self.measure.title)
        lead = f"Mean {value} with one standard error"
        if not pairs:
            return (f"{lead}.",)
        reference, level = strong(as_name(self.reference)), words.level(self.setting.level)
        lead += f"; difference from {reference} with {level} intervals, hollow: {NO_DIFFERENCE}."
        tests = words_of_tests({pair["test"] for pair in pairs} - {None})
        return (lead, f"p: {tests}, {self._adjusted}.") if tests else (lead,)

    def pair_matrix(self) -> Answer:
        """Which methods are better than others? All ordered pairs of methods."""
        keys = ("method_a", "method_b", "difference", "standard_error", "p_adjusted", "verdict")
        table = self._in_unit(self._pairs_table(self.against(*self.methods)), *keys)
        better = [
            f"{a} is better than {b}, {words.p_value(p)}"
            for a, b, *_, p, verdict in table.rows
            if verdict == Verdict.BETTER
        ]
        differ, adjusted = "differs" if len(better) == 1 else "differ", adjustment_words(self.setting.adjust)
        lead = f"{len(better)} of {words.count(len(table) // 2, 'pair')} {differ} {SIGNIFICANTLY}"
        return Answer(
            "matrix",
            f"Matrix of all pairs of methods. {lead}{': ' if better else ''}{'; '.join(better)}.",
            table,
            (f"The row's method minus the column's; shaded cells are significant. p is {adjusted}.",),
            TaskFigure({}, is_higher=self.measure.higher_is_better),
        )

    def instance_losses(self) -> Answer:
        """Is the result the same on every training set?

        Mean loss by task instance; methods and instances in order.
        """
        by_instance, constant = self.by_instance(), self.estimates[0]["standardizer"]
        is_unpaired = notes.UNPAIRED in parsed(self.estimates[0]["notes"])
        where, what = ("in", "run") if is_unpaired else ("on", "training set")
        rows: list[tuple[object, ...]] = []
        ranges = []
        for name in self.methods:
            means: Mapping[int, float | None] = by_instance[name]
            if self.is_standardized:
                means = {n: standardized_mean(self.measure.key, one, constant) for n, one in means.items()}
            start = len(rows) if is_unpaired else 0  # Runs of different methods are not matched.
            rows += [(name, start + instance, mean) for instance, mean in sorted(means.items())]
            values = [math.nan if mean is None else mean for mean in means.values()]
            ends = " to ".join(words.number(end(values), digits=3) for end in (min, max))
            ranges.append(f"{name} {ends} {where} {words.count(len(means), what)}")
        note = "One mark per training set; a line joins the same training set."
        return Answer(
            "training-sets",
            f"Mean {self._value} {where} each {what}: {'; '.join(ranges)}",
            table_of(rows, _heads("method", "instance", "mean")),
            ("One mark per run." if is_unpaired else note,),
            TaskFigure(self.looks or {}, words.measure_axis(self.measure, standardized=self.is_standardized)),
        )

    def sources_of_error(self) -> Answer:
        """What causes the uncertainty of each difference from the reference? Manual equations 3 and 12."""
        rows, shown = [], []
        for pair in self.against(self.reference):
            names = (*SPREADS, "instances", "test_cases", "standard_error")
            parts = error_sources(**{name: pair[name] for name in names})
            if parts and (error := pair["standard_error"]):
                sides = pair["method_a"], pair["method_b"]
                shares = {name: part / error**2 for name, part in parts._asdict().items() if part is not None}
                rows += [(*sides, name, share, error) for name, share in shares.items()]
                texts = (f"{name} {percentage(share)}" for name, share in shares.items())
                shown.append(f"{sides[0]} {', '.join(texts)}")
        reference = strong(as_name(self.reference))
        return Answer(
            "error-sources",
            f"Shares of the squared standard error of each difference from {self.reference}: "
            f"{'; '.join(shown) or 'no shares'}",
            table_of(rows, _heads("method_a", "method_b", "source", "share", "standard_error")),
            (f"Shares of the squared standard error of the difference from {reference}.",),
            TaskFigure({}, design=self.design),
        )

    # Answers that are tables.

    @property
    def _title(self) -> str:
        """Name of the measure, for a caption: `Squared error (S)`, `accuracy (higher is better)`."""
        if self.measure.is_loss:
            return words.measure_name(self.measure)
        return words.directed_name(self.measure)

    def estimates_answer(self) -> Answer:
        """Sources of variation of the losses: mean, standard error and standard deviations of each method."""
        table = self.estimates_table
        spreads = (*SPREADS, *([STOCHASTIC] if STOCHASTIC in table else []))
        keys = self.numbers(table, "mean", "standard_error", *spreads)
        note = "SE: standard error; SD: standard deviation from training sets, "
        note += f"{'' if 'sd_cases' in keys else 'and from '}test cases"
        note += ", and interactions. " if "sd_cases" in keys else " and interactions. "
        note += "SD stochastic: from runs on the same training set. " if STOCHASTIC in table else ""
        caption = f"{self._title} on {self.place.path}."
        notes = (note + self._basis_of(self.estimates),)
        return Answer("estimates", caption, table.select("method", *keys), notes, repeated=1)

    def pairs_answer(self) -> Answer:
        """Pairwise comparisons in numbers: difference, interval and p of every pair."""
        rows, table, name = self.ordered_pairs, self.pairs_table, self._title
        caption = f"Differences in {name[0].lower()}{name[1:]} on {self.place.path}."
        keys = self.numbers(table, "difference", "lower", "upper")
        compared = max((row["compared"] or 0 for row in rows), default=0)
        adjusted = adjustment_words(self.setting.adjust, compared)
        note = (
            f"Bold: significant, p < {parameter(self.setting.alpha)}; p is {adjusted}. {self._basis_of(rows)}"
        )
        notes = (note, *untestable_sentences(rows))
        keys = ["method_a", "method_b", *keys, "p_adjusted"]
        return Answer("pairs", caption, table.select(*keys), notes, repeated=2)

    def _basis_of(self, rows: Sequence[Row]) -> str:
        """Return the sizes behind estimates or comparisons, if they are all equal."""
        with_values = [row for row in rows if row.get("difference", row.get("mean")) is not None]
        counts = sorted({(row["instances"], row["test_cases"] or 0) for row in with_values})
        without = "test sets of several sizes" if self.measure.is_loss else "one value each"
        sets = [
            f"{instances} training sets, {f'{cases} test cases each' if cases else without}"
            for instances, cases in counts
        ]
        return f"Based on {words.and_list(sets)}." if sets else ""

    # Words for a paper.

    def paper_words(self, quantity: str, basis: str) -> list[str]:
        """Return paragraphs on methods and results. basis: the basis of the comparison, in words."""
        names = sorted(self.methods)
        tests = words_of_tests({row["test"] for row in self.pairs} - {None})
        means = "losses" if self.measure.is_loss else self.measure.title
        methods = [
            f"We compared {counted(len(names), 'method')} ({and_list(names)}) on the task {self.place.title} "
            f"by {quantity}.",
            f"The comparison rests on {basis}",
            *([f"Differences of mean {means} were tested by {tests}."] if tests else []),
            f"A difference is significant where the adjusted p is below {parameter(self.setting.alpha)}; "
            "intervals "
            f"are of {percent(self.setting.level)} confidence. Everything was computed with {PROGRAM} "
            f"{__version__}.",
        ]
        results = self.sentence
        if len(self.pairs) > 1:
            verdicts = [row["verdict"] for row in self.pairs]
            sentences = [counts_sentence(verdicts, 1, self.setting), *untestable_sentences(self.pairs)]
            results = " ".join([results, *sentences])
        return [" ".join(methods), results]

    def figure_caption(self, quantity: str) -> str:
        """Return the caption of the figure of a paper: mean losses, and differences from a reference."""
        return (
            f"{capital(quantity)} on the task {self.place.title}: means with standard errors, and "
            f"differences from {self.reference} with {percent(self.setting.level)} intervals; open marks: "
            f"{NO_DIFFERENCE}."
        )


def _test_words(pair: Row) -> str | None:
    """`t = -10.67, 7 df`, `crossed = 4.07, 1 and 39.1 df`, `percentile`."""
    name: str | None = pair["test"]
    if name is None or pair["statistic"] is None:
        return name
    degrees = [words.number(pair[key], digits=3) for key in ("df1", "df2") if pair[key] is not None]
    return f"{name} = {words.number(pair['statistic'])}, {' and '.join(degrees)} df"


def _heads(*keys: str) -> list[tuple[str, str, Kind]]:
    return [(key, *HEADS.get(key, (key, "number"))) for key in keys]


def _verdicts_sentence(pairs: Sequence[Row], measure: Measure) -> str:
    """Name the methods that do not differ significantly from the best, and the worse ones."""
    groups, reasons = _by_verdict(pairs), {reason_of(pair) for pair in pairs}
    if groups.keys() == {Verdict.NOT_TESTED} and len(reasons) == 1:
        return f"{strong(f'None of the {len(pairs)} others is tested against it')}: {reasons.pop()}."
    worse = PHRASES[Verdict.WORSE]
    titles = {
        IDENTICAL: strong(f"Identical {'losses' if measure.is_loss else 'values'}"),
        Verdict.NOT_SIGNIFICANT: strong(f"{capital(NO_DIFFERENCE)} from it"),
        Verdict.WORSE: capital(worse) if len(groups) > 1 else strong(f"All others are {worse}"),
        Verdict.BETTER: capital(PHRASES[Verdict.BETTER]),
        Verdict.NOT_TESTED: capital(PHRASES[Verdict.NOT_TESTED]),
    }
    return " ".join(f"{titles[key]}: {groups[key]}." for key in titles if key in groups)


def _by_verdict(pairs: Sequence[Row]) -> dict[str, str]:
    """Return the methods a by verdict, with p. Tiny p-values appear once, after all methods."""
    groups: dict[str, list[str]] = {}
    tiny: dict[str, list[str]] = {}
    for pair in pairs:
        name, verdict = as_name(pair["method_a"]), pair_verdict(pair)
        p = words.p_value(pair["p_adjusted"]) if pair["p_adjusted"] is not None else ""
        of_verdict = groups.setdefault(verdict, [])
        if p and pair["p_adjusted"] < SMALLEST_P:
            tiny.setdefault(verdict, []).append(name)
        else:
            of_verdict.append(f"{name} ({p})" if p else name)
    for verdict, names in tiny.items():
        each = "each " if len(names) > 1 else ""
        tiny[verdict] = [f"{words.and_list(names)} ({each}{smallest_p_words()})"]
    return {
        verdict: ", ".join([*names, *tiny[verdict]]) if verdict in tiny else words.and_list(names)
        for verdict, names in groups.items()
    }
