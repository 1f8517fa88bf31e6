"""The table of a paper from an archive or a table of scores: rows, columns, caption, marks and notes.

Defaults complete a PaperRequest of a command or a page, and appear in the provenance."""

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.errors import DelveError
from delvecore.losses.spec import loss_order
from delvecore.losses.standard_losses import PREFERRED, Loss
from delvecore.measures import Measure, column_measure
from delvecore.model import TaskId, is_below, place_names
from delvecore.number_format.columns import task_paths
from delvecore.render import verdicts
from delvecore.render.grid import BEST, BETTER_THAN, EQUAL, MARKS, UNTESTED, WORSE, WORSE_THAN
from delvecore.render.numbers import counted, p_words, parameter
from delvecore.render.provenance import Provenance, digest_of
from delvecore.render.verdicts import BETTER, NOT_WORSE
from delvecore.report.paper.table import (
    CASES,
    TASK_TITLES,
    Head,
    PaperCell,
    PaperRequest,
    PaperTable,
    table_decimals,
)
from delvecore.report.paper.values import (
    Analyses,
    ArchiveValues,
    PaperArchive,
    Ranks,
    Rows,
    factor_names,
    level_rows,
    not_compared,
    rank_cells,
    ranks_of,
    score_rows,
    task_levels,
    task_rows,
)
from delvecore.report.published import Find, with_published
from delvecore.report.ranking.sentences import (
    adjustment_name,
    basis_words,
    other_unit_words,
    run_sentences,
    standing_of,
    standing_sentence,
    test_in_words,
    unit_source,
    units_name,
    untestable_words,
)
from delvecore.report.verdict_words import shared_case_notes
from delvecore.stats.choose import adjustment_words, words_of_tests
from delvecore.stats.ranking.score_table import FEW_RUNS, NO_COMMON_RUN, CommonRuns, ScoreTable
from delvecore.stats.verdicts import RankTest
from delvecore.tables import values_in, values_of

MISSING_WORDS = {
    "no results": "the method was not run on the task",
    FEW_RUNS: "the method has fewer than half of the task's instances",
    NO_COMMON_RUN: "no instance is common to all methods",
    "no score": "the table has no score there",
    "not standardized": "the loss of the baseline on the task is unknown",
    "undefined": "the mean of the losses is undefined",
}


def _noun(request: PaperRequest) -> str:
    return "group of tasks" if request.by else "task"


def caption_of(request: PaperRequest, measure: Measure) -> tuple[str, str]:
    """Return a description of the numbers in one sentence, and one in a few words."""
    better = measure.direction.capitalize()
    if request.loss is None:
        return f"{measure.title}. {better}.", measure.title
    of = "Means over the tasks of each row. " if request.by else ""
    numbers, title = measure_caption(measure), measure.title
    if isinstance(measure, Loss):
        title = measure.name if request.raw else f"{measure.name}, standardized"
        numbers = f"{measure.name} ({measure.key})." if request.raw else numbers
    return f"{numbers} {of}{better}; ± shows the standard error.", title


def measure_caption(measure: Measure) -> str:
    """Return a measure in one sentence: `Squared error (S), standardized: 1 is ...`, or a metric's title."""
    if not isinstance(measure, Loss) or measure.baseline is None:
        return f"{measure.title}."
    baseline = f"{parameter(measure.baseline.value)} is {measure.baseline.text}"
    return f"{measure.name} ({measure.key}), standardized: {baseline}."


def _marks(
    cells: Sequence[PaperCell], request: PaperRequest, measure: Measure, ranks: Ranks | None
) -> tuple[tuple[str, str], ...]:
    """Return (mark, meaning) of the requested marks that occur. `ranks` are those in the table."""
    noun, level, has_errors = _noun(request), parameter(request.setting.alpha), request.loss is not None
    numbers, equal = "score", f"average rank {NOT_WORSE} than the best one: p ≥ {level}."
    if has_errors:
        numbers, equal = "estimate", f"{NOT_WORSE} than the best: p ≥ {level}."
    lowest = f"{'highest' if measure.higher_is_better else 'lowest'} {numbers}"
    of_ranks = " (average ranks: the lowest)" if ranks else ""
    tested = list(cells) if has_errors else []
    tested += list(rank_cells(*ranks).values()) if ranks else []
    notes = {cell.note for cell in tested if cell.standing == UNTESTED}
    reasons = "; ".join(sorted(note or not_compared(measure) for note in notes))
    meanings = {
        BEST: ("best", f"the {lowest} of its {noun}{of_ranks}."),
        EQUAL: ("equal", equal),
        UNTESTED: ("equal", f"not tested against the best of its {noun}: {reasons}."),
        BETTER_THAN: ("reference", f"{BETTER} than {request.reference}: p < {level}."),
        WORSE_THAN: ("reference", f"{verdicts.WORSE} than {request.reference}: p < {level}."),
    }
    standings = {name for cell in cells for name in (cell.standing, cell.to_reference)} - {UNTESTED}
    standings |= {UNTESTED} if notes else set()
    shown = (name for name in MARKS if name in standings and meanings[name][0] in request.marks)
    return tuple((name, meanings[name][1]) for name in shown)


