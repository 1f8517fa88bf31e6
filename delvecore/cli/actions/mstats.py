"""`mstats`: estimate a method's expected losses, or compare them. Source: manual, section 8.3, appendix C."""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import NamedTuple

import numpy as np

from delvecore.cli.mstats import ALL, BASE
from delvecore.cli.support.context import Session, print_lines
from delvecore.cli.support.places import Names, asked_names, chosen_names, method_of, path_text
from delvecore.errors import DelveError, ParseError, raise_error
from delvecore.losses.spec import allowed_losses, loss_order, parse_loss
from delvecore.losses.standard_losses import LOSSES
from delvecore.model import Prototask, Scheme, TaskId
from delvecore.number_format.columns import round_numbers
from delvecore.number_format.numbers import whole_number
from delvecore.readers.files import plain_name, read_bytes, read_text, two_copies
from delvecore.readers.hierarchy import INSTANCE_SUFFIX, Hierarchy
from delvecore.readers.instances import ListedFacts, listed_facts, parse_instances
from delvecore.readers.results import parse_test_set_stats, read_loss_files
from delvecore.readers.specifications import (
    method_datasets,
    method_names,
    method_prototasks,
    method_tasks,
    parse_task_name,
    read_dataset,
    read_prototask,
    read_task,
)
from delvecore.report import statistics_text
from delvecore.report.statistics_text import corrected_comparison, corrected_estimate, design_of
from delvecore.stats.array_types import Floats
from delvecore.stats.choose import DEFAULT_LEVEL, verdict
from delvecore.stats.losses.anova import Rows
from delvecore.stats.losses.mstats import Estimate, compare_losses, estimate_loss
from delvecore.stats.losses.stochastic_training import over_runs, stochastic_training
from delvecore.stats.notes import DOMINATED, NO_SHARED_INSTANCE, SHARED_INSTANCES, parsed, words_of

TASK_DEPTH = 4
AS_THEY_ARE = (Scheme.ONE_SPLIT, Scheme.BOOTSTRAP, Scheme.BOOTSTRAP_632)
"""Schemes for which no number ignores shared cases."""
LossFiles = dict[int, tuple[str, Floats | None]]
"""Path of the file of a loss for each instance, with the computed values if there is no file."""


class _Task(NamedTuple):
    """A task to show.

    Attributes
    ----------
    options : Namespace
        Options of the call.
    names : Names
        Names of the method and of the task.
    files : dict of str to LossFiles
        Files by loss.
    constants : dict of str to float
        Constants that standardize computed losses, filled at first use.
    listed : ListedFacts or None
        Properties of listed instances; None for standard instances.
    """

    session: Session
    options: Namespace
    names: Names
    prototask: Prototask
    design: str
    training_size: int
    files: dict[str, LossFiles]
    constants: dict[str, float]
    listed: ListedFacts | None


def show(session: Session, options: Namespace) -> None:
    place = session.locate(*(options.paths or ["."]), part="methods")
    expected = f"losses among {' '.join(LOSSES)}, or specialized ones such as Z0.2N and Mcosts,"
    losses, metrics = ((ALL,), ()) if options.l == ALL else asked_names(options.l, expected)
    methods = []
    if options.c is not None:
        known = method_names(session.tolerant)
        words = chosen_names([options.c], [*known, *(f"/{name}/" for name in known)])
        methods = [method_of(session.hierarchy, word, purpose=" to compare with") for word in words]
        if not methods:
            raise DelveError("expected the name of a method after -c, found none")
    if options.plan and not methods:
        raise DelveError("--plan: expected a comparison with -c METHODS, found none")
    _check_place(session, place)
    for names in _tasks_below(session.tolerant, place):
        print_lines(path_text(names))
        if losses or not metrics:
            _show_losses(session, options, names, losses, methods)
        if metrics:
            for text in _metric_texts(session, names, metrics, methods):
                print_lines(text)


