"""What `dinfo` prints about the root, datasets, prototasks and tasks, and `minfo` about methods; its layout.

A value is a text, a tuple of words (printed on one line), a list (printed one entry per line), a sentence, or
a table of attributes, with ranges (datasets) or codings (tasks). Terse information has only the numbers of
such a table. `minfo` lists only places where the method has a directory, and shows the codings that it uses
for a task. Source: manual, appendix C, `dinfo` and `minfo`; the layout, with its blanks, is DELVE 1.1's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from delvecore.encoding.codings import column_names, task_codings
from delvecore.errors import DelveError, ParseError
from delvecore.losses.published import OWNERS, PUBLISHED, PublishedResult, parse_published
from delvecore.model import (
    TASK_TYPES,
    Attribute,
    Coding,
    Dataset,
    Factor,
    Level,
    Prior,
    PriorLine,
    Prototask,
    Task,
    task_types,
)
from delvecore.readers import specifications
from delvecore.readers.array import SPECIFICATION as ARRAY
from delvecore.readers.array import read_array
from delvecore.readers.dataset import DATA, count_cases, find_data_of, read_generator
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import INSTANCE_SUFFIX, SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.instances import parse_listing
from delvecore.readers.prior import parse_codings
from delvecore.readers.source_files import SETTINGS, read_contributors
from delvecore.render.numbers import counted, parameter
from delvecore.render.text import fold

WIDTH = 80
DESCRIPTION_COLUMN = 34
DEFAULT_SCALE = ("scale", "sqrt")


CodedRow = tuple[Attribute, PriorLine, Coding]


class TextBlock(NamedTuple):
    """A value that is printed on separate lines.

    Attributes
    ----------
    terse : str
        Line without a heading.
    has_heading : bool
        Whether its key is above it.
    codings : tuple of CodedRow
        Rows of a table of codings.
    """

    lines: list[str]
    terse: str
    has_heading: bool = True
    codings: tuple[CodedRow, ...] = ()


def _numbers(attributes: Iterable[Attribute]) -> str:
    return " ".join(str(attribute.number) for attribute in attributes)


def attribute_table(attributes: Sequence[Attribute]) -> TextBlock:
    """Number, name, control, range and description of some attributes."""
    lines = [line for attribute in attributes for line in _attribute_lines(attribute)]
    return TextBlock(["     #  name     c/u range        description", *lines], _numbers(attributes))


def _attribute_lines(attribute: Attribute) -> list[str]:
    """Return lines of attributes. The description starts in column 34 (from 0), or a new line if needed."""
    number, name, control, limits, description = attribute
    row = f"{number:>6}  {name:<8}  {control:<3}{limits.text:<12}".rstrip()
    if not description:
        return [row]
    lines = fold(description, " " * DESCRIPTION_COLUMN, width=WIDTH)
    if len(row) >= DESCRIPTION_COLUMN:
        return [row, *lines]
    return [row.ljust(DESCRIPTION_COLUMN) + lines[0].lstrip(), *lines[1:]]


def coding_table(rows: Sequence[CodedRow], role: str, *, is_default: bool) -> TextBlock:
    """How the inputs or targets of a task become numbers.

    `role` is `inputs` or `targets`. `is_default` is true for default codings (`dinfo`), and false for those
    that a method used (`minfo`).
    """
    levels = "noise-lev" if role == "targets" else "relevance"
    blanks, title = ("    ", "  def coding") if is_default else ("  ", " coding")
    lines = [f" col attr name          type   {levels}{title}  options"]
    for (attribute, line, coding), columns in coding_columns(rows):
        first, *others = (
            f" {number or '-':>3} {attribute.number:>3}  {name:<13}" for number, name in columns
        )
        # DELVE 1.1 sets the hyphen for `no options` three blanks further right than the options.
        options = option_text(coding) or "   -"
        lines.append(f"{first} {line.type:<8} {line.levels.lower():<7}{blanks}{coding.coding:<9} {options}")
        lines += [f"{other}                ..." for other in others]
    return TextBlock(lines, _numbers(attribute for attribute, _, _ in rows), codings=tuple(rows))


def coding_columns(rows: Sequence[CodedRow]) -> list[tuple[CodedRow, list[tuple[int | None, str]]]]:
    """Return each row with the names and numbers, from 1, of its columns.

    An ignored attribute has no columns: its name appears without a number.
    """
    coded, start = list[tuple[CodedRow, list[tuple[int | None, str]]]](), 1
    for row in rows:
        attribute, _, coding = row
        names = column_names(attribute, coding)
        numbered: list[tuple[int | None, str]] = [*enumerate(names, start)]
        coded.append((row, numbered or [(None, attribute.name)]))
        start += len(names)
    return coded


def option_text(coding: Coding) -> str:
    """Return the options of a coding as `minfo` shows them: `unit = "24"`."""
    shown = [option for option in coding.options if option != DEFAULT_SCALE]
    return ", ".join(f'{name} = "{value}"' for name, value in shown)


Value = str | list[str] | tuple[str, ...] | TextBlock
Values = dict[str, Callable[[], Value]]


class Information(NamedTuple):
    """Known facts about one place.

    Attributes
    ----------
    usual, complete : sequence of str
        Keys printed without and with -a, in order.
    values : Mapping[str, Callable[[], Value]]
        Functions without arguments by key, so that only printed values are read. Keys that are in neither
        list are available with -k.
    """

    usual: Sequence[str]
    complete: Sequence[str]
    values: Mapping[str, Callable[[], Value]]

    def keys(self, *, everything: bool = False, wanted: str | None = None) -> list[str]:
        """Return the keys to print. `wanted` is the requested text. Raises DelveError for an unknown key."""
        if wanted is None:
            return list(self.complete if everything else self.usual)
        keys = wanted.split()
        unknown = [key for key in keys if key not in self.values]
        if unknown:
            known = " ".join(dict.fromkeys((*self.complete, *self.values)))
            raise DelveError(f"unknown key {unknown[0]!r}; the keys are {known}")
        if not keys:
            raise DelveError("expected at least one key, found none; -q lists the keys")
        return keys


def information_text(information: Information, keys: Iterable[str], *, terse: bool = False) -> str:
    """Return the lines that show the values of keys; terse leaves the headings out."""
    lines: list[str] = []
    for key in keys:
        value = information.values[key]()
        lines += _terse_lines(value) if terse else _lines(key, value)
    return "\n".join(lines)


def _lines(key: str, value: Value) -> list[str]:
    words = key.replace("-", " ")
    heading = f"{words[0].upper()}{words[1:]}: "
    if isinstance(value, TextBlock):
        return [heading, *value.lines] if value.has_heading else value.lines
    if not value:
        return [heading + ("no title" if key == "title" else "none")]
    if isinstance(value, list):
        return [heading, *(f"\t{entry}" for entry in value)]
    return [heading + (value if isinstance(value, str) else " ".join(value))]


def _terse_lines(value: Value) -> list[str]:
    if isinstance(value, TextBlock):
        return [value.terse]
    return [value if isinstance(value, str) else " ".join(value)]


def contributor_texts(hierarchy: Hierarchy, part: str, name: str) -> list[str]:
    """Return `Ada Example (ada@example.org), 2026-11-22` for each contributor of a dataset or a method."""
    try:
        return list(read_contributors(hierarchy, part, name, report=lambda error: None))
    except DelveError:
        return []


Found = TypeVar("Found")
TaskFacts = tuple[Dataset, Prototask, Prior, Task]
"""A dataset, a prototask, a prior and a task, as `specifications.read_task` returns them."""
CODING_FILE = "Coding-used"
PRIOR_WIDTH = 72
"""Width of the description of a prior, which is printed after a tab."""


def data_information(hierarchy: Hierarchy, tolerant: Hierarchy, names: Sequence[str]) -> Information:
    """Return the Information on a place in `data`, given by the components of its path.

    `hierarchy` raises faults and is used for the place itself. `tolerant` is the same hierarchy, but it
    reports faults, and is used for lists. Raises DelveError if there is no such dataset, prototask or task.
    """
    builders = (_root, _dataset, _prototask, _task)
    if len(names) >= len(builders):
        path = "/".join(("", *names))
        raise DelveError(f"{path}: expected a dataset, prototask or task, found a longer path")
    return builders[len(names)](hierarchy, tolerant, *names)


def _root(hierarchy: Hierarchy, tolerant: Hierarchy) -> Information:
    return _of_all(hierarchy, "datasets", lambda: specifications.dataset_names(tolerant))


def _of_all(hierarchy: Hierarchy, key: str, names: Callable[[], list[str]]) -> Information:
    values: Values = {"delve_path": lambda: list(hierarchy.roots), key: names}
    return Information((key,), tuple(values), values)


def _dataset(hierarchy: Hierarchy, tolerant: Hierarchy, name: str) -> Information:
    if hierarchy.find("data", name, ARRAY) and not hierarchy.find("data", name, "Dataset.spec"):
        return _array(hierarchy, name)
    values = _dataset_values(hierarchy, tolerant, specifications.read_dataset(hierarchy, name))
    usual = (*list(values)[:-4], "task-types", "number-of-cases", "prototasks")
    published = _published(tolerant, "data", name)
    values = values | _contributors(tolerant, "data", name) | published
    return Information((*usual, *published), tuple(values), values)


def _contributors(hierarchy: Hierarchy, part: str, name: str) -> Values:
    """Return the contributors of a dataset or method; empty without contributors."""
    contributors = contributor_texts(hierarchy, part, name)
    return {"contributors": lambda: contributors} if contributors else {}


def _published(hierarchy: Hierarchy, part: str, name: str) -> Values:
    """Return results published elsewhere; empty without such a file."""
    path = hierarchy.find(part, name, PUBLISHED)
    published = _published_texts(path, (OWNERS[part], name)) if path else []
    return {"published-results": lambda: published} if published else {}


def _published_texts(path: str, owner: tuple[str, str]) -> list[str]:
    """Return `net-1999: sep, cep on 2 tasks (A. Author, A paper, 1999)` for each method and source."""
    try:
        results = parse_published(read_text(path), path, owner=owner, report=lambda error: None)
    except DelveError:
        return []
    groups: dict[tuple[str, str], list[PublishedResult]] = {}
    for one in results:
        groups.setdefault((one.method, one.source), []).append(one)
    texts = []
    for (method, source), values in groups.items():
        measures = ", ".join(dict.fromkeys(one.measure for one in values))
        tasks = counted(len({one.path for one in values}), "task")
        texts.append(f"{method}: {measures} on {tasks} ({source})")
    return texts


def _array(hierarchy: Hierarchy, name: str) -> Information:
    """Return the Information on a task-array: a directory of `data` that lists prototasks instead of a
    dataset.
    """
    array = read_array(hierarchy, name)
    values: Values = {
        "array": lambda: f"/{array.name}",
        "title": lambda: array.title,
        "factors": lambda: list(map(_factor_text, array.factors)),
        "members": lambda: [f"{member.path} {' '.join(member.levels)}" for member in array.members],
    }
    if vacant := [_level_text(level) for level in array.vacant]:
        values["levels-without-members"] = lambda: vacant
    if array.measures:
        values["measured"] = lambda: [
            f"{member.path} {factor} {parameter(percent)} ± {parameter(error)} %"
            for (member, factor), (percent, error) in array.measures.items()
        ]
    return Information(tuple(values), tuple(values), values)


def _factor_text(factor: Factor) -> str:
    return f"{factor.name}: {', '.join(map(_level_text, factor.levels))}"


def _level_text(level: Level) -> str:
    """Return a text such as `l (low noise: below 0.25 %)`."""
    return f"{level.name} ({level.label}{f': {level.meaning}' if level.meaning else ''})"


def _dataset_values(hierarchy: Hierarchy, tolerant: Hierarchy, dataset: Dataset) -> Values:
    """Return {key: function that returns the value} of a dataset, in the order of `dinfo -a`.

    The last four values are attributes, number of cases, types of tasks, and prototasks.
    """
    values: Values = {
        "dataset": lambda: f"/{dataset.name}",
        "title": lambda: dataset.title,
        "origin": lambda: dataset.origin,
        "usage": lambda: dataset.usage,
        "order": lambda: dataset.order,
    }
    if dataset.commonality:
        present = TextBlock(["Commonality indexes are present"], "present", has_heading=False)
        values["commonality-indexes"] = lambda: present
    return values | {
        "number-of-attributes": lambda: str(len(dataset.attributes)),
        "attributes": lambda: attribute_table(dataset.attributes),
        "number-of-cases": lambda: _number_of_cases(hierarchy, tolerant, dataset.name),
        "task-types": lambda: _dataset_task_types(tolerant, dataset),
        "prototasks": lambda: specifications.prototask_names(tolerant, dataset.name),
    }


def _number_of_cases(hierarchy: Hierarchy, tolerant: Hierarchy, name: str) -> str:
    files = find_data_of(hierarchy, name)
    if DATA in files:
        text = _attempt(tolerant, lambda: read_text(files[DATA]))
        return "unknown" if text is None else str(count_cases(text))
    generator = _attempt(tolerant, lambda: read_generator(files)) if files else None
    return "unknown" if generator is None else str(generator.cases)


def _attempt(tolerant: Hierarchy, read: Callable[[], Found]) -> Found | None:
    """Return the result of read, or None after reporting the reason for a failure."""
    try:
        return read()
    except ParseError as error:
        tolerant.report(error)
        return None


def _dataset_task_types(tolerant: Hierarchy, dataset: Dataset) -> tuple[str, ...]:
    types: set[str] = set()
    for name in specifications.prototask_names(tolerant, dataset.name):
        read = partial(specifications.read_prototask, tolerant, dataset, name, report=tolerant.report)
        if prototask := _attempt(tolerant, read):
            types.update(_task_types(tolerant, dataset, prototask))
    return tuple(name for name in TASK_TYPES if name in types)


def _task_types(tolerant: Hierarchy, dataset: Dataset, prototask: Prototask) -> tuple[str, ...]:
    """Return `task_types` of a prototask, by its standard prior, otherwise by its first prior."""
    names = specifications.prior_names(tolerant, dataset.name, prototask.name)
    prior = None
    if names:
        name = "std" if "std" in names else names[0]
        read = partial(specifications.read_prior, tolerant, dataset, prototask, name, report=tolerant.report)
        prior = _attempt(tolerant, read)
    return task_types(dataset, prototask, prior)


def _prototask(hierarchy: Hierarchy, tolerant: Hierarchy, dataset_name: str, name: str) -> Information:
    dataset = specifications.read_dataset(hierarchy, dataset_name)
    prototask = specifications.read_prototask(hierarchy, dataset, name)

    def transformations() -> tuple[str, ...]:
        """Return the words of the specification's line: `INCOME log AGE squeeze`."""
        pairs = prototask.transformations
        return tuple(word for number, name in pairs for word in (dataset.attribute(number).name, name))

    def task_names() -> list[str]:
        priors = specifications.prior_names(tolerant, prototask.dataset, prototask.name)
        return [task.name for task in specifications.all_tasks(tolerant, prototask, priors)]

    def table(numbers: Sequence[int]) -> Value:
        return attribute_table([dataset.attribute(number) for number in numbers]) if numbers else ()

    values: Values = {
        "prototask": lambda: prototask.path,
        "origin": lambda: prototask.origin,
        "cases": lambda: prototask.cases,
        "order": lambda: prototask.order,
    }
    if prototask.is_sequential:
        values["maximum-dependency-range"] = lambda: str(prototask.maximum_dependency_range)
    if prototask.stratified:
        values["stratified"] = lambda: "yes"
    if prototask.transformations:
        values["transformations"] = transformations
    values |= {
        "test-set-size": lambda: str(prototask.test_set_size),
        "training-set-sizes": lambda: tuple(map(str, prototask.training_set_sizes)),
        "test-set-selection": lambda: prototask.test_set_selection,
        "maximum-number-of-instances": lambda: str(prototask.maximum_instances),
        "task-types": lambda: _task_types(tolerant, dataset, prototask),
        "tasks": task_names,
        "inputs": lambda: table(prototask.inputs),
        "targets": lambda: table(prototask.targets),
    }
    return Information(tuple(values), tuple(values), values)


