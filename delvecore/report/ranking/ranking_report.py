"""A ranking with its printed parts: notes, tables for a paper, and a report with diagram and tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import pyarrow as pa

from delvecore import __version__
from delvecore.answers.answer import Table
from delvecore.render.document import Document, Drawing
from delvecore.render.formats import MOST_PAIRS, MOST_TESTS
from delvecore.render.grid import Column, Grid, grid_of_texts
from delvecore.render.latex import latex_grid
from delvecore.render.numbers import (
    counted,
    difference_of_ranks,
    integer,
    p_text,
    parameter,
    percent,
    rank_text,
    rounded,
    significant,
)
from delvecore.render.provenance import PROGRAM
from delvecore.render.spans import as_name
from delvecore.render.verdicts import BETTER, SIGNIFICANTLY, WORSE
from delvecore.report.ranking.sentences import (
    ONE_DATASET,
    adjustment_name,
    basis_words,
    counted_units,
    ranking_sentence,
    run_sentences,
    skewed_words,
    test_in_words,
    unit_count,
    unit_source,
    units_name,
    untestable_words,
)
from delvecore.report.ranking.tables import methods_table, pairs_table, place_texts, shown_against
from delvecore.report.references import reference_of
from delvecore.report.verdict_words import FLIPPED, THAN
from delvecore.stats.choose import FlipStatistic, Verdict, adjustment_words
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.nemenyi import critical_difference
from delvecore.stats.ranking.places import PlaceSets
from delvecore.stats.ranking.ranks import DATASET, TASK, holds_several
from delvecore.stats.ranking.sign_flips import MOST_EXACT, flips_made
from delvecore.stats.verdicts import PairVerdicts, RankTest, pair_verdicts, place_sets_of


@dataclass(frozen=True, eq=False)
class RankingReport:
    """A ranking and its displayed parts.

    Attributes
    ----------
    analysis : Analysis
        The ranking.
    verdicts : PairVerdicts
        Verdicts of the chosen test, on which the first line and all marks are based.
    combined : pyarrow.Table or None
        Combined tests of single tasks, for an archive.
    notes : sequence of str
        Notes on the numbers of the tasks.
    is_whole : bool
        Whether everything is printed, however many methods there are.
    top : int or None
        Number of displayed methods; all are ranked.
    pairs : bool
        Whether JSON lists all pairs.
    counts_failed : bool
        Whether to state the number of runs without a value; not needed if the lines above state it.
    single_places : bool
        Whether confidence sets of places hold for one method at a time.
    """

    analysis: Analysis
    verdicts: PairVerdicts
    combined: pa.Table | None = None
    notes: Sequence[str] = ()
    is_whole: bool = False
    top: int | None = None
    pairs: bool = False
    counts_failed: bool = True
    single_places: bool = False

    @property
    def test(self) -> RankTest:
        return self.verdicts.test

    @cached_property
    def places(self) -> PlaceSets | None:
        """Confidence sets of places; None if nothing is testable."""
        return place_sets_of(self.analysis, self.verdicts, single=self.single_places)

    @cached_property
    def methods(self) -> Table:
        """Methods, best mean rank first."""
        return methods_table(self.analysis, self.verdicts, self.places)

    def pairs_of(self, *tests: str) -> Table:
        """Pairs of methods, with the columns of these tests."""
        return pairs_table(self.analysis, self.verdicts, *tests)

    @property
    def may_be_best(self) -> list[str]:
        """Methods in the confidence set of the best one, best mean rank first."""
        columns = self.methods.select("method", "may_be_best")
        return [name for name, may_be_best in columns.rows if may_be_best]

    @property
    def lists_pairs(self) -> bool:
        """Does the JSON list the pairs?"""
        return self.pairs or len(self.analysis.nemenyi.first) <= MOST_PAIRS

    @property
    def tests_tasks(self) -> bool:
        """Should each pair be tested on each single task, for `combined`?"""
        count = len(self.analysis.nemenyi.first) * len(self.analysis.table.tasks)
        return self.pairs or self.is_whole or count <= MOST_TESTS

    @property
    def shown(self) -> tuple[int, ...]:
        """Places of the methods that are shown, best mean rank first: down to the control, at least."""
        order, control = self.analysis.order, self.analysis.control
        if self.top is None:
            return order
        return order[: max(self.top, 0 if control is None else order.index(control) + 1)]


def ranking_notes(report: RankingReport) -> list[str]:
    """Return sentences to print below a table. Those that hold for every ranking are last."""
    analysis = report.analysis
    notes = []
    if analysis.dropped_tasks:
        notes.append(
            f"{counted(len(analysis.dropped_tasks), 'task')} of {len(analysis.given.tasks)} left out "
            f"because a method has no value: {listed(analysis.dropped_tasks)}."
        )
    if analysis.dropped_methods:
        notes.append(
            f"Methods left out, without a value on {_where(analysis)}: {listed(analysis.dropped_methods)}."
        )
    if report.verdicts.test == RankTest.FLIPS and (equal := equal_units_words(analysis)):
        notes.append(equal)
    if skewed := skewed_words(analysis, report.verdicts.test):
        notes.append(skewed)
    if report.places:
        notes.append(places_note(report.places))
    directed = "higher" if analysis.table.higher_is_better else "lower"
    ranks = f"Ranks: 1 is best, {directed} values are better; equal values share the mean of their ranks."
    if analysis.one_dataset:
        return [*notes, ranks]
    is_pratt = analysis.zeros == "pratt"
    zeros = "ranked with the others, and their ranks left out (Pratt)" if is_pratt else "dropped"
    return [
        *notes,
        ranks,
        "Mean ranks, Nemenyi's and Bonferroni-Dunn's tests of them, and the scale of a unit depend on which "
        "methods are in the table. Wins, Wilcoxon's test and the t-test of a pair do not.",
        f"Wilcoxon: two-sided, differences of zero {zeros}; exact up to 50 others, then normal. p is "
        f"{adjustment_words(analysis.adjustment)}; other tests allow for all their comparisons by "
        "themselves.",
        flips_words(analysis, report.verdicts),
        *filter(None, [_on_units(analysis), unit_source(analysis)]),
    ]


def _where(analysis: Analysis) -> str:
    return "most tasks" if analysis.incomplete else "every task"


_WHY_FLIPPED = {
    FlipStatistic.SCALED: "each divided by the scale of its unit: the median absolute difference over all "
    "pairs of methods, or a third of the mean if that is larger",
    FlipStatistic.RANKS: "as units have scales of their own",
    FlipStatistic.MEANS: "as values are on one scale",
}


def places_note(places: PlaceSets) -> str:
    """Explain the confidence sets of places."""
    which = "each set holds separately" if places.single else "all sets hold at once"
    return (
        f"Places: {percent(places.level)} confidence sets from the test of pairs; {which}. A place is at "
        f"least 1 plus the number of {BETTER} methods, and at most the number of methods minus "
        f"those that are {WORSE} (Mogstad et al. 2024)."
    )


def may_be_best_words(analysis: Analysis, places: PlaceSets | None, *, most: int = 10) -> str:
    """Return `May be best (95 % confidence): a, b.`; empty if nothing is testable."""
    if places is None:
        return ""
    names = [as_name(analysis.table.methods[place]) for place in analysis.order if places.may_be_best[place]]
    return f"May be best ({percent(places.level)} confidence): {listed(names, most)}."


def flips_words(analysis: Analysis, verdicts: PairVerdicts) -> str:
    """Describe the permutation test by sign flips: its statistic, and the number of flips."""
    units = len(analysis.units.tasks)
    flips = flips_made(units, len(analysis.nemenyi.p))
    how = f"all {integer(flips)}" if units <= MOST_EXACT else f"{integer(flips)} drawn with a fixed seed"
    flips_only = verdicts if verdicts.test == RankTest.FLIPS else pair_verdicts(analysis, RankTest.FLIPS)
    adjusted = adjustment_name(flips_only)
    return (
        f"Sign flips: a permutation test of {FLIPPED[analysis.statistic]}, "
        f"{_WHY_FLIPPED[analysis.statistic]}; "
        f"{how} flips of {units_name(analysis)}, p {adjusted} (Westfall and Young 1993)."
    )


def equal_units_words(analysis: Analysis) -> str:
    """Count the units on which all methods are equal, for sign flips of scaled differences; empty if none."""
    equal = analysis.sign_flips.equal_units if analysis.statistic == FlipStatistic.SCALED else 0
    if not equal:
        return ""
    add = "adds" if equal == 1 else "add"
    return f"All values are equal on {counted_units(equal, analysis.unit)}, which {add} nothing to the test."


def critical_difference_words(analysis: Analysis) -> str:
    """State Nemenyi's critical difference, by the variance of the ranks here and by Demsar's."""
    ranks = analysis.ranks
    text = (
        f"Nemenyi's critical difference of mean ranks at {parameter(analysis.alpha)}: "
        f"{difference_of_ranks(analysis.nemenyi.cd)}"
    )
    if ranks.spread == 1:
        return f"{text} (Demsar 2006)."
    full = critical_difference(analysis.alpha, len(ranks.methods), len(ranks.tasks))
    return (
        f"{text}, with {rounded(ranks.spread, 3)} of the variance of ranks from 1 to "
        f"{len(analysis.table.methods)}, as ranks are averaged within each {analysis.unit} (as for ties: "
        "Conover "
        f"1999, section 5.8). Without that factor it is {difference_of_ranks(full)} (Demsar 2006)."
    )


def _on_units(analysis: Analysis) -> str:
    """State the unit that counts once, and the independence assumption."""
    if holds_several(analysis.table, analysis.unit):
        name = analysis.unit
        return (
            f"Ranks, and values, are averaged over the tasks of each {name} before all tests; tests treat "
            f"{units_name(analysis)} as independent."
        )
    text = f"All p-values treat the {units_name(analysis)} as independent"
    related = analysis.unit == TASK and holds_several(analysis.table, DATASET)
    return f"{text}{'; those of one dataset are not, so p is too small' if related else ''}."


def listed(names: Sequence[str], most: int = 10) -> str:
    """Return `a, b, c`, or the first names and the number of the others."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def ranking_latex(report: RankingReport) -> str:
    """Return the table of `ranking_grid` with the sentence and all notes below it."""
    grid = ranking_grid(report)
    sentence = ranking_sentence(report.analysis, report.verdicts)
    return latex_grid(replace(grid, notes=(sentence, *grid.notes, *ranking_notes(report))))


