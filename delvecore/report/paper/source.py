"""The table of a paper from an archive, or from a table of scores: its rows, its columns, what is in them.

`request` is what a command or a page asks for; what it leaves open is filled in and stands in the provenance.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.errors import DelveError
from delvecore.losses.published import PublishedValue
from delvecore.losses.spec import is_higher_better, loss_order, shown_name
from delvecore.losses.standard_losses import PREFERRED
from delvecore.model import TaskId, is_below, place_names
from delvecore.number_format.text_columns import task_paths
from delvecore.report.paper.notes import TableFacts, caption_of, marks_of, notes_of, shown_words
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.standings import RankRow, rank_row
from delvecore.report.paper.table import TASK_TITLES, Head, PaperTable, table_decimals
from delvecore.report.paper.task_levels import PaperArchive, TaskFacts, factor_names, task_levels
from delvecore.report.paper.values import ArchiveValues, ScoreValues, level_rows, task_rows
from delvecore.report.provenance import Provenance, digest_of
from delvecore.report.published import Beside, Find, published_beside, with_published
from delvecore.report.ranking.sentences import run_sentences
from delvecore.report.shared_cases import shared_case_notes
from delvecore.stats.ranking.score_table import CommonRuns, ScoreTable


def archive_values(archive: PaperArchive, request: PaperRequest) -> ArchiveValues:
    """Return what an archive says of what is asked for. Raises DelveError where there is nothing to show: no
    tasks below a path, no results, no such method, factor or reference."""
    known = task_levels(archive)
    tasks = tasks_below(request.paths, known)
    request = _filled_in(archive, request, tasks)
    found = archive.common_results(
        loss=request.loss or "", places=request.places, methods=request.methods, keep=request.kept
    )
    methods = _ranked(request.methods, found.methods, found.runs)
    facts = [known[task] for task in tasks]
    values = ArchiveValues(archive, replace(request, methods=methods), facts, found)
    if request.by:
        _check_factors(archive, values)
    return values


def archive_paper_table(
    archive: PaperArchive,
    request: PaperRequest,
    *,
    values: ArchiveValues | None = None,
    published: Find = lambda task, loss: (),
) -> PaperTable:
    """Return the table that is asked for, from the results of an Archive; values: those of the request, where
    they are at hand; published: what stands beside them. Raises DelveError as `archive_values` does."""
    values = values or archive_values(archive, request)
    asked = values.request
    request = replace(
        request, loss=asked.loss, methods=asked.methods, higher_is_better=asked.higher_is_better
    )
    ranks = _ranks(values.scores, request)
    shown = _shown(request, ranks)
    rows = level_rows(values, request, archive) if request.by else task_rows(values, request, shown)
    found = TableFacts(request, *rows, tests=values.tests, runs=values.runs)
    said = shared_case_notes(archive.results, set(values.scores.tasks))
    elsewhere = {} if request.by or not request.published else _published(values.tasks, published, request)
    beside = published_beside(elsewhere, values.published)
    source = ", ".join(os.path.basename(path) for path in archive.sources), archive.state
    quantity = values.scores.quantity
    return _finished(found, shown, quantity, source, ranks=ranks, said=said, beside=beside)


def _published(
    tasks: Sequence[TaskId], find: Find, request: PaperRequest
) -> dict[str, Sequence[PublishedValue]]:
    return {task.path: find(task, request.loss or "") for task in tasks}


def score_values(table: ScoreTable, request: PaperRequest) -> ScoreValues:
    """Return what scores say of what is asked for. Raises DelveError for an unknown method or reference, and
    where rows are to be levels of factors."""
    if request.by:
        raise DelveError("expected --by for an archive only, since a table of scores does not know its tasks")
    methods = request.methods or table.methods
    unranked = [one.method for one in table.runs.unranked] if table.runs else []
    there = {*table.methods, *unranked}
    unknown = [name for name in (*methods, request.reference) if name and name not in there]
    if unknown:
        raise DelveError(f"{unknown[0]}: expected a method among {', '.join(table.methods)}")
    return ScoreValues(table.select(methods=_ranked(methods, table.methods, table.runs)))


def _ranked(methods: Sequence[str], known: Sequence[str], runs: CommonRuns | None) -> tuple[str, ...]:
    """Return those of the methods that are known. Raises DelveError where that is none for want of runs."""
    found = tuple(name for name in methods if name in known)
    if not found:
        raise DelveError(
            f"expected a method with half of its runs, found none; {' '.join(run_sentences(runs))}"
        )
    return found


def score_paper_table(values: ScoreValues, request: PaperRequest) -> PaperTable:
    """Return the table that is asked for, from scores without errors; request.paths: the file's path."""
    used = values.table
    request = replace(request, loss=None, methods=used.methods, higher_is_better=used.higher_is_better)
    ranks = _ranks(used, request)
    shown = _shown(request, ranks)
    found = TableFacts(request, TASK_TITLES[:1], values.heads, values.rows(shown), runs=used.runs)
    name = ", ".join(os.path.basename(path) for path in request.files or request.paths[:1])
    return _finished(found, shown, used.quantity, (name, ""), ranks=ranks)


