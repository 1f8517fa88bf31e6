"""`delve rank`: which methods are best over many tasks, with tests of the differences."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from delvecore.answers.answer import Answer
from delvecore.answers.questions import QUESTIONS
from delvecore.archive.questions import TaskData, answer_to, of_one_task
from delvecore.archive.score_tables import archive_combined
from delvecore.cli.support.context import print_text
from delvecore.cli.support.ranked import analysis_of, find_ranked, provenance_of, readings_of
from delvecore.cli.support.ranking_options import rank_test
from delvecore.errors import DelveError
from delvecore.render.answers import answer_text
from delvecore.render.csv import csv_comment
from delvecore.render.document import with_readings
from delvecore.render.numbers import integer
from delvecore.render.provenance import latex_comment
from delvecore.report.ranking.ranking_report import RankingReport
from delvecore.report.ranking.sentences import (
    are_counted,
    failed_ranking_words,
    favored_words,
    incomplete_words,
    run_sentences,
)
from delvecore.report.ranking.text import MOST_PAIRS as FEW_PAIRS
from delvecore.report.ranking.text import ranking_text
from delvecore.report.verdict_words import shared_case_notes
from delvecore.score_tables.score_file import Reading
from delvecore.stats.choose import SINGLE
from delvecore.stats.ranking.effects import DEFAULT_MARGIN
from delvecore.stats.verdicts import pair_verdicts
from delvecore.writers.files import write_atomically

FIGURE_WIDTH = 720


def rank(options: Namespace, arguments: Sequence[str]) -> int:
    ranked = find_ranked(options, command="delve rank")
    if options.scheduler:
        ranked = replace(ranked, archive=ranked.archive.on(options.scheduler))
    about = provenance_of(ranked, options, ("rank", *arguments)).lines()
    said = shared_case_notes(ranked.archive.results, set(ranked.table.task_paths))
    comments, readings = run_sentences(ranked.table.runs), readings_of(ranked, options)
    counts_once = options.format == "text" and are_counted(ranked.table.runs, readings)
    if options.show:
        answer = _answer_to(options.show, options, ranked, said, counts_once=counts_once)
        if options.figure:
            _write_answer(answer, ranked, options.figure, [*about, answer_text(answer, "latex")])
        text = answer_text(answer, options.format, readings=readings)
    elif len(ranked.table.tasks) == 1 and not ranked.archive.paths:
        if options.figure:
            raise DelveError(f"--figure {options.figure}: expected two tasks or more to rank, found one")
        both = of_one_task(ranked.archive, ranked.table, measure=ranked.measure, setting=ranked.setting)
        text = _of_one_task(*both, said, options, readings=readings)
    else:
        report = _report_of(options, ranked, said, counts_once=counts_once)
        if options.figure:
            from delvecore.library.ranking import Ranking

            width = None if _is_page(options.figure) else FIGURE_WIDTH
            lines = [*about, ranking_text(report, "latex")]
            _write_plot(Ranking(report).diagram(width=width), options.figure, lines)
        text = ranking_text(report, options.format, readings=readings)
        first = failed_ranking_words(report.analysis, report.test)
        warnings = filter(None, [incomplete_words(report.analysis), first])
        comments = [*warnings, *run_sentences(ranked.table.runs, warns=False)]
    origin = {"latex": latex_comment(about), "csv": "".join(map(csv_comment, comments))}
    text = origin.get(options.format, "") + text
    print_text(with_readings(text, readings, options.format))
    return 0


def _report_of(
    options: Namespace, ranked: TaskData, notes: Sequence[str], *, counts_once: bool
) -> RankingReport:
    """Return the report of a ranking. counts_once: do the printed readings already count the failed runs?"""
    # Tests of single tasks use the adjustment, regardless of the test of the ranking.
    analysis = analysis_of(ranked.table, options, adjusts=ranked.archive.has_training_sets)
    report = RankingReport(
        analysis,
        pair_verdicts(analysis, rank_test(options)),
        None,
        notes,
        is_whole=options.all,
        top=options.top,
        pairs=options.pairs,
        counts_failed=not counts_once,
        single_places=options.places == SINGLE,
    )
    is_printed = options.format == "text" or (options.format == "json" and report.lists_pairs)
    if not (ranked.archive.has_training_sets and report.tests_tasks and is_printed):
        return report
    about: dict[str, Any] = {"loss": ranked.measure.key, "setting": ranked.setting}
    combined = archive_combined(ranked.archive, analysis.table, unit=analysis.unit, **about)
    return replace(report, combined=combined)


def _of_one_task(
    places: Answer | None,
    pairs: Answer,
    notes: Sequence[str],
    options: Namespace,
    *,
    readings: Sequence[Reading],
) -> str:
    """Return the text for one task: the ranks of three or more methods, and the pairs if they are few."""
    pairs = replace(pairs, notes=(*pairs.notes, *notes))
    if places is None or options.format in ("csv", "latex"):
        return answer_text(pairs, options.format)
    if options.format == "json":
        return answer_text(pairs, "json", methods=places, readings=readings)
    places = replace(places, headline=pairs.headline)
    if len(pairs.table) > FEW_PAIRS and not options.all:
        left = f"{integer(len(pairs.table))} pairs are not listed; --all lists them."
        return answer_text(replace(places, notes=(*places.notes, *pairs.notes, left)), "text")
    return answer_text(places, "text") + "\n" + answer_text(replace(pairs, headline="Pairs:"), "text")


def _write_answer(answer: Answer, ranked: TaskData, path: str, about: Sequence[str]) -> None:
    """Draw the figure of an answer into a file. Raises DelveError if it has none."""
    from delvecore.plots import theme
    from delvecore.plots.draw import draw, draw_wide

    if answer.figure is None:
        raise DelveError(
            f"--figure {path}: expected a question with a figure, found --show {answer.question}"
        )
    methods = ranked.table.methods
    styles = dict(zip(methods, theme.styles_of(methods), strict=True))
    figure = draw(answer, styles) if _is_page(path) else draw_wide(answer, styles, FIGURE_WIDTH)
    _write_plot(figure.plotly(), path, about)


def _is_page(path: str) -> bool:
    return path.lower().endswith(".html")


def _write_plot(figure: Any, path: str, about: Sequence[str]) -> None:
    from delvecore.plots.pictures import figure_file

    if _is_page(path):
        content = figure.to_html(include_plotlyjs=True, full_html=True).encode()
    else:
        content = figure_file(figure, path.rpartition(".")[2].lower(), about=about)
    write_atomically(path, content, alone=False)


def _answer_to(
    word: str, options: Namespace, ranked: TaskData, notes: Sequence[str], *, counts_once: bool
) -> Answer:
    """Return the answer to a question, with notes on omitted methods, failed runs and tasks."""
    question, runs = QUESTIONS[word], ranked.table.runs
    margin = DEFAULT_MARGIN if options.rope is None else options.rope
    if word in ("equivalence", "same") and not margin:
        raise DelveError(f"--rope: expected a width above 0 for --show {word}, found 0")
    about: dict[str, Any] = {"measure": ranked.measure, "setting": ranked.setting, "margin": margin}
    incomplete = ""
    if question.of_single_tasks:
        answer = answer_to(word, ranked.archive, ranked.table, **about)
    else:
        analysis = analysis_of(ranked.table, options, adjusts=question.adjusts)
        answer = answer_to(word, ranked.archive, analysis, **about, test=rank_test(options))
        incomplete = incomplete_words(analysis)
    favored = favored_words(runs) if word != "leaderboard" else ""
    notices = run_sentences(runs, are_counted=counts_once, warns=False)
    again = run_sentences(runs) if counts_once else []
    headline = " ".join(filter(None, [favored, incomplete, answer.headline, *notices]))
    return replace(answer, headline=headline, notes=(*(n for n in answer.notes if n not in again), *notes))
