"""Immutable records of the benchmark's objects. Readers check them when they create them.

Source: DELVE manual, sections 3, 4, 6 and 7, and DELVE's page on task-arrays."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any, Literal, NamedTuple

ORIGINS = ("natural", "cultivated", "simulated", "artificial")
USAGES = ("development", "assessment", "historical", "?")
ORDERS = ("informative", "uninformative", "?")
SELECTIONS = ("hierarchical", "common")
CATEGORICAL_TYPES = ("binary", "nominal", "ordinal")
NUMERIC_TYPES = ("integer", "real", "angular")
INTEGER = "integer"
DISCRETE_TYPES = (*CATEGORICAL_TYPES, INTEGER)
TYPES = CATEGORICAL_TYPES + NUMERIC_TYPES
MOST_CATEGORIES = 10_000
LEVELS = "NLMH"
RETAIN: Literal["retain"] = "retain"
SEQUENTIAL = "sequential"
"""Orders of a prototask that keep the order of its dataset. A sequential order is informative."""
RANDOM_ORDER = "Random-order"
"""The order file that dgenorder writes for a prototask."""
RANDOM: Literal["random"] = "random"
ImportedOrder = Literal["retain", "random"]
"""The order of imported cases: that of their file, or a random order."""
TRANSFORMATIONS = ("log", "exp", "squeeze")
"""Functions that a prototask may apply to real attributes. squeeze(x) is sign(x) log(1 + |x|)."""
INDEX = "INDEX"
"""Name of attribute 0, the number of a case in the original order."""


Options = tuple[tuple[str, str], ...]
"""Pairs (name, value) in the order given."""


class Scheme(StrEnum):
    """How instances share cases.

    Standard instances are `disjoint`. `nadeau-bengio` is any plan with the correlation that Nadeau and Bengio
    assume. `test cases` are losses of single cases, by models that were trained or called in one or more
    runs. `unpaired` are separate runs of each method. `unknown` is the plan of scores without instances."""

    DISJOINT = "disjoint"
    CROSS_VALIDATION = "cross-validation"
    REPEATED = "repeated cross-validation"
    LEAVE_ONE_OUT = "leave-one-out"
    RESAMPLED = "resampled"
    ONE_TRAINING_SET = "one training set"
    REORDERED = "reordered"
    ONE_SPLIT = "one split"
    BOOTSTRAP = "bootstrap e0"
    BOOTSTRAP_632 = "bootstrap .632"
    ONE_TEST_SET = "one test set"
    NADEAU_BENGIO = "nadeau-bengio"
    CASES = "test cases"
    UNPAIRED = "unpaired"
    UNKNOWN = "unknown"


class Interval(NamedTuple):
    """An interval of real numbers such as `[0,Inf)`, or of whole numbers such as `0..Inf`.

    Attributes
    ----------
    low, high : float
        Ends, infinite without a bound.
    low_closed, high_closed : bool
        Whether the end belongs to the interval.
    is_whole : bool
        Whether it consists of whole numbers.
    """

    low: float
    high: float
    low_closed: bool = True
    high_closed: bool = True
    is_whole: bool = False

    def __contains__(self, value: Any) -> bool:  # any number: `tuple.__contains__` takes any object
        above = value > self.low or (value == self.low and self.low_closed)
        below = value < self.high or (value == self.high and self.high_closed)
        return bool(above and below and (not self.is_whole or value == int(value)))

    def reaches(self, bound: float, *, upward: bool) -> bool:
        """Does the interval have a value at or beyond the bound of a censored value?"""
        if upward:
            return self.high > bound or (self.high == bound and self.high_closed)
        return self.low < bound or (self.low == bound and self.low_closed)


class Range(NamedTuple):
    """Permitted values of an attribute. Source: manual, section 3.1.

    Attributes
    ----------
    text : str
        Text as written, with single blanks between words.
    values : tuple of str
        Single permitted values, in order, as text.
    intervals, integers : tuple of Interval
        Intervals of real and of whole numbers.
    missing : tuple of str
        Permitted texts for missing values, each starting with `?`.
    """

    text: str
    values: tuple[str, ...]
    intervals: tuple[Interval, ...]
    integers: tuple[Interval, ...]
    missing: tuple[str, ...]

    @property
    def kind(self) -> str:
        """`categorical`, `integer` or `real`: the kind of attribute by its range alone."""
        if self.intervals:
            return "real"
        if self.integers:
            return "integer"
        return "categorical"

    @property
    def category_count(self) -> int:
        """Length of `categories`; 0 if it is None."""
        count = sum(item.high - item.low + 1 for item in self.integers)
        return 0 if self.intervals or not count <= MOST_CATEGORIES else len(self.values) + int(count)

    @property
    def categories(self) -> tuple[str, ...] | None:
        """The finite list of values in order, or None if there are infinitely many.

        A finite integer range means its values in order. It counts as infinite if it has more than
        MOST_CATEGORIES values."""
        if not self.category_count:
            return None if self.intervals or self.integers else ()
        numbers = (str(n) for item in self.integers for n in range(int(item.low), int(item.high) + 1))
        return (*self.values, *numbers)


class Attribute(NamedTuple):
    """One quantity recorded for every case.

    Attributes
    ----------
    number : int
        Number from 1.
    name : str
        Name of the attribute.
    control : str
        `c`, `u` or `?`, as in the specification.
    range : Range
        Permitted values.
    description : str
        Description in words.
    """

    number: int
    name: str
    control: str
    range: Range
    description: str


class Dataset(NamedTuple):
    """Contents of `Dataset.spec`.

    Attributes
    ----------
    name : str
        Name of the dataset.
    title : str
        Title in words.
    origin, usage, order : str
        Values of these lines of the specification.
    commonality : bool
        Whether cases may have commonality indexes.
    attributes : tuple of Attribute
        Attributes by number.
    """

    name: str
    title: str
    origin: str
    usage: str
    order: str
    commonality: bool
    attributes: tuple[Attribute, ...]

    def attribute(self, reference: str | int) -> Attribute:
        """Return the attribute with this number or name; KeyError if there is none.

        Number 0 is the index of the case, which only datasets with an informative order have."""
        if isinstance(reference, int) and 0 < reference <= len(self.attributes):
            usual = self.attributes[reference - 1]
            if usual.number == reference:
                return usual
        for attribute in self.attributes:
            if reference in (attribute.name, attribute.number) or str(attribute.number) == str(reference):
                return attribute
        if self.order == "informative":
            index = self.index_attribute
            if str(reference) in ("0", index.name):
                return index
        raise KeyError(reference)

    @property
    def index_attribute(self) -> Attribute:
        """Attribute 0: the number of a case in the original order, from 1. Source: manual, section 4.1.

        If the dataset has an attribute INDEX, the name of this one ends with `_`."""
        name, taken = INDEX, {attribute.name for attribute in self.attributes}
        while name in taken:
            name += "_"
        limits = Range("1..Inf", (), (), (Interval(1.0, float("inf"), is_whole=True),), ())
        return Attribute(0, name, "u", limits, "Index of the case in the original order")


class Prototask(NamedTuple):
    """Contents of `Prototask.spec`.

    Attributes
    ----------
    dataset, name : str
        Names of the dataset and the prototask.
    origin : str
        Origin, as in the specification.
    cases : str
        `all`, `no missing` or a file.
    order : str
        `retain`, `sequential` or a file.
    inputs, targets : tuple of int
        Tuples of attribute numbers in the order given, 0 for the index of the case.
    test_set_size : int
        Number of cases in a test set.
    training_set_sizes : tuple of int
        Numbers of cases in training sets.
    test_set_selection : str
        `hierarchical` or `common`.
    maximum_instances : int
        Largest number of task instances per size.
    maximum_dependency_range : int or None
        Maximum dependency range of a sequential prototask, otherwise None.
    stratified : bool
        Whether training sets have the same number of cases of each target value.
    transformations : tuple[tuple[int, str], ...]
        Tuple of (attribute number, one of TRANSFORMATIONS).
    """

    dataset: str
    name: str
    origin: str
    cases: str
    order: str
    inputs: tuple[int, ...]
    targets: tuple[int, ...]
    test_set_size: int
    training_set_sizes: tuple[int, ...]
    test_set_selection: str
    maximum_instances: int
    maximum_dependency_range: int | None = None
    stratified: bool = False
    transformations: tuple[tuple[int, str], ...] = ()

    @property
    def used(self) -> tuple[int, ...]:
        """Numbers of all attributes in use, inputs first, in the order of the specification.

        `Prototask.data` and `normalize.n` have the same order, as in the files of DELVE 1.1."""
        return (*self.inputs, *self.targets)

    @property
    def is_sequential(self) -> bool:
        return self.order.lower() == SEQUENTIAL

    @property
    def order_file(self) -> str | None:
        """The name of the file with the order of the cases; None for the order of the dataset."""
        return None if self.order.lower() in (RETAIN, SEQUENTIAL) else self.order

    def transformation(self, number: int) -> str | None:
        """Return the function that transforms an attribute before it is encoded, or None."""
        return dict(self.transformations).get(number)

    @property
    def path(self) -> str:
        return f"/{self.dataset}/{self.name}"


class PriorLine(NamedTuple):
    """Prior information on one attribute.

    Attributes
    ----------
    attribute : int
        Number of the attribute.
    levels : str
        Some of N, L, M, H, as in the file.
    options : Options
        Tuple of (name, value) pairs in the order given.
    """

    attribute: int
    levels: str
    type: str
    options: Options

    def option(self, name: str) -> str | None:
        return dict(self.options).get(name)


class Prior(NamedTuple):
    """Contents of a `.prior` file.

    Attributes
    ----------
    lines : tuple of PriorLine
        Tuple of PriorLine in file order.
    dependency_strength : str or None
        Some of N, L, M, H, for the dependence between nearby cases or cases with the same commonality index.
    dependency_range : int or None
        Range of the dependence in a sequence, in cases. This and the strength are None if absent from the
        file.
    about : str
        Description of the prior knowledge, from the comment at the beginning of the file.
    """

    dataset: str
    prototask: str
    name: str
    lines: tuple[PriorLine, ...]
    dependency_strength: str | None = None
    dependency_range: int | None = None
    about: str = ""

    def line(self, number: int) -> PriorLine:
        for line in self.lines:
            if line.attribute == number:
                return line
        raise KeyError(number)


class Coding(NamedTuple):
    """The encoding of one attribute: attribute name, coding name, tuple of (option, value) pairs."""

    attribute: str
    coding: str
    options: Options

    def option(self, name: str) -> str | None:
        return dict(self.options).get(name)


SCORED, WHOLE = "scores", "all"
"""The prototask of datasets with scores only, and their task without a training size."""
SLASH = "\u2215"  # replaces a slash within one part of the path of such a task


def task_name(prior: str, training_size: int) -> str:
    """Return the name of a task: `std.128`, or its prior alone if the training size is 0 (unknown)."""
    return f"{prior}.{training_size}" if training_size else prior


def place_names(path: str) -> tuple[str, ...]:
    """Return the names in the path of a dataset, prototask or task.

    Examples
    --------
    >>> place_names("/demo/age")
    ('demo', 'age')
    """
    return tuple(filter(None, path.split("/")))


def is_below(task: tuple[str, ...], places: Collection[tuple[str, ...]]) -> bool:
    """Is a task at or below one of these places? Task and places are tuples of names."""
    return () in places or any(task[: len(names)] == names for names in places)


class TaskId(NamedTuple):
    """The key of a task in tables, paths and addresses.

    It is a tuple, so that it can be sorted and used as a key.

    Attributes
    ----------
    dataset, prototask : str
        Names of the dataset and the prototask.
    task : str
        Name of the task, such as `std.128`.
    """

    dataset: str
    prototask: str
    task: str

    @classmethod
    def parse(cls, path: str) -> "TaskId":
        """Return the task with a full path.

        Raises
        ------
        ValueError
            If the path does not have three parts.

        Examples
        --------
        >>> TaskId.parse("/demo/age/std.128").prototask
        'age'
        """
        names = place_names(path)
        if len(names) != 3:
            raise ValueError(f"expected a path /dataset/prototask/task, found {path!r}")
        return cls(*names)

    @property
    def path(self) -> str:
        """The full path, such as `/demo/age/std.128`."""
        return f"/{self.dataset}/{self.prototask}/{self.task}"

    @property
    def title(self) -> str:
        """The name for readers: the path, or for scores the dataset and the name of the task."""
        if self.prototask != SCORED:
            return self.path
        return (self.dataset if self.task == WHOLE else f"{self.dataset}/{self.task}").replace(SLASH, "/")


class Task(NamedTuple):
    """A prototask with its prior information and the size of its training sets.

    The size is 0 for scores whose training sets are unknown."""

    dataset: str
    prototask: str
    prior: str
    training_size: int

    @property
    def name(self) -> str:
        return task_name(self.prior, self.training_size)

    @property
    def id(self) -> TaskId:
        """The key of this task."""
        return TaskId(self.dataset, self.prototask, self.name)

    @property
    def path(self) -> str:
        return self.id.path


class Generator(NamedTuple):
    """The generator of a dataset's cases, which runs when they are first needed.

    Attributes
    ----------
    name : str
        Name of a registered generator.
    cases : int
        Number of cases.
    checksum : str
        SHA-256 of the generated text of `Dataset.data`, 64 hexadecimal digits.
    """

    name: str
    cases: int
    checksum: str


TASK_TYPES = ("classification", "regression")


def task_types(dataset: Dataset, prototask: Prototask, prior: Prior | None) -> tuple[str, ...]:
    """Return the kinds of learning that the targets of a prototask require, some of TASK_TYPES.

    The type of a target is that in the prior. Without one, its range decides."""
    types = {line.attribute: line.type for line in prior.lines} if prior else {}
    kinds = {
        TASK_TYPES[0]
        if types.get(number, dataset.attribute(number).range.kind) in (*CATEGORICAL_TYPES, "categorical")
        else TASK_TYPES[1]
        for number in prototask.targets
    }
    return tuple(name for name in TASK_TYPES if name in kinds)


def task_type(dataset: Dataset, prototask: Prototask, prior: Prior | None) -> str:
    """Is a prototask `classification` (all targets categorical), `regression` or `mixed`?"""
    types = task_types(dataset, prototask, prior)
    return "mixed" if len(types) > 1 else types[0]


class Level(NamedTuple):
    """One level of a factor.

    Attributes
    ----------
    name : str
        Short name, as the members use it.
    label : str
        Label in words.
    meaning : str
        Definition, or empty.
    """

    name: str
    label: str
    meaning: str = ""


class Factor(NamedTuple):
    """A property in which the members of a task-array differ.

    Attributes
    ----------
    name : str
        Name of the factor.
    levels : tuple of Level
        Tuple of Level, two or more.
    """

    name: str
    levels: tuple[Level, ...]

    def label(self, level: str) -> str:
        """Return the label of a level by its name; KeyError for an unknown level."""
        return {one.name: one.label for one in self.levels}[level]


class Member(NamedTuple):
    """One prototask, with a prior, that is part of a task-array.

    Attributes
    ----------
    dataset, prototask, prior : str
        Names of the dataset, the prototask and the prior.
    levels : tuple of str
        Names of levels, one per factor.
    """

    dataset: str
    prototask: str
    prior: str
    levels: tuple[str, ...]

    @property
    def path(self) -> str:
        return f"/{self.dataset}/{self.prototask}/{self.prior}"


class TaskArray(NamedTuple):
    """Prototasks that differ in known factors, besides the size of their training sets.

    Source: DELVE's page on task-arrays.

    Attributes
    ----------
    name : str
        Name of the task-array.
    title : str
        Title in words.
    factors : tuple of Factor
        Tuple of 1 to 4 Factor.
    members : tuple of Member
        Tuple of Member, at most one per combination of levels.
    measures : Mapping[tuple[Member, str], tuple[float, float]]
        Measured amounts by member and name of a factor, each with its standard error. An amount is a
        percentage of the target's variance, or what the definition of the factor states.
    """

    name: str
    title: str
    factors: tuple[Factor, ...]
    members: tuple[Member, ...]
    measures: Mapping[tuple[Member, str], tuple[float, float]] = {}

    @property
    def shown(self) -> tuple[Factor, ...]:
        """The factors with only the levels that members have, for tables and figures."""
        used = [set(names) for names in zip(*(member.levels for member in self.members), strict=True)]
        return tuple(
            factor._replace(levels=tuple(level for level in factor.levels if level.name in known))
            for factor, known in zip(self.factors, used, strict=True)
        )

    @property
    def vacant(self) -> tuple[Level, ...]:
        """The defined levels that no member has."""
        pairs = zip(self.factors, self.shown, strict=True)
        return tuple(level for every, used in pairs for level in every.levels if level not in used.levels)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The paths of the datasets of its members."""
        return tuple(dict.fromkeys(f"/{member.dataset}" for member in self.members))