def ranking_grid(report: RankingReport) -> Grid:
    """Return a table of the methods, best first, with mean ranks, values and p by the test chosen."""
    analysis, verdicts, reference = report.analysis, report.verdicts, shown_against(report.analysis)
    names = analysis.table.methods
    table = report.methods.take(range(len(report.shown)))
    cells = {
        "Method": table["method"],
        "Mean rank": [rounded(one, 2) for one in table["mean_rank"]],
        **({"Places": place_texts(table)} if report.places else {}),
        "Mean": [significant(one, 4) for one in table["mean"]],
        "Median": [significant(one, 4) for one in table["median"]],
        # The reference wins the units that the row's method loses.
        "W/T/L": [counts_text(*counts) for counts in table.select("losses", "ties", "wins").rows],
        "p": [p_text(one) for one in table["p"]],
    }
    columns = [Column(title, "l" if title == "Method" else "r") for title in cells]
    bold = {(row, 0) for row, one in enumerate(report.shown) if one == reference}
    role = "the reference" if analysis.control is not None else "the lowest mean rank"
    left = len(analysis.order) - len(report.shown)
    notes = [
        *run_sentences(analysis.given.runs, warns=False),
        f"W/T/L: {units_name(analysis)} on which {names[reference]} ({role}) is better, equal, worse.",
        _p_words(report),
        *([critical_difference_words(analysis)] if verdicts.test == RankTest.NEMENYI else []),
        *(
            [f"{counted(left, 'method')} with a worse mean rank, ranked with these, are not shown."]
            if left
            else []
        ),
        *report.notes,
    ]
    what = f" ({analysis.table.quantity})" if analysis.table.quantity else ""
    caption = f"{len(names)} methods on {basis_words(analysis)}{what}."
    rows = [list(row) for row in zip(*cells.values(), strict=True)]
    return grid_of_texts(columns, rows, caption=caption, label="tab:ranking", notes=notes, bold=bold)