def _metric_texts(
    session: Session, names: Names, metrics: Sequence[str], methods: Sequence[str]
) -> Iterator[str]:
    """Yield the text of each metric on a task: comparisons with the named methods, or estimates without
    any."""
    import pyarrow.compute as pc

    import delvecore
    from delvecore.answers.compare_pair import with_first
    from delvecore.archive.metrics import measured
    from delvecore.tables import rows_of

    hierarchy, path, place = session.hierarchy, path_text(names), names[1:]
    links, datasets = hierarchy.follow_links, {names[1]}
    whole = delvecore.open(hierarchy.roots, follow_links=links, datasets=datasets)
    for name in metrics:
        try:
            archive, key, notes = measured(whole, name, [place])
        except DelveError as error:
            session.warn(f"{path}: {error}")
            continue
        for note in notes:
            session.warn(f"{path}: {note}")
        metric = archive.measures[key]
        heading = f"{statistics_text.metric_heading(metric)}\n"
        if not methods:
            rows = archive.results.take(archive.index.rows_of(TaskId(*place), key))
            columns = ("instances", "test_cases", "mean", "standard_error", "notes")
            for *numbers, marks in rows_of(rows.filter(pc.equal(rows["method"], names[0])), columns):
                yield heading + statistics_text.metric_estimate(Estimate(*numbers), parsed(marks), metric)
                heading = ""
        for other in methods:
            for row in archive.compare(path_text(place), loss=key, methods=(names[0], other)).to_pylist():
                yield heading + statistics_text.metric_comparison(with_first(row, names[0]), metric)
                heading = ""


def _check_place(session: Session, names: Names) -> None:
    if not session.hierarchy.directories("methods", *names) or len(names) > TASK_DEPTH:
        raise DelveError(f"{path_text(names)}: expected a directory of a method, found none; check the name")
    if len(names) > 1:
        dataset = read_dataset(session.hierarchy, names[1])
        if len(names) > 2:
            read_prototask(session.hierarchy, dataset, names[2])
    if len(names) == TASK_DEPTH and not parse_task_name(names[-1]):
        raise DelveError(f"{path_text(names)}: expected a task such as std.128, found {names[-1]!r}")


def _tasks_below(hierarchy: Hierarchy, names: Names) -> Iterator[Names]:
    if len(names) == TASK_DEPTH:
        yield names
        return
    levels = (method_names, method_datasets, method_prototasks, method_tasks)
    for name in levels[len(names)](hierarchy, *names):
        yield from _tasks_below(hierarchy, (*names, name))


def _show_losses(
    session: Session, options: Namespace, names: Names, losses: Sequence[str], methods: Sequence[str]
) -> None:
    """Show the named losses of a task. Without names, show all that have files; with ALL, all that the
    targets allow."""
    hierarchy, base = session.hierarchy, options.i
    if losses == (ALL,):
        _, prototask, prior, _ = read_task(hierarchy, *names[1:])
        letters, kept = allowed_losses(prototask, prior), find_losses(hierarchy, names, base)
        losses = [*letters, *sorted(set(kept).difference(letters), key=loss_order)]
    files = _losses_of(session, names, base, losses)
    losses = losses or sorted(files, key=loss_order)
    present = [loss for loss in losses if _is_there(session, names, base, files, loss)]
    named = parse_task_name(names[-1])
    if not present or named is None:
        return
    prototask = read_prototask(hierarchy, read_dataset(hierarchy, names[1]), names[2])
    listed = _listed(session, names, prototask.test_set_selection)
    design = listed.design if listed else prototask.test_set_selection
    task = _Task(session, options, names, prototask, design, named[1], files, {}, listed)
    places = [(method, *names[1:]) for method in methods]
    others = {place: _losses_of(session, place, base, present) for place in places}
    for loss in present:
        texts = _comparisons(task, loss, others) if places else [_estimate(task, loss)]
        for number, text in enumerate(texts):
            print_lines(text if number else f"{statistics_text.loss_heading(loss)}\n{text}")


