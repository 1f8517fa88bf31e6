"""A ranking with its printed parts: notes, tables for a paper, and a report with diagram and tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

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
from delvecore.stats.ranking.places import PlaceSets
from delvecore.stats.ranking.random_effects import CombinedPairs
from delvecore.stats.ranking.ranks import DATASET, TASK, holds_several
from delvecore.stats.ranking.sign_flips import MOST_EXACT, flips_made
from delvecore.stats.verdicts import PairVerdicts, RankTest, pair_verdicts, place_sets_of


@dataclass(frozen=True, eq=False)
class RankingReport:
    """A ranking and its displayed parts.

    Attributes
    ----------
    found : Analysis
        The ranking.
    verdicts : PairVerdicts
        Verdicts of the chosen test, behind the first line and all marks.
    combined : CombinedPairs or None
        Combined tests of single tasks, for an archive.
    said : sequence of str
        Notes on the numbers of the tasks.
    is_whole : bool
        Whether everything is printed, however many methods there are.
    top : int or None
        Number of displayed methods; all are ranked.
    pairs : bool
        Whether JSON lists all pairs.
    counts_failed : bool
        Whether the number of runs without a value is stated, unless the lines above state it.
    single_places : bool
        Whether confidence sets of places hold for one method at a time.
    """

    found: Analysis
    verdicts: PairVerdicts
    combined: CombinedPairs | None = None
    said: Sequence[str] = ()
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
        return place_sets_of(self.found, self.verdicts, single=self.single_places)

    @cached_property
    def methods(self) -> Table:
        """Methods, best mean rank first."""
        return methods_table(self.found, self.verdicts, self.places)

    def pairs_of(self, *tests: str) -> Table:
        """Pairs of methods, with the columns of these tests."""
        return pairs_table(self.found, self.verdicts, *tests)

    @property
    def may_be_best(self) -> list[str]:
        """Methods in the confidence set of the best one, best mean rank first."""
        columns = self.methods.select("method", "may_be_best")
        return [name for name, may_be_best in columns.rows if may_be_best]

    @property
    def lists_pairs(self) -> bool:
        """Does JSON list the pairs?"""
        return self.pairs or len(self.found.nemenyi.first) <= MOST_PAIRS

    @property
    def tests_tasks(self) -> bool:
        """Is each pair to be tested on each task by itself, for `combined`?"""
        count = len(self.found.nemenyi.first) * len(self.found.table.tasks)
        return self.pairs or self.is_whole or count <= MOST_TESTS

    @property
    def shown(self) -> tuple[int, ...]:
        """Places of the methods that are shown, best mean rank first: down to the control, at least."""
        order, control = self.found.order, self.found.control
        if self.top is None:
            return order
        return order[: max(self.top, 0 if control is None else order.index(control) + 1)]


def ranking_notes(report: RankingReport) -> list[str]:
    """Return sentences for below a table, those that hold in every case last."""
    found = report.found
    notes = []
    if found.dropped_tasks:
        notes.append(
            f"{counted(len(found.dropped_tasks), 'task')} of {len(found.given.tasks)} left out, where a "
            f"method has no value: {listed(found.dropped_tasks)}."
        )
    if found.dropped_methods:
        notes.append(
            f"Methods left out, without a value on {_where(found)}: {listed(found.dropped_methods)}."
        )
    if report.verdicts.test == RankTest.FLIPS and (equal := equal_units_words(found)):
        notes.append(equal)
    if skewed := skewed_words(found, report.verdicts.test):
        notes.append(skewed)
    if report.places:
        notes.append(places_note(report.places))
    directed = "higher" if found.table.higher_is_better else "lower"
    ranks = f"Ranks: 1 is best, {directed} values are better; equal values share the mean of their ranks."
    if found.one_dataset:
        return [*notes, ranks]
    is_pratt = found.zeros == "pratt"
    zeros = "ranked with the others, and their ranks left out (Pratt)" if is_pratt else "dropped"
    return [
        *notes,
        ranks,
        "Mean ranks, Nemenyi's and Bonferroni-Dunn's tests of them, and the scale of a unit depend on which "
        "methods are in the table. Wins, Wilcoxon's test and the t-test of a pair do not.",
        f"Wilcoxon: two-sided, differences of zero {zeros}; exact up to 50 others, then normal. p is "
        f"{adjustment_words(found.adjustment)}; other tests allow for all their comparisons by themselves.",
        flips_words(found, report.verdicts),
        *filter(None, [_on_units(found), unit_source(found)]),
    ]


def _where(found: Analysis) -> str:
    return "most tasks" if found.incomplete else "every task"


_WHY_FLIPPED = {
    FlipStatistic.SCALED: "each divided by the scale of its unit: the median absolute difference over all "
    "pairs of methods, or a third of the mean if that is larger",
    FlipStatistic.RANKS: "as units have scales of their own",
    FlipStatistic.MEANS: "as values are on one scale",
}


def places_note(places: PlaceSets) -> str:
    """Explain the confidence sets of places."""
    which = "each set holds by itself" if places.single else "all sets hold at once"
    return (
        f"Places: {percent(places.level)} confidence sets from the test of pairs; {which}. A place is at "
        f"least 1 plus the number of {BETTER} methods, and at most the number of methods less "
        f"those that are {WORSE} (Mogstad et al. 2024)."
    )


def may_be_best_words(found: Analysis, places: PlaceSets | None, *, most: int = 10) -> str:
    """Return `May be best (95 % confidence): a, b.`; empty if nothing is testable."""
    if places is None:
        return ""
    names = [as_name(found.table.methods[place]) for place in found.order if places.may_be_best[place]]
    return f"May be best ({percent(places.level)} confidence): {listed(names, most)}."


def flips_words(found: Analysis, verdicts: PairVerdicts) -> str:
    """Describe the permutation test by sign flips: its statistic, and the number of flips."""
    units = len(found.units.tasks)
    flips = flips_made(units, len(found.nemenyi.p))
    how = f"all {integer(flips)}" if units <= MOST_EXACT else f"{integer(flips)} drawn with a fixed seed"
    flips_only = verdicts if verdicts.test == RankTest.FLIPS else pair_verdicts(found, RankTest.FLIPS)
    adjusted = adjustment_name(flips_only)
    return (
        f"Sign flips: a permutation test of {FLIPPED[found.statistic]}, {_WHY_FLIPPED[found.statistic]}; "
        f"{how} flips of {units_name(found)}, p {adjusted} (Westfall and Young 1993)."
    )


def equal_units_words(found: Analysis) -> str:
    """Count the units on which all methods are equal, for sign flips of scaled differences; empty without."""
    equal = found.sign_flips.equal_units if found.statistic == FlipStatistic.SCALED else 0
    if not equal:
        return ""
    add = "adds" if equal == 1 else "add"
    return f"All values are equal on {counted_units(equal, found.unit)}, which {add} nothing to the test."


def critical_difference_words(found: Analysis) -> str:
    """State Nemenyi's critical difference, by the variance of the ranks here and by Demsar's."""
    nemenyi = found.nemenyi
    text = (
        f"Nemenyi's critical difference of mean ranks at {parameter(found.alpha)}: "
        f"{difference_of_ranks(nemenyi.cd)}"
    )
    if nemenyi.spread == 1:
        return f"{text} (Demsar 2006)."
    return (
        f"{text}, with {rounded(nemenyi.spread, 3)} of the variance of ranks from 1 to "
        f"{len(found.table.methods)}, as ranks are averaged within each {found.unit} (as for ties: Conover "
        f"1999, section 5.8). Without that factor it is {difference_of_ranks(nemenyi.full_cd)} (Demsar 2006)."
    )


def _on_units(found: Analysis) -> str:
    """State the unit that counts once, and the independence assumption."""
    if holds_several(found.table, found.unit):
        name = found.unit
        return (
            f"Ranks, and values, are averaged over the tasks of each {name} before all tests; tests take "
            f"{units_name(found)} for independent."
        )
    text = f"All p-values take the {units_name(found)} for independent"
    related = found.unit == TASK and holds_several(found.table, DATASET)
    return f"{text}{'; those of one dataset are not, and p is too small' if related else ''}."


def listed(names: Sequence[str], most: int = 10) -> str:
    """Return `a, b, c`, or the first of them and how many more there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def ranking_latex(report: RankingReport) -> str:
    """Return the table of `ranking_grid` with the sentence and all notes below it."""
    grid = ranking_grid(report)
    sentence = ranking_sentence(report.found, report.verdicts)
    return latex_grid(replace(grid, notes=(sentence, *grid.notes, *ranking_notes(report))))


