"""The table of a paper from an archive, or from a table of scores: its rows, its columns, what is in them.

`request` is what a command or a page asks for; what it leaves open is filled in and stands in the provenance.
"""

import os
from collections import Counter
from collections.abc import Sequence

from delvecore.errors import DelveError
from delvecore.losses.spec import PREFERRED, loss_order
from delvecore.report.paper.digits import table_decimals
from delvecore.report.paper.factors import factor_names, task_levels
from delvecore.report.paper.levels import level_rows
from delvecore.report.paper.notes import TableFacts, archive_caption, marks_of, notes_of, score_caption
from delvecore.report.paper.ranks import rank_row
from delvecore.report.paper.request import PaperRequest, request_arguments
from delvecore.report.paper.standings import PairFound, with_standings
from delvecore.report.paper.table import TASK_TITLES, Head, PaperCell, PaperTable
from delvecore.report.paper.values import ArchiveValues
from delvecore.report.provenance import Provenance, digest_of
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["archive_paper_table", "score_paper_table", "tasks_below"]

UNTESTABLE = "a single score says nothing of its own uncertainty"


def archive_paper_table(archive, request: PaperRequest) -> PaperTable:
    """Return the table that is asked for, from the results of an Archive.

    Raises DelveError where there is nothing to show: no tasks below a path, no results, no such method,
    factor or reference.
    """
    facts = task_levels(archive)
    tasks = tasks_below(archive, request.paths, facts)
    request = _filled_in(archive, request, tasks)
    values = ArchiveValues(archive, request.loss, raw=request.raw)
    tasks = [task for task in tasks if any(values.has(task, method) for method in request.methods)]
    if request.by:
        tasks = _tasks_with_factors(archive, tasks, facts, request.by)
        titles, heads, rows = level_rows([facts[task] for task in tasks], values, request, archive)
    else:
        titles, heads = TASK_TITLES, [_task_head(facts[task]) for task in tasks]
        rows = [_task_cells(task, values, request) for task in tasks]
    scores = values.score_table(tasks, request.methods)
    found = TableFacts(request, values.design_words(tasks), None, bool(request.by))
    caption, quantity = archive_caption(request)
    archive_name = ", ".join(os.path.basename(path) for path in archive.paths)
    return _finished(
        request, (titles, heads, rows), scores, found, caption, quantity, (archive_name, archive.state)
    )


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
    rows = []
    for values in used.values.tolist():
        cells = {
            name: PaperCell(None, missing="no score") if value != value else PaperCell(value)
            for name, value in zip(methods, values, strict=True)
        }
        direction = {"higher_is_better": request.higher_is_better}
        pair = PairFound(None, None, note=UNTESTABLE)
        rows.append(
            with_standings(
                cells, lambda a, b, pair=pair: pair, level=request.level, adjustment="none", **direction
            )
        )
    heads = [Head("task", (name,), (name,)) for name in used.tasks]
    found = TableFacts(request, (), None, False, has_errors=False)
    caption, quantity = score_caption(request, table.quantity)
    source = os.path.basename(request.paths[0]), ""
    return _finished(request, (("Task",), heads, rows), used, found, caption, quantity, source)


def tasks_below(archive, paths: Sequence[str], facts) -> list[tuple[str, str, str]]:
    """Return the tasks at and below paths such as `/demo/age`, in the archive's order; DelveError for a path
    without tasks."""
    chosen = set()
    for path in paths:
        names = tuple(path.strip("/").split("/")) if path.strip("/") else ()
        below = [task for task in facts if task[: len(names)] == names]
        if not below:
            raise DelveError(f"{path}: expected a place with tasks, found none; dls and dinfo list them")
        chosen.update(below)
    return [task for task in facts if task in chosen]


def _filled_in(archive, request, tasks):
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
    if not counts[loss]:
        under = f" under loss {loss}" if loss else ""
        where = ", ".join(request.paths)
        raise DelveError(f"{where}: expected results{under}, found none; mloss makes losses of predictions")
    methods = request.methods or tuple(sorted({row["method"] for row in rows if row["loss"] == loss}))
    if request.reference and request.reference not in methods:
        raise DelveError(f"{request.reference}: expected a reference among {', '.join(methods)}")
    return request.with_methods(loss=loss, methods=tuple(dict.fromkeys(methods)))


def _preference(loss):
    return (PREFERRED.index(loss) if loss in PREFERRED else len(PREFERRED), loss_order(loss))


def _check_methods(archive, names):
    known = archive.methods["method"].to_pylist()
    for name in names:
        if name not in known:
            raise DelveError(f"{name}: expected a method, found none; mls / lists the methods")


def _tasks_with_factors(archive, tasks, facts, names):
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


def _task_head(facts):
    dataset, prototask, _ = facts.task
    prior = "" if facts.prior == "std" else f" ({facts.prior})"
    path = "/" + "/".join(facts.task)
    return Head("task", (f"{dataset}/{prototask}{prior}", f"{facts.training_size}"), (path,))


def _task_cells(task, values, request):
    cells = {method: values.cell(task, method) for method in request.methods}
    return with_standings(
        cells,
        lambda first, second: values.pair(task, first, second),
        level=request.level,
        adjustment=request.adjust,
        reference=request.reference,
    )


def _finished(request, body, scores, facts, caption, quantity, source):
    titles, heads, rows = body
    cells = [tuple(row[method] for method in request.methods) for row in rows]
    if request.ranks and (ranks := rank_row(scores, request)) is not None:
        heads = [*heads, Head("rank", ("Average rank", *[""] * (len(titles) - 1)))]
        cells = [*cells, ranks.cells]
        facts = facts.with_ranks(ranks)
    archive, state = source
    names = [(head.labels, method) for head in heads for method in request.methods]
    flat = [(cell.value, cell.error, cell.standing, cell.p) for row in cells for cell in row]
    digest = digest_of([(*name, *one) for name, one in zip(names, flat, strict=True)])
    arguments = request_arguments(request, is_file=not state)
    table = PaperTable(
        caption,
        quantity,
        "higher" if request.higher_is_better else "lower",
        tuple(titles),
        ("Method",),
        tuple(heads),
        tuple(Head("method", (method,)) for method in request.methods),
        tuple(cells),
        (),
        marks_of(cells, facts),
        notes_of(heads, cells, facts),
        f"tab:{'scores' if request.loss is None else 'losses-' + request.loss}",
        Provenance(archive, state, digest, request.options, arguments),
        0 if facts.ranks is None else facts.ranks.tasks,
    )
    return table_decimals(table.transposed if request.transpose else table, request.digits)