def counts_text(wins: int | None, ties: int | None, losses: int | None) -> str:
    """Return `9/2/1`; empty if there are no counts."""
    return "" if wins is None else f"{wins}/{ties}/{losses}"


def _p_words(report: RankingReport) -> str:
    """Name the test behind p, and the reason for missing verdicts."""
    verdicts = report.verdicts
    if verdicts.one_dataset:
        return f"p: {ONE_DATASET}."
    text = f"p: {test_in_words(verdicts)} against it, {adjustment_name(verdicts)}"
    return f"{text}{'' if verdicts.is_testable else f'; {untestable_words(report.analysis, verdicts)}'}."


MOST_IN_MATRIX = 6
"""Maximum number of methods for a report with the p of all pairs: more are too wide for a page."""


def ranking_document(
    report: RankingReport,
    drawing: Drawing,
    *,
    read: Sequence[str] = (),
    notes: Sequence[str] = (),
    command: str = "",
    provenance: Sequence[str] = (),
) -> Document:
    """Return the report. `read` describes how data were read, `notes` are added, `command` reproduces it."""
    analysis = report.analysis
    methods, *results = methods_words(report)
    tables: list[Grid | Drawing] = [drawing, ranking_grid(report)]
    if len(report.shown) <= MOST_IN_MATRIX and report.verdicts.control is None and report.places:
        tables.append(_pair_grid(report))
    sections = {
        "Methods": (methods, *(f"{note}." for note in notes)),
        "Results": (*results, *tables),
        "Reference": (reference_of(report.verdicts.test).text,),
    }
    title = f"{counted(len(analysis.table.methods), 'method')} on {basis_words(analysis).partition(';')[0]}"
    return Document(title, sections, command, tuple(provenance), tuple(read))