def _task(hierarchy: Hierarchy, _tolerant: Hierarchy, *names: str) -> Information:
    facts = specifications.read_task(hierarchy, *names)
    return _task_information(hierarchy, facts, task_codings(*facts[:-1]), is_default=True)


def _task_information(
    hierarchy: Hierarchy, facts: TaskFacts, codings: Mapping[int, Coding], *, is_default: bool
) -> Information:
    """Return the Information on a task. codings: {attribute number: Coding}."""
    dataset, prototask, prior, task = facts

    def table(role: str) -> Value:
        numbers = getattr(prototask, role)
        rows = [(dataset.attribute(number), prior.line(number), codings[number]) for number in numbers]
        return coding_table(rows, role, is_default=is_default) if rows else ()

    values: Values = {"task": lambda: task.path}
    if prior.about:
        values["prior"] = lambda: fold(prior.about, "", width=PRIOR_WIDTH)
    values["training-set-size"] = lambda: str(task.training_size)
    if strength := prior.dependency_strength:
        values["dependency-strength"] = strength.lower
    if prior.dependency_range:
        values["dependency-range"] = lambda: str(prior.dependency_range)
    if specifications.has_listed_instances(hierarchy, task.dataset, task.prototask, task.name):
        listed = TextBlock(["Task instances are not the standard ones"], "non-standard", has_heading=False)
        values["task-instances"] = lambda: listed
        values |= _listed_values(hierarchy, task)
    values |= {"inputs": lambda: table("inputs"), "targets": lambda: table("targets")}
    return Information(tuple(key for key in values if key != "prior"), tuple(values), values)


