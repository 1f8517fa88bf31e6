"""Exports of the Ranking page: figures with their numbers, values, and the command for both."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dashboard.ranking import data
from dashboard.server.cache import cached
from dashboard.ui import blocks
from dashboard.ui.commands import command_text, scored_command, setting_words
from dashboard.ui.request import Request
from delvecore.answers.answer import Answer
from delvecore.answers.questions import QUESTIONS
from delvecore.answers.ranking_figures import pairs_for_paper
from delvecore.library.bundle import bundle_files, bundle_zip
from delvecore.library.ranking import Ranking
from delvecore.render.answers import answer_text
from delvecore.render.csv import csv_text
from delvecore.render.provenance import option_words, reading_words
from delvecore.report.ranking.json_and_csv import values_csv
from delvecore.report.ranking.ranking_report import RankingReport
from delvecore.report.ranking.text import ranking_text
from delvecore.score_tables.options import Answer as OptionAnswer
from delvecore.score_tables.options import Question, ScoreOptions
from delvecore.score_tables.reading import read_scores
from delvecore.stats.ranking.ranks import comparable_methods

MOST_PLACES = 12
MOST_ANSWERS = 8
AS_WRITTEN = (False, ".", "as written")
"""Answers to questions about tables that this page writes: datasets in rows, decimal points, one scale."""


def name_of(request: Request, what: str) -> str:
    """Return the name of a download, different for each loss."""
    return f"ranking-{request.loss}-{what}"


def show(
    request: Request,
    make: Callable[..., Answer],
    *asked: Any,
    name: str,
    with_command: bool = True,
    **details: Any,
) -> str | None:
    """Show the answer make(request, *asked): see `blocks.show`. name: used in the names of its files."""
    line = command_later(request) if with_command else None
    about: dict[str, Any] = {"styles": data.styles, "name": name_of(request, name), "command": line}
    return blocks.show(make, request, *asked, **about, **details)


def scores_csv(request: Request) -> str:
    """Return the table of values, tasks x methods, as `delve rank` reads it."""
    return values_csv(data.score_table(request))


def show_bundle(request: Request) -> None:
    """Offer one file with everything that a paper needs from the ranking, made when it is downloaded."""
    name = name_of(request, "bundle")
    report = RankingReport(data.analysis_of(request), data.verdicts_of(request))
    line, archive = command_later(request), blocks.shown_archive()

    def make() -> bytes:
        shown = line()
        about = blocks.about_export(name, shown, archive=archive)
        return bundle_zip(bundle_files(Ranking(report), command=shown, provenance=about))

    blocks.bundle_button(make, name, key="ranking-bundle")


def show_all_numbers(request: Request) -> None:
    menu = st.popover("All numbers", icon=":material/table:", key="all-numbers", on_change="rerun")
    if not menu.open:
        return
    texts = {
        "Every test": ("JSON", "tests"),
        "Every pair": ("CSV", "every-pair"),
        "The methods": ("LaTeX", "order"),
        "Every value": ("CSV", "table"),
    }
    with menu:
        for title, (kind, what) in texts.items():
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
            ):
                st.markdown(title, width="content")
                make = partial(numbers_text, request, what)
                blocks.file_button(kind, make, name_of(request, what), key=f"{what}-{request.loss}")
        by_file = archive_places(request) is None
        source = "this file of all values" if by_file else "the archive"
        st.caption(f"The same on the command line, from {source}:")
        st.code(command(request), language=None)


def numbers_text(request: Request, what: str) -> str:
    """Return all numbers as text: `tests` in JSON, `every-pair` and `table` in CSV, `order` in LaTeX."""
    if what == "table":
        return scores_csv(request)
    report = RankingReport(data.analysis_of(request), data.verdicts_of(request))
    if what == "tests" and report.tests_tasks and report.lists_pairs:
        report = replace(report, combined=data.combined_of(request))
    form = {"tests": "json", "every-pair": "csv", "order": "latex"}[what]
    return ranking_text(report, form, readings=request.archive.readings)


def pairs_latex(request: Request) -> str:
    """Return all pairs as a booktabs table. Adjusted p-values of significant differences are bold."""
    analysis, verdicts = data.analysis_of(request), data.verdicts_of(request)
    answer = pairs_for_paper(data.pairs_of(request), analysis, verdicts)
    return answer_text(answer, "latex", label=f"tab:{name_of(request, 'pairs')}")


def command_later(request: Request) -> Callable[[], str]:
    """Return a function that returns the command, also for a download outside of the session.

    The command for a file has the options that read it. Finding them takes longer than drawing a page."""
    if archive_places(request) is None:
        return partial(command, request)
    line = command(request)  # depends on the session
    return lambda: line


def command(request: Request, *, question: str = "") -> str:
    """Return the command that prints the same numbers from the archive or from the file of `scores_csv`.

    question: a word of `delve rank --show`; empty for the whole ranking."""
    places, control = archive_places(request), request.reference
    adjusts = places is not None and data.has_training_sets(request)
    if question:
        adjusts = QUESTIONS[question].adjusts
    if places is not None:
        line = [*places, *option_words("--loss", request.loss)]
    else:
        line = [f"{name_of(request, 'table')}.csv"]
        # In a CSV file no name may look like a formula.
        control = control and _as_written(control)
    line += option_words("--unit", request.unit) if request.unit else []
    line += ["--test", request.test.word, *setting_words(request.setting, test=request.test, adjusts=adjusts)]
    line += option_words("--control", control) if control else []
    # By default the command leaves out methods with few results, unless they are named.
    table = data.score_table(request)
    is_incomplete = len(comparable_methods(table).methods) < len(table.methods)
    line += ["--missing", request.drop] if request.drop != "tasks" or is_incomplete else []
    if is_incomplete:
        line += [
            word
            for name in table.methods
            for word in option_words("--methods", name if places is not None else _as_written(name))
        ]
    if places is None:
        line += reading_words(_values_options(data.without_tests(request)))
    line += ["--show", question] if question else []
    return scored_command("rank", *line) if places is not None else command_text("delve", "rank", *line)


def _as_written(name: str) -> str:
    """Return a method's name as it appears in a CSV file."""
    return next(csv.reader([csv_text([name], [])]))[0]