def methods_words(report: RankingReport) -> list[str]:
    """Return paragraphs for a paper: methods and results."""
    sentence = ranking_sentence(report.analysis, report.verdicts, quantity=report.analysis.table.quantity)
    return [" ".join(_methods(report)), sentence, *_further(report), *report.notes]


def _methods(report: RankingReport) -> list[str]:
    """Return the sentences of the paragraph on methods."""
    analysis, verdicts = report.analysis, report.verdicts
    better = "higher" if analysis.table.higher_is_better else "lower"
    measured = f" by {analysis.table.quantity}" if analysis.table.quantity else ""
    basis = basis_words(analysis).partition(";")[0]
    lines = [
        f"We compared {counted(len(analysis.table.methods), 'method')} on {basis}{measured}; "
        f"{better} values are better.",
        "On each task the methods were ranked, 1 being the best; equal values share the mean of their ranks.",
    ]
    if holds_several(analysis.table, analysis.unit):
        lines.append(f"Ranks and values were averaged within each {analysis.unit}, which counts once.")
    if analysis.one_dataset:
        return [*lines, f"Differences were {ONE_DATASET}.", *run_sentences(analysis.given.runs), _made_by()]
    exact = "with its exact distribution" if analysis.friedman.exact_p is not None else "corrected for ties"
    lines.append(f"Whether the methods differ at all was tested by Friedman's test, {exact}.")
    whom = "Pairs were compared"
    if analysis.control is not None:
        whom = f"The others were compared with the reference {analysis.table.methods[analysis.control]}"
    how = f"{test_in_words(verdicts)}, {adjustment_name(verdicts)}"
    lines.append(f"{whom} by {how}, at a level of significance of {parameter(analysis.alpha)}.")
    lines += run_sentences(analysis.given.runs, warns=False)
    if analysis.dropped_tasks:
        lines.append(
            f"{len(analysis.dropped_tasks)} of {counted(len(analysis.given.tasks), 'task')} were left out "
            f"because a method has no value ({listed(analysis.dropped_tasks)})."
        )
    if analysis.dropped_methods:
        without = listed(analysis.dropped_methods)
        lines.append(f"Methods without a value on {_where(analysis)} were left out ({without}).")
    return [*lines, _made_by()]