def tasks_below(paths: Sequence[str], facts: Mapping[TaskId, TaskFacts]) -> list[TaskId]:
    """Return the tasks at and below paths such as `/demo/age`, in the archive's order; DelveError for a path
    without tasks."""
    chosen: set[TaskId] = set()
    for path in paths:
        names = place_names(path)
        below = [task for task in facts if is_below(task, [names])]
        if not below:
            raise DelveError(f"{path}: expected a place with tasks, found none; dls and dinfo list them")
        chosen.update(below)
    return [task for task in facts if task in chosen]


def _filled_in(archive: PaperArchive, request: PaperRequest, tasks: Sequence[TaskId]) -> PaperRequest:
    """Return the request with its loss and methods, which must have results on the tasks."""
    is_wanted = pc.is_in(
        task_paths(archive.results), value_set=pa.array([task.path for task in tasks], pa.string())
    )
    found = archive.results.select(["loss", "method"]).filter(is_wanted)
    if request.methods:
        known = archive.methods["method"].to_pylist()
        unknown = [name for name in (*request.methods, request.reference) if name and name not in known]
        if unknown:
            raise DelveError(f"{unknown[0]}: expected a method, found none; mls / lists the methods")
        found = found.filter(pc.is_in(found["method"], value_set=pa.array(request.methods, pa.string())))
    counts = Counter(found["loss"].to_pylist())
    preferred = [*PREFERRED, *sorted(set(counts).difference(PREFERRED), key=loss_order)]
    loss = request.loss or max(filter(counts.get, preferred), key=counts.__getitem__, default=None)
    if loss is None or not counts[loss]:
        under = f" under loss {loss}" if loss else ""
        where = ", ".join(request.paths)
        raise DelveError(f"{where}: expected results{under}, found none; mloss makes losses of predictions")
    there = found["method"].filter(pc.equal(found["loss"], loss)).unique().to_pylist()
    methods = request.methods or tuple(sorted(there))
    if request.reference and request.reference not in methods:
        raise DelveError(f"{request.reference}: expected a reference among {', '.join(methods)}")
    request = replace(request, loss=loss, methods=tuple(dict.fromkeys(methods)))
    return replace(request, higher_is_better=is_higher_better(loss))


def _check_factors(archive: PaperArchive, values: ArchiveValues) -> None:
    """Raise DelveError for an unknown factor, and where no task with results has all."""
    names, known = values.request.by, factor_names(archive)
    for name in names:
        if name not in known:
            raise DelveError(f"expected factors among {', '.join(known)}, found {name!r}")
    if not values.facts:
        raise DelveError(
            f"expected tasks with results to which {' and '.join(names)} apply, found none; choose others "
            "of the tasks or factors"
        )


def _finished(
    facts: TableFacts,
    methods: Sequence[str],
    quantity: str,
    source: tuple[str, str],
    *,
    ranks: RankRow | None,
    said: Sequence[str] = (),
    beside: Beside | None = None,
) -> PaperTable:
    """Return the table with its ranks. methods: those shown; quantity: of the scores; source: name and state
    of what was read; said: further notes; beside: what was published elsewhere."""
    request = facts.request
    if ranks is not None and request.ranks:
        head = Head("rank", ("Average rank", *[""] * (len(facts.titles) - 1)))
        facts = replace(facts, heads=[head, *facts.heads], rows=[ranks.cells, *facts.rows], ranks=ranks)
    facts = replace(facts, rows=[{name: row[name] for name in methods} for row in facts.rows])
    caption, quantity = caption_of(request, quantity)
    numbers = (
        (head.labels, method, cell.value, cell.error, cell.standing, cell.p)
        for head, row in zip(facts.heads, facts.rows, strict=True)
        for method, cell in row.items()
    )
    # Methods that are named are kept: where runs failed the command names those that were asked for.
    asked = replace(request, methods=request.keep) if facts.runs and facts.runs.failed else request
    provenance = Provenance(*source, digest_of(numbers), asked.options, asked.arguments)
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
        runs=facts.runs,
        methods=len(request.methods),
        ranked_tasks=0 if facts.ranks is None else len(facts.ranks.found.table.tasks),
    )
    table = with_published(table, beside) if beside and beside.cells else table
    return table_decimals(table.transposed if request.methods_in == "rows" else table, request.digits)


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
