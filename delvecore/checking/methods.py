"""Everything that is wrong with a method's directories: what `mcheck` prints.

Source: DELVE manual, sections 7.1 to 7.6 and appendix B (what to see to before submitting a method).
"""

from collections.abc import Callable, Iterator

from delvecore.checking.documentation import check_documentation
from delvecore.checking.task_rules import TaskPlace, check_task
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.errors import DelveError, Fault, ParseError, Problem, Report, located
from delvecore.model import Dataset, Prototask
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.specifications import (
    dataset_names,
    method_names,
    parse_task_name,
    prototask_names,
    read_task,
)

__all__ = ["check_methods", "method_problems"]

Names = tuple[str, ...]


def method_problems(hierarchy: Hierarchy, *names: str) -> list[Problem]:
    """Return what is wrong with a method, or below a place of it, given by names as in `check_methods`."""
    found: list[Problem] = []
    check_methods(hierarchy, names, report=lambda error: found.append(error.problem))
    return found


def check_methods(
    hierarchy: Hierarchy, names: Names, *, report: Report, progress: Callable[[str], None] = lambda line: None
) -> None:
    """Check all methods, a method, or what it has for a dataset, a prototask or a task.

    names: none, or those of the method, the dataset, the prototask and the task, as far as they are given;
    report receives a ParseError for each fault; progress the path of what is being checked. Raises DelveError
    for a place that does not exist.
    """
    tolerant = Hierarchy(hierarchy.roots, report=report)
    path = "/" + "/".join(names)
    if len(names) > 4 or (names and not tolerant.directories("methods", *names)):
        expected = "a method, or a dataset, prototask or task in its directory"
        raise Fault(path, expected, "nothing", "check the path")
    strict = Hierarchy(hierarchy.roots)
    kept = _Cases(strict)
    for method in names[:1] or method_names(tolerant):
        if len(names) < 2:
            progress(f"/{method}")
            check_documentation(tolerant, method, report=report)
        for place in _task_places(tolerant, (method, *names[1:]), report):
            progress("/" + "/".join(place))
            _check_task(tolerant, strict, kept, place, report)


def _task_places(hierarchy: Hierarchy, names: Names, report: Report) -> Iterator[Names]:
    """Yield the names of the task directories at and below a place; report directories that mean nothing."""
    if len(names) == 4:
        yield names
        return
    for name in hierarchy.subdirectories("methods", *names):
        if len(names) == 1 and name == SOURCE_DIRECTORY:
            continue
        if _is_known(hierarchy, (*names, name)):
            yield from _task_places(hierarchy, (*names, name), report)
            continue
        what = ("a dataset", "a prototask", "a task, such as std.128")[len(names) - 1]
        expected, remedy = f"a directory named like {what}", "rename or remove it, or add what it belongs to"
        for place in hierarchy.directories("methods", *names, name):
            report(ParseError(place, None, expected, repr(name), remedy, kind="hierarchy"))


def _is_known(hierarchy: Hierarchy, names: Names) -> bool:
    if len(names) == 2:
        return names[1] in dataset_names(hierarchy)
    if len(names) == 3:
        return names[2] in prototask_names(hierarchy, names[1])
    return parse_task_name(names[3]) is not None


class _Cases:
    """Fetches the cases of prototasks; those of the last one are kept, since tasks follow by prototask."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self._kept: tuple[Prototask, PrototaskCases] | None = None

    def of(self, dataset: Dataset, prototask: Prototask) -> PrototaskCases:
        if self._kept is None or self._kept[0] != prototask:
            self._kept = (prototask, prototask_cases(self.hierarchy, dataset, prototask))
        return self._kept[1]


def _check_task(hierarchy: Hierarchy, strict: Hierarchy, kept: _Cases, names: Names, report: Report) -> None:
    """strict: the hierarchy that stops at the first fault; kept: cases of prototasks."""
    place = hierarchy.directories("methods", *names)[0]
    try:
        dataset, prototask, prior, task = read_task(strict, *names[1:])
    except DelveError as error:
        report(located(error, place, None, kind="hierarchy"))
        return

    def cases() -> PrototaskCases:
        return kept.of(dataset, prototask)

    files = hierarchy.files("methods", *names)
    where = TaskPlace(strict, names[0], dataset, prototask, prior, task, cases, place, files)
    check_task(where, report=report)