def ranking_grid(report: RankingReport) -> Grid:
    """Return a table of the methods, best first, with mean ranks, values and p by the test chosen."""
    found, said, reference = report.found, report.verdicts, shown_against(report.found)
    names = found.table.methods
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
    role = "the reference" if found.control is not None else "the lowest mean rank"
    left = len(found.order) - len(report.shown)
    notes = [
        *run_sentences(found.given.runs, warns=False),
        f"W/T/L: {units_name(found)} on which {names[reference]} ({role}) is better, equal, worse.",
        _p_words(report),
        *([critical_difference_words(found)] if said.test == RankTest.NEMENYI else []),
        *(
            [f"{counted(left, 'method')} of lower mean rank, ranked with these, are not shown."]
            if left
            else []
        ),
        *report.said,
    ]
    what = f" ({found.table.quantity})" if found.table.quantity else ""
    caption = f"{len(names)} methods on {basis_words(found)}{what}."
    rows = [list(row) for row in zip(*cells.values(), strict=True)]
    return grid_of_texts(columns, rows, caption=caption, label="tab:ranking", notes=notes, bold=bold)


def counts_text(wins: int | None, ties: int | None, losses: int | None) -> str:
    """Return `9/2/1`; empty if there are no counts."""
    return "" if wins is None else f"{wins}/{ties}/{losses}"