def _on_tests(
    cells: Sequence[PaperCell], request: PaperRequest, measure: Measure, tests: Sequence[str]
) -> Iterator[str]:
    """Explain unmarked cells, and the computation of p if anything was tested. `tests` are their codes."""
    if request.loss is None:
        yield "Nothing is tested within a task, because single scores do not show their uncertainty."
    elif "equal" in request.marks and any(cell.standing == WORSE for cell in cells):
        yield f"Unmarked: {verdicts.WORSE} than the best, p < {parameter(request.setting.alpha)}."
    is_tested = any(cell.p is not None and cell.test not in set(RankTest) for cell in cells)
    if not is_tested or not {"equal", "reference"} & set(request.marks):
        return
    numbers = "losses" if measure.is_loss else "values"
    yield f"p: two-sided, for the difference between the expected {numbers} of two methods."
    if request.by:
        yield "The mean over a row's tasks is tested by a t-test with Satterthwaite's degrees of freedom."
        yield "Standard errors of tasks of one dataset are added as if the tasks were fully dependent."
    else:
        yield f"Test: {words_of_tests(tests)}."
    of = "" if request.adjust == "none" else f" of methods on the same {_noun(request)}"
    yield f"p is {adjustment_words(request.adjust)}{of}."


def _on_ranks(ranks: Ranks, request: PaperRequest) -> Iterator[str]:
    analysis, verdicts_on_ranks = ranks
    exact = analysis.friedman.exact_p
    shown = p_words(analysis.friedman.p if exact is None else exact)
    sentence = (
        f"Average rank over {basis_words(analysis)}; 1 is best, ties share their ranks. "
        f"Friedman's test{'' if exact is None else ' (exact)'}: {shown}."
    )
    if "equal" in request.marks:
        how = adjustment_name(verdicts_on_ranks)
        test = f"{test_in_words(verdicts_on_ranks)} over the {units_name(analysis)}, {how}"
        sentence += f" Average ranks of two methods are compared by {test}"
        if not verdicts_on_ranks.is_testable:
            sentence += f", {untestable_words(analysis, verdicts_on_ranks)}"
        sentence += "."
    if dropped := len(analysis.dropped_tasks):
        sentence += (
            f" {counted(dropped, 'task')} {'is' if dropped == 1 else 'are'} left out: a method has no value."
        )
    yield sentence
    if source := unit_source(analysis):
        yield source
    if together := other_unit_words(analysis, request.test):
        yield together
    yield "Average ranks depend on which methods are in the table."


def _on_cells(cells: Sequence[PaperCell], request: PaperRequest, titles: tuple[str, ...]) -> Iterator[str]:
    """Explain missing numbers, and the number of digits. `titles` are the titles of the rows' labels."""
    digits, has_errors = request.digits, request.loss is not None
    if missing := sorted({cell.missing for cell in cells if cell.missing}):
        yield f"–: no number: {'; '.join(MISSING_WORDS.get(name, name) for name in missing)}."
    if has_errors and request.by:
        yield "Tasks: number of tasks in the mean of the row."
    elif has_errors and titles == TASK_TITLES:
        yield CASES
    if digits.isdigit():
        yield f"Numbers have {digits} decimals, ranks two."
    elif has_errors:
        of = "their standard error" if digits == "cell" else f"the smallest standard error of their {digits}"
        yield f"Numbers are rounded to the second significant digit of {of}."


def shown_words(request: PaperRequest, ranks: Ranks | None, methods: Sequence[str]) -> Iterator[str]:
    """Report which methods are displayed if not all are, and the result of the visitor's method."""
    if len(methods) < len(request.methods):
        best = " with the best average ranks" if ranks is not None else ""
        shown = f"{len(methods)} of {counted(len(request.methods), 'method')}{best}"
        yield f"{shown} are shown; all are ranked and compared."
    own = standing_of(*ranks, request.mine) if ranks is not None and request.mine else None
    if own is not None:
        yield standing_sentence(own)