def _listed_values(hierarchy: Hierarchy, task: Task) -> Values:
    """Return the scheme of listed instances and the sizes of validation sets, if the file has them."""
    path = hierarchy.find("data", task.dataset, task.prototask, task.name + INSTANCE_SUFFIX)
    listed, plan = parse_listing(read_text(path), path) if path else ((), None)
    values: Values = {}
    if plan:
        values["scheme"] = lambda: plan.words
    if any(one.validation for one in listed):
        values["validation-set-sizes"] = lambda: tuple(str(one.validation_size) for one in listed)
    return values


def method_information(hierarchy: Hierarchy, tolerant: Hierarchy, names: Sequence[str]) -> Information:
    """Return the Information on a place in `methods`; parameters and errors as in `data_information`."""
    builders = (_methods, _method, _method_dataset, _method_prototask, _method_task)
    path = "/".join(("", *names))
    if len(names) >= len(builders):
        raise DelveError(f"{path}: expected a method and its dataset, prototask or task, found a longer path")
    if not hierarchy.directories("methods", *names):
        raise DelveError(f"{path}: expected a directory of a method, found none; check the name")
    return builders[len(names)](hierarchy, tolerant, *names)


def _methods(hierarchy: Hierarchy, tolerant: Hierarchy) -> Information:
    return _of_all(hierarchy, "methods", lambda: specifications.method_names(tolerant))