def _p_words(report: RankingReport) -> str:
    """Name the test behind p, and the reason for missing verdicts."""
    said = report.verdicts
    if said.one_dataset:
        return f"p: {ONE_DATASET}."
    text = f"p: {test_in_words(said)} against it, {adjustment_name(said)}"
    return f"{text}{'' if said.is_testable else f'; {untestable_words(report.found, said)}'}."


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
    """Return the report. read: how the data were read; notes: more on them; command: what makes it again."""
    found = report.found
    methods, *results = methods_words(report)
    tables: list[Grid | Drawing] = [drawing, ranking_grid(report)]
    if len(report.shown) <= MOST_IN_MATRIX and report.verdicts.control is None and report.places:
        tables.append(_pair_grid(report))
    sections = {
        "Methods": (methods, *(f"{note}." for note in notes)),
        "Results": (*results, *tables),
        "Reference": (reference_of(report.verdicts.test).text,),
    }
    title = f"{counted(len(found.table.methods), 'method')} on {basis_words(found).partition(';')[0]}"
    return Document(title, sections, command, tuple(provenance), tuple(read))


def methods_words(report: RankingReport) -> list[str]:
    """Return paragraphs for a paper: methods and results."""
    said = ranking_sentence(report.found, report.verdicts, quantity=report.found.table.quantity)
    return [" ".join(_methods(report)), said, *_further(report), *report.said]


