"""The benchmark's objects as facts, checked once and never changed.

Records are named tuples, not dataclasses: importing `dataclasses` alone takes longer than `dinfo` may take.
Source: DELVE manual, sections 3, 4, 6 and 7.
"""

from collections import namedtuple

__all__ = [
    "CATEGORICAL_TYPES",
    "LEVELS",
    "LOSSES",
    "NUMERIC_TYPES",
    "ORDERS",
    "ORIGINS",
    "TYPES",
    "USAGES",
    "Attribute",
    "Coding",
    "Dataset",
    "IntegerRange",
    "Interval",
    "Prior",
    "PriorLine",
    "Prototask",
    "Range",
    "Task",
]

ORIGINS = ("natural", "cultivated", "simulated", "artificial")
USAGES = ("development", "assessment", "historical", "?")
ORDERS = ("informative", "uninformative", "?")
SELECTIONS = ("hierarchical", "common")
CATEGORICAL_TYPES = ("binary", "nominal", "ordinal")
NUMERIC_TYPES = ("integer", "real", "angular")
TYPES = CATEGORICAL_TYPES + NUMERIC_TYPES
LEVELS = "NLMH"
LOSSES = "ALQSZ"


class Interval(namedtuple("Interval", "low high low_closed high_closed")):
    """A real interval such as `[0,Inf)`."""

    __slots__ = ()

    def __contains__(self, value):
        above = value > self.low or (value == self.low and self.low_closed)
        below = value < self.high or (value == self.high and self.high_closed)
        return above and below

    def reaches(self, bound, *, upward):
        """Does the interval hold a value at or beyond the bound? (For censored values.)"""
        if upward:
            return self.high > bound or bound in self
        return self.low < bound or bound in self


class IntegerRange(namedtuple("IntegerRange", "low high")):
    """Whole numbers from low to high, both included, such as `0..Inf`."""

    __slots__ = ()

    def __contains__(self, value):
        return self.low <= value <= self.high and value == int(value)

    def reaches(self, bound, *, upward):
        return self.high >= bound if upward else self.low <= bound

    @property
    def is_finite(self):
        infinity = float("inf")
        return self.low > -infinity and self.high < infinity


class Range(namedtuple("Range", "text values intervals integers missing")):
    """Everything that an attribute may be: manual, section 3.1.

    text: as written, single blanks; values: single permitted values, in order, as text; intervals, integers:
    tuples of Interval and IntegerRange; missing: permitted missing-value texts, each starting with `?`.
    """

    __slots__ = ()

    @property
    def kind(self):
        """`categorical`, `integer` or `real`: what the range alone says of the attribute."""
        if self.intervals:
            return "real"
        if self.integers:
            return "integer"
        return "categorical"

    @property
    def categories(self):
        """The finite list of values in order, or None where there are infinitely many.

        A finite integer range stands for its values in order.
        """
        if self.intervals or not all(item.is_finite for item in self.integers):
            return None
        numbers = (str(n) for item in self.integers for n in range(int(item.low), int(item.high) + 1))
        return (*self.values, *numbers)


class Attribute(namedtuple("Attribute", "number name control range description")):
    """One quantity recorded for every case; control is `c`, `u` or `?`."""

    __slots__ = ()


class Dataset(namedtuple("Dataset", "name title origin usage order commonality attributes")):
    """What `Dataset.spec` says. commonality: whether cases may have commonality indexes."""

    __slots__ = ()

    def attribute(self, reference):
        """Return the attribute with this number or name; KeyError where there is none."""
        for attribute in self.attributes:
            if reference in (attribute.name, attribute.number) or str(attribute.number) == str(reference):
                return attribute
        raise KeyError(reference)


class Prototask(
    namedtuple(
        "Prototask",
        "dataset name origin cases order inputs targets test_set_size training_set_sizes "
        "test_set_selection maximum_instances",
    )
):
    """What `Prototask.spec` says. cases: `all`, `no missing` or a file; order: `retain` or a file;
    inputs, targets: tuples of attribute numbers in the order given."""

    __slots__ = ()

    @property
    def path(self):
        return f"/{self.dataset}/{self.name}"


class PriorLine(namedtuple("PriorLine", "attribute levels type options")):
    """Prior information on one attribute. attribute: number; levels: some of N, L, M, H, as written;
    options: tuple of (name, value) pairs in the order given."""

    __slots__ = ()

    def option(self, name):
        return dict(self.options).get(name)


class Prior(namedtuple("Prior", "dataset prototask name lines")):
    """What a `.prior` file says; lines by attribute number: tuple of PriorLine in file order."""

    __slots__ = ()

    def line(self, number):
        for line in self.lines:
            if line.attribute == number:
                return line
        raise KeyError(number)


class Coding(namedtuple("Coding", "attribute coding options")):
    """How one attribute is encoded: attribute name, coding name, tuple of (option, value) pairs."""

    __slots__ = ()

    def option(self, name):
        return dict(self.options).get(name)


class Task(namedtuple("Task", "dataset prototask prior training_size")):
    """A prototask with its prior information and the size of its training sets."""

    __slots__ = ()

    def __new__(cls, dataset, prototask, prior, training_size):
        if training_size < 1:
            raise ValueError(f"training_size must be positive, got {training_size}")
        return super().__new__(cls, dataset, prototask, prior, training_size)

    @property
    def name(self):
        return f"{self.prior}.{self.training_size}"

    @property
    def path(self):
        return f"/{self.dataset}/{self.prototask}/{self.name}"
