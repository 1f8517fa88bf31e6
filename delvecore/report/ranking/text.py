"""A ranking of methods over tasks for reading: first what the test chosen says, then all other tests."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

from delvecore.report.ranking.details import combined_table, global_tests, pair_table, rank_differences
from delvecore.report.ranking.exports import ranking_csv, ranking_json
from delvecore.report.ranking.latex import ranking_latex
from delvecore.report.ranking.notes import listed, ranking_notes
from delvecore.report.ranking.printed_parts import RankingReport
from delvecore.report.ranking.runs import run_sentences
from delvecore.report.ranking.sentence import ranking_sentence, rival_words
from delvecore.report.ranking.units import untestable_words
from delvecore.report.rounding import p_text, rounded
from delvecore.report.verdict_words import THAN, not_tested
from delvecore.report.writers.text import aligned, fold
from delvecore.stats.choose import RankTest, Verdict, level_of, percent
from delvecore.stats.ranking.pair_verdicts import groups_of, pair_verdicts, verdict_matrix

__all__ = ["ranking_text"]

MOST_SHOWN, FEW = 12, 4
"""So many methods are printed unless all are asked for; of more methods, so many lines of names."""
INDENT = "  "
MORE = "(--all prints everything)"


def ranking_text(report: RankingReport, form: str) -> str:
    """Return an analysis in one of FORMATS; KeyError for another format."""
    return FORMATS[form](report)


def _text(report: RankingReport) -> str:
    found = report.found
    said = " ".join(run_sentences(found.given.runs, are_counted=not report.counts_failed))
    runs = [fold(said, "")] if said else []
    lead = [fold(ranking_sentence(found, report.verdicts, quantity=found.table.quantity), "")]
    if report.combined is not None and (rival := rival_words(found, report.combined)):
        rival = f"On single tasks, by each one's own test, {rival}"
        # Of two methods there is one pair, which leads.
        lead.insert(0 if len(found.order) == 2 else 1, fold(rival, ""))
    sections = [
        *runs,
        *lead,
        _methods(report),
        _significant_pairs(report),
        _groups(report),
        ["DETAILS"],
        global_tests(found),
    ]
    sections += [rank_differences(found), pair_table(report), _wilcoxon_groups(report)]
    sections += [combined_table(report)]
    notes = [line for note in (*report.said, *ranking_notes(found)) for line in fold(note, "")]
    return "\n\n".join("\n".join(lines) for lines in [*sections, notes] if lines) + "\n"


def _shown(report: RankingReport) -> Sequence[int]:
    """Return the places of the methods that are printed, best mean rank first."""
    return report.shown if report.is_whole or report.top is not None else report.shown[:MOST_SHOWN]


def _methods(report: RankingReport) -> list[str]:
    """A line for each method, best mean rank first, with how many others it is better and worse than."""
    found, matrix = report.found, verdict_matrix(report.found, report.verdicts)
    intervals, shown = found.rank_intervals, _shown(report)
    better, worse = ((matrix == one).sum(axis=1) for one in (Verdict.BETTER, Verdict.WORSE))
    rows = [["", "mean rank", f"{percent(level_of(found.alpha))} interval", "best on", "mean", "median"]]
    rows[0] += ["better than", "worse than"]
    for place in shown:
        values = found.table.values[:, place]
        low, high = (rounded(end[place], 2) for end in (intervals.lower, intervals.upper))
        ends = f"{low} to {high}" if low else ""
        name, rank = found.table.methods[place], rounded(found.ranks.average[place], 3)
        row = [
            name,
            rank,
            ends,
            f"{found.best_on[place]}",
            f"{values.mean():.4g}",
            f"{median(values.tolist()):.4g}",
        ]
        rows.append([*row, f"{better[place]}", f"{worse[place]}"])
    left = len(found.order) - len(shown)
    return [*aligned(rows), *([f"and {left} more {MORE}"] if left else [])]


def _significant_pairs(report: RankingReport) -> list[str]:
    """Who is better than whom, by the test chosen: a line for each method that is better than another."""
    found, matrix = report.found, verdict_matrix(report.found, report.verdicts)
    names, count = found.table.methods, int(report.verdicts.different.sum())
    said = report.verdicts
    if not said.is_testable:
        text = f"{said.test}: {not_tested(untestable_words(found))}; no data could have an adjusted p below "
        return [f"{text}{p_text(said.smallest_p)}."]
    lines = [f"{said.test}: {count} of {said.tested} pairs differ significantly."]
    told = []
    for place in found.order:
        below = [names[other] for other in found.order if matrix[place, other] == Verdict.BETTER]
        told += [f"{names[place]} is {THAN[Verdict.BETTER]} {_named(report, below)}"] if below else []
    return [*lines, *_first(report, told)]


def _groups(report: RankingReport) -> list[str]:
    if report.verdicts.test == RankTest.CONTROL or not report.verdicts.is_testable:
        return []
    found = report.found
    found_groups = groups_of(found, report.verdicts)
    lines = [f"{report.verdicts.test}: groups of which no pair differs significantly:"]
    lines += _first(report, [_named(report, group) for group in found.names(found_groups)] or ["none"])
    return lines if found_groups.complete else [*lines, f"{INDENT}and others, too many to list"]


def _wilcoxon_groups(report: RankingReport) -> list[str]:
    """The groups of Wilcoxon's test, where another one was chosen."""
    if report.verdicts.test == RankTest.WILCOXON or not report.is_whole:
        return []
    return _groups(replace(report, verdicts=pair_verdicts(report.found, RankTest.WILCOXON)))


def _is_short(report: RankingReport) -> bool:
    return not report.is_whole and len(report.found.order) > MOST_SHOWN


def _first(report: RankingReport, texts: Sequence[str]) -> list[str]:
    """Return texts as lines, of many methods only the first ones."""
    kept = texts[:FEW] if _is_short(report) else texts
    lines = [line for text in kept for line in fold(text, INDENT)]
    return lines if len(kept) == len(texts) else [*lines, f"{INDENT}and {len(texts) - len(kept)} more {MORE}"]


def _named(report: RankingReport, names: Sequence[str]) -> str:
    return listed(names, FEW) if _is_short(report) else ", ".join(names)


FORMATS: dict[str, Callable[[RankingReport], str]] = {
    "text": _text,
    "json": ranking_json,
    "csv": ranking_csv,
    "latex": ranking_latex,
}