def _listed(session: Session, names: Names, selection: str) -> ListedFacts | None:
    path = session.hierarchy.find("data", *names[1:3], names[3] + INSTANCE_SUFFIX)
    if path is None:
        return None
    facts = listed_facts(parse_instances(read_text(path), path), selection)
    if facts.scheme not in (Scheme.DISJOINT, *AS_THEY_ARE):
        what = "instances" if facts.training_disjoint else "training sets"
        caution = (
            f"{what} share cases; only the last lines are corrected for that, other errors "
            "and p-values are not"
        )
        session.warn(f"{path_text(names)}: {caution}")
    return facts


def _losses_of(session: Session, names: Names, base: str, losses: Sequence[str]) -> dict[str, LossFiles]:
    """Return the files of each loss of a task.

    Losses without files are computed from predictions: the named ones, or all if none is named and the task
    has no loss file."""
    files = find_losses(session.hierarchy, names, base)
    missing = [loss for loss in losses if loss not in files]
    if base == BASE and (missing or not (losses or files)):
        files |= compute_losses(session, names, missing or None)
    return files


def _is_there(session: Session, names: Names, base: str, files: Mapping[str, LossFiles], loss: str) -> bool:
    if loss not in files:
        session.warn(f"{path_text(names)}: no files {base}.{loss}.* found; mloss makes them")
    return loss in files


def _loss_facts(task: _Task, loss: str, *others: Names) -> statistics_text.LossFacts:
    constant = _standardizer(task, loss, others)
    return statistics_text.LossFacts(loss, constant, task.design, task.training_size, task.listed)


def _standardizer(task: _Task, loss: str, others: Sequence[Names]) -> float | None:
    hierarchy = task.session.hierarchy
    try:
        constant = read_standardizer(hierarchy, (task.names, *others), loss)
        if constant is None and min(task.files[loss].items())[1][1] is not None:
            if not task.constants:
                from delvecore.losses.baselines import task_constants

                _, dataset, prototask, name = task.names
                task.constants.update(task_constants(hierarchy, dataset, prototask, name, task.files))
            constant = task.constants.get(loss)
        return constant
    except DelveError as error:
        known = parse_loss(loss)
        if known is None or not known.matrix:
            raise
        task.session.warn(f"{path_text(task.names)}, loss {loss}, is not standardized: {error}")
        return None


def _estimate(task: _Task, loss: str) -> str:
    check_no_gap(task.files[loss])
    known = read_losses(task, task.files[loss], loss)
    rows = list(_over_runs(task, known).values())
    selection = _design(task, rows)
    estimate = estimate_loss(rows, design=selection)
    spread = stochastic_training(known, task.listed.sets, design=selection) if task.listed else None
    extra: list[str] = []
    if _is_shared(task) and (design := design_of(task.listed)):
        estimate, extra = corrected_estimate(estimate, rows, design)
    facts = _loss_facts(task, loss)._replace(stochastic=spread)
    return statistics_text.estimate_text(estimate, facts, extra=extra)


def _comparisons(task: _Task, loss: str, others: Mapping[Names, Mapping[str, LossFiles]]) -> list[str]:
    """Return the texts of the comparisons with all other methods that have this loss."""
    rows = _over_runs(task, read_losses(task, task.files[loss], loss))
    base = task.options.i
    there = [names for names, files in others.items() if _is_there(task.session, names, base, files, loss)]
    texts = [_compare(task, loss, rows, names, others[names][loss]) for names in there]
    return list(filter(None, texts))


def _over_runs(task: _Task, losses: dict[int, Floats]) -> dict[int, Floats]:
    """Return the losses grouped by training set."""
    return over_runs(losses, task.listed.sets) if task.listed and task.listed.runs > 1 else losses


def _is_shared(task: _Task) -> bool:
    """Do instances share cases?"""
    return task.listed is not None and task.listed.scheme != Scheme.DISJOINT


def _differ(rows: Rows) -> bool:
    return len(set(map(len, rows))) > 1


def _design(task: _Task, rows: Rows) -> str:
    """Return the design of the analysis. Test sets of different sizes are not a common test set."""
    return "hierarchical" if _differ(rows) else task.design


def _shape(rows: Rows) -> str:
    sizes = " ".join(map(str, map(len, rows))) if _differ(rows) else len(rows[0])
    return f"{len(rows)} instances of {sizes} losses"