def _made_by() -> str:
    return f"Everything was computed with {PROGRAM} {__version__}."


def _further(report: RankingReport) -> list[str]:
    """Return the best methods with their mean ranks and their possible places."""
    analysis, places, table = (
        report.analysis,
        report.places,
        report.methods.take(range(min(5, len(report.methods)))),
    )
    first = [f"{name} {rank_text(rank)}" for name, rank in table.select("method", "mean_rank").rows]
    best = "Mean ranks" if len(analysis.order) <= len(first) else "The best mean ranks"
    if places is None:
        return [f"{best} over {unit_count(analysis)}: {', '.join(first)}."]
    first = [f"{text} ({ends})" for text, ends in zip(first, place_texts(table), strict=True)]
    sets = f"{percent(places.level)} confidence sets of places"
    return [
        f"{best} over {unit_count(analysis)}, with {sets}: {', '.join(first)}.",
        may_be_best_words(analysis, places),
    ]


def _pair_grid(report: RankingReport) -> Grid:
    """Return adjusted p of all pairs, a row and a column per method; significant ones are bold."""
    analysis, verdicts, order = report.analysis, report.verdicts, report.shown
    names = [analysis.table.methods[place] for place in order]
    columns = [Column("Method"), *(Column(str(number), "r") for number in range(1, len(order)))]
    rows, bold = [], set()
    for row, one in enumerate(order):
        cells = [f"{row + 1} {names[row]}"]
        for column, other in enumerate(order[:-1]):
            pair = analysis.pair_numbers[one, other]
            cells.append("" if column >= row else p_text(verdicts.p_adjusted[pair]))
            if column < row and verdicts.different[pair]:
                bold.add((row, column + 1))
        rows.append(cells)
    how = f"{test_in_words(verdicts)}, {adjustment_name(verdicts)}"
    caption = f"p of all pairs by {how}; bold: below {parameter(analysis.alpha)}."
    return grid_of_texts(columns, rows, caption=caption, label="tab:pairs", bold=bold)


def diagram_words(report: RankingReport) -> str:
    """Return the caption of the critical-difference diagram, and its text for screen readers."""
    analysis, verdicts = report.analysis, report.verdicts
    text = f"Mean ranks over {unit_count(analysis)}, best left"
    if verdicts.one_dataset:
        return f"{text}; differences are {ONE_DATASET}."
    if not verdicts.is_testable:
        return f"{text}; by {test_in_words(verdicts)} differences are {untestable_words(analysis, verdicts)}."
    if verdicts.control is not None:
        control = analysis.table.methods[verdicts.control]
        marked = f"methods in italics differ {SIGNIFICANTLY} from the reference {control}"
        if verdicts.test == RankTest.CONTROL:
            marked = (
                f"the bar contains methods that are {THAN[Verdict.NOT_SIGNIFICANT]} the reference {control}"
            )
        return f"{text}; {marked} by {test_in_words(verdicts)}."
    level = f"by {test_in_words(verdicts)} at {parameter(analysis.alpha)}"
    text += f"; bars join methods that do not differ {SIGNIFICANTLY} {level}"
    return (
        f"{text}. {critical_difference_words(analysis)}" if verdicts.test == RankTest.NEMENYI else f"{text}."
    )
