"""Distributions of a dataset's attributes, and the use of its cases by each task of a prototask.

The sentences are Markdown; names from files are escaped. Source: DELVE manual, sections 6.2 and 6.3."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.answers.answer import Kind, Table, table_of
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases, held_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError
from delvecore.model import Dataset, Prototask, Task
from delvecore.plan import ORDERED, Plan
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import INSTANCE_SUFFIX, Hierarchy
from delvecore.readers.instances import parse_listing
from delvecore.readers.specifications import read_dataset, read_prototask
from delvecore.render.numbers import integer, parameter, significant
from delvecore.render.provenance import command_line
from delvecore.render.spans import as_name, strong
from delvecore.report import words

MOST_CATEGORIES = 30
Row = Mapping[str, Any]


BAR_COLUMNS: list[tuple[str, str, Kind]] = [
    ("label", "value", "name"),
    ("low", "from", "number"),
    ("high", "to", "number"),
    ("cases", "cases", "count"),
    ("group", "group", "name"),
]
"""Numbers of cases by interval of values. An interval includes `low`; the last one also includes `high`.

`low` and `high` are equal for a single number, and None for words. `group` is `value`, `censored` or
`missing`.
"""
BarRow = tuple[str, float | None, float | None, int, str]


def value_counts(cases: pa.Table, name: str, *, bins: int = 24) -> Table:
    """Count the cases by value, or by interval, of one attribute.

    Values come first, in the order of the range, followed by censored values, and by missing ones by reason.
    """
    values = cases[name].combine_chunks()
    censored = f"{name} censored"
    if censored in cases.column_names:
        kept = pc.and_(pc.is_valid(values), pc.is_null(cases[censored].combine_chunks()))
        values = values.filter(kept)
    count = _categories(values) if pa.types.is_dictionary(values.type) else _numbers(values, bins)
    beside = [
        (f"{group}: {word}", None, None, number, group)
        for group in ("censored", "missing")
        for word, number in _counted(cases, f"{name} {group}")
    ]
    return table_of([*count, *beside], BAR_COLUMNS)


def _categories(values: pa.ChunkedArray) -> list[BarRow]:
    counts = np.bincount(values.indices.drop_null().to_numpy(), minlength=len(values.dictionary))
    rows = list(zip(values.dictionary.to_pylist(), counts.tolist(), strict=True))
    if len(rows) > MOST_CATEGORIES:
        rest = rows[MOST_CATEGORIES - 1 :]
        rows[MOST_CATEGORIES - 1 :] = [(f"{len(rest)} other values", sum(number for _, number in rest))]
    return [(label, None, None, number, "value") for label, number in rows]


def _numbers(values: pa.ChunkedArray, bins: int) -> list[BarRow]:
    numbers = values.drop_null().to_numpy(zero_copy_only=False)
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return []
    singles, counts = (one.tolist() for one in np.unique(numbers, return_counts=True))
    if len(singles) <= bins:
        pairs = zip(singles, counts, strict=True)
        return [(parameter(value), float(value), float(value), number, "value") for value, number in pairs]
    counts, edges = (one.tolist() for one in np.histogram(numbers, bins=bins))
    intervals = zip(edges, edges[1:], counts, strict=False)
    return [
        (f"{significant(low, 4)} to {significant(high, 4)}", low, high, number, "value")
        for low, high, number in intervals
    ]


def _counted(cases: pa.Table, column: str) -> list[tuple[str, int]]:
    """Return the words of a column, sorted, with their counts; empty without such a column."""
    if column not in cases.column_names:
        return []
    counted = pc.value_counts(cases[column].drop_null()).to_pylist()
    return sorted((item["values"], item["counts"]) for item in counted)


def beside_text(cases: pa.Table | None, attribute: str, group: str) -> str | None:
    """Return the `missing` or `censored` entries of an attribute: `? 2, ?noisy 1`; None if there are none."""
    column = f"{attribute} {group}"
    if cases is None or column not in cases.column_names:
        return None
    return ", ".join(f"{word} {integer(number)}" for word, number in _counted(cases, column))


def miniature(cases: pa.Table, attribute: str) -> list[int]:
    """Return the counts of an attribute's values for a picture that is a few letters wide."""
    counts = value_counts(cases, attribute, bins=16).select("cases", "group")
    return [count for count, group in counts.rows if group == "value"]


COLUMNS = ["bar", "training_size", "use", "instance", "first", "last", "times", "alone"]
MOST_RUNS = 2400
"""Maximum number of runs in the bars of a task.

Longer bars have this number of strips, each with one sampled case.
"""
MOST_BARS = 12
"""Maximum number of drawn instances of a task whose instances share cases."""
USE = np.dtype([("use", "U10"), ("instance", int), ("times", int)])
"""Uses of a case, as in the runs of `case_map`."""
LISTED, STANDARD_PRIOR = " (listed)", "std"
FORMULAS = {"squeeze": "sign(x) log(1 + |x|)"}
MOST_NAMED = 6
UNKNOWN = {"missing": "Missing", "censored": "Censored, so only a bound is known"}


