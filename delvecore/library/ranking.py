"""Which methods are best over many tasks? `rank` answers for frames, arrays, files and archives."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from delvecore.errors import DelveError
from delvecore.library.tables import Given, score_table
from delvecore.readers.scores.records import Failed, ScoreOptions
from delvecore.report.document import Drawing
from delvecore.report.ranking.asked import RankingReport
from delvecore.report.ranking.latex import ranking_grid
from delvecore.report.ranking.paper import diagram_words, ranking_document
from delvecore.report.ranking.sentence import ranking_sentence
from delvecore.report.ranking.text import ranking_text
from delvecore.report.writers.document import DOCUMENT_FORMATS, document_text
from delvecore.report.writers.markup import html_grid
from delvecore.statistics.choose import (
    ADJUSTMENTS,
    DEFAULT_ADJUSTMENT,
    DEFAULT_LEVEL,
    UNITS,
    RankTest,
    checked_level,
    significance,
)
from delvecore.statistics.ranking.analysis import Analysis, analyse
from delvecore.statistics.ranking.pair_verdicts import groups_of, pair_verdicts, verdict_matrix
from delvecore.statistics.ranking.score_table import ScoreTable

if TYPE_CHECKING:
    import pandas as pd

    from delvecore.figures.ranking.critical_difference_layout import Diagram
    from delvecore.figures.theme import Figure

__all__ = ["Ranking", "rank"]


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """What `rank` found. report_of: the analysis, the verdicts of the test, and what is shown of them; notes:
    how the data were read, and what was left out.

    In a notebook it shows itself: a sentence, the diagram, a table. `to_frame()` and `pairs()` are data
    frames, `diagram()` a Plotly figure, `to_latex()` a table for a paper, `report()` a text that can be
    taken over into one."""

    report_of: RankingReport
    notes: tuple[str, ...] = ()

    @property
    def analysis(self) -> Analysis:
        """Every test that was made, with all its numbers."""
        return self.report_of.found

    @property
    def test(self) -> RankTest:
        return self.report_of.verdicts.test

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods, best mean rank first."""
        return tuple(self.analysis.table.methods[place] for place in self.analysis.order)

    @property
    def sentence(self) -> str:
        """Which method is best, over what, and from which others is it told apart?"""
        found = self.analysis
        return ranking_sentence(found, self.report_of.verdicts, quantity=found.table.quantity)

    @property
    def critical_difference(self) -> float:
        """Nemenyi's: mean ranks that are further apart than this differ."""
        return self.analysis.nemenyi.cd

    @cached_property
    def _diagram(self) -> "Diagram":
        from delvecore.figures import theme
        from delvecore.figures.ranking.records import diagram_of

        styles, shown = theme.styles_of(self.methods), len(self.report_of.shown)
        return diagram_of(self.analysis, self.report_of.verdicts, styles, most=shown)

    def to_frame(self) -> "pd.DataFrame":
        """Return a row a method, best first: mean rank with its interval, mean and median of the values, on
        how many units it is best, how many methods it is told apart from, and the groups it is in."""
        import pandas as pd

        found, order = self.analysis, list(self.analysis.order)
        ends, values = found.rank_intervals, found.table.values[:, order]
        verdicts = verdict_matrix(found, self.report_of.verdicts)[order]
        groups = [set(members) for members in groups_of(found, self.report_of.verdicts).members]
        within = [tuple(n for n, group in enumerate(groups, 1) if place in group) for place in order]
        columns = {
            "mean_rank": found.ranks.average[order],
            "lower": ends.lower[order],
            "upper": ends.upper[order],
            "best_on": (found.ranks.ranks == found.ranks.ranks.min(axis=1, keepdims=True)).sum(axis=0)[order],
            "mean": values.mean(axis=0),
            "median": np.median(values, axis=0),
            "better_than": (verdicts == "better").sum(axis=1),
            "worse_than": (verdicts == "worse").sum(axis=1),
            "groups": within,
        }
        return pd.DataFrame(columns, index=pd.Index(self.methods, name="method"))

    def pairs(self) -> "pd.DataFrame":
        """Return a row a pair of methods: mean and median difference a less b in the units of the values,
        units won, tied and lost by a, p of the test, p adjusted for all pairs, and the verdict on a."""
        import pandas as pd

        found, said, scan = self.analysis, self.report_of.verdicts, self.analysis.scan
        names = np.array(found.table.methods, dtype=object)
        wins, ties, losses = scan.wins
        matrix = verdict_matrix(found, said)
        columns = {"a": names[scan.first], "b": names[scan.second], "mean": scan.mean, "median": scan.median}
        columns |= {"wins": wins, "ties": ties, "losses": losses, "p": said.p, "p_adjusted": said.p_adjusted}
        columns["verdict"] = [str(matrix[a, b]) for a, b in zip(scan.first, scan.second, strict=True)]
        return pd.DataFrame(columns)

    def diagram(self, *, width: float | None = None) -> "Figure":
        """Return the critical-difference diagram as a Plotly figure. width: in pixels, None for as wide as
        there is room."""
        from delvecore.figures.ranking.critical_difference import critical_difference_figure

        return critical_difference_figure(self._diagram, width=width)

    def to_latex(self) -> str:
        """Return a table of the methods for a paper; it needs the package booktabs."""
        return ranking_text(self.report_of, "latex")

    def report(self, format: str = "text", *, command: str = "", provenance: Sequence[str] = ()) -> str:
        """Return a report that a paper could take over: methods, results, diagram, tables.

        format: text, md, html or tex; command: what makes it again; provenance: lines that say where it is
        from. Raises DelveError for another format."""
        if format not in DOCUMENT_FORMATS:
            known = ", ".join(DOCUMENT_FORMATS)
            raise DelveError(f"format: expected one of {known}, found {format!r}")
        document = ranking_document(
            self.report_of, self.drawing, read=self.notes, command=command, provenance=provenance
        )
        return document_text(document, format)

    @cached_property
    def drawing(self) -> Drawing:
        """The critical-difference diagram, drawn without a browser, with its caption."""
        from delvecore.figures.ranking.still import NARROW, latex_picture, still_of, svg_text

        caption = diagram_words(self.report_of)
        alt = f"{caption} " + ", ".join(f"{one.method} {one.rank:.2f}" for one in self._diagram.methods)
        svg = svg_text(still_of(self._diagram), alt=alt)
        return Drawing(caption, svg, latex_picture(still_of(self._diagram, width=NARROW)), alt)

    def _repr_html_(self) -> str:
        from html import escape

        drawing = self.drawing
        return f"<p>{escape(self.sentence)}</p>\n{drawing.svg}\n{html_grid(ranking_grid(self.report_of))}"

    def __repr__(self) -> str:
        return ranking_text(self.report_of, "text")


