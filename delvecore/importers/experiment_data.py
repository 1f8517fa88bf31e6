"""Datasets of an experiment: plans for their columns and cases, and storage."""

import hashlib
import os
from collections.abc import Iterable, Sequence
from typing import Any

from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.errors import DelveError, Fault, shortened
from delvecore.importers.attributes import Reason, Role, file_name
from delvecore.importers.dataset_writer import PRIOR, new_dataset, write_dataset
from delvecore.importers.experiment_designs import ChosenDesign, listing_of
from delvecore.importers.import_messages import WHY
from delvecore.importers.in_memory import (
    in_order,
    read_data,
    with_groups,
)
from delvecore.importers.leaks import signs_of_leaks
from delvecore.importers.plan import (
    ImportOptions,
    ImportPlan,
    is_dataset_name,
    plan_import,
    training_set_sizes,
)
from delvecore.importers.source import Source
from delvecore.methods.objects import EstimatorMethod
from delvecore.model import CATEGORICAL_TYPES, RETAIN, Prototask, task_name
from delvecore.names import LONGEST_NAME, NAME, StoredNames, is_method_name, is_name
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import INSTANCE_SUFFIX, Hierarchy
from delvecore.readers.specifications import prototask_names, read_dataset, read_prototask

MADE_OF = "Made-of"
"""The file in a dataset's `Source` that records its data and settings."""
MOST_CLASSES = 100
"""Largest number of distinct values of a whole-numbered target for which they may be classes."""
FEW = 6
"""Largest number of names or values to show."""
Place = tuple[str, ...]


def stored_names(what: str, shown: Iterable[object]) -> StoredNames:
    """Return the caller's names of methods or datasets by stored name. Raises Fault for an invalid one."""
    names = StoredNames()
    for name in shown:
        if not isinstance(name, str) or not is_name(name) or not name.strip():
            raise Fault(what, NAME, shortened(repr(name)), f"give the {what[:-1]} another name")
        is_good = is_dataset_name if what == "datasets" else is_method_name
        stored = name if is_good(name) else _safe(name, what)
        while stored in names:
            stored += "_" if what == "methods" else "-x"
        names[stored] = name
    return names


def _safe(name: str, what: str) -> str:
    """Return a similar name that a directory can have."""
    if what == "datasets":
        plain = file_name(name)[:100]
        return plain if is_dataset_name(plain) else f"{plain}-data".lstrip("-")
    plain = name.replace("/", "\u2215")
    plain = f"_{plain}" if plain[0] == "." else plain
    while len(os.fsencode(plain)) > LONGEST_NAME - 10:
        plain = plain[:-1]
    return plain


def plan_dataset(
    name: str,
    thing: Any,
    *,
    stored: str,
    target: str | None,
    groups: Any,
    order: Any,
    options: ImportOptions,
    design: ChosenDesign,
) -> ImportPlan:
    """Read a dataset and plan the use of its columns; arguments as for `experiment`. Raises DelveError."""
    source = read_data(name, thing)
    group = time = None
    if groups is not None and groups is not False:
        source, group = with_groups(source, groups)
    if order is not None and order is not False:
        source, time = in_order(source, order)
    options = _options(options, source, name, target)._replace(
        name=stored,
        title="" if name == stored else name,
        group=group,
        time=time,
        order=RETAIN if design.keeps_order else None,
    )
    plan = plan_import(source, options._replace(sizes=()))
    plan = plan._replace(options=plan.options._replace(sizes=options.sizes))
    settled = {"groups", "copies"} if groups is not None else set()
    settled |= {"time"} if order is not None or design.goes_along_time else set()
    signs = tuple(sign for sign in signs_of_leaks(plan) if sign.kind not in settled)
    return plan._replace(design=design, signs=signs)


def shown_name(plan: ImportPlan) -> str:
    """Return the caller's name of a dataset."""
    return plan.options.title or plan.name