def archive_values(archive: PaperArchive, request: PaperRequest) -> ArchiveValues:
    """Return the values of an archive for a request. Raises DelveError if there is nothing to show."""
    known = task_levels(archive)
    tasks = tasks_below(request.paths, known)
    request = _filled_in(archive, request, tasks)
    common = archive.common_results(
        loss=request.loss or "", places=request.places, methods=request.methods, keep=request.kept
    )
    methods = _ranked(request.methods, common.methods, common.runs)
    levels = {task: known[task] for task in tasks}
    values = ArchiveValues(archive, replace(request, methods=methods), levels, common)
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
    """Return the requested table, from the results of an Archive.

    `values` are those of the request, if already computed. `published` finds the published values of a task.
    Raises DelveError as `archive_values` does.
    """
    values = values or archive_values(archive, request)
    asked = values.request
    request = replace(request, loss=asked.loss, methods=asked.methods)
    ranks = _ranks(values.scores, request, values.analyses)
    shown = _shown(request, ranks)
    rows = level_rows(values, request, archive) if request.by else task_rows(values, request, shown)
    shared_notes = shared_case_notes(archive.results, set(values.scores.tasks))
    tasks = () if request.by or not request.published else values.tasks
    elsewhere = {task.path: published(task, request.loss or "") for task in tasks}
    source = ", ".join(os.path.basename(path) for path in archive.sources), archive.state
    table = _finished(
        request,
        values.measure,
        rows,
        methods=shown,
        source=source,
        ranks=ranks,
        runs=values.runs,
        tests=values.tests,
        shared_notes=shared_notes,
    )
    return _arranged(with_published(table, elsewhere, values.published), request)


def score_values(table: ScoreTable, request: PaperRequest) -> ScoreTable:
    """Return the requested scores. Raises DelveError for an unknown method, and for rows of levels."""
    if request.by:
        raise DelveError(
            "expected --by only with an archive, because a table of scores has no factors of tasks"
        )
    methods = request.methods or table.methods
    unranked = [one.name for one in table.runs.unranked] if table.runs else []
    there = {*table.methods, *unranked}
    unknown = [name for name in (*methods, request.reference) if name and name not in there]
    if unknown:
        raise DelveError(f"{unknown[0]}: expected a method among {', '.join(table.methods)}")
    return table.select(methods=_ranked(methods, table.methods, table.runs))


def _ranked(methods: Sequence[str], known: Sequence[str], runs: CommonRuns | None) -> tuple[str, ...]:
    """Return the methods that are ranked. Raises DelveError if no method has enough runs."""
    known_methods = tuple(name for name in methods if name in known)
    if not known_methods:
        missing = " ".join(run_sentences(runs, warns=False))
        raise DelveError(f"expected a method with half of its runs, found none; {missing}")
    return known_methods


def score_paper_table(used: ScoreTable, request: PaperRequest) -> PaperTable:
    """Return the requested table from scores without errors. `request.paths` has the path of the file."""
    request = replace(request, loss=None, methods=used.methods)
    measure = column_measure(used.quantity or "Scores", used.higher_is_better, used.best)
    ranks = _ranks(used, request, {})
    shown = _shown(request, ranks)
    heads = [Head("task", (name,), (name,)) for name in used.tasks]
    rows = TASK_TITLES[:1], heads, score_rows(used, shown)
    source = ", ".join(os.path.basename(path) for path in request.files or request.paths[:1]), ""
    table = _finished(request, measure, rows, methods=shown, source=source, ranks=ranks, runs=used.runs)
    return _arranged(table, request)


def tasks_below(paths: Sequence[str], tasks: Collection[TaskId]) -> list[TaskId]:
    """Return the tasks at and below paths, in the archive's order; DelveError for a path without tasks."""
    chosen: set[TaskId] = set()
    for path in paths:
        names = place_names(path)
        below = [task for task in tasks if is_below(task, [names])]
        if not below:
            raise DelveError(f"{path}: expected a place with tasks, found none; dls and dinfo list them")
        chosen.update(below)
    return [task for task in tasks if task in chosen]