def rank(
    data: Any,
    *,
    higher_is_better: bool | None = None,
    dataset: str | None = None,
    method: str | None = None,
    fold: str | Sequence[str] = (),
    metric: str | None = None,
    value: str | Sequence[str] = (),
    failed: Failed = "left out",
    methods: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    loss: str | None = None,
    places: Sequence[str] = (),
    unit: str | None = None,
    control: str | None = None,
    test: str | None = None,
    level: float = DEFAULT_LEVEL,
    adjust: str = DEFAULT_ADJUSTMENT,
    drop: str = "tasks",
    rope: float = 0.0,
    top: int | None = None,
) -> Ranking:
    """Which methods are best over many tasks, and how sure is that?

    data: a pandas DataFrame or Arrow table, long (a row a score) or wide (a column a method), an array of
    tasks x methods with `methods` and perhaps `tasks` as names, a file of scores, or an `Archive`, of which
    `loss` and `places` say what is ranked. Columns are told by their names and content unless `dataset`,
    `method`, `fold`, `metric` and `value` name them; scores of folds, seeds or repetitions are averaged.

    higher_is_better: the direction, needed where the metric is not a known one: nothing is assumed.
    failed: what becomes of runs without a value. methods: those to be ranked, all else. unit: what counts
    once, `task`, `dataset` or `family`. control: the method that the others are held against, chosen before
    the data were seen. test: `nemenyi`, `wilcoxon`, `flips` or `control`, by which methods are told apart.
    level: of confidence; adjust: how p is adjusted for all pairs; drop: what is left out where a value is
    missing, `tasks` or `methods`; rope: differences up to this are practically none, for `analysis.bayes`;
    top: so many of the best are shown, though all are ranked. Raises DelveError for what cannot be ranked."""
    options = ScoreOptions(
        dataset,
        method,
        metric,
        _listed(fold),
        _listed(value),
        higher_is_better=higher_is_better,
        failed=failed,
    )
    scores = score_table(data, Given(options, tasks=tasks, methods=methods, loss=loss, places=places))
    table = _of_methods(scores.table, methods)
    judged = _test(test, control)
    try:
        found = analyse(
            table,
            unit=_known("unit", unit, UNITS) if unit else None,
            control=control,
            alpha=significance(checked_level(level)),
            adjustment=_known("adjust", adjust, ADJUSTMENTS),
            drop=_known("drop", drop, ("tasks", "methods")),
            rope=rope,
        )
    except ValueError as error:
        raise DelveError(str(error)) from None
    return Ranking(RankingReport(found, pair_verdicts(found, judged), top=top), scores.notes)


def _listed(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _known(name: str, word: str, words: Collection[str]) -> str:
    if word not in words:
        raise DelveError(f"{name}: expected one of {', '.join(words)}, found {word!r}")
    return word


def _of_methods(table: ScoreTable, methods: Sequence[str] | None) -> ScoreTable:
    for name in methods or ():
        if name not in table.methods:
            known = ", ".join(table.methods[:20])
            raise DelveError(f"methods: expected names of methods, found {name!r}; there are {known}")
    return table if methods is None else table.select(methods=methods)


def _test(word: str | None, control: str | None) -> RankTest:
    """Return the test that a word stands for; without one, that against a control where there is one."""
    words = {one.word: one for one in RankTest}
    if word is None:
        return RankTest.CONTROL if control is not None else RankTest.NEMENYI
    test = words[_known("test", word, words)]
    if test == RankTest.CONTROL and control is None:
        raise DelveError("test: expected a control for this test, found none; control= names it")
    return test