def _options(options: ImportOptions, source: Source, name: str, target: str | None) -> ImportOptions:
    """Return the options of one dataset. If its target is not a column, the target of the source is used."""
    columns = {column.name for column in source.columns}
    targets = source.targets
    chosen = (target,) if target is not None and (target in columns or not targets) else tuple(targets)
    if not chosen:
        raise DelveError(
            f"target: expected the column of {name!r} that is to be predicted, found none; say target="
        )
    kept = {column: kind for column, kind in options.types.items() if column in columns}
    return options._replace(targets=chosen, types=kept)


def check_target(plan: ImportPlan, learners: Iterable[EstimatorMethod]) -> None:
    """Raise Fault if a target may be either classes or numbers, and this matters to the estimators."""
    kinds = {learner.kind for learner in learners}
    for column in plan.columns:
        profile, is_classes = column.profile, column.type in CATEGORICAL_TYPES
        is_open = column.role is Role.TARGET and profile.is_numeric and column.reason is not Reason.ASKED
        if not is_open or (is_classes and column.range == ""):
            continue
        values = sorted(map(float, profile.values or ()))
        few = 1 < len(values) <= MOST_CLASSES and all(value % 1 == 0 for value in values)
        if is_classes and column.reason in (Reason.TWO_VALUES, Reason.CLASSES):
            matters = kinds == {"regressor"}
        else:
            is_repeated = profile.known >= 2 * len(values)
            matters = not is_classes and few and is_repeated and "classifier" in kinds
        if matters:
            listed = ", ".join(f"{value:g}" for value in values[:FEW])
            actual = f"{len(values)} whole numbers ({listed}{', ...' * (len(values) > FEW)})"
            name = column.source
            numbers = "integer" if profile.is_whole else "real"
            remedy = f"say types={{{name!r}: 'nominal'}} for classes, or {numbers!r} for numbers"
            raise Fault(f"target {name}", "classes or numbers", actual, remedy)


def write_planned(imported: ImportPlan, root: str, notes: list[str]) -> list[Place]:
    """Write a dataset unless it exists; return the places of its tasks. Raises Fault if an existing one
    differs."""
    if imported.options.sizes:
        imported = _with_sizes(imported, imported.options.sizes, notes)
    made_of = _digest(imported)
    name = imported.name
    for place in Hierarchy([root]).directories("data", name):
        path = os.path.join(place, "Source", MADE_OF)
        if not os.path.isfile(path) or read_text(path) != made_of:
            expected = "the same data and settings as now"
            raise Fault(place, expected, "others", "give the dataset another name, or choose another into=")
        return _places(Hierarchy([root]), name)
    remedy = "give the dataset another name"
    with new_dataset(name, root, remedy=remedy) as directory:
        prototasks = write_dataset(imported, directory)
        with open(os.path.join(directory, "Source", MADE_OF), "x", encoding="utf-8") as file:
            file.write(made_of)
        _write_instances(directory, prototasks, imported.design)
    return _places(Hierarchy([root]), name)


def _with_sizes(plan: ImportPlan, sizes: Sequence[int], notes: list[str]) -> ImportPlan:
    """Return a plan with the sizes for which half of the cases contain two training sets. Raises
    DelveError."""
    name, cases = shown_name(plan), min(map(plan.known_cases, plan.targets))
    kept = tuple(size for size in sizes if 4 * size <= cases)
    if not kept:
        expected = f"sizes up to {cases // 4}, a quarter of its {cases} cases"
        raise DelveError(f"sizes: {name}: expected {expected}, found {list(sizes)}")
    if left := [size for size in sizes if size not in kept]:
        listed = " and ".join(map(str, left))
        notes.append(
            f"{name}: training sets of {listed} cases are left out: {cases} cases are too few for "
            "two of them and a test set of the same size."
        )
    plan = plan._replace(options=plan.options._replace(sizes=kept))
    for group in plan.targets:
        training_set_sizes(plan.known_cases(group), kept)
    return plan


