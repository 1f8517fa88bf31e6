"""The plan of an import: attributes, targets, sizes, and the reasons.

Sizes follow the manual (section 4.2): factors of two, training sets that share no cases, an adequate test
set. Half of the cases are for training. They contain four training sets of the largest size, or two if there
are few cases."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, get_args

from delvecore.errors import Fault
from delvecore.importers.attributes import (
    ColumnPlan,
    Reason,
    Role,
    attribute_names,
    file_name,
    typed_column,
)
from delvecore.importers.experiment_designs import ChosenDesign
from delvecore.importers.profiles import profiles_of
from delvecore.importers.source import MISSING, Source
from delvecore.model import CATEGORICAL_TYPES, RETAIN, Attribute, Dataset, ImportedOrder
from delvecore.readers.dataset import parse_range

FEWEST_CASES = 12
SMALLEST = ((4096, 64), (512, 32), (128, 16), (0, 8))
"""(least number of cases, smallest training set)."""
LARGEST, MOST_SIZES, MOST_INSTANCES = 1024, 5, 8
REPEATS, MANY_CASES, FEW_REPEATS = 4, 2048, 2
MOST_TEST_CASES, FEWEST_OF_HIERARCHICAL = 8192, 1024


def training_set_sizes(cases: int, requested: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the sizes of training sets for a number of cases with known targets.

    Raises Fault for fewer than 12 cases, and for requested sizes that are not positive, are repeated, or
    leave no case for testing.

    >>> training_set_sizes(150)
    (16, 32)
    """
    if cases < FEWEST_CASES:
        raise Fault("", f"at least {FEWEST_CASES} cases with known targets", cases, "add cases")
    if not requested:
        first = next(size for least, size in SMALLEST if cases >= least)
        largest = min(cases // 2 // (REPEATS if cases >= MANY_CASES else FEW_REPEATS), LARGEST)
        doubled = (first << step for step in range(MOST_SIZES))
        return tuple(size for size in doubled if size <= largest) or (cases // 4,)
    sizes, shown = tuple(sorted(requested)), ", ".join(map(str, requested))
    if sizes[0] < 1 or len(set(sizes)) < len(sizes):
        raise Fault("sizes", "whole numbers of at least 1, each once", shown)
    if sizes[-1] >= cases:
        raise Fault("sizes", f"sizes below {cases}, the number of cases with known targets", shown)
    return sizes


def cases_for_testing(cases: int, largest: int, *, instances: int = MOST_INSTANCES) -> int:
    """Return the number of test cases that remain after training sets of the largest size."""
    used = largest * min(instances, max(1, cases // 2 // largest))
    return min(cases - used, MOST_TEST_CASES)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Parse sizes of training sets such as `64,128`. Raises Fault."""
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() for word in words):
        raise Fault("sizes", "whole numbers separated by commas, such as 64,128", repr(text))
    return tuple(map(int, words))


FEWEST_OF_CLASS = 2
"""A class with fewer cases in a training set, on average, is rare."""
RESERVED = ("Source", "Summary")
DATASET_NAME = "letters, digits and . _ -, without a dot or dash at either end, other than Source and Summary"
LIKELY_TARGETS = ("target", "class", "label", "y", "outcome", "response")


class ImportOptions(NamedTuple):
    """Options of an import.

    Attributes
    ----------
    targets : sequence of str
        Names of target columns, one entry per prototask, with commas between joint targets.
    types : mapping of str to str
        Types by column, see `attributes.typed_column`.
    missing : sequence of str
        Words that mark missing values.
    seed : int
        Seed of the random order.
    name : str or None
        Name of the dataset, None for that of the source.
    origin, usage, title : str
        Values of these lines of the specification.
    guess_target : bool
        Whether a target may be guessed.
    order : ImportedOrder or None
        Order of the cases, a random one if None.
    sizes : sequence of int
        Sizes of training sets, the usual ones if empty.
    instances : int
        Largest number of training sets of a size.
    group : str or None
        The column of groups of cases that stay together.
    time : str or None
        The column by which the source is sorted. Columns of groups and time are not inputs, unless `types`
        has them.
    """

    targets: Sequence[str] = ()
    types: Mapping[str, str] = {}
    missing: Sequence[str] = MISSING
    seed: int = 1
    name: str | None = None
    origin: str = "natural"
    usage: str = "?"
    title: str = ""
    guess_target: bool = False
    order: ImportedOrder | None = None
    sizes: Sequence[int] = ()
    instances: int = MOST_INSTANCES
    group: str | None = None
    time: str | None = None


class Sign(NamedTuple):
    """A sign that cases are not independent.

    Attributes
    ----------
    kind : str
        `groups`, `copies` or `time`.
    text : str
        A clause.
    column : str
        Name of the column in the source, or empty.
    is_serious : bool
        Whether the sign is strong.
    """

    kind: str
    text: str
    column: str = ""
    is_serious: bool = True


class ImportPlan(NamedTuple):
    """All steps of an import.

    Attributes
    ----------
    source : Source
        The cases.
    options : ImportOptions
        Options of the import.
    name : str
        Name of the dataset.
    cases : int
        Number of cases.
    columns : tuple of ColumnPlan
        Planned use of each column.
    targets : tuple of tuple of str
        Names of attributes, one tuple per prototask.
    is_guessed : bool
        Whether the target is neither in the options nor in the source.
    group : ColumnPlan or None
        The column of groups of cases.
    design : ChosenDesign
        The design of the instances in an experiment.
    signs : tuple of Sign
        Signs that the design of an experiment does not take into account.
    """

    source: Source
    options: ImportOptions
    name: str
    cases: int
    columns: tuple[ColumnPlan, ...]
    targets: tuple[tuple[str, ...], ...]
    is_guessed: bool
    group: ColumnPlan | None = None
    design: ChosenDesign = ChosenDesign()
    signs: tuple[Sign, ...] = ()

    @property
    def kept(self) -> tuple[ColumnPlan, ...]:
        """The columns that become attributes, in the order of their numbers."""
        return tuple(column for column in self.columns if column.role is not Role.LEFT_OUT)

    def known_cases(self, targets: Sequence[str]) -> int:
        """Return the smallest number of known values among these targets."""
        return min(column.profile.known for column in self.columns if column.name in targets)

    @property
    def is_retained(self) -> bool:
        """Do the prototasks keep the order of the source?"""
        return self.options.order == RETAIN

    @property
    def dataset(self) -> Dataset:
        title = self.options.title or self.source.title
        attributes = tuple(
            Attribute(number, one.name, "u", parse_range(_range_text(one)), _description(one))
            for number, one in enumerate(self.kept, start=1)
        )
        facts = self.options.origin, self.options.usage, "?" if self.is_retained else "uninformative"
        return Dataset(self.name, title, *facts, commonality=bool(self.group), attributes=attributes)


def _range_text(column: ColumnPlan) -> str:
    limits = parse_range(column.range)
    return limits.text if limits.missing or not column.profile.missing else f"{limits.text} ?"


def _description(column: ColumnPlan) -> str:
    """Return the name of a column if its attribute has another one."""
    return "" if column.source == column.name else " ".join(column.source.split()).rstrip("\\")


def plan_import(source: Source, options: ImportOptions) -> ImportPlan:
    """Return the plan for a source, which is read once. Raises Fault if it cannot become a dataset."""
    if options.order not in (None, *get_args(ImportedOrder)):
        raise Fault("order", " or ".join(get_args(ImportedOrder)), repr(options.order))
    names = attribute_names(column.name for column in source.columns)
    attributes = {column.name: name for column, name in zip(source.columns, names, strict=True)}
    attributes |= {name: name for name in names}
    types = {_name_of(column, attributes, "type of"): kind for column, kind in options.types.items()}
    group = None if options.group is None else _name_of(options.group, attributes, "group")
    time = None if options.time is None else _name_of(options.time, attributes, "order")
    chosen = tuple(_targets(word, attributes) for word in options.targets or source.targets)
    if not chosen and not options.guess_target:
        raise Fault("target", f"one of {_listed(names)}", "none", "name the column to predict")
    # The likeliest target is the last column with a typical name, or else the last column.
    likely = [name for name in names if name.lower() in LIKELY_TARGETS] or names
    targets = chosen or ((likely[-1],),)
    cases, profiles = profiles_of(source, options.missing)
    if not cases:
        raise Fault(source.place, "cases", "none", is_file=True)
    all_targets = {name for group in targets for name in group}
    columns = []
    for column, name, profile in zip(source.columns, names, profiles, strict=True):
        role = Role.TARGET if name in all_targets else Role.INPUT
        planned, is_open = ColumnPlan(column.name, name, role, profile), name not in {*types, *all_targets}
        if is_open and name == group:
            planned = planned.left_out(Reason.GROUP)
        elif is_open and time is not None and (name == time or profile.counts_up):
            planned = planned.left_out(Reason.TIME)
        else:
            planned = typed_column(planned, column, cases, requested=types.get(name))
        columns.append(planned)
    name = options.name or file_name(source.name) or "data"
    facts = name, cases, tuple(columns), targets
    of_groups = next((column for column in columns if column.name == group), None)
    plan = ImportPlan(source, options, *facts, is_guessed=not chosen, group=of_groups)
    _check(plan, all_targets)
    return plan


def _name_of(word: str, attributes: Mapping[str, str], place: str) -> str:
    if word not in attributes:
        raise Fault(f"{place} {word}", "the name of a column", f"none of {_listed(attributes)}")
    return attributes[word]


def _targets(word: str, attributes: Mapping[str, str]) -> tuple[str, ...]:
    """Return the attributes of one word: a column, or several separated by commas."""
    words = [word] if word in attributes else [part.strip() for part in word.split(",")]
    return tuple(dict.fromkeys(_name_of(part, attributes, "target") for part in words))


def _listed(names: Iterable[str]) -> str:
    names = list(dict.fromkeys(names))
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def _check(plan: ImportPlan, targets: Iterable[str]) -> None:
    for column in plan.columns:
        if column.name in targets and column.role is Role.LEFT_OUT:
            actual = f"a column that is left out ({column.reason})"
            remedy = f"set its type, such as {column.name}=nominal"
            raise Fault(f"target {column.source}", "a column that can be predicted", actual, remedy)
    if plan.group:
        _check_groups(plan.group, plan.cases, targets)
    if plan.options.sizes:
        for group in plan.targets:
            training_set_sizes(plan.known_cases(group), plan.options.sizes)
    if not is_dataset_name(plan.name):
        raise Fault("--name", DATASET_NAME, repr(plan.name))


def _check_groups(group: ColumnPlan, cases: int, targets: Iterable[str]) -> None:
    """Raise Fault if the values of a column cannot be groups of cases."""
    place, expected = f"group {group.source}", "a column whose values are groups of cases"
    if group.name in targets:
        raise Fault(place, expected, "a target")
    if group.profile.distinct == 1 or not group.profile.known:
        raise Fault(place, expected, "one value" if group.profile.known else "no values")
    if group.profile.distinct == cases:
        raise Fault(
            place,
            expected,
            "a different value in each case",
            "leave out the option, since no cases belong together",
        )


def is_dataset_name(name: str) -> bool:
    """Can this be a dataset's name? `Source` and `Summary` cannot, since methods have such files."""
    return bool(name) and file_name(name) == name and name not in RESERVED


def rare_classes(plan: ImportPlan) -> Iterator[tuple[ColumnPlan, str, int, int]]:
    """Yield (target, class, its cases, largest size) of classes that are rare in training sets up to a size.

    A rare class has fewer than two cases in a training set on average."""
    columns = {column.name: column for column in plan.columns}
    for group in plan.targets:
        count = plan.known_cases(group)
        if count < FEWEST_CASES:
            continue
        sizes = training_set_sizes(count, plan.options.sizes)
        for column in (columns[name] for name in group):
            if column.type not in CATEGORICAL_TYPES:
                continue
            for value, cases in sorted((column.profile.values or {}).items(), key=lambda one: one[1]):
                rare = [size for size in sizes if size * cases < FEWEST_OF_CLASS * column.profile.known]
                if rare:
                    yield column, value, cases, rare[-1]
