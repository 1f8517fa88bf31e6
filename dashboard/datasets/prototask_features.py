"""What is special about a prototask, in sentences: groups, sequences, strata, transformations, own instances.

The sentences are Markdown; names from files are escaped.
"""

from collections.abc import Sequence

import numpy as np

from dashboard.datasets.case_map import TaskCases
from dashboard.datasets.filters import Row
from dashboard.frame import words
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.model import Dataset, Prototask

__all__ = ["data_sentences", "dependency_sentences", "specification_sentences"]

FORMULAS = {"squeeze": "sign(x) log(1 + |x|)"}
MOST_NAMED = 6


def specification_sentences(dataset: Dataset, prototask: Prototask) -> list[str]:
    """Return what the specification alone says: order, index, strata, transformations."""
    return [
        *_sequence(prototask),
        *_index(dataset, prototask),
        *_strata(dataset, prototask),
        *_transformations(dataset, prototask),
    ]


def _sequence(prototask: Prototask) -> list[str]:
    if not prototask.is_sequential:
        return []
    reach = words.count(prototask.maximum_dependency_range or 0, "unused case")
    return [
        "**Sequential**: cases keep their order, which means something, and neighbours may depend on each "
        f"other; {reach} keep training cases away from test cases."
    ]


def _index(dataset: Dataset, prototask: Prototask) -> list[str]:
    if 0 not in (*prototask.inputs, *prototask.targets):
        return []
    name = words.escape(dataset.attribute(0).name)
    return [f"**{name}** is attribute 0: the number of the case in the original order, from 1."]


def _strata(dataset: Dataset, prototask: Prototask) -> list[str]:
    if not prototask.stratified:
        return []
    target = dataset.attribute(prototask.targets[0])
    values = words.and_list([words.escape(value) for value in target.range.categories or ()])
    return [
        f"**Stratified** by {words.escape(target.name)}: each training set has equally many cases of "
        f"{values}, and losses are meant for test cases in which all values are equally likely."
    ]


def _transformations(dataset: Dataset, prototask: Prototask) -> list[str]:
    if not prototask.transformations:
        return []
    shown = [
        f"{function}({words.escape(dataset.attribute(number).name)})"
        for number, function in prototask.transformations
    ]
    used = {function for _, function in prototask.transformations}
    meanings = [f"{name}(x) is {words.escape(text)}" for name, text in FORMULAS.items() if name in used]
    meaning = f", where {words.and_list(meanings)}" if meanings else ""
    return [
        f"**Transformed** before they are encoded: {words.and_list(shown)}{meaning}; guesses are transformed "
        "back."
    ]


def dependency_sentences(rows: Sequence[Row]) -> list[str]:
    """Return what priors say of dependencies between cases. rows: of the priors table, one prototask."""
    strengths = {row["prior"]: row["dependency_strength"] for row in rows if row["dependency_strength"]}
    ranges = {row["prior"]: row["dependency_range"] for row in rows}
    return [
        f"**{words.escape(prior)}**: cases may depend on each other, strength {words.escape(strength)}"
        + (f", over up to {words.count(ranges[prior], 'case')}." if ranges[prior] else ".")
        for prior, strength in strengths.items()
    ]


def data_sentences(cases: PrototaskCases, tasks: Sequence[TaskCases]) -> list[str]:
    """Return what only the cases tell: groups and who shares them, how test sets are balanced."""
    return [*_groups(cases, tasks), *_balance(cases, tasks), *_own(tasks)]


def _groups(cases: PrototaskCases, tasks: Sequence[TaskCases]) -> list[str]:
    if cases.groups is None:
        return []
    sizes = np.bincount(cases.groups)
    shared = [
        f"{task.label}: {words.count(number, 'group')}"
        for task in tasks
        if (number := _groups_in_several(cases.groups, task.instances))
    ]
    between = (
        f"Training sets share groups where cases are too few to keep them apart ({'; '.join(shared)})."
        if shared
        else "None is in two training sets either."
    )
    several = words.count(int((sizes > 1).sum()), "group")
    return [
        f"**Groups**: {several} of up to {words.count(int(sizes.max()), 'case')} share a commonality index. "
        f"{_split(cases.groups, tasks)} {between}"
    ]


def _split(groups: np.ndarray, tasks: Sequence[TaskCases]) -> str:
    """Standard instances never split a group; those of a file are as their author made them."""
    split = [
        words.escape(task.label)
        for task in tasks
        if any(np.isin(groups[one.training], groups[one.test]).any() for one in task.instances)
    ]
    if not split:
        return "No group is both trained and tested on."
    return f"**Groups are both trained and tested on** in {words.and_list(split)}."


def _groups_in_several(groups: np.ndarray, instances: Sequence[Instance]) -> int:
    """How many groups have cases in more than one training set?"""
    seen = np.concatenate([np.unique(groups[one.training]) for one in instances])
    return int((np.unique(seen, return_counts=True)[1] > 1).sum())


def _balance(cases: PrototaskCases, tasks: Sequence[TaskCases]) -> list[str]:
    if cases.strata is None:
        return []
    weighted = [
        words.escape(task.label) for task in tasks if any(w.weights is not None for w in task.instances)
    ]
    if not weighted:
        return ["**Test sets** have equally many cases of each value, by selection."]
    named = words.and_list(weighted[:MOST_NAMED])
    return [
        f"**Test sets** have too few cases of some value ({named}): weights make the values equally likely."
    ]


def _own(tasks: Sequence[TaskCases]) -> list[str]:
    own = [words.escape(task.label) for task in tasks if task.is_listed]
    if not own:
        return []
    return [f"**Instances of their own**, listed in a file beside the specification: {words.and_list(own)}."]