def _methods(report: RankingReport) -> list[str]:
    """Return the sentences of the paragraph on methods."""
    found, said = report.found, report.verdicts
    better = "higher" if found.table.higher_is_better else "lower"
    measured = f" by {found.table.quantity}" if found.table.quantity else ""
    basis = basis_words(found).partition(";")[0]
    lines = [
        f"We compared {counted(len(found.table.methods), 'method')} on {basis}{measured}; "
        f"{better} values are better.",
        "On each task the methods were ranked, 1 being the best; equal values share the mean of their ranks.",
    ]
    if holds_several(found.table, found.unit):
        lines.append(f"Ranks and values were averaged within each {found.unit}, which counts once.")
    if found.one_dataset:
        return [*lines, f"Differences were {ONE_DATASET}.", *run_sentences(found.given.runs), _made_by()]
    exact = "with its exact distribution" if found.friedman.exact_p is not None else "corrected for ties"
    lines.append(f"Whether the methods differ at all was tested by Friedman's test, {exact}.")
    whom = "Pairs were compared"
    if found.control is not None:
        whom = f"The others were compared with the reference {found.table.methods[found.control]}"
    how = f"{test_in_words(said)}, {adjustment_name(said)}"
    lines.append(f"{whom} by {how}, at a level of significance of {parameter(found.alpha)}.")
    lines += run_sentences(found.given.runs, warns=False)
    if found.dropped_tasks:
        lines.append(
            f"Of {counted(len(found.given.tasks), 'task')} {len(found.dropped_tasks)} were left out, where a "
            f"method has no value ({listed(found.dropped_tasks)})."
        )
    if found.dropped_methods:
        without = listed(found.dropped_methods)
        lines.append(f"Methods without a value on {_where(found)} were left out ({without}).")
    return [*lines, _made_by()]


def _made_by() -> str:
    return f"Everything was computed with {PROGRAM} {__version__}."


def _further(report: RankingReport) -> list[str]:
    """Return the best methods with their mean ranks and the places that they may have."""
    found, places, table = (
        report.found,
        report.places,
        report.methods.take(range(min(5, len(report.methods)))),
    )
    first = [f"{name} {rank_text(rank)}" for name, rank in table.select("method", "mean_rank").rows]
    best = "Mean ranks" if len(found.order) <= len(first) else "The best mean ranks"
    if places is None:
        return [f"{best} over {unit_count(found)}: {', '.join(first)}."]
    first = [f"{text} ({ends})" for text, ends in zip(first, place_texts(table), strict=True)]
    sets = f"{percent(places.level)} confidence sets of places"
    return [
        f"{best} over {unit_count(found)}, with {sets}: {', '.join(first)}.",
        may_be_best_words(found, places),
    ]


def _pair_grid(report: RankingReport) -> Grid:
    """Return p of all pairs, adjusted, a row and a column per method; what is significant is bold."""
    found, said, order = report.found, report.verdicts, report.shown
    names = [found.table.methods[place] for place in order]
    columns = [Column("Method"), *(Column(str(number), "r") for number in range(1, len(order)))]
    rows, bold = [], set()
    for row, one in enumerate(order):
        cells = [f"{row + 1} {names[row]}"]
        for column, other in enumerate(order[:-1]):
            pair = found.pair_numbers[one, other]
            cells.append("" if column >= row else p_text(said.p_adjusted[pair]))
            if column < row and said.different[pair]:
                bold.add((row, column + 1))
        rows.append(cells)
    how = f"{test_in_words(said)}, {adjustment_name(said)}"
    caption = f"p of all pairs by {how}; bold: below {parameter(found.alpha)}."
    return grid_of_texts(columns, rows, caption=caption, label="tab:pairs", bold=bold)


def diagram_words(report: RankingReport) -> str:
    """Return what the critical-difference diagram shows: its caption, and what is read out."""
    found, said = report.found, report.verdicts
    text = f"Mean ranks over {unit_count(found)}, best left"
    if said.one_dataset:
        return f"{text}; differences are {ONE_DATASET}."
    if not said.is_testable:
        return f"{text}; by {test_in_words(said)} differences are {untestable_words(found, said)}."
    if said.control is not None:
        control = found.table.methods[said.control]
        marked = f"methods in italics differ {SIGNIFICANTLY} from the reference {control}"
        if said.test == RankTest.CONTROL:
            marked = f"the bar holds what is {THAN[Verdict.NOT_SIGNIFICANT]} the reference {control}"
        return f"{text}; {marked} by {test_in_words(said)}."
    no_pair = f"no pair differs {SIGNIFICANTLY} by {test_in_words(said)}"
    text += f"; bars join methods of which {no_pair} at {parameter(found.alpha)}"
    return f"{text}. {critical_difference_words(found)}" if said.test == RankTest.NEMENYI else f"{text}."
