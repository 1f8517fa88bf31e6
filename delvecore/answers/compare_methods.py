"""Which of these methods is better on one task, and is it sure? One pair, several methods, every pair.

Rows are those of the archive's `results` (estimates) and `comparisons` (pairs), with numbers in units of the
baseline as `standardized_...`. Sentences mark names and what matters most: see `render.spans`.
Verdicts are those of the pairs."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from delvecore import __version__
from delvecore.answers.answer import Answer, Column, Table
from delvecore.answers.compare_pair import (
    IDENTICAL,
    SPREADS,
    STOCHASTIC,
    Caution,
    Row,
    basis_of,
    capital,
    caution_about,
    counts_sentence,
    pair_sentence,
    pair_verdict,
    reason_of,
    samples_of,
    untestable_sentences,
    with_first,
)
from delvecore.losses.published import PUBLISHED_SIGN, PublishedValue
from delvecore.measures import Baseline, Measure
from delvecore.model import SCORED, TaskId
from delvecore.render.numbers import SMALLEST_P, column_decimals
from delvecore.render.provenance import PROGRAM
from delvecore.render.spans import as_name, strong
from delvecore.render.text import and_list, counted
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
    percent,
    words_of_tests,
)
from delvecore.stats.losses.anova import error_sources
from delvecore.stats.losses.results import standardized_mean
from delvecore.stats.notes import parsed
from delvecore.stats.orientation import oriented

Line = TypeVar("Line")
REFERENCE = "reference"
ELSEWHERE = "published, not tested"
SPREAD_TITLES = dict(zip(SPREADS, ("SD train", "SD cases", "SD rest"), strict=True))
PAIR_TITLES = {"difference": "a - b"}
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
"""Of the files of numbers."""
# What figures draw.


class Lines(NamedTuple, Generic[Line]):
    """A figure's lines with the looks of methods. axis: title of the axis of losses or differences; baseline:
    where there is a line, None for raw losses; is_higher: are higher values better, as of some metrics?"""

    lines: tuple[Line, ...]
    looks: Mapping[str, Any]
    axis: str
    baseline: Baseline | None = None
    is_higher: bool = False


class Estimate(NamedTuple):
    """A method's loss; NaN for a loss or an error that there is not. source: where it was published, with the
    standard deviation over its runs as its error; empty for one of the archive's own."""

    method: str
    loss: float
    standard_error: float
    text: str
    source: str = ""


class Difference(NamedTuple):
    """A method less the reference; NaN for what there is not. verdict: REFERENCE for the reference itself."""

    method: str
    reference: str
    difference: float
    lower: float
    upper: float
    p: float
    verdict: str
    text: str


class Pair(NamedTuple):
    """The method `row` less the method `column`; NaN for what there is not; shown: the difference."""

    row: str
    column: str
    difference: float
    p: float
    verdict: str
    shown: str
    p_shown: str


class PairMatrix(NamedTuple):
    """methods: in the order of rows and columns; is_higher: are higher values better?"""

    cells: tuple[Pair, ...]
    methods: tuple[str, ...]
    is_higher: bool = False


class InstanceLoss(NamedTuple):
    """A method's mean loss on a training set; NaN where there is none."""

    method: str
    instance: int
    loss: float


class ErrorShare(NamedTuple):
    """What one source adds to a difference's squared standard error, as a share of it."""

    method: str
    source: str
    share: float
    standard_error: float


class ErrorSources(NamedTuple):
    """design: `hierarchical` or `common`."""

    lines: tuple[ErrorShare, ...]
    design: str


