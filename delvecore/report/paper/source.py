"""The table of a paper from an archive, or from a table of scores: its rows, its columns, what is in them.

`request` is what a command or a page asks for; what it leaves open is filled in and stands in the provenance.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from delvecore.errors import DelveError
from delvecore.losses.published import PublishedValue
from delvecore.losses.spec import PREFERRED, is_higher_better, loss_order, shown_name
from delvecore.report.paper import archive_values
from delvecore.report.paper.archive_values import ArchiveValues
from delvecore.report.paper.notes import (
    TableFacts,
    caption_of,
    marks_of,
    notes_of,
    shown_words,
)
from delvecore.report.paper.published import Beside, Find, published_beside, with_published
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.standings import PairFound, RankRow, rank_row, with_standings
from delvecore.report.paper.table import Head, PaperCell, PaperTable, table_decimals
from delvecore.report.paper.task_levels import (
    PaperArchive,
    Task,
    TaskFacts,
    factor_names,
    path_of,
    task_levels,
)
from delvecore.report.provenance import Provenance, digest_of
from delvecore.report.shared_cases import shared_case_notes
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["archive_paper_table", "score_paper_table", "tasks_below"]

UNTESTABLE = "a single score says nothing of its own uncertainty"


def archive_paper_table(
    archive: PaperArchive, request: PaperRequest, *, published: Find = lambda task, loss: ()
) -> PaperTable:
    """Return the table that is asked for, from the results of an Archive; published: what stands beside
    them. Raises DelveError where there is nothing to show: no tasks below a path, no results, no such method,
    factor or reference."""
    facts = task_levels(archive)
    tasks = tasks_below(request.paths, facts)
    request = _filled_in(archive, request, tasks)
    values = ArchiveValues(archive, request)
    tasks = [task for task in tasks if any(values.has(task, method) for method in request.methods)]
    if request.by:
        tasks = _tasks_with_factors(archive, tasks, facts, request.by)
    chosen = [facts[task] for task in tasks]
    if request.by:
        titles, heads, rows = archive_values.level_rows(chosen, values, request, archive)
    else:
        titles, heads, rows = archive_values.task_rows(chosen, values, request)
    found = TableFacts(request, titles, heads, rows, tests=values.tests(tasks))
    name = ", ".join(os.path.basename(path) for path in archive.sources)
    scores = values.score_table(tasks, request.methods)
    said = shared_case_notes(archive.results, set(map(path_of, tasks)))
    elsewhere = {} if request.by or not request.published else _published(tasks, published, request)
    beside = published_beside(elsewhere, values.published)
    source, ranks = (name, archive.state), _ranks(scores, request)
    return _finished(found, scores.quantity, source, ranks=ranks, said=said, beside=beside)


def _published(
    tasks: Sequence[Task], find: Find, request: PaperRequest
) -> dict[str, Sequence[PublishedValue]]:
    return {path_of(task): find(task, request.loss or "") for task in tasks}


def score_paper_table(table: ScoreTable, request: PaperRequest) -> PaperTable:
    """Return the table that is asked for, from scores without errors; request.paths: the file's path. Raises
    DelveError for an unknown method or reference, and where rows are to be levels of factors."""
    if request.by:
        raise DelveError("expected --by for an archive only, since a table of scores does not know its tasks")
    methods = request.methods or table.methods
    unknown = [name for name in (*methods, request.reference) if name and name not in table.methods]
    if unknown:
        raise DelveError(f"{unknown[0]}: expected a method among {', '.join(table.methods)}")
    request = replace(request, loss=None, methods=tuple(methods))
    used = table.select(methods=methods)
    ranks = _ranks(used, request)
    heads = [Head("task", (name,), (name,)) for name in used.tasks]
    found = TableFacts(request, ("Task",), heads, _score_rows(used, request, _shown(request, ranks)))
    name = ", ".join(os.path.basename(path) for path in request.files or request.paths[:1])
    return _finished(found, used.quantity, (name, ""), ranks=ranks)


def _score_rows(table: ScoreTable, request: PaperRequest, shown: Sequence[str]) -> list[dict[str, PaperCell]]:
    """Return the cells of the methods shown, and of the two best of each row, which say how these stand."""
    pair, rows = PairFound(note=UNTESTABLE), []
    order = np.argsort(-table.values if request.higher_is_better else table.values, axis=1, kind="stable")
    places = [table.methods.index(name) for name in shown]
    for values, best in zip(table.values, order[:, :2].tolist(), strict=True):
        chosen = list(dict.fromkeys((*places, *best)))
        cells = {
            table.methods[place]: PaperCell(None, missing="no score") if value != value else PaperCell(value)
            for place, value in zip(chosen, values[chosen].tolist(), strict=True)
        }
        rows.append(with_standings(cells, lambda *_: pair, request))
    return rows


def tasks_below(paths: Sequence[str], facts: Mapping[Task, TaskFacts]) -> list[Task]:
    """Return the tasks at and below paths such as `/demo/age`, in the archive's order; DelveError for a path
    without tasks."""
    chosen: set[Task] = set()
    for path in paths:
        names = tuple(path.strip("/").split("/")) if path.strip("/") else ()
        below = [task for task in facts if task[: len(names)] == names]
        if not below:
            raise DelveError(f"{path}: expected a place with tasks, found none; dls and dinfo list them")
        chosen.update(below)
    return [task for task in facts if task in chosen]


def _filled_in(archive: PaperArchive, request: PaperRequest, tasks: Sequence[Task]) -> PaperRequest:
    """Return the request with its loss and methods, which must have results on the tasks."""
    wanted = set(tasks)
    names = ("dataset", "prototask", "task", "loss", "method")
    rows = [
        (loss, method)
        for *task, loss, method in zip(*(archive.results[name].to_pylist() for name in names), strict=True)
        if tuple(task) in wanted
    ]
    if request.methods:
        known = archive.methods["method"].to_pylist()
        unknown = [name for name in (*request.methods, request.reference) if name and name not in known]
        if unknown:
            raise DelveError(f"{unknown[0]}: expected a method, found none; mls / lists the methods")
        rows = [row for row in rows if row[1] in request.methods]
    counts = Counter(loss for loss, _ in rows)
    preferred = [*PREFERRED, *sorted(set(counts).difference(PREFERRED), key=loss_order)]
    loss = request.loss or max(filter(counts.get, preferred), key=counts.__getitem__, default=None)
    if loss is None or not counts[loss]:
        under = f" under loss {loss}" if loss else ""
        where = ", ".join(request.paths)
        raise DelveError(f"{where}: expected results{under}, found none; mloss makes losses of predictions")
    methods = request.methods or tuple(sorted({method for own, method in rows if own == loss}))
    if request.reference and request.reference not in methods:
        raise DelveError(f"{request.reference}: expected a reference among {', '.join(methods)}")
    request = replace(request, loss=loss, methods=tuple(dict.fromkeys(methods)))
    return replace(request, higher_is_better=is_higher_better(loss))


def _tasks_with_factors(
    archive: PaperArchive, tasks: Sequence[Task], facts: Mapping[Task, TaskFacts], names: Sequence[str]
) -> list[Task]:
    """Return the tasks that all of the factors apply to; DelveError for an unknown factor and for no task."""
    known = factor_names(archive)
    for name in names:
        if name not in known:
            raise DelveError(f"expected factors among {', '.join(known)}, found {name!r}")
    found = [task for task in tasks if all(name in facts[task].factors for name in names)]
    if not found:
        raise DelveError(
            f"expected tasks with results to which {' and '.join(names)} apply, found none; choose others "
            "of the tasks or factors"
        )
    return found


def _finished(
    facts: TableFacts,
    quantity: str,
    source: tuple[str, str],
    *,
    ranks: RankRow | None,
    said: Sequence[str] = (),
    beside: Beside | None = None,
) -> PaperTable:
    """Return the table with its ranks. quantity: of the scores; source: name and state of what was read;
    said: further notes; beside: what was published elsewhere."""
    request = facts.request
    if ranks is not None and request.ranks:
        head = Head("rank", ("Average rank", *[""] * (len(facts.titles) - 1)))
        facts = replace(facts, heads=[head, *facts.heads], rows=[ranks.cells, *facts.rows], ranks=ranks)
    methods = _shown(request, ranks)
    facts = replace(facts, rows=[{name: row[name] for name in methods} for row in facts.rows])
    caption, quantity = caption_of(request, quantity)
    numbers = (
        (head.labels, method, cell.value, cell.error, cell.standing, cell.p)
        for head, row in zip(facts.heads, facts.rows, strict=True)
        for method, cell in row.items()
    )
    provenance = Provenance(*source, digest_of(numbers), request.options, request.arguments)
    table = PaperTable(
        caption=caption,
        quantity=quantity,
        row_titles=facts.titles,
        column_titles=("Method",),
        rows=tuple(facts.heads),
        columns=tuple(Head("method", (method,)) for method in methods),
        cells=tuple(tuple(row.values()) for row in facts.rows),
        decimals=(),
        marks=marks_of(facts),
        notes=(*notes_of(facts), *said, *shown_words(request, ranks, methods)),
        label=f"tab:{'scores' if request.loss is None else 'losses-' + shown_name(request.loss)}",
        provenance=provenance,
        methods=len(request.methods),
        ranked_tasks=0 if facts.ranks is None else len(facts.ranks.found.table.tasks),
    )
    table = with_published(table, beside) if beside and beside.cells else table
    return table_decimals(table.transposed if request.transpose else table, request.digits)


def _ranks(scores: ScoreTable, request: PaperRequest) -> RankRow | None:
    return rank_row(scores, request) if request.ranks or request.top else None


def _shown(request: PaperRequest, ranks: RankRow | None) -> tuple[str, ...]:
    """Return the methods of the columns, in their order."""
    if request.top is None:
        return request.methods
    ordered = request.methods
    if ranks is not None:
        ordered = tuple(ranks.found.table.methods[place] for place in ranks.found.order)
    own = {request.mine, request.reference}
    return tuple(name for place, name in enumerate(ordered) if place < request.top or name in own)
