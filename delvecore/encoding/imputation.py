"""Codings that any values suit: what DELVE's default codings refuse is told apart, or copied.

The manual (section 7.3) leaves missing, censored and constant values open; what is done about them is a
decision of this program, and stands in `Coding-used`."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from delvecore.encoding.codings import code_of, is_normalized
from delvecore.encoding.encode import TaskPlan
from delvecore.model import Coding

NUMBERS = ("integer", "real")


def suited(plan: TaskPlan, *, fixed: Collection[int] = ()) -> TaskPlan:
    """Return a plan whose codings suit the cases of all its instances. fixed: attributes whose codings stay.

    Missing inputs get `missing=indicator`: a further column of ones and zeros, and in their own column the
    median of the training cases (zeros for categories). Bounds stand for censored inputs (`censored=bound`),
    and are marked where targets are censored (`censored=mark`). Numbers that do not differ in the training
    set of some instance, or are all unknown there, are copied."""
    used = np.zeros(plan.cases.count, dtype=bool)
    for instance in plan.instances:
        used[instance.training] = used[instance.test] = True
    codings = {
        number: coding if number in fixed else _suited(plan, number, coding, used)
        for number, coding in plan.codings.items()
    }
    return replace(plan, codings=codings, passes_over=True)


def _suited(plan: TaskPlan, number: int, coding: Coding, used: np.ndarray) -> Coding:
    column = plan.columns[number]
    if is_normalized(coding) and any(not _differs(plan, number, one.training) for one in plan.instances):
        kept = tuple(pair for pair in coding.options if pair[0] == "transform")
        coding = Coding(coding.attribute, "copy", kept)
    options = code_of(plan.attributes[number], coding).options
    if number in plan.targets:
        is_marked = is_normalized(coding) and column.censored[used].any()
        return _with(coding, "censored", "mark") if is_marked else coding
    is_copied_word = coding.coding == "copy" and plan.prior.line(number).type not in NUMBERS
    if "missing" in options and column.missing[used].any() and not is_copied_word:
        coding = _with(coding, "missing", "indicator")
    if "censored" in options and column.censored[used].any():
        coding = _with(coding, "censored", "bound")
    return coding


def _differs(plan: TaskPlan, number: int, training: np.ndarray) -> bool:
    """Do the known numbers of an attribute differ among some cases?"""
    column = plan.columns[number]
    values = column.numbers[training]
    known = values[np.isfinite(values) & (column.censored[training] == 0)]
    return bool(len(known)) and bool((known != known[0]).any())


def _with(coding: Coding, name: str, value: str) -> Coding:
    """Return a coding with an option, unless it has it."""
    return coding if coding.option(name) else coding._replace(options=(*coding.options, (name, value)))
