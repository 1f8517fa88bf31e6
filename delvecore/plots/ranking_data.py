"""Critical-difference diagram of a ranking, with methods in the order of their mean ranks."""

from collections.abc import Mapping, Sequence

import numpy as np

from delvecore.answers.answer import FigureData, Table
from delvecore.answers.ranking_figures import groups_among
from delvecore.answers.ranking_figures import names_in_order as names_in_order
from delvecore.plots.critical_difference import Diagram, Mark, critical_difference_figure
from delvecore.plots.figure import Figure
from delvecore.plots.theme import ELSEWHERE, LETTERS, MethodStyle
from delvecore.render.numbers import parameter, percent
from delvecore.report import words
from delvecore.report.ranking.ranking_report import RankingReport
from delvecore.report.ranking.sentences import adjustment_name, test_in_words, unit_count, untestable_words
from delvecore.stats.choose import SIGNIFICANT, level_of
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.verdicts import PairVerdicts, RankTest, verdict_row


def diagram_of(
    analysis: Analysis, tests: PairVerdicts, styles: Sequence[MethodStyle], *, most: int | None = None
) -> Diagram:
    """Return the critical-difference diagram of a test. styles: in order; most: number of shown methods."""
    places = {method: row for row, method in enumerate(analysis.order)}
    dunn = analysis.bonferroni_dunn if tests.test == RankTest.CONTROL else None
    marks: dict[int | None, Mark] = {}
    if tests.control is not None:
        verdicts = verdict_row(analysis, tests, tests.control)
        marks.update((place, "different") for place in places if verdicts[place] in SIGNIFICANT)
        marks[tests.control] = "control"
    methods = tuple(names_in_order(analysis))[:most]
    order = analysis.order[:most]
    is_nemenyi = tests.test == RankTest.NEMENYI
    return Diagram(
        methods=methods,
        ranks=tuple(float(analysis.ranks.average[place]) for place in order),
        p=tuple(p_against(analysis, tests)[:most]),
        marks=tuple(marks.get(place, "") for place in order),
        styles=tuple(styles[:most]),
        groups=groups_among(analysis, tests, methods),
        cd=dunn.cd if dunn is not None else analysis.nemenyi.cd if is_nemenyi else None,
        control=None if tests.control is None else places[tests.control],
        against=analysis.table.methods[_against(analysis, tests)],
        note=" ".join(filter(None, [_test_words(analysis, tests), _no_difference(analysis)])),
        total=len(places),
    )


def rank_diagram_figure(
    _table: Table,
    drawn: FigureData,
    styles: Mapping[str, MethodStyle],
    *,
    width: float | None = None,
    font: float = LETTERS,
) -> Figure:
    """Critical-difference diagram of the best methods of a ranking: see `critical_difference_figure`."""
    report: RankingReport = drawn.data
    looks = [styles.get(name, ELSEWHERE) for name in names_in_order(report.analysis)]
    diagram = diagram_of(report.analysis, report.verdicts, looks, most=report.top)
    return critical_difference_figure(diagram, width=width, font=font)


def _test_words(analysis: Analysis, verdicts: PairVerdicts) -> str:
    """Return the test of the diagram, its confidence, the adjustment of p, and the units, in words."""
    test = test_in_words(verdicts)
    how = f"{percent(level_of(analysis.alpha))} confidence, {adjustment_name(verdicts)}"
    text = f"{test[0].upper()}{test[1:]}, {how}; {unit_count(analysis)}."
    return text if verdicts.is_testable else f"{text} {untestable_words(analysis, verdicts).capitalize()}."


def _no_difference(analysis: Analysis) -> str:
    if analysis.is_significant:
        return ""
    p = analysis.friedman.p if analysis.friedman.exact_p is None else analysis.friedman.exact_p
    note = f"Friedman's test finds no difference at {parameter(analysis.alpha)} ({words.p_value(p)})"
    return f"{note}."


def _against(analysis: Analysis, verdicts: PairVerdicts) -> int:
    """Return the place of the reference of p-values: the control, otherwise the first method."""
    return analysis.order[0] if verdicts.control is None else verdicts.control


def p_against(analysis: Analysis, verdicts: PairVerdicts) -> list[float]:
    """Return each method's p against the control, or without one the first method, adjusted by the test."""
    against = _against(analysis, verdicts)
    p = verdicts.p_adjusted[analysis.pair_numbers[against]].tolist()
    return [np.nan if place == against else p[place] for place in analysis.order]