def _compare(task: _Task, loss: str, known: dict[int, Floats], names: Names, files: LossFiles) -> str | None:
    """Return the text of the comparison with another method, on the instances that both have."""
    others = _over_runs(task, read_losses(task, files, loss))
    shared = sorted(known.keys() & others.keys())
    counts = len(shared), len(known), len(others)
    partial = [SHARED_INSTANCES.of(*counts)] if len(set(counts)) > 1 else []
    path = f"{path_text(task.names)}, loss {loss}, against /{names[0]}"
    if not shared:
        task.session.warn(f"{path}: {words_of([NO_SHARED_INSTANCE])}")
        return None
    rows, other_rows = ([one[instance] for instance in shared] for one in (known, others))
    shape, other_shape = map(_shape, (rows, other_rows))
    if shape != other_shape:
        own_path, other_path = (one[shared[0]][0] for one in (task.files[loss], files))
        expected = f"{shape}, as in {own_path}"
        raise DelveError(f"{other_path}: expected {expected}, found {other_shape}; run mloss again")
    comparison = compare_losses(rows, other_rows, design=_design(task, rows))
    for caution in (*partial, *([DOMINATED] if comparison.dominated else [])):
        task.session.warn(f"{path}: {words_of([caution])}")
    shown = (task.names[0], f"/{names[0]}")
    facts = _loss_facts(task, loss, names)
    if facts.listed:
        facts = facts._replace(listed=facts.listed.only(shared))
    extra: list[str] = []
    planned = _plan(task, comparison, (task.names[0], names[0]), facts.constant)
    if task.options.safe or _is_shared(task):
        comparison, extra = corrected_comparison(
            comparison, rows, other_rows, design_of(facts.listed), names=(task.names[0], names[0])
        )
    text = statistics_text.comparison_text(comparison, shown, facts, extra=extra)
    return f"{text}\n{planned}" if planned else text


def _plan(task: _Task, comparison: Estimate, names: tuple[str, str], constant: float | None) -> str:
    """Return the sizes that would make the difference significant; empty if not requested, or if no plan
    fits."""
    if not task.options.plan:
        return ""
    from delvecore.answers.compare_pair import SPREADS
    from delvecore.answers.planning import plan_answer
    from delvecore.render.answers import answer_text
    from delvecore.render.spans import plain
    from delvecore.stats.losses.comparisons import confidence_bounds

    if _is_shared(task) or comparison.pair is None:
        task.session.warn(
            f"{path_text(task.names)}: expected training sets that share no cases for "
            "a plan, found shared cases"
        )
        return ""
    lower, upper = (float(one[0]) for one in confidence_bounds(comparison.pair, alpha=1 - DEFAULT_LEVEL))
    fields = ("instances", "test_cases", *SPREADS)
    pair = {field: getattr(comparison, field) for field in fields} | {
        "difference": comparison.mean,
        "method_a": names[0],
        "method_b": names[1],
    }
    verdict_word = verdict(comparison.mean, float(comparison.pair.p[0]), level=DEFAULT_LEVEL)
    ends = {"lower": lower, "upper": upper} if isfinite(upper - lower) else {"lower": None, "upper": None}
    try:
        answer = plan_answer({**pair, **ends, "verdict": verdict_word, "notes": [], "standardizer": constant})
    except DelveError as error:
        task.session.warn(f"{path_text(task.names)}: {error}")
        return ""
    marked = replace(answer, headline=plain(answer.headline), notes=tuple(map(plain, answer.notes)))
    return answer_text(marked, "text")


STATISTICS_FILE = "Test-set-stats"
REMEDY = "run mloss again"
KINDS = ("guess", "cguess", "prob", "lprob", "ptarg", "lptarg", "cptarg", "clptarg")