@dataclass(frozen=True)
class TaskCases:
    """A task of a prototask, or all its standard tasks of one size, which the picture draws as one bar.

    Attributes
    ----------
    is_listed : bool
        Whether the instances come from a separate file.
    plan : Plan or None
        The plan by which they were made, if the file states it.
    """

    label: str
    training_size: int
    instances: Sequence[Instance]
    is_listed: bool = False
    plan: Plan | None = None


@dataclass(frozen=True)
class PrototaskView:
    """Facts about a prototask for its view.

    Attributes
    ----------
    tasks : tuple of TaskCases
        Tasks with known instances.
    reasons : tuple of str
        Why other tasks have no known instances.
    sentences : tuple of str
        Markdown.
    """

    case_count: int
    tasks: tuple[TaskCases, ...]
    sentences: tuple[str, ...]
    reasons: tuple[str, ...]


def read_prototask_view(
    hierarchy: Hierarchy, dataset: str, prototask: str, rows: Sequence[Row]
) -> PrototaskView:
    """Return the view of a prototask.

    rows: rows of the tasks table; one standard task represents each size.
    """
    try:
        facts = read_dataset(hierarchy, dataset)
        problem = read_prototask(hierarchy, facts, prototask)
    except DelveError as error:
        return PrototaskView(0, (), (), (str(error),))
    sentences = _specification_sentences(facts, problem)
    try:
        cases = held_cases(hierarchy, facts, problem)
    except DelveError as error:
        return PrototaskView(0, (), tuple(sentences), (str(error),))
    tasks, reasons = _tasks(hierarchy, cases, rows)
    sentences += [*data_sentences(cases, tasks), *plan_sentences(problem.path, tasks)]
    return PrototaskView(cases.count, tuple(tasks), tuple(sentences), tuple(reasons))


def _tasks(
    hierarchy: Hierarchy, cases: PrototaskCases, rows: Sequence[Row]
) -> tuple[list[TaskCases], list[str]]:
    """Return (tasks, reasons why others have no instances), by training size, listed ones last."""
    tasks_by_label: dict[tuple[bool, str], TaskCases] = {}
    reasons: list[str] = []
    for row in rows:
        task = Task(row["dataset"], row["prototask"], row["prior"], row["training_size"])
        place = (task.dataset, task.prototask, task.name + INSTANCE_SUFFIX)
        path = hierarchy.find("data", *place)
        is_listed = path is not None
        label = f"{task.name}{LISTED}" if is_listed else f"size {integer(task.training_size)}"
        if (is_listed, label) not in tasks_by_label:
            try:
                instances = task_instances(hierarchy, cases, task)
                plan = parse_listing(read_text(path), path)[1] if path else None
                tasks_by_label[is_listed, label] = TaskCases(
                    label, task.training_size, instances, is_listed, plan
                )
            except DelveError as error:
                reasons.append(str(error))
    tasks = sorted(tasks_by_label.values(), key=lambda task: (task.is_listed, task.training_size))
    return tasks, list(dict.fromkeys(reasons))