def _digest(plan: ImportPlan) -> str:
    """Return a text that identifies data, target, types, sizes and design."""
    data = hashlib.sha256()
    for batch in plan.source.batches():
        for column in batch:
            data.update("".join(f"{value}\0" for value in column.to_pylist()).encode())
    options = plan.options
    facts = {
        "data": data.hexdigest(),
        "columns": [(one.source, one.name, str(one.role), one.type) for one in plan.columns],
        "targets": plan.targets,
        "group": plan.group.source if plan.group else "none",
        "order": options.order or "random",
        "sizes": tuple(options.sizes),
        "instances": options.instances,
        "seed": options.seed,
        "design": plan.design.words,
    }
    return "".join(f"{key}: {value}\n" for key, value in facts.items())


def _write_instances(directory: str, prototasks: Sequence[Prototask], design: ChosenDesign) -> None:
    """Write the list of instances of a design for each prototask, unless they are the standard ones."""
    root = os.path.dirname(os.path.dirname(directory))
    hierarchy = Hierarchy([root])
    for prototask in prototasks:
        dataset = read_dataset(hierarchy, prototask.dataset)
        cases = prototask_cases(hierarchy, dataset, read_prototask(hierarchy, dataset, prototask.name))
        listing = listing_of(design, cases)
        if listing is None:
            continue
        instances, text = listing
        task = task_name(PRIOR, min(len(one.training) for one in instances))
        path = os.path.join(directory, prototask.name, task + INSTANCE_SUFFIX)
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)


def _places(hierarchy: Hierarchy, name: str) -> list[Place]:
    """Return the tasks with listed instances, or the whole dataset."""
    listed: list[Place] = [
        (name, prototask, file.removesuffix(INSTANCE_SUFFIX))
        for prototask in prototask_names(hierarchy, name)
        for file in hierarchy.files("data", name, prototask)
        if file.endswith(INSTANCE_SUFFIX)
    ]
    return listed or [(name,)]


def left_out_notes(plan: ImportPlan) -> list[str]:
    """Return a note on the columns that are not inputs, with the reasons."""
    columns = [column for column in plan.columns if column.role is Role.LEFT_OUT]
    if not columns:
        return []
    listed = ", ".join(f"{column.source} ({WHY[column.reason]})" for column in columns[:FEW])
    more = f" and {len(columns) - FEW} more" if len(columns) > FEW else ""
    can_be = any(column.reason in _MAY_BE_INPUTS for column in columns)
    return [f"{shown_name(plan)}: left out: {listed}{more}{'; types= makes them inputs' * can_be}."]


def leak_warnings(plans: Iterable[ImportPlan], *, serious: bool = False) -> list[str]:
    """Return the signs that cases are not independent, one message for each kind and dataset."""
    lines = []
    for plan in plans:
        for kind, remedy in _REMEDIES.items():
            signs = [sign for sign in plan.signs if sign.kind == kind and (sign.is_serious or not serious)]
            if signs:
                column = next((sign.column for sign in signs if sign.column), "rows")
                text = "; ".join(sign.text for sign in signs[:FEW])
                lines.append(f"{shown_name(plan)}: {text}. {remedy.format(column)}")
    return lines


_MAY_BE_INPUTS = (Reason.COUNTER, Reason.TEXT, Reason.GROUP, Reason.TIME)


_REMEDIES = {
    "groups": (
        "Cases of one group may be in both training and test sets: say groups={0!r}, or "
        "groups=False if cases are independent."
    ),
    "copies": (
        "A case may be in a training set and its copy in a test set: say groups= to keep copies "
        "together, or groups=False if they are different cases."
    ),
    "time": (
        "Training sets may have later cases than test sets: say order={0!r} for windows over time, "
        "or order=False if the order has no meaning."
    ),
}