@dataclass(frozen=True, eq=False)
class TaskComparison:
    """Comparison of methods on one task under one loss or metric.

    estimates: of each method, best first, those without a mean last; pairs: of all of these methods, p
    adjusted; reference: one of them; design: `hierarchical` or `common`; by_instance: gives the mean loss on
    the test cases of each task instance, by method; published: values of other methods, in the unit shown;
    looks: of methods in figures."""

    place: TaskId
    measure: Measure
    estimates: tuple[Row, ...]
    pairs: tuple[Row, ...]
    reference: str
    setting: Setting = DEFAULT_SETTING
    is_standardized: bool = False
    design: str = "hierarchical"
    by_instance: Callable[[], Mapping[str, Mapping[int, float]]] = dict
    published: tuple[PublishedValue, ...] = ()
    looks: Mapping[str, Any] | None = None

    @cached_property
    def methods(self) -> tuple[str, ...]:
        return tuple(row["method"] for row in self.estimates)

    @property
    def is_scored(self) -> bool:
        """Is there nothing but scores, or a metric, which say nothing of single test cases?"""
        return self.place[1] == SCORED or not self.measure.is_loss

    @property
    def has_cases(self) -> bool:
        """Are there losses of single test cases, or scores of them?"""
        return not self.is_scored or bool(self.estimates and self.estimates[0]["test_cases"])

    @property
    def _value(self) -> str:
        """What a value is called within a sentence: `loss`, `accuracy`."""
        return "loss" if self.measure.is_loss else self.measure.title

    @property
    def quantity(self) -> tuple[str, str]:
        """What a column of estimates is called, and on which side the best one is: `Loss` and `lowest`,
        `accuracy` and `highest`."""
        return "Loss" if self.measure.is_loss else self.measure.title, words.best_end(self.measure)

    @cached_property
    def _by_names(self) -> dict[frozenset[str], Row]:
        return {frozenset((pair["method_a"], pair["method_b"])): pair for pair in self.pairs}

    def against(self, *others: str) -> list[Row]:
        """The pairs of each method (a) with each of these (b), one after the other, in their order."""
        return [
            with_first(self._by_names[frozenset((name, other))], name)
            for other in others
            for name in self.methods
            if name != other and frozenset((name, other)) in self._by_names
        ]

    @cached_property
    def ordered_pairs(self) -> list[Row]:
        """Each pair once, the better one as method_b."""
        place = {name: number for number, name in enumerate(self.methods)}
        pairs = self.against(*self.methods)
        return [pair for pair in pairs if place[pair["method_a"]] > place[pair["method_b"]]]

    def column(self, name: str, *, standardized: bool | None = None) -> str:
        """Return the name of a column of estimates or pairs in the unit shown, or in another one."""
        if not (self.is_standardized if standardized is None else standardized):
            return name
        return "standardized_error" if name == "standard_error" else f"standardized_{name}"

    # Sentences.

    @property
    def sentence(self) -> str:
        """Who has the lowest loss, and who is not significantly worse? Of one pair what its test says."""
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

    @property
    def reference_sentence(self) -> str | None:
        """How do the others do against the reference? None with fewer than two others."""
        pairs = self.against(self.reference)
        if len(pairs) < 2:
            return None
        groups = _by_verdict(pairs)
        order = (*SIGNIFICANT, Verdict.NOT_SIGNIFICANT, IDENTICAL, Verdict.NOT_TESTED)
        said = [f"{verdict}: {groups[verdict]}" for verdict in order if verdict in groups]
        return f"Against {strong(as_name(self.reference))}: {'; '.join(said)}."

    def standing_of(self, method: str | None) -> Standing | None:
        """Where does a method stand on this task? None where it is not compared."""
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
    def cautions(self) -> dict[Caution, str]:
        """What is to be beware of, with the pairs that it concerns: `a and b`, `2 of 3 pairs`."""
        found: dict[Caution, list[str]] = {}
        for pair in self.pairs:
            names = f"{as_name(pair['method_a'])} and {as_name(pair['method_b'])}"
            for note in parsed(pair["notes"]):
                if caution := caution_about(note, pair):
                    found.setdefault(caution, []).append(names)
        return {caution: _pairs_named(names, of=len(self.pairs)) for caution, names in found.items()}

    def basis_sentence(self, *, training_size: int, left_out: str = "") -> str:
        """`8 training sets of 256 cases, a test set of 512 cases, its own for each. p is adjusted ...`

        left_out: of the test cases, and why."""
        rests = self._scores_basis() if self.is_scored else self._cases_basis(training_size, left_out)
        if pairs := max((pair["compared"] or 0 for pair in self.pairs), default=0):
            return f"{rests} p is {adjustment_words(self.setting.adjust, pairs)}."
        return rests

    def _scores_basis(self) -> str:
        counts = {one["instances"] for one in self.estimates}
        fewest = f"{min(counts)} to " if len(counts) > 1 else ""
        if self.place[1] != SCORED:
            sets = f"{fewest}{words.count(max(counts), 'training set')}"
            return f"One number for each of {sets}; what needs single cases is shown for losses only."
        if self.has_cases:
            cases = words.count(self.estimates[0]["test_cases"], "test case")
            return f"{cases} in {fewest}{words.count(max(counts), 'run')} of each method."
        return f"{fewest}{words.count(max(counts), 'score')} of each method."

    def _cases_basis(self, training_size: int, left_out: str) -> str:
        row = self.estimates[0]
        own = "the same for all" if self.design == "common" else "its own for each"
        test = "test sets of different sizes"
        if row["test_cases"] is not None:
            test = f"a test set of {words.count(row['test_cases'], 'case')}"
            test += f" ({left_out})" if left_out else ""
        cases, said = words.count(training_size, "case"), parsed(row["notes"])
        if notes.ONE_SPLIT in said:
            return f"{words.count(row['instances'], 'run')} on one training set of {cases} and {test}."
        if samples := samples_of(row, said):
            return f"{samples}, each of {cases} drawn with replacement and tested on those left out."
        return f"{words.count(row['instances'], 'training set')} of {cases}, {test}, {own}."

    # Answers with a figure.

    def _lines(self, lines: Sequence[Line], *, difference: bool = False, **more: Any) -> Lines[Line]:
        axis = words.measure_axis(self.measure, standardized=self.is_standardized, difference=difference)
        return Lines(tuple(lines), self.looks or {}, axis, **more)

    def losses(self) -> Answer:
        """How large are the losses? Expected loss of each method, with what was published elsewhere."""
        mean, error = self.column("mean"), self.column("standard_error")
        shown = [(row["method"], row[mean], row[error]) for row in self.estimates]
        lines = [
            Estimate(name, _known(mean), _known(error), words.with_error(mean, error))
            for name, mean, error in shown
        ]
        lines += [_published(one) for one in self.published]
        baseline = self.measure.baseline if self.is_standardized else None
        name, _ = self.quantity
        is_loss = self.measure.is_loss
        unit = "Standardized" if self.is_standardized else "Raw"
        return _drawn(
            "estimates",
            f"{f'{unit} loss' if is_loss else name} with standard errors: {_spoken_lines(lines)}",
            lines,
            self._lines(lines, baseline=baseline),
            f"Mean {'loss' if is_loss else as_name(name)}; bars reach one standard error to either side.",
            self.measure,
        )

    def differences(self) -> Answer:
        """Is the difference sure? Each method less the reference, the reference itself with zeros."""
        pairs = {row["method_a"]: row for row in self.against(self.reference)}
        lines = [self._difference(name, pairs.get(name)) for name in self.methods]
        unknown = dict.fromkeys(("difference", "lower", "upper", "p"), math.nan)
        lines += [
            Difference(
                f"{one.method}{PUBLISHED_SIGN}",
                self.reference,
                **unknown,
                verdict=Verdict.NOT_TESTED,
                text=ELSEWHERE,
            )
            for one in self.published
        ]
        level = words.level(self.setting.level)
        return _drawn(
            "differences",
            f"Differences to {self.reference}: {_spoken_lines(lines)}",
            lines,
            self._lines(lines, difference=True, is_higher=self.measure.higher_is_better),
            f"Difference from {strong(as_name(self.reference))}, with {level} intervals; open marks: "
            f"{NO_DIFFERENCE}.",
        )

    def _difference(self, method: str, pair: Row | None) -> Difference:
        names = ("difference", "lower", "upper")
        if pair is None:
            numbers = dict.fromkeys(names, math.nan) | {"difference": 0.0, "p": math.nan}
            return Difference(method, self.reference, **numbers, verdict=REFERENCE, text=REFERENCE)
        said = pair_verdict(pair)
        text = f"{words.p_value(pair['p_adjusted'])}, {said}" if pair["p_adjusted"] is not None else said
        numbers = {name: _known(pair[self.column(name)]) for name in names}
        return Difference(
            method, self.reference, **numbers, p=_known(pair["p_adjusted"]), verdict=said, text=text
        )

    def pair_matrix(self) -> Answer:
        """Who is better than whom? All ordered pairs of methods."""
        cells = [self._cell(pair) for pair in self.against(*self.methods)]
        better = [one for one in cells if one.verdict == Verdict.BETTER]
        told = [f"{one.row} is better than {one.column}, {one.p_shown}" for one in better]
        differ = "differs" if len(told) == 1 else "differ"
        lead = f"Of {words.count(len(cells) // 2, 'pair')} {len(told)} {differ} significantly"
        return _drawn(
            "matrix",
            f"Matrix of all pairs of methods. {lead}{': ' if told else ''}{'; '.join(told)}.",
            cells,
            PairMatrix(tuple(cells), self.methods, self.measure.higher_is_better),
            "The row's method less the column's; shaded cells are significant. p is "
            f"{adjustment_words(self.setting.adjust)}.",
        )

    def _cell(self, pair: Row) -> Pair:
        difference, error = (pair[self.column(name)] for name in ("difference", "standard_error"))
        shown = words.number(difference)
        if error is not None:
            shown = f"{difference:+.{words.decimals_for(error)}f}".replace("-", "−")
        p = words.p_value(pair["p_adjusted"]) if pair["p_adjusted"] is not None else "no p"
        names = (pair["method_a"], pair["method_b"])
        numbers = _known(difference), _known(pair["p_adjusted"])
        return Pair(*names, *numbers, verdict=pair_verdict(pair), shown=shown, p_shown=p)

    def instance_losses(self) -> Answer:
        """Is it so on every training set? Mean loss by task instance; methods and instances in order."""
        by_instance = self.by_instance()
        constant = self.estimates[0]["standardizer"]
        lines: list[InstanceLoss] = []
        is_unpaired = notes.UNPAIRED in parsed(self.estimates[0]["notes"])
        for name in self.methods:
            start = len(lines) if is_unpaired else 0  # no run of a method is one of another
            for instance, mean in sorted(by_instance[name].items()):
                value = standardized_mean(self.measure.key, mean, constant) if self.is_standardized else mean
                lines.append(InstanceLoss(name, start + instance, _known(value)))
        by_method: dict[str, list[float]] = {}
        for line in lines:
            by_method.setdefault(line.method, []).append(line.loss)
        what = "run" if is_unpaired else "training set"
        said = "; ".join(
            f"{name} {words.number(min(losses), digits=3)} to {words.number(max(losses), digits=3)} "
            f"{'in' if is_unpaired else 'on'} {words.count(len(losses), what)}"
            for name, losses in by_method.items()
        )
        return _drawn(
            "training-sets",
            f"Mean {self._value} {'in' if is_unpaired else 'on'} each {what}: {said}",
            lines,
            self._lines(lines),
            "Each mark is a run."
            if is_unpaired
            else "A mark a training set; a line joins the same training set.",
            self.measure,
        )

    def sources_of_error(self) -> Answer:
        """Where does the doubt in each difference to the reference come from? Manual equations 3 and 12."""
        lines: list[ErrorShare] = []
        for pair in self.against(self.reference):
            names = (*SPREADS, "instances", "test_cases", "standard_error")
            parts = error_sources(**{name: pair[name] for name in names})
            total = pair["standard_error"] ** 2 if parts else 0
            if parts and total:
                shares = {name: part / total for name, part in parts._asdict().items() if part is not None}
                lines += [
                    ErrorShare(pair["method_a"], name, share, total**0.5) for name, share in shares.items()
                ]
        shown: dict[str, list[str]] = {}
        for line in lines:
            shown.setdefault(line.method, []).append(f"{line.source} {100 * line.share:.0f} %")
        said = "; ".join(f"{name} {', '.join(parts)}" for name, parts in shown.items())
        return _drawn(
            "error-sources",
            f"Shares of the squared standard error of each difference to {self.reference}: "
            f"{said or 'nothing to take apart'}",
            lines,
            ErrorSources(tuple(lines), self.design),
            f"Shares in the squared standard error of the difference to {strong(as_name(self.reference))}.",
        )

    # Tables of numbers.

    @property
    def _title(self) -> str:
        """What is measured, for a caption: `Squared error (S)`, `accuracy (higher is better)`."""
        if self.measure.is_loss:
            return words.measure_name(self.measure)
        return words.directed_name(self.measure)

    def numbers(self, rows: Sequence[Row], titles: Mapping[str, str]) -> tuple[Column, ...]:
        """Return columns in both units, with decimals by their errors, without empty standard deviations."""
        found = []
        for unit in (False, True) if self.measure.is_loss else (False,):
            error = self.column("standard_error", standardized=unit)
            decimals = column_decimals(row[error] for row in rows)
            for name, title in titles.items():
                key = self.column(name, standardized=unit)
                values = [row[key] for row in rows]
                if name not in SPREADS or any(value is not None for value in values):
                    group = "Standardized" if unit else "Raw"
                    found.append(Column(key, title, "number", values, group=group, decimals=decimals))
        return tuple(found)

    def estimates_table(self) -> Answer:
        """What makes the losses vary? Mean, standard error and standard deviations of each method."""
        rows = list(self.estimates)
        titles = {"mean": self.quantity[0], "standard_error": "SE", **SPREAD_TITLES}
        with_runs = any(row.get(STOCHASTIC) is not None for row in rows)
        if with_runs:
            titles[STOCHASTIC] = "SD stochastic"
            rows = [{STOCHASTIC: None, f"standardized_{STOCHASTIC}": None, **row} for row in rows]
        with_cases = any(row["sd_cases"] is not None for row in rows)
        note = "SE: standard error; SD: standard deviation from training sets, "
        note += "test cases, and interactions. " if with_cases else "and from test cases and interactions. "
        note += "SD stochastic: from runs on the same training set. " if with_runs else ""
        names = Column("method", "Method", "name", self.methods)
        caption = f"{self._title} on {self.place.path}."
        fields = (names, *self.numbers(rows, titles))
        first = self.estimates[0]["mean"]
        best = [i for i, row in enumerate(self.estimates) if first is not None and row["mean"] == first]
        bold = {(row, one.key) for row in best for one in fields if one.title == titles["mean"]}
        notes = (note + self._basis_of(rows),)
        return Answer("estimates", caption, Table(fields, frozenset(bold)), notes)

    def pairs_table(self) -> Answer:
        """Who is better than whom, in numbers? Difference, interval and p of every pair."""
        rows = self.ordered_pairs
        titles = PAIR_TITLES | {"lower": f"{percent(self.setting.level)} from", "upper": "to"}
        name = self._title
        caption = f"Differences in {name[0].lower()}{name[1:]} on {self.place.path}."
        sides = [
            Column(f"method_{n}", f"Method {n}", "name", [row[f"method_{n}"] for row in rows]) for n in "ab"
        ]
        p = Column("p_adjusted", "p", "p", [row["p_adjusted"] for row in rows])
        fields = (*sides, *self.numbers(rows, titles), p)
        bold = {(place, p.key) for place, row in enumerate(rows) if row["verdict"] in SIGNIFICANT}
        pairs = max((row["compared"] or 0 for row in rows), default=0)
        adjusted = adjustment_words(self.setting.adjust, pairs)
        note = f"Bold: significant, p < {self.setting.alpha:g}; p is {adjusted}. {self._basis_of(rows)}"
        notes = (note, *untestable_sentences(rows))
        return Answer("pairs", caption, Table(fields, frozenset(bold)), notes)

    def _basis_of(self, rows: Sequence[Row]) -> str:
        """Return what estimates or comparisons rest on, as far as they are of one size."""
        known = [row for row in rows if row.get("difference", row.get("mean")) is not None]
        counts = sorted({(row["instances"], row["test_cases"] or 0) for row in known})
        without = "test sets of several sizes" if self.measure.is_loss else "one value each"
        sets = [
            f"{instances} training sets, {f'{cases} test cases each' if cases else without}"
            for instances, cases in counts
        ]
        return f"Based on {words.and_list(sets)}." if sets else ""

    # Words for a paper.

    def paper_words(self, quantity: str, basis: str) -> list[str]:
        """Return paragraphs on methods and results. basis: what the comparison rests on, in words."""
        names = sorted(self.methods)
        tests = words_of_tests({row["test"] for row in self.pairs} - {None})
        means = "losses" if self.measure.is_loss else self.measure.title
        methods = [
            f"We compared {counted(len(names), 'method')} ({and_list(names)}) on the task {self.place.title} "
            f"by {quantity}.",
            f"The comparison rests on {basis}",
            *([f"Differences of mean {means} were tested by {tests}."] if tests else []),
            f"A difference is significant where the adjusted p is below {self.setting.alpha:g}; intervals "
            f"are of {percent(self.setting.level)} confidence. Everything was computed with {PROGRAM} "
            f"{__version__}.",
        ]
        results = self.sentence
        if len(self.pairs) > 1:
            verdicts = [row["verdict"] for row in self.pairs]
            said = [counts_sentence(verdicts, 1, self.setting), *untestable_sentences(self.pairs)]
            results = " ".join([results, *said])
        return [" ".join(methods), results]

    def figure_caption(self, quantity: str) -> str:
        """Return the caption of the two figures of a paper: mean losses, and differences to a reference."""
        return (
            f"{capital(quantity)} on the task {self.place.title}: means with standard errors, and "
            f"differences from {self.reference} with {percent(self.setting.level)} intervals; open marks: "
            "no significant difference."
        )


