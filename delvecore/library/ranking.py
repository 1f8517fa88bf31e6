"""Rank methods over many tasks: `rank` accepts frames, arrays, files and archives."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from delvecore.answers.ranking_figures import diagram_answer, order_answer
from delvecore.errors import DelveError
from delvecore.library.arguments import checked_arguments
from delvecore.library.input_tables import check_methods, score_table
from delvecore.render.document import (
    DOCUMENT_FORMATS,
    Drawing,
    document_text,
    read_back_lines,
    with_readings,
)
from delvecore.render.formats import REPORT_FORMATS
from delvecore.render.markup import html_grid, markdown_grid
from delvecore.render.numbers import rank_text
from delvecore.render.spans import plain
from delvecore.report.ranking.ranking_report import (
    RankingReport,
    diagram_words,
    ranking_document,
    ranking_grid,
)
from delvecore.report.ranking.sentences import (
    SINGLE_PLACES,
    are_counted,
    ranking_sentence,
    refused_adjustment,
)
from delvecore.report.ranking.text import ranking_text
from delvecore.score_tables.options import Decimal, Failed, Scale, Steps, options_of_call
from delvecore.score_tables.score_file import Reading
from delvecore.stats.choose import DEFAULT_ADJUSTMENT, DEFAULT_LEVEL, significance
from delvecore.stats.ranking.analysis import Analysis, TooFewResultsError, analyze
from delvecore.stats.ranking.score_table import CommonRuns, ScoreTable
from delvecore.stats.verdicts import (
    DEFAULT_TEST,
    SIMULTANEOUS,
    RankTest,
    pair_verdicts,
)
from delvecore.writers.files import write_atomically

if TYPE_CHECKING:
    from delvecore.plots.critical_difference import Diagram
    from delvecore.plots.figure import PlotlyFigure

DIAGRAMS = {"diagram": diagram_answer, "order": order_answer}
"""Kinds of diagrams of a ranking, by the words of `delve rank --show`."""
FORMATS_BY_ENDING = {"md": "markdown", "tex": "latex"}


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """Result of `rank`.

    A notebook shows the reading of the data, a sentence, the diagram and a table. `to_frame()` and `pairs()`
    are data frames, `diagram()` is a Plotly figure, `to_latex()` and `to_markdown()` are tables. `report()`
    is a text for a paper, and `save()` writes it.

    Attributes
    ----------
    report_of : RankingReport
        The analysis, the verdicts of the test, and the selection to show.
    notes : tuple of str
        Notes on metrics without a value for some results.
    readings : tuple of Reading
        How each table of scores was read.

    Examples
    --------
    >>> found = rank(np.array([[1, 2], [3, 5], [2, 4]]), methods=["a", "b"], higher_is_better=False)
    >>> found.to_frame()["mean_rank"].to_dict()
    {'a': 1.0, 'b': 2.0}
    """

    report_of: RankingReport
    notes: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def reading(self) -> Reading | None:
        """How the table of scores was read: roles, guesses and omissions. None for results of an archive.

        If there are several files, it describes the first, and `readings` has all."""
        return self.readings[0] if self.readings else None

    @property
    def analysis(self) -> Analysis:
        """Every test that was made, with all its numbers."""
        return self.report_of.analysis

    @property
    def test(self) -> RankTest:
        return self.report_of.verdicts.test

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods, best mean rank first."""
        return tuple(self.analysis.table.methods[place] for place in self.analysis.order)

    @property
    def sentence(self) -> str:
        """The best method, the tasks, and the methods that it is significantly better than."""
        analysis = self.analysis
        return plain(ranking_sentence(analysis, self.report_of.verdicts, quantity=analysis.table.quantity))

    @property
    def runs(self) -> CommonRuns | None:
        """Runs without a value, the methods omitted because of them, and the instances behind the means.

        None if each value is one number and none is missing.
        """
        return self.analysis.given.runs

    @property
    def critical_difference(self) -> float:
        """Nemenyi's critical difference: methods whose mean ranks differ by more are significantly
        different."""
        return self.analysis.nemenyi.cd

    @cached_property
    def _diagram(self) -> "Diagram":
        from delvecore.plots import theme
        from delvecore.plots.ranking_data import diagram_of

        styles, shown = theme.styles_of(self.methods), len(self.report_of.shown)
        return diagram_of(self.analysis, self.report_of.verdicts, styles, most=shown)

    def to_frame(self) -> pd.DataFrame:
        """Methods as a data frame: a row per method, best mean rank first.

        Returns
        -------
        DataFrame
            Mean rank, lowest and highest place of its confidence set, whether the method may be the best,
            number of units where it is best, mean and median of the values, number of others that it is
            better and worse than, numbers of its groups. `wins`, `ties`, `losses` and `p`, adjusted, are
            against the control, or the best mean rank; missing for that method.
        """
        whole = dict.fromkeys(("lowest_place", "highest_place", "wins", "ties", "losses"), "Int64")
        return self.report_of.methods.frame().astype(whole | {"may_be_best": "boolean"}).set_index("method")

    def pairs(self) -> pd.DataFrame:
        """Pairs of methods as a data frame: a row per pair.

        Returns
        -------
        DataFrame
            Difference of the means and of the medians, `method_a` minus `method_b`, in the unit of the
            values, and of the mean ranks; units that a won, tied and lost; p of the test, p adjusted for all
            pairs, verdict on a, reason if nothing is tested. For sign flips also `estimate`, the mean of
            the flipped values, with its simultaneous interval in `interval_unit`; otherwise they are missing.
        """
        return self.report_of.pairs_of().frame()

    def diagram(self, *, kind: str = "diagram", width: float | None = None) -> "PlotlyFigure":
        """Diagram of the ranking as a Plotly figure; the caption of the default kind is in `drawing`.

        Parameters
        ----------
        kind : {"diagram", "order"}
            `diagram` is the critical-difference diagram: mean ranks with bars over groups. `order` has the
            methods as rows: mean rank, tested quantity, range of places, groups.
        width : float, optional
            Width in inches for a paper, such as 3.3 or 7, with letters of 8 points. Values above 20 are
            pixels. None uses the available width.

        Returns
        -------
        Figure
            A label with its mean rank for each method.

        Raises
        ------
        DelveError
            For another kind.

        Examples
        --------
        >>> found = rank(np.array([[1, 2], [3, 5], [2, 4]]), methods=["a", "b"], higher_is_better=False)
        >>> found.diagram(kind="order", width=700).layout.width
        700
        """
        from delvecore.plots import theme
        from delvecore.plots.draw import draw, draw_wide

        if kind not in DIAGRAMS:
            raise DelveError(f"kind: expected one of {', '.join(DIAGRAMS)}, found {kind!r}")
        shown = [self.analysis.table.methods[place] for place in self.report_of.shown]
        answer = DIAGRAMS[kind](self.analysis, self.report_of.verdicts, shown)
        styles = dict(zip(self.methods, theme.styles_of(self.methods), strict=True))
        figure = draw(answer, styles) if width is None else draw_wide(answer, styles, width)
        return figure.plotly()

    def to_latex(self) -> str:
        """Return a table of the methods for a paper; it needs the package booktabs."""
        return with_readings(ranking_text(self.report_of, "latex"), self.readings, "latex")

    def to_markdown(self) -> str:
        """Return the same table in Markdown."""
        return with_readings(markdown_grid(ranking_grid(self.report_of)), self.readings, "markdown")

    def report(self, format: str = "text", *, command: str = "", provenance: Sequence[str] = ()) -> str:
        """Report for a paper: how the data were read, methods, results, diagram, tables.

        Parameters
        ----------
        format : {"text", "markdown", "html", "latex"}
            As `--format` of the commands; `"md"` and `"tex"` mean the same as `"markdown"` and `"latex"`.
        command : str
            Command that makes the report again.
        provenance : sequence of str
            Lines about the origin of the report.

        Returns
        -------
        str
            A whole file.

        Raises
        ------
        DelveError
            For another format.

        Examples
        --------
        >>> found = rank(np.array([[1, 2], [3, 5], [2, 4]]), methods=["a", "b"], higher_is_better=False)
        >>> found.report().splitlines()[0]
        '2 METHODS ON 3 TASKS'
        """
        format = FORMATS_BY_ENDING.get(format, format)
        if format not in DOCUMENT_FORMATS:
            known = ", ".join(DOCUMENT_FORMATS)
            raise DelveError(f"format: expected one of {known}, found {format!r}")
        document = ranking_document(
            self.report_of,
            self.drawing,
            read=read_back_lines(self.readings),
            notes=self.notes,
            command=command,
            provenance=provenance,
        )
        return document_text(document, format)

    def save(self, path: str | os.PathLike[str]) -> str:
        """Write the report, or all numbers, into a file.

        Parameters
        ----------
        path : path
            Its ending selects the format: `.html`, `.md`, `.tex` or `.txt` for the report, `.json` for
            every test, `.csv` for every pair.

        Returns
        -------
        str
            The path.

        Raises
        ------
        DelveError
            For another ending.
        """
        name, ending = os.fspath(path), os.path.splitext(path)[1].lower()
        if ending in REPORT_FORMATS:
            text = self.report(REPORT_FORMATS[ending])
        elif ending in (".json", ".csv"):
            text = ranking_text(self.report_of, ending[1:], readings=self.readings)
            text = with_readings(text, self.readings, ending[1:])
        else:
            endings = ", ".join([*REPORT_FORMATS, ".json", ".csv"])
            raise DelveError(f"path: expected a name that ends in one of {endings}, found {name!r}")
        write_atomically(name, text.encode("utf-8", "surrogateescape"), alone=False)
        return name

    @cached_property
    def drawing(self) -> Drawing:
        """The critical-difference diagram, drawn without a browser, with its caption."""
        from delvecore.plots.critical_difference import latex_picture, svg_text

        caption = diagram_words(self.report_of)
        ranks = zip(self._diagram.methods, self._diagram.ranks, strict=True)
        alt = f"{caption} " + ", ".join(f"{method} {rank_text(rank)}" for method, rank in ranks)
        return Drawing(caption, svg_text(self._diagram, alt=alt), latex_picture(self._diagram), alt)

    def _repr_html_(self) -> str:
        drawing = self.drawing
        shown = f"<p>{escape(self.sentence)}</p>\n{drawing.svg}\n{html_grid(ranking_grid(self.report_of))}"
        return with_readings(shown, self.readings, "html")

    def __repr__(self) -> str:
        return with_readings(ranking_text(self.report_of, "text"), self.readings, "text")