@cached
def _values_options(request: Request) -> ScoreOptions:
    """Return the options that read the file of `scores_csv` as it was written."""
    options = ScoreOptions(higher_is_better=data.score_table(request).higher_is_better)
    content = scores_csv(request).encode("utf-8", "surrogateescape")
    for _ in range(MOST_ANSWERS):
        try:
            omissions = read_scores(io.BytesIO(content), options=options).reading.omissions
            kept = tuple(name for one in omissions if one.option == "keep" for name in one.names)
            return options.with_answer(OptionAnswer("", "keep", kept))
        except Question as question:
            fitting = [one for one in question.answers if one.field == "keep" or one.value in AS_WRITTEN]
            if not fitting:
                return options
            options = options.with_answer(fitting[0])
    return options


@cached
def archive_places(request: Request) -> list[str] | None:
    """Return the fewest paths that contain exactly the request's tasks; None if no command can."""
    scores = data.archive_scores(request.archive, request.loss)
    tasks = request.tasks or ()
    chosen = set(tasks)
    with_any = ~np.isnan(scores.select(tasks=tasks).values).all(axis=0)
    known = {scores.methods[place] for place in np.flatnonzero(with_any)}
    if known != set(data.score_table(request).methods):
        return None
    if chosen == set(scores.tasks):
        return []
    places = list(dict.fromkeys(_widest(path, chosen, scores.tasks) for path in tasks))
    return places if len(places) <= MOST_PLACES else None


def _widest(path: str, chosen: set[str], tasks: Sequence[str]) -> str:
    """Return the dataset, or the prototask, of a task if all its tasks are chosen, otherwise the task."""
    names = path.split("/")
    for length in (2, 3):
        place = "/".join(names[:length])
        if all(task in chosen for task in tasks if task.startswith(place + "/")):
            return place
    return path