def _drawn(
    what: str, said: str, lines: Sequence[Any], figure: object, note: str, measure: Measure | None = None
) -> Answer:
    """Return an answer whose table is what its figure draws. measure: of a column of means."""
    names = type(lines[0])._fields if lines else ()
    keys = {"loss": "mean"} if measure is not None and not measure.is_loss else {}
    fields = tuple(
        Column(keys.get(name, name), keys.get(name, name), "number", [getattr(one, name) for one in lines])
        for name in names
    )
    return Answer(what, said, Table(fields), (note,), figure)


def _spoken_lines(lines: Sequence[Estimate] | Sequence[Difference]) -> str:
    return "; ".join(f"{line.method} {line.text}" for line in lines)


def _known(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _published(value: PublishedValue) -> Estimate:
    """Return a published result as a row; its bar is the standard deviation over its runs."""
    spread, mean = value.deviation, value.mean
    decimals = words.decimals_for(spread)
    text = f"{mean:.{decimals}f}" + (f" (SD {spread:.{decimals}f})" if spread else "")
    name = value.method + PUBLISHED_SIGN
    return Estimate(name, mean, _known(spread), text=text.replace("-", "−"), source=value.origin)


def _verdicts_sentence(pairs: Sequence[Row], measure: Measure) -> str:
    """Say which methods do not differ significantly from the best, and which are worse."""
    groups, reasons = _by_verdict(pairs, with_p=True), {reason_of(pair) for pair in pairs}
    if groups.keys() == {Verdict.NOT_TESTED} and len(reasons) == 1:
        return f"{strong(f'None of the {len(pairs)} others is tested against it')}: {reasons.pop()}."
    worse = PHRASES[Verdict.WORSE]
    titles = {
        IDENTICAL: strong(f"With the very same {'losses' if measure.is_loss else 'values'}"),
        Verdict.NOT_SIGNIFICANT: strong(f"{capital(NO_DIFFERENCE)} from it"),
        Verdict.WORSE: capital(worse) if len(groups) > 1 else strong(f"All others are {worse}"),
        Verdict.BETTER: capital(PHRASES[Verdict.BETTER]),
        Verdict.NOT_TESTED: capital(PHRASES[Verdict.NOT_TESTED]),
    }
    return " ".join(f"{titles[key]}: {groups[key]}." for key in titles if key in groups)


def _by_verdict(pairs: Sequence[Row], *, with_p: bool = False) -> dict[str, str]:
    """Return the methods a by what the test says of them; with_p: with p, tiny ones once behind all."""
    groups: dict[str, list[str]] = {}
    tiny: dict[str, list[str]] = {}
    for pair in pairs:
        name, verdict = as_name(pair["method_a"]), pair_verdict(pair)
        p = words.p_value(pair["p_adjusted"]) if with_p and pair["p_adjusted"] is not None else ""
        of_verdict = groups.setdefault(verdict, [])
        if "<" in p:
            tiny.setdefault(verdict, []).append(name)
        else:
            of_verdict.append(f"{name} ({p})" if p else name)
    for verdict, names in tiny.items():
        each = "each " if len(names) > 1 else ""
        tiny[verdict] = [f"{words.and_list(names)} ({each}p < {SMALLEST_P})"]
    return {
        verdict: ", ".join([*names, *tiny[verdict]]) if verdict in tiny else words.and_list(names)
        for verdict, names in groups.items()
    }


def _pairs_named(names: Sequence[str], *, of: int) -> str:
    """`a and b` for one pair concerned, `All 3 pairs` or `2 of 3 pairs` for several of so many."""
    if len(names) == 1:
        return names[0]
    return f"All {of} pairs" if len(names) == of else f"{len(names)} of {of} pairs"