def compute_losses(session: Session, names: Names, wanted: Iterable[str] | None) -> dict[str, LossFiles]:
    """Return the losses of a method's prediction files on a task.

    Losses without predictions are omitted silently, others with a warning. wanted: names of losses, None for
    all that the predictions allow. Raises DelveError for a faulty prediction file."""
    hierarchy = session.hierarchy
    if not any(plain_name(name).partition(".")[0] in KINDS for name in hierarchy.entries("methods", *names)):
        return {}
    from delvecore.losses.compute import compute_task_losses
    from delvecore.losses.method_task import open_method_task

    task = open_method_task(hierarchy, *names)
    losses, notes = compute_task_losses(task, losses=wanted)
    for note in notes:
        if not note.startswith(f"{task.path}: no "):
            session.warn(note)
    directory = hierarchy.directory("methods", *names)
    by_loss: dict[str, LossFiles] = {}
    for (loss, instance), values in losses.items():
        path = f"{directory}/loss.{loss}.{instance}"
        by_loss.setdefault(loss, {})[instance] = path, round_numbers(values)
    return by_loss


def find_losses(hierarchy: Hierarchy, names: Sequence[str], base: str) -> dict[str, LossFiles]:
    """Return the files `base.LOSS.INSTANCE` of a method's task. A loss such as `Z0.2N` may contain dots. The
    directories of the task are merged. Raises ParseError for a file in two of them."""
    by_loss: dict[str, LossFiles] = {}
    for name, (path, *others) in hierarchy.copies("methods", *names).items():
        root, _, text = name.rpartition(".")
        loss, instance = root.removeprefix(f"{base}."), whole_number(text)
        if loss == root or not parse_loss(loss) or instance is None:
            continue
        if others:
            raise two_copies(path, others[0])
        by_loss.setdefault(loss, {})[instance] = path, None
    return by_loss


def check_no_gap(files: LossFiles) -> None:
    """Raise ParseError unless each instance from 0 to the last one has losses."""
    last = max(files)
    for instance in range(last):
        if instance not in files:
            missing = plain_name(files[last][0]).removesuffix(str(last)) + str(instance)
            expected = f"a loss file for each instance from 0 to {last}"
            raise ParseError(missing, None, expected, "none", REMEDY, kind="results")


def read_losses(task: _Task, files: LossFiles, loss: str) -> dict[int, Floats]:
    """Return {instance: its losses} in ascending order. Raises ParseError for empty files or different
    lengths."""
    rows: dict[int, Floats] = {}
    first, sizes = min(files), task.listed.test_sizes if task.listed else ()
    for instance, (path, values) in sorted(files.items()):
        row = _read(path, loss, task.prototask) if values is None else values
        wanted = sizes[instance] if instance < len(sizes) else None
        if len(row) != wanted and rows and len(row) != len(rows[first]):
            expected = f"{len(rows[first])} losses, as in {files[first][0]}"
            raise ParseError(path, None, expected, str(len(row)), REMEDY, kind="results")
        rows[instance] = row
    return rows


def _read(path: str, loss: str, prototask: Prototask) -> Floats:
    try:
        (losses,) = read_loss_files([path], [loss], [prototask], report=raise_error)
    except ParseError:
        if not read_bytes(path).strip():
            raise ParseError(
                path, None, "one loss per test case", "an empty file", REMEDY, kind="results"
            ) from None
        raise
    return np.empty(0) if losses is None else losses


def read_standardizer(hierarchy: Hierarchy, places: Sequence[Sequence[str]], loss: str) -> float | None:
    """Return the number that standardizes a loss, or None if it is unknown.

    It is read from the first `Test-set-stats`. A loss with a no-guess penalty uses the number of the plain
    loss. For a loss matrix it is computed from the task's data. places: names of the directories that several
    methods have for the task. Raises DelveError for unreadable data."""
    known = parse_loss(loss)
    if known is None:
        return None
    if known.matrix:
        from delvecore.losses.baselines import task_constants

        dataset, prototask, task = places[0][1:]
        return task_constants(hierarchy, dataset, prototask, task, (loss,)).get(loss)
    for names in places:
        path = hierarchy.find("methods", *names, STATISTICS_FILE)
        values = parse_test_set_stats(read_text(path), path).get(known.letter or "", ()) if path else ()
        constant = known.constant(values)
        if constant is not None:
            return constant
    return None