def _method(hierarchy: Hierarchy, tolerant: Hierarchy, method: str) -> Information:
    values: Values = {"datasets": lambda: specifications.method_datasets(tolerant, method)}
    usual: tuple[str, ...] = ("datasets",)
    if path := hierarchy.find("methods", method, SOURCE_DIRECTORY, SETTINGS):
        values["settings"] = lambda: read_text(path).splitlines()
        usual = ("settings", *usual)
    published = _published(tolerant, "methods", method)
    further = _contributors(tolerant, "methods", method)
    return Information((*usual, *published), (*usual, *published, *further), values | published | further)


def _method_dataset(hierarchy: Hierarchy, tolerant: Hierarchy, method: str, name: str) -> Information:
    values = _dataset_values(hierarchy, tolerant, specifications.read_dataset(hierarchy, name))
    values["prototasks"] = lambda: specifications.method_prototasks(tolerant, method, name)
    keys = list(values)[:-4]
    return Information((*keys, "prototasks"), (*keys, "attributes", "prototasks"), values)


def _method_prototask(hierarchy: Hierarchy, tolerant: Hierarchy, method: str, *names: str) -> Information:
    values = dict(_prototask(hierarchy, tolerant, *names).values)
    values["tasks"] = lambda: specifications.method_tasks(tolerant, method, *names)
    keys = [key for key in values if key not in ("test-set-selection", "task-types", "tasks")]
    return Information((*keys, "tasks"), (*keys, "tasks"), values)


def _method_task(hierarchy: Hierarchy, _tolerant: Hierarchy, method: str, *names: str) -> Information:
    facts = specifications.read_task(hierarchy, *names)
    return _task_information(hierarchy, facts, _codings_used(hierarchy, method, facts), is_default=False)


def _codings_used(hierarchy: Hierarchy, method: str, facts: TaskFacts) -> Mapping[int, Coding]:
    """Return {attribute number: Coding} as recorded for a method's task, or the defaults."""
    dataset, prototask, prior, task = facts
    place = (method, task.dataset, task.prototask, task.name, CODING_FILE)
    path = hierarchy.find("methods", *place)
    if path is None:
        return task_codings(dataset, prototask, prior)
    try:
        return task_codings(dataset, prototask, prior, parse_codings(read_text(path), dataset, path))
    except ParseError:
        raise
    except ValueError as error:
        raise ParseError(path, None, *error.args, kind="results") from None
