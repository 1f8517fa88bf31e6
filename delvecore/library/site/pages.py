"""Pages of a site: the answers to all questions about a ranking, task-arrays, tasks, datasets and methods."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pyarrow.compute as pc

from delvecore.answers.answer import Answer, Kind, table_of
from delvecore.answers.array_questions import ARRAY_QUESTIONS
from delvecore.answers.compare_methods import TaskComparison
from delvecore.answers.questions import QUESTIONS
from delvecore.answers.ranking_figures import names_in_order, pairs_answer, pairs_words, places_answer
from delvecore.answers.task_array_sentences import array_finding, with_winners
from delvecore.answers.wins_and_losses import where_answer
from delvecore.archive import Archive
from delvecore.archive.leaderboards import method_order, where_it_wins
from delvecore.archive.questions import answer_to, of_one_task
from delvecore.archive.score_tables import paper_table
from delvecore.archive.task_comparison import task_estimates, task_pairs
from delvecore.archive.views import ArrayView
from delvecore.errors import DelveError
from delvecore.library.contents import content_sentence
from delvecore.library.ranking import Ranking
from delvecore.library.site.files import Names, Page, Part, Site, safe_name
from delvecore.measures import Measure
from delvecore.model import TaskId
from delvecore.render.document import read_back_lines
from delvecore.render.markup import html_grid
from delvecore.render.numbers import counted
from delvecore.render.provenance import latex_comment
from delvecore.render.spans import as_name
from delvecore.report import words
from delvecore.report.paper.table import PAPER_FORMATS, PaperRequest, paper_table_bytes
from delvecore.report.ranking.ranking_report import RankingReport, ranking_grid
from delvecore.report.ranking.sentences import ranking_sentence
from delvecore.report.ranking.text import ranking_text
from delvecore.score_tables.score_file import Reading
from delvecore.stats.arrays.results import best_first
from delvecore.stats.choose import Setting
from delvecore.stats.losses.results import usable_constant
from delvecore.stats.ranking.ranks import array_unit
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.tables import rows_of, values_in, values_of

if TYPE_CHECKING:
    from delvecore.plots.figure import Figure
    from delvecore.plots.theme import MethodStyle

MOST_DRAWN = 30
"""Largest number of methods in the matrix of all pairs."""
MOST_ROWS = 1000
"""Largest number of rows in tables of questions; longer ones are in files only."""
MOST_TASKS_DRAWN = 100
"""Largest number of tasks for which the methods of each task are drawn."""
MOST_ASKED = 20
"""Largest number of methods for which slow questions are answered."""
MOST_PAIRS = 20
"""Largest number of pairs of a task on its page; all are in its files."""
SINGLE_TASKS = ("best",)
ATTRIBUTES: dict[str, tuple[str, Kind]] = {
    "number": ("number", "count"),
    "attribute": ("attribute", "name"),
    "kind": ("kind", "name"),
    "control": ("control", "name"),
    "range": ("range", "name"),
    "missing": ("missing", "count"),
    "censored": ("censored", "count"),
    "description": ("description", "name"),
}
PRIORS: dict[str, tuple[str, Kind]] = {
    "prior": ("prior", "name"),
    "role": ("role", "name"),
    "attribute": ("attribute", "name"),
    "type": ("type", "name"),
    "levels": ("relevance or noise", "name"),
    "default_coding": ("coding", "name"),
}


@dataclass(frozen=True, eq=False)
class Request:
    """The contents of a site.

    Attributes
    ----------
    table : ScoreTable
        The scores to rank.
    report : RankingReport, optional
        The ranking; None for a single task.
    is_part : bool
        Whether only the tasks and methods of the table are published.
    command : str
        Command that makes the site again.
    """

    archive: Archive
    measure: Measure
    table: ScoreTable
    report: RankingReport | None
    setting: Setting
    readings: tuple[Reading, ...] = ()
    is_part: bool = False
    command: str = ""
    provenance: tuple[str, ...] = ()
    dashboard: str = ""
    paper: PaperRequest = field(default_factory=PaperRequest)

    @cached_property
    def datasets(self) -> tuple[str, ...]:
        known = tuple(values_in(self.archive.datasets, "dataset"))
        ranked = {path.split("/")[1] for path in self.table.task_paths}
        return tuple(name for name in known if name in ranked) if self.is_part else known

    @cached_property
    def methods(self) -> tuple[str, ...]:
        if self.is_part:
            return self.table.methods
        return method_order(self.archive)

    @cached_property
    def styles(self) -> "dict[str, MethodStyle]":
        from delvecore.plots import theme

        return theme.method_styles(dict.fromkeys((*method_order(self.archive), *self.table.methods)))

    @cached_property
    def tasks(self) -> dict[TaskId, str]:
        """The loss for each task: the ranked loss if it has results, otherwise the default loss of the
        task."""
        loss_by_task = {}
        ranked = set(self.table.task_paths)
        for task, losses in self.archive.index.methods_on.items():
            if not self.is_part or task.path in ranked:
                usual = min(losses, key=words.loss_preference)
                loss_by_task[task] = self.measure.key if self.measure.key in losses else usual
        return loss_by_task


def site_of(request: Request) -> Site:
    """Return the site of a ranking and the archive that it comes from.

    Raises DelveError if there is nothing to rank or to compare."""
    folders = {name: Names(name) for name in ("arrays", "datasets", "methods", "questions")}
    arrays = [*_array_pages(request, folders["arrays"])]
    datasets = [*_dataset_pages(request, folders["datasets"])]
    methods = [*_method_pages(request, folders["methods"])]
    ranking = [*_ranking_pages(request, folders["questions"])]
    tables = _tables_page(request)
    lists = {"Task-arrays": arrays, "Datasets": datasets, "Methods": methods}
    first = _first_page(request, {"Questions": ranking[2:], **lists})
    main = [("Leaderboard", first.path), *((page.name, page.path) for page in ranking[:2])]
    main += [(tables.name, tables.path)]
    pages = (first, *ranking, tables, *arrays, *datasets, *methods)
    title = f"{counted(len(request.methods), 'method')} on {counted(len(request.tasks), 'task')}"
    return Site(title, pages, tuple(main), request.command, request.provenance, request.dashboard)


def _view(page: str, **parameters: str) -> str:
    query = urlencode(parameters)
    return f"{page}?{query}" if query else page


def _part(request: Request, answer: Answer, name: str, title: str = "") -> Part:
    """Return an answer with its figure, if it has one."""
    return Part(title, answer, _drawn(request, answer), name)


def _drawn(request: Request, answer: Answer) -> "Figure | None":
    from delvecore.plots.draw import draw

    return None if answer.figure is None else draw(answer, request.styles)


def _first_page(request: Request, lists: Mapping[str, Sequence[Page]]) -> Page:
    if request.report is None:
        answers = of_one_task(
            request.archive, request.table, measure=request.measure, setting=request.setting
        )
        parts = [_part(request, one, one.question, one.question) for one in answers if one is not None]
        finding = answers[1].headline
    else:
        board = _answer(request, "leaderboard")
        finding, parts = board.headline, [_part(request, board, "leaderboard", "Leaderboard")]
    read = " ".join(map(as_name, read_back_lines(request.readings)))
    content = content_sentence(request.archive)
    linked = [
        Part(title, links=tuple((page.name, page.path) for page in pages))
        for title, pages in lists.items()
        if pages
    ]
    about = Part("What is compared", text=f"{content} {read}")
    return Page("index.html", "Page", "Leaderboard", finding, (*parts, *linked, about), "leaderboard")


# The ranking.


def _answer(request: Request, word: str) -> Answer:
    """Answer a question about the ranking. Raises DelveError if it cannot be answered."""
    report = request.report
    single = QUESTIONS[word].of_single_tasks or report is None
    scores = request.table if single or report is None else report.analysis
    test = {} if report is None else {"test": report.verdicts.test}
    about: dict[str, Any] = {"measure": request.measure, "setting": request.setting, **test}
    return answer_to(word, request.archive, scores, **about)


def _ranking_pages(request: Request, names: Names) -> Iterator[Page]:
    from delvecore.plots.site_figures import ranking_diagram

    report = request.report
    if report is None:
        return
    analysis, verdicts = report.analysis, report.verdicts
    ranking = Ranking(report, readings=request.readings)
    finding = ranking_sentence(analysis, verdicts, quantity=analysis.table.quantity)
    order = names_in_order(analysis)
    drawing, methods = ranking.drawing, report.methods
    shown = Answer("methods", "", methods, (drawing.caption,), alt=drawing.alt)
    texts = {
        "critical-difference.svg": drawing.svg,
        "critical-difference.tex": latex_comment(request.provenance) + drawing.latex,
        "ranking.json": ranking_text(report, "json", readings=request.readings),
        "ranking.tex": latex_comment(request.provenance) + ranking_text(report, "latex"),
    }
    files = {name: text.encode("utf-8", "surrogateescape") for name, text in texts.items()}
    cd = Part(
        "Critical-difference diagram",
        shown,
        ranking_diagram(analysis, verdicts, request.styles),
        "methods",
        table=html_grid(ranking_grid(report)),
        files=files,
        is_listed=False,
    )
    places = places_answer(analysis, verdicts, order)
    best = ", ".join(map(as_name, report.may_be_best))
    tied = Part("Which methods may be the best?", text=f"{best}." if best else "No set can be determined.")
    title = "Which places may each method have?"
    parts = (cd, tied, _part(request, places, "places", title))
    yield Page("ranking.html", "Page", "Ranking", finding, parts, "ranking")
    pairs = pairs_answer(analysis, verdicts, order[:MOST_DRAWN])
    sentence = pairs_words(pairs_answer(analysis, verdicts, order).table)
    every = Answer("pairs", sentence, report.pairs_of(), pairs.notes, alt=pairs.alt)
    part = Part("Every pair of methods", every, _drawn(request, pairs), "pairs")
    yield Page("pairs.html", "Page", "Pairs", every.headline, (part,), "ranking")
    reasons = []
    for word, question in QUESTIONS.items():
        if word == "leaderboard" or (question.of_single_tasks and word not in SINGLE_TASKS):
            continue
        title = question.title or question.meaning.capitalize()
        if question.is_slow and len(order) > MOST_ASKED:
            reasons.append(f"{title} This takes too long for more than {MOST_ASKED} methods.")
            continue
        try:
            answer = _answer(request, word)
        except DelveError as error:
            reasons.append(f"{title} {error}")
            continue
        is_listed = len(answer.table) <= MOST_ROWS
        part = replace(_part(request, answer, word, "Numbers"), is_listed=is_listed)
        yield Page(names.path(word), "Question", title, answer.headline, (part,), "ranking")
    if reasons:
        lines = "\n".join(reasons)
        finding = f"{counted(len(reasons), 'question')} cannot be answered with these data."
        yield Page(names.path("unanswered"), "Page", "Not answered", finding, (Part(lines=lines),))


# Task-arrays.


def _array_pages(request: Request, names: Names) -> Iterator[Page]:
    archive = request.archive
    for array in archive.arrays:
        members = {member.dataset for member in array.members}
        losses = {loss for task, loss in request.tasks.items() if task.dataset in members}
        if losses and (not request.is_part or members <= {*request.datasets}):
            usual = min(losses, key=words.loss_preference)
            loss = request.measure.key if request.measure.key in losses else usual
            yield _array_page(request, array.name, loss, names)


def _array_page(request: Request, name: str, loss: str, names: Names) -> Page:
    from delvecore.plots import theme
    from delvecore.plots.site_figures import array_figure
    from delvecore.plots.task_arrays.panels import looks_of

    about: dict[str, Any] = {"loss": loss, "setting": request.setting}
    about |= {"methods": request.methods} if request.is_part else {}
    view = request.archive.array(name, **about)
    view = replace(view, reference=view.order[0])
    looks = looks_of(view.order, known=request.styles, colored=view.order[: len(theme.COLORS)])
    parts = []
    for key, question in ARRAY_QUESTIONS.items():
        answer = view.answer(key)
        parts.append(Part(question.meaning.capitalize(), answer, array_figure(answer, looks), key))
    finding = _array_finding(view)
    return Page(names.path(name), "Task-array", name, finding, tuple(parts), _view("arrays", array=name))


def _array_finding(view: ArrayView) -> str:
    """Count the tasks of an array on which each method is best."""
    winners = with_winners(view.answer("winners").figure.table)
    unit = array_unit(None, values_of(winners, "dataset"))
    methods = best_first(view.results)
    return array_finding(view.array, winners, methods, measure=view.measure, unit=unit)


# Tasks, datasets and methods.


def _task_parts(request: Request, compared: TaskComparison) -> Iterator[Part]:
    """Yield the methods of a task, and its pairs."""
    from delvecore.plots.comparison import overview_figure

    losses, table = compared.overview(), compared.estimates_table
    columns = map(compared.column, ("mean", "standard_error"))
    shown = table.select("method", *columns, "against")
    methods = replace(losses, headline=compared.sentence, table=shown, figure=None)
    methods = replace(methods, alt=losses.headline)
    is_drawn = len(request.tasks) <= MOST_TASKS_DRAWN
    figure = overview_figure(losses) if is_drawn else None
    name = safe_name(compared.place.title)
    yield Part(compared.place.title, methods, figure, name)
    if pairs := len(compared.pairs):
        is_listed = pairs <= MOST_PAIRS
        title = f"Pairs on {compared.place.title}" if is_listed else ""
        numbers = map(compared.column, ("difference", "lower", "upper"))
        keys = ("method_a", "method_b", *numbers, "p_adjusted", "verdict")
        answer = replace(compared.pairs_answer(), table=compared.pairs_table.select(*keys))
        yield Part(title, answer, None, f"{name}-pairs", is_listed=is_listed)


def _comparison(request: Request, task: TaskId, loss: str) -> TaskComparison | None:
    """Return the comparison of all methods on a task; None for a single method."""
    archive = request.archive
    rows = task_estimates(archive, task.path, loss)
    if request.is_part:
        rows = tuple(row for row in rows if row["method"] in request.table.methods)
    if len(rows) < 2:
        return None
    names = [row["method"] for row in rows]
    constant = rows[0]["standardizer"]
    measure = archive.measures[loss]
    losses = archive.losses_at(task.path, loss=loss)
    about: dict[str, Any] = {"family": names, "shown": names, "standardizer": constant}
    pairs = task_pairs(archive, task.path, losses, setting=request.setting, **about)
    return TaskComparison(
        task,
        measure,
        rows,
        pairs,
        names[0],
        setting=request.setting,
        is_standardized=measure.is_loss and usable_constant(loss, constant) is not None,
        looks={name: request.styles[name] for name in names},
    )


def _dataset_pages(request: Request, names: Names) -> Iterator[Page]:
    about = rows_of(request.archive.datasets, ("dataset", "title", "summary"))
    texts = {dataset: (title, summary) for dataset, title, summary in about}
    for dataset in request.datasets:
        title, summary = texts[dataset]
        tasks = [task for task in request.tasks if task.dataset == dataset]
        known = [one for task in tasks if (one := _comparison(request, task, request.tasks[task]))]
        parts = [Part(text=as_name(title))] if title else []
        parts += [part for one in known for part in _task_parts(request, one)]
        parts += _data_parts(request.archive, dataset, summary)
        finding = f"{as_name(dataset)}: {_dataset_finding(request, known)}"
        view = _view("datasets", dataset=dataset)
        terms = tuple(one.place.title for one in known)
        yield Page(names.path(dataset), "Dataset", dataset, finding, tuple(parts), view, terms)


def _dataset_finding(request: Request, compared: Sequence[TaskComparison]) -> str:
    """Return the methods that may be the best on each task of a dataset; for a single task, its sentence."""
    if len(compared) == 1:
        return compared[0].sentence
    ranked = dict(zip(request.table.task_paths, request.table.tasks, strict=True))
    chosen = [ranked[one.place.path] for one in compared if one.place.path in ranked]
    if chosen and request.archive.has_training_sets:
        own = replace(request, table=request.table.select(tasks=chosen), report=None)
        return _answer(own, "best").headline
    return compared[0].sentence if compared else "fewer than two methods have results."


def _data_parts(archive: Archive, dataset: str, summary: str | None) -> Iterator[Part]:
    """Yield the description of a dataset: its summary, its attributes, the priors of its prototasks."""
    if summary:
        yield Part("Summary", lines=summary.strip())
    attributes, priors = (
        table.filter(pc.equal(table["dataset"], dataset)).to_pylist()
        for table in (archive.attributes, archive.priors)
    )
    if attributes:
        yield Part("Attributes", _listed("attributes", attributes, ATTRIBUTES), None, "attributes")
    for prototask, group in groupby(priors, key=lambda one: one["prototask"]):
        shown = [{**one, "levels": words.prior_levels(one["levels"])} for one in group]
        name = f"priors-{safe_name(prototask)}"
        yield Part(f"Priors of {prototask}", _listed("priors", shown, PRIORS), None, name)


def _listed(key: str, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, tuple[str, Kind]]) -> Answer:
    cells = [[row[name] for name in columns] for row in rows]
    return Answer(key, "", table_of(cells, [(name, *about) for name, about in columns.items()]))


def _method_pages(request: Request, names: Names) -> Iterator[Page]:
    summaries = dict(rows_of(request.archive.methods, ("method", "summary")))
    report = request.report
    pairs = None if report is None else report.pairs_of()
    for method in request.methods:
        parts = []
        finding = f"{as_name(method)}: no results to compare."
        where = where_it_wins(request.archive, method, loss=request.measure.key)
        if where is not None:
            answer = where_answer(where)
            finding = answer.headline
            parts.append(_part(request, answer, "where", "Where does it win, and where does it lose?"))
        if pairs is not None:
            sides = zip(pairs["method_a"], pairs["method_b"], strict=True)
            if rows := [place for place, pair in enumerate(sides) if method in pair]:
                others = Answer("others", "", pairs.take(rows))
                parts.append(Part("Against every other method", others, None, "others"))
        if summary := summaries.get(method):
            parts.append(Part("Summary", lines=summary.strip()))
        view = _view("methods", method=method)
        yield Page(names.path(method), "Method", method, finding, tuple(parts), view)


# Tables.


def _tables_page(request: Request) -> Page:
    """Return the page with a table for a paper in all formats."""
    table = paper_table(request.archive, request.paper)
    formats = [(form, about) for form, about in PAPER_FORMATS.items() if form != "parquet"]
    files = {f"table-{form}.{about.suffix}": paper_table_bytes(table, form) for form, about in formats}
    shown = paper_table_bytes(table, "html", bare=True).decode("utf-8", "surrogateescape")
    part = Part("Table of a paper", table=shown, files=files)
    finding = f"{counted(len(request.table.methods), 'method')} on each task, as a table for a paper."
    return Page("tables.html", "Page", "Tables", finding, (part,), "tables")
