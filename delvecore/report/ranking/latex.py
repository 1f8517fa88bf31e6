"""A ranking as a table for a paper: the methods, best first, and p against the control or the best."""

from dataclasses import replace
from statistics import median

from delvecore.report.grid import Column, Grid, grid_of_texts
from delvecore.report.ranking.notes import critical_difference_words, ranking_notes
from delvecore.report.ranking.printed_parts import RankingReport
from delvecore.report.ranking.runs import run_sentences
from delvecore.report.ranking.sentence import PLAIN, ranking_sentence
from delvecore.report.ranking.units import adjustment_name, basis_words, units_name, untestable_words
from delvecore.report.rounding import p_text, rounded
from delvecore.report.writers.latex import latex_grid
from delvecore.report.writers.text import counted
from delvecore.stats.choose import RankTest

__all__ = ["ranking_grid", "ranking_latex"]


def ranking_latex(report: RankingReport) -> str:
    """Return the table of `ranking_grid` with the sentence and all notes below it."""
    grid = ranking_grid(report)
    sentence = ranking_sentence(report.found, report.verdicts)
    return latex_grid(replace(grid, notes=(sentence, *grid.notes, *ranking_notes(report.found))))


def ranking_grid(report: RankingReport) -> Grid:
    """Return a table of the methods, best first, with mean ranks, values and p by the test chosen."""
    found, said = report.found, report.verdicts
    names = found.table.methods
    place = found.order[0] if found.control is None else found.control
    columns = [Column("Method"), *(Column(title, "r") for title in ("Mean rank", "Mean", "Median"))]
    columns += [Column("W/T/L", "r"), Column("p", "r")]
    rows = [_row(report, one, place) for one in report.shown]
    bold = {(row, 0) for row, one in enumerate(report.shown) if one == place}
    role = "the control" if found.control is not None else "the lowest mean rank"
    notes = [
        *run_sentences(found.given.runs),
        f"W/T/L: {units_name(found)} on which {names[place]} ({role}) is better, equal, worse.",
        _p_words(report),
        *([critical_difference_words(found)] if said.test == RankTest.NEMENYI else []),
        *_left_out(report),
        *report.said,
    ]
    what = f" ({found.table.quantity})" if found.table.quantity else ""
    caption = f"{len(names)} methods on {basis_words(found)}{what}."
    about = {"caption": caption, "label": "tab:ranking"}
    return grid_of_texts(columns, rows, **about, notes=notes, bold=bold)


def _p_words(report: RankingReport) -> str:
    """Say by which test p is, and why there are no verdicts where no data could reach the level."""
    said = report.verdicts
    text = f"p: {PLAIN.test(said)} against it, {adjustment_name(said)}"
    return f"{text}{'' if said.is_testable else f'; {untestable_words(report.found)}'}."


def _left_out(report: RankingReport) -> list[str]:
    left = len(report.found.order) - len(report.shown)
    return (
        [f"{counted(left, 'method')} of lower mean rank, ranked with these, are not shown."] if left else []
    )


def _row(report: RankingReport, method: int, against: int) -> list[str]:
    found = report.found
    values = found.table.values[:, method]
    row = [found.table.methods[method], rounded(found.ranks.average[method], 2)]
    row += [f"{values.mean():.4g}", f"{median(values.tolist()):.4g}"]
    if method == against:
        return [*row, "", ""]
    pair = found.pair_numbers[method, against]
    wins, ties, losses = (int(counts[pair]) for counts in found.scan.wins)
    if method < against:
        wins, losses = losses, wins
    return [*row, f"{wins}/{ties}/{losses}", p_text(report.verdicts.p_adjusted[pair])]
