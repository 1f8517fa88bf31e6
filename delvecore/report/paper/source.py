"""The table of a paper from an archive, or from a table of scores: its rows, its columns, what is in them.

`request` is what a command or a page asks for; what it leaves open is filled in and stands in the provenance.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from delvecore.errors import DelveError
from delvecore.losses.spec import PREFERRED, loss_order
from delvecore.report.paper.factors import TaskFacts, factor_names, task_levels
from delvecore.report.paper.levels import level_rows
from delvecore.report.paper.notes import TableFacts, archive_caption, marks_of, notes_of, score_caption
from delvecore.report.paper.request import PaperRequest, request_arguments
from delvecore.report.paper.standings import PairFound, rank_row, with_standings
from delvecore.report.paper.table import TASK_TITLES, Head, PaperCell, PaperTable, table_decimals
from delvecore.report.paper.values import ArchiveValues, PaperArchive, Task
from delvecore.report.provenance import Provenance, digest_of
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["archive_paper_table", "score_paper_table", "tasks_below"]

UNTESTABLE = "a single score says nothing of its own uncertainty"


@dataclass(frozen=True)
class _Body:
    """What a table is made of. titles: of the labels of rows; cells: by method, one a row; scores: what is
    ranked; source: name and state of what was read."""

    titles: tuple[str, ...]
    heads: Sequence[Head]
    cells: Sequence[Mapping[str, PaperCell]]
    scores: ScoreTable
    source: tuple[str, str]


def archive_paper_table(archive: PaperArchive, request: PaperRequest) -> PaperTable:
    """Return the table that is asked for, from the results of an Archive.

    Raises DelveError where there is nothing to show: no tasks below a path, no results, no such method,
    factor or reference.
    """
    facts = task_levels(archive)
    tasks = tasks_below(archive, request.paths, facts)
    request = _filled_in(archive, request, tasks)
    values = ArchiveValues(archive, request.loss or "", raw=request.raw)
    tasks = [task for task in tasks if any(values.has(task, method) for method in request.methods)]
    if request.by:
        tasks = _tasks_with_factors(archive, tasks, facts, request.by)
        titles, heads, rows = level_rows([facts[task] for task in tasks], values, request, archive)
    else:
        titles, heads = TASK_TITLES, [_task_head(facts[task]) for task in tasks]
        rows = [_task_cells(task, values, request) for task in tasks]
    scores = values.score_table(tasks, request.methods)
    source = ", ".join(os.path.basename(path) for path in archive.paths), archive.state
    body = _Body(tuple(titles), heads, rows, scores, source)
    found = TableFacts(request, values.tests(tasks), None, bool(request.by))
    return _finished(request, body, found, *archive_caption(request))


def score_paper_table(table: ScoreTable, request: PaperRequest) -> PaperTable:
    """Return the table that is asked for, from scores without errors; request.paths: the file's path.

    Raises DelveError for an unknown method or reference, and where rows are to be levels of factors.
    """
    if request.by:
        raise DelveError("expected --by for an archive only, since a table of scores does not know its tasks")
    methods = request.methods or table.methods
    unknown = [name for name in (*methods, request.reference) if name and name not in table.methods]
    if unknown:
        raise DelveError(f"{unknown[0]}: expected a method among {', '.join(table.methods)}")
    request = request.with_methods(loss=None, methods=tuple(methods))
    used = table.select(methods=methods)
    pair = PairFound(None, None, note=UNTESTABLE)
    rows = []
    for values in used.values.tolist():
        cells = {
            name: PaperCell(None, missing="no score") if value != value else PaperCell(value)
            for name, value in zip(methods, values, strict=True)
        }
        rows.append(with_standings(cells, lambda *_: pair, request))
    heads = [Head("task", (name,), (name,)) for name in used.tasks]
    body = _Body(("Task",), heads, rows, used, (os.path.basename(request.paths[0]), ""))
    found = TableFacts(request, (), None, False, has_errors=False)
    return _finished(request, body, found, *score_caption(request, table.quantity))


def tasks_below(archive: PaperArchive, paths: Sequence[str], facts: Mapping[Task, TaskFacts]) -> list[Task]:
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
    rows = [
        row
        for row in archive.results.select(["method", "dataset", "prototask", "task", "loss"]).to_pylist()
        if (row["dataset"], row["prototask"], row["task"]) in wanted
    ]
    if request.methods:
        _check_methods(archive, (*request.methods, *filter(None, [request.reference])))
        rows = [row for row in rows if row["method"] in request.methods]
    counts = Counter(row["loss"] for row in rows)
    loss = request.loss or min(counts, key=lambda name: (-counts[name], *_preference(name)), default=None)
    if loss is None or not counts[loss]:
        under = f" under loss {loss}" if loss else ""
        where = ", ".join(request.paths)
        raise DelveError(f"{where}: expected results{under}, found none; mloss makes losses of predictions")
    methods = request.methods or tuple(sorted({row["method"] for row in rows if row["loss"] == loss}))
    if request.reference and request.reference not in methods:
        raise DelveError(f"{request.reference}: expected a reference among {', '.join(methods)}")
    return request.with_methods(loss=loss, methods=tuple(dict.fromkeys(methods)))


def _preference(loss: str) -> tuple[int, Any]:
    return (PREFERRED.index(loss) if loss in PREFERRED else len(PREFERRED), loss_order(loss))


def _check_methods(archive: PaperArchive, names: Sequence[str]) -> None:
    known = archive.methods["method"].to_pylist()
    for name in names:
        if name not in known:
            raise DelveError(f"{name}: expected a method, found none; mls / lists the methods")


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


def _task_head(facts: TaskFacts) -> Head:
    dataset, prototask, _ = facts.task
    prior = "" if facts.prior == "std" else f" ({facts.prior})"
    path = "/" + "/".join(facts.task)
    return Head("task", (f"{dataset}/{prototask}{prior}", f"{facts.training_size}"), (path,))


def _task_cells(task: Task, values: ArchiveValues, request: PaperRequest) -> dict[str, PaperCell]:
    cells = {method: values.cell(task, method) for method in request.methods}
    return with_standings(cells, lambda first, second: values.pair(task, first, second), request)


def _finished(
    request: PaperRequest, body: _Body, facts: TableFacts, caption: str, quantity: str
) -> PaperTable:
    heads = list(body.heads)
    cells = [tuple(row[method] for method in request.methods) for row in body.cells]
    if request.ranks and (ranks := rank_row(body.scores, request)) is not None:
        heads.append(Head("rank", ("Average rank", *[""] * (len(body.titles) - 1))))
        cells.append(ranks.cells)
        facts = replace(facts, ranks=ranks)
    table = PaperTable(
        caption=caption,
        quantity=quantity,
        direction="higher" if request.higher_is_better else "lower",
        row_titles=body.titles,
        column_titles=("Method",),
        rows=tuple(heads),
        columns=tuple(Head("method", (method,)) for method in request.methods),
        cells=tuple(cells),
        decimals=(),
        marks=marks_of(cells, facts),
        notes=notes_of(heads, cells, facts),
        label=f"tab:{'scores' if request.loss is None else 'losses-' + request.loss}",
        provenance=_provenance(request, body.source, heads, cells),
        ranked_tasks=0 if facts.ranks is None else facts.ranks.tasks,
    )
    return table_decimals(table.transposed if request.transpose else table, request.digits)


def _provenance(
    request: PaperRequest,
    source: tuple[str, str],
    heads: Sequence[Head],
    cells: Sequence[tuple[PaperCell, ...]],
) -> Provenance:
    archive, state = source
    shown = [
        (head.labels, method, cell.value, cell.error, cell.standing, cell.p)
        for head, row in zip(heads, cells, strict=True)
        for method, cell in zip(request.methods, row, strict=True)
    ]
    arguments = request_arguments(request, is_file=not state)
    return Provenance(archive, state, digest_of(shown), request.options, arguments)