@checked_arguments
def rank(
    data: Any,
    *,
    higher_is_better: bool | None = None,
    lower_is_better: bool | None = None,
    dataset: str | None = None,
    method: str | None = None,
    fold: str | Sequence[str] = (),
    metric: str | None = None,
    value: str | Sequence[str] = (),
    failed: Failed = "left out",
    design: str | None = None,
    share: float | None = None,
    where: Mapping[str, str | Sequence[str]] | None = None,
    keep: str | Sequence[str] = (),
    drop: str | Sequence[str] = (),
    transpose: bool | None = None,
    sheet: str | None = None,
    decimal: Decimal | None = None,
    scale: Scale | None = None,
    case: str | None = None,
    group: str | None = None,
    failed_words: str | Sequence[str] = (),
    steps: Steps | None = None,
    methods: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    loss: str | None = None,
    places: Sequence[str] = (),
    unit: str | None = None,
    control: str | None = None,
    test: str | None = None,
    statistic: str | None = None,
    level: float = DEFAULT_LEVEL,
    adjust: str | None = None,
    missing: str | None = None,
    rope: float = 0.0,
    top: int | None = None,
    places_of: str = SIMULTANEOUS,
) -> Ranking:
    """Rank methods over many tasks, and test which differ.

    Parameters
    ----------
    data : DataFrame, Arrow table, array, path or Archive
        Scores: long (a row per score) or wide (a column per method); an array of shape (tasks, methods) with
        `methods` as names; the path of a file of scores or of a delve directory; or an archive. `loss` and
        `places` select the results of an archive or delve directory that are ranked.
    higher_is_better, lower_is_better : bool, optional
        The direction; required if the metric is unknown, since no direction is assumed.
    dataset, method, fold, metric, value : str, optional
        Columns of a table; by default inferred from their names and content. Scores of folds, seeds or
        repetitions are averaged.
    failed : {"left out", "worst", "method out"}
        How to treat runs without a value.
    design, share : optional
        How folds or seeds depend on each other, and the share of all cases in a test set, as for `compare`.
    where : mapping, optional
        Only rows with one of these texts in a column: `{"metric": "auc"}`.
    keep, drop : str or sequence
        Methods, datasets or columns that are always kept or left out.
    transpose : bool, optional
        Whether the rows of a wide table are methods.
    sheet, decimal, scale : str, optional
        The sheet of an Excel file; the decimal separator; how to treat values up to 1 next to values up to
        100, `as written` or `fractions`.
    case, group : str, optional
        The column of test cases, each with its own score; the column of groups of cases that are kept
        together.
    failed_words : str or sequence
        Words that mean a failed run, in addition to the usual ones such as `timeout`.
    steps : {"last", "best", "mean"}, optional
        Which row counts if a run has several, one per epoch or step.
    methods, tasks : sequence, optional
        The methods to rank, by default all; for an array, the names of columns and rows.
    loss, places : optional
        The results of an archive to rank.
    unit : {"task", "dataset", "family"}, optional
        What counts once. By default families if there are six or more, otherwise datasets, otherwise tasks.
    control : str, optional
        The method that the others are compared with, chosen before the data were seen.
    test : {"flips", "wilcoxon", "nemenyi", "control"}, optional
        Sign flips (a permutation test) by default. `control` is the Bonferroni-Dunn test.
    statistic : {"scaled", "ranks", "means"}, optional
        What is flipped: differences divided by the scale of their unit (default), signed ranks (default for
        two methods), or the plain differences (default for results of 0 and 1).
    level : float
        Confidence of intervals and tests.
    adjust : str
        How p of Wilcoxon's test is adjusted for all pairs: `holm` by default. Other tests include their
        adjustment and refuse this option.
    missing : {"tasks", "methods"}, optional
        What is left out if a method has no value on a task. None leaves out methods without results on most
        tasks, as long as fewer than half of the tasks are complete, and then tasks.
    rope : float
        Differences up to this width are treated as equivalent in `analysis.bayes`.
    top : int, optional
        Number of the best methods to show; all are ranked.
    places_of : {"all", "single"}
        Confidence sets of places hold for all methods at once, or for one method at a time (narrower).

    Returns
    -------
    Ranking
        The methods, best mean rank first, the verdicts on all pairs, and every test.

    Raises
    ------
    DelveError
        If the data cannot be ranked.

    References
    ----------
    Demsar (2006), JMLR 7; Westfall and Young (1993) for the adjustment of sign flips.

    Examples
    --------
    >>> errors = np.array([[1, 2, 3]] * 8 + [[1, 3, 2], [2, 1, 3]])
    >>> found = rank(errors, methods=["a", "b", "c"], higher_is_better=False)
    >>> found.methods, found.pairs()["verdict"].tolist()
    (('a', 'b', 'c'), ['better', 'better', 'better'])
    """
    options = options_of_call(locals())
    keep = () if control is None else (control,)
    tasks, methods = (None if names is None else tuple(names) for names in (tasks, methods))
    scores = score_table(data, options, tasks=tasks, methods=methods, loss=loss, places=places, keep=keep)
    check_methods(methods or (), scores.table.methods)
    table = scores.table if methods is None else scores.table.select(methods=methods)
    if len(table.tasks) == 1 and len(table.methods) > 1 and not isinstance(data, np.ndarray | ScoreTable):
        cure = "delvecore.compare(data) compares methods on it"
        raise DelveError(
            f"data: expected two datasets or more to rank over, found {table.tasks[0]!r}; {cure}"
        )
    judged = _test(test, control)
    if adjust is not None and judged.adjusts_by_itself:
        raise DelveError(f"adjust: {refused_adjustment(judged)}")
    single = places_of != SIMULTANEOUS
    if single and (judged != RankTest.FLIPS or control is not None):
        raise DelveError(f"places_of: {SINGLE_PLACES}")
    try:
        analysis = analyze(
            table,
            unit=unit,
            control=control,
            alpha=significance(level),
            adjustment=adjust or DEFAULT_ADJUSTMENT,
            drop=missing,
            rope=rope,
            statistic=statistic,
        )
    except ValueError as error:
        worst = "say failed='worst' to give failed runs the worst value of their dataset"
        remedy = [worst] if isinstance(error, TooFewResultsError) and error.are_failed else []
        raise DelveError("; ".join([str(error), *remedy, *scores.notes])) from None
    report = RankingReport(
        analysis,
        pair_verdicts(analysis, judged),
        top=top,
        counts_failed=not are_counted(table.runs, scores.readings),
        single_places=single,
    )
    return Ranking(report, scores.notes, scores.readings)


def _test(word: str | None, control: str | None) -> RankTest:
    """Return the test with this name. Without a name, return the default test."""
    if word is None:
        return DEFAULT_TEST
    test = next(one for one in RankTest if one.word == word)
    if test == RankTest.CONTROL and control is None:
        raise DelveError("test: expected a control for this test, found none; control= names it")
    return test