def _filled_in(archive: PaperArchive, request: PaperRequest, tasks: Sequence[TaskId]) -> PaperRequest:
    """Return the request with its loss and methods, which must have results on the tasks."""
    is_wanted = pc.is_in(
        task_paths(archive.results), value_set=pa.array([task.path for task in tasks], pa.string())
    )
    rows = archive.results.select(["loss", "method"]).filter(is_wanted)
    if request.methods:
        known = values_in(archive.methods, "method")
        unknown = [name for name in (*request.methods, request.reference) if name and name not in known]
        if unknown:
            raise DelveError(f"{unknown[0]}: expected a method, found none; mls / lists the methods")
        rows = rows.filter(pc.is_in(rows["method"], value_set=pa.array(request.methods, pa.string())))
    counts = Counter(values_of(rows, "loss"))
    preferred = [*PREFERRED, *sorted(set(counts).difference(PREFERRED), key=loss_order)]
    loss = request.loss or max(filter(counts.get, preferred), key=counts.__getitem__, default=None)
    if loss is None or not counts[loss]:
        under = f" under loss {loss}" if loss else ""
        where = ", ".join(request.paths)
        raise DelveError(
            f"{where}: expected results{under}, found none; mloss computes losses from predictions"
        )
    there = values_in(rows.filter(pc.equal(rows["loss"], loss)), "method")
    methods = request.methods or tuple(sorted(there))
    if request.reference and request.reference not in methods:
        raise DelveError(f"{request.reference}: expected a reference among {', '.join(methods)}")
    return replace(request, loss=loss, methods=tuple(dict.fromkeys(methods)))


def _check_factors(archive: PaperArchive, values: ArchiveValues) -> None:
    """Raise DelveError for an unknown factor, and if no task with results has all factors."""
    names, known = values.request.by, factor_names(archive)
    for name in names:
        if name not in known:
            raise DelveError(f"expected factors among {', '.join(known)}, found {name!r}")
    if not values.levels:
        raise DelveError(
            f"expected tasks with results to which {' and '.join(names)} apply, found none; choose other "
            "tasks or factors"
        )


def _finished(
    request: PaperRequest,
    measure: Measure,
    rows: Rows,
    *,
    methods: Sequence[str],
    source: tuple[str, str],
    ranks: Ranks | None,
    runs: CommonRuns | None,
    tests: Sequence[str] = (),
    shared_notes: Sequence[str] = (),
) -> PaperTable:
    """Return the table, with methods in columns. `methods` are displayed; `source` names input and state."""
    titles, heads, by_method = rows
    shown_ranks = ranks if request.ranks else None
    if shown_ranks is not None:
        heads = [Head("rank", ("Average rank", *[""] * (len(titles) - 1))), *heads]
        by_method = [rank_cells(*shown_ranks), *by_method]
    cells = tuple(tuple(row[name] for name in methods) for row in by_method)
    caption, quantity = caption_of(request, measure)
    numbers = (
        (head.labels, method, cell.value, cell.error, cell.standing, cell.p)
        for head, row in zip(heads, cells, strict=True)
        for method, cell in zip(methods, row, strict=True)
    )
    # If runs failed, the command names the methods that the user named, which are kept.
    asked = replace(request, methods=request.keep) if runs and runs.failed else request
    options = asked.options(higher_is_better=measure.higher_is_better)
    provenance = Provenance(*source, digest_of(numbers), options, asked.arguments)
    every_cell = list(chain.from_iterable(cells))
    notes = (
        *run_sentences(runs),
        *_on_tests(every_cell, request, measure, tests),
        *(_on_ranks(shown_ranks, request) if shown_ranks else ()),
        *_on_cells(every_cell, request, titles),
        *shared_notes,
        *shown_words(request, ranks, methods),
    )
    return PaperTable(
        caption=caption,
        quantity=quantity,
        row_titles=titles,
        column_titles=("Method",),
        rows=tuple(heads),
        columns=tuple(Head("method", (method,)) for method in methods),
        cells=cells,
        decimals=(),
        marks=_marks(every_cell, request, measure, shown_ranks),
        notes=notes,
        label=f"tab:{'scores' if request.loss is None else 'losses-' + measure.short_name}",
        provenance=provenance,
        runs=runs,
        methods=len(request.methods),
        ranked_tasks=0 if shown_ranks is None else len(shown_ranks[0].table.tasks),
    )


def _arranged(table: PaperTable, request: PaperRequest) -> PaperTable:
    """Return a table, transposed if the request puts methods in rows, with its decimals."""
    return table_decimals(table.transposed if request.methods_in == "rows" else table, request.digits)


def _ranks(scores: ScoreTable, request: PaperRequest, kept: Analyses) -> Ranks | None:
    return ranks_of(scores, request, kept) if request.ranks or request.top else None


def _shown(request: PaperRequest, ranks: Ranks | None) -> tuple[str, ...]:
    """Return the methods of the columns, in their order."""
    if request.top is None:
        return request.methods
    ordered = request.methods
    if ranks is not None:
        found, _ = ranks
        ordered = tuple(found.table.methods[place] for place in found.order)
    own = {request.mine, request.reference}
    return tuple(name for place, name in enumerate(ordered) if place < request.top or name in own)
