"""Task instances made by hand, in numbers, for trying methods without files."""

from collections.abc import Sequence

import numpy as np

from delvecore.encoding.codings import column_names, default_coding
from delvecore.encoding.normalization import Constants
from delvecore.methods.protocol import CodedAttribute, LearningInstance, TaskView
from delvecore.methods.targets import TargetProblem
from delvecore.model import Attribute, Coding, Dataset, Prior, PriorLine, Prototask, Task
from delvecore.readers.dataset import parse_range

RANGES = {
    "real": "[-Inf,Inf]",
    "integer": "0..Inf",
    "nominal": "a b c",
    "binary": "no yes",
    "angular": "[0,360)",
    "pixel": "0..16",
}


def task_view(inputs: Sequence[str], targets: Sequence[str]) -> TaskView:
    """A task whose inputs and targets have these types; `pixel` is an integer with the range 0..16."""
    kinds = [*inputs, *targets]
    numbers = range(1, len(kinds) + 1)
    attributes = tuple(
        Attribute(number, f"X{number}", "u", parse_range(RANGES[kind]), "invented")
        for number, kind in zip(numbers, kinds, strict=True)
    )
    dataset = Dataset("made", "Made", "artificial", "development", "uninformative", False, attributes)
    places = tuple(numbers)
    prototask = Prototask(
        *("made", "up", "artificial", "all", "retain"),
        *(places[: len(inputs)], places[len(inputs) :], 8, (8,), "common", 1),
    )
    options = {"angular": (("unit", "360"),)}
    lines = tuple(
        PriorLine(number, "NLMH", "integer" if kind == "pixel" else kind, options.get(kind, ()))
        for number, kind in zip(numbers, kinds, strict=True)
    )
    return TaskView(dataset, prototask, Prior("made", "up", "std", lines), Task("made", "up", "std", 8))


def coded(
    task: TaskView, described, constants: Constants, copied: Sequence[str]
) -> tuple[CodedAttribute, ...]:
    """The columns of attributes under default codings; the types in `copied` are copied instead."""
    coded_attributes, first = [], 0
    for attribute, line in described:
        coding = default_coding(attribute, line)
        if line.type in copied:
            coding = Coding(attribute.name, "copy", ())
        last = first + len(column_names(attribute, coding))
        known = constants if line.type in ("integer", "real") else None
        coded_attributes.append(CodedAttribute(attribute, line.type, coding, slice(first, last), known))
        first = last
    return tuple(coded_attributes)


def make_instance(
    train_inputs: np.ndarray,
    train_targets: np.ndarray,
    test_inputs: np.ndarray,
    test_targets: np.ndarray | None = None,
    *,
    inputs: Sequence[str] | None = None,
    targets: Sequence[str] = ("real",),
    center: float = 0.0,
    scale: float = 1.0,
) -> LearningInstance:
    """An instance in coded numbers; inputs are real unless told. Targets have this median and deviation."""
    train_inputs, test_inputs = np.atleast_2d(train_inputs), np.atleast_2d(test_inputs)
    task = task_view(inputs or ["real"] * train_inputs.shape[1], targets)
    constants = Constants(center, scale, center, scale)
    train_targets = np.asarray(train_targets, dtype=float)
    if train_targets.ndim == 1:
        train_targets = train_targets[:, np.newaxis]
    if test_targets is None:
        test_targets = np.tile(train_targets[:1], (len(test_inputs), 1))
    return LearningInstance(
        task,
        0,
        coded(task, task.inputs, constants, ("integer",)),
        coded(task, task.targets, constants, ()),
        *(train_inputs.astype(float), train_targets),
        *(test_inputs.astype(float), np.asarray(test_targets, dtype=float)),
    )


def number_problem(train_inputs, values, test_inputs, *, step: float | None = None) -> TargetProblem:
    """The problem of one real target, or of an integer one whose unit has the coded width `step`."""
    kind = "real" if step is None else "integer"
    instance = make_instance(train_inputs, values, test_inputs, targets=(kind,), scale=1 / (step or 1.0))
    return TargetProblem(instance, instance.targets[0], np.asarray(values, dtype=float))


def class_problem(train_inputs, classes, test_inputs, *, count: int = 3) -> TargetProblem:
    """The problem of one nominal target with the values a, b, c (count = 3) or a binary one (count = 2)."""
    classes = np.asarray(classes)
    codes = np.eye(3)[classes] if count == 3 else np.array([[-1.0], [1.0]])[classes]
    kind = "nominal" if count == 3 else "binary"
    instance = make_instance(train_inputs, codes, test_inputs, targets=(kind,))
    return TargetProblem(instance, instance.targets[0], classes)


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


RNG = generator()


def spread_inputs(cases: int, columns: int, seed: int = 1) -> np.ndarray:
    """Independent normal inputs."""
    return generator(seed).normal(size=(cases, columns))