def case_map(tasks: Sequence[TaskCases], case_count: int) -> tuple[pd.DataFrame, int]:
    """Return runs of consecutive cases with the same use for each task, and the number of cases per strip.

    The number is 1 unless runs were joined into strips. The columns of a run are:

    - `bar`: the task's label. A task has one bar per instance if some case has several uses. Runs on one
      partition share a bar.
    - `use`: training, validation, test, both, gap or unused. Cases in a gap stay unused because they may
      depend on cases in use.
    - `instance`: number from 0, or -1 if all instances share a test set or none uses the cases.
    - `first`, `last`: positions from 1 in the prototask's order.
    - `times`: number of instances in which each case of the run trains.
    - `alone`: whether the bar is one of several instances of its task.
    """
    rows, strip = [], 1
    for task in tasks:
        bars = _bars(task)
        for label, instances in bars:
            uses, width = _coarse(_uses(instances, case_count), MOST_RUNS // len(bars))
            strip = max(strip, width)
            runs = _runs(uses, width, case_count)
            rows += [(label, task.training_size, *run, len(bars) > 1) for run in runs]
    return pd.DataFrame(rows, columns=COLUMNS).astype({"training_size": "Int64", "alone": bool}), strip


def _bars(task: TaskCases) -> list[tuple[str, Sequence[Instance]]]:
    """Return one bar if every case has one use. A shared test set is one use."""
    tests = [one.test for one in task.instances][: 1 if _share_test(task.instances) else None]
    together = np.concatenate([*(one.training for one in task.instances), *tests])
    if len(np.unique(together)) == len(together):
        return [(task.label, task.instances)]
    if _are_runs(task.instances):
        return [(f"{task.label}, {len(task.instances)} runs", task.instances[:1])]
    shown = task.instances[:MOST_BARS]
    if task.plan and task.plan.kind in ORDERED:
        shown = list(map(_with_gap, shown))
    return [(f"{task.label}, instance {one.number}", [one]) for one in shown]


def _with_gap(window: Instance) -> Instance:
    """Return an instance of ordered cases, with the gap of cases around its test set."""
    return replace(window, gap=np.arange(window.training.max() + 1, window.test.min()))


def _are_runs(instances: Sequence[Instance]) -> bool:
    """Do all instances have the same sets?"""
    first = instances[0].training
    return _share_test(instances) and all(np.array_equal(one.training, first) for one in instances)


def _share_test(instances: Sequence[Instance]) -> bool:
    return len(instances) > 1 and all(np.array_equal(one.test, instances[0].test) for one in instances)


def _uses(instances: Sequence[Instance], case_count: int) -> np.ndarray:
    """Return a USE for each case."""
    uses = np.empty(case_count, dtype=USE)
    uses[:] = ("unused", -1, 0)
    shared = _share_test(instances)
    for one in instances:
        uses[one.gap] = ("gap", -1, 0)
        uses[one.training] = ("training", one.number, 0)
        uses["times"][one.training] = np.bincount(one.training, minlength=case_count)[one.training]
        uses[one.validation] = ("validation", -1, 0)
        uses[one.test] = ("test", -1 if shared else one.number, 0)
        uses[one.test[np.isin(one.test, one.training)]] = ("both", -1, 0)
    return uses


def _changes(uses: np.ndarray) -> np.ndarray:
    """Return the places whose use differs from that of the place before."""
    return np.flatnonzero(uses[1:] != uses[:-1]) + 1


def _coarse(uses: np.ndarray, most: int) -> tuple[np.ndarray, int]:
    """Return (uses, 1), or one use per strip and the strip width if there are too many runs.

    A strip shows the use of one randomly drawn case, the same one in every bar. So a scattered tenth of the
    cases fills about a tenth of the strips. In a cross-validation, each strip is in the test set of one
    fold only.
    """
    if len(_changes(uses)) < most:
        return uses, 1
    width = -(-len(uses) // most)
    starts = np.arange(0, len(uses), width)
    drawn = starts + np.random.default_rng(0).integers(0, width, len(starts))
    return uses[np.minimum(drawn, len(uses) - 1)], width


def _runs(uses: np.ndarray, width: int, case_count: int) -> Iterator[tuple[str, int, int, int, int]]:
    starts = [0, *_changes(uses).tolist()] if len(uses) else []
    for start, end in zip(starts, [*starts[1:], len(uses)], strict=False):
        use, instance, times = uses[start].tolist()
        yield use, instance, start * width + 1, min(end * width, case_count), times


def _specification_sentences(dataset: Dataset, prototask: Prototask) -> list[str]:
    """Return the facts of the specification: order, index, strata, transformations."""
    sentences, used = [], (*prototask.used, *dict(prototask.transformations))
    names = {number: as_name(dataset.attribute(number).name) for number in used}
    if prototask.is_sequential:
        reach = words.count(prototask.maximum_dependency_range or 0, "unused case")
        sentences.append(
            f"{strong('Sequential')}: cases keep their order, which is meaningful, and neighbors may "
            f"depend on each other; {reach} keep training cases away from test cases."
        )
    if 0 in names:
        sentences.append(
            f"{strong(names[0])} is attribute 0: the number of the case in the original order, from 1."
        )
    if prototask.stratified:
        categories = dataset.attribute(prototask.targets[0]).range.categories or ()
        values = words.and_list([as_name(value) for value in categories])
        sentences.append(
            f"{strong('Stratified')} by {names[prototask.targets[0]]}: each training set has the same number "
            f"of cases of {values}, and losses assume test cases in which all values are equally likely."
        )
    if prototask.transformations:
        shown = words.and_list([f"{name}({names[number]})" for number, name in prototask.transformations])
        functions = {name for _, name in prototask.transformations}
        known = {name: text for name, text in FORMULAS.items() if name in functions}
        meanings = [f"{name}(x) is {as_name(text)}" for name, text in known.items()]
        meaning = f", where {words.and_list(meanings)}" if meanings else ""
        sentences.append(
            f"{strong('Transformed')} before they are encoded: {shown}{meaning}; guesses are "
            "transformed back."
        )
    return sentences


def dependency_sentences(rows: Sequence[Row]) -> list[str]:
    """Return the statements of the priors about dependencies between cases.

    rows: rows of the priors table, for one prototask.
    """
    strengths = {row["prior"]: row["dependency_strength"] for row in rows if row["dependency_strength"]}
    ranges = {row["prior"]: row["dependency_range"] for row in rows}
    return [
        f"{strong(as_name(prior))}: the strength of dependencies between cases is "
        + words.prior_levels(strength)
        + (f", over up to {words.count(ranges[prior], 'case')}." if ranges[prior] else ".")
        for prior, strength in strengths.items()
    ]


def data_sentences(cases: PrototaskCases, tasks: Sequence[TaskCases]) -> list[str]:
    """Return facts that need the cases: groups, balance of test sets, and unknown values."""
    sentences = [] if cases.groups is None else [_groups(cases.groups, tasks)]
    if cases.strata is not None:
        weighted = _labels(tasks, lambda task: any(one.weights is not None for one in task.instances))
        named = words.and_list(weighted[:MOST_NAMED])
        lacking = f"too few cases of some value ({named}): weights make the values equally likely."
        balanced = "the same number of cases of each value, by selection."
        sentences.append(f"{strong('Test sets')} have {lacking if weighted else balanced}")
    if own := words.and_list([as_name(one.label.removesuffix(LISTED)) for one in tasks if one.is_listed]):
        sentences.append(
            f"{strong('Separate instances')}, listed in a file next to the specification: {own}."
        )
    return sentences + [sentence for group in ("missing", "censored") if (sentence := _unknown(cases, group))]


def _unknown(cases: PrototaskCases, group: Literal["missing", "censored"]) -> str:
    """Count the cases whose attributes are missing or censored; empty if there are none."""
    counts = {number: np.count_nonzero(getattr(column, group)) for number, column in cases.columns.items()}
    named = [
        f"{as_name(cases.dataset.attribute(number).name)}"
        f"{' (a target)' if number in cases.prototask.targets else ''} in {words.count(int(count), 'case')}"
        for number, count in counts.items()
        if count
    ]
    return f"{strong(UNKNOWN[group])}: {words.and_list(named)}." if named else ""


def plan_sentences(path: str, tasks: Sequence[TaskCases]) -> list[str]:
    """Return the plan of listed instances, with the command that makes them."""
    return [
        f"{strong(as_name(task.label.removesuffix(LISTED)))}: {task.plan.words}{_left_out(task)}, "
        f"by `{command_line(('delve', 'instances', path, *_options(task.label, task.plan)))}`."
        for task in tasks
        if task.plan
    ]


def _options(label: str, plan: Plan) -> list[str]:
    """Return the options that make the task of a label such as `vague.16 (listed)`."""
    prior = label.removesuffix(LISTED).rpartition(".")[0]
    return [*plan.options.split(), *([] if prior == STANDARD_PRIOR else ["--prior", prior])]


def _left_out(task: TaskCases) -> str:
    """State that the picture omits some instances; empty if it shows all."""
    bars, every = len(_bars(task)), len(task.instances)
    return f" (the first {bars} of {every} instances are drawn)" if 1 < bars < every else ""


def _labels(tasks: Sequence[TaskCases], is_wanted: Callable[[TaskCases], bool]) -> list[str]:
    return [as_name(task.label) for task in tasks if is_wanted(task)]


def _groups(groups: np.ndarray, tasks: Sequence[TaskCases]) -> str:
    """Describe how groups are divided. Standard instances never split a group between training and test;
    instances in a file may."""
    sizes = np.bincount(groups)
    numbers = [(task.label, _groups_in_several(groups, task.instances)) for task in tasks]
    shared = [f"{label}: {words.count(number, 'group')}" for label, number in numbers if number]
    between = (
        f"Training sets share groups because there are too few cases to separate them ({'; '.join(shared)})."
        if shared
        else "None is in two training sets either."
    )
    split = words.and_list(_labels(tasks, lambda task: _splits(groups, task.instances)))
    both = f"{strong('Groups are both trained and tested on')} in {split}."
    several = words.count(int((sizes > 1).sum()), "group")
    return (
        f"{strong('Groups')}: {several} of up to {words.count(int(sizes.max()), 'case')} share a commonality "
        "index. "
        f"{both if split else 'No group is both trained and tested on.'} {between}"
    )


def _splits(groups: np.ndarray, instances: Sequence[Instance]) -> bool:
    return any(np.isin(groups[one.training], groups[one.test]).any() for one in instances)


def _groups_in_several(groups: np.ndarray, instances: Sequence[Instance]) -> int:
    """Count the groups that have cases in more than one training set."""
    seen = np.concatenate([np.unique(groups[one.training]) for one in instances])
    return int((np.unique(seen, return_counts=True)[1] > 1).sum())
