"""Places that arguments name: `/dataset/prototask/task`, methods, and true directories of both.

Source: DELVE manual, appendix C, "Data and method path names"."""

import argparse
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from delvecore.cli.support.context import Session, active_hierarchy, current_directory
from delvecore.errors import DelveError
from delvecore.losses.spec import check_once, split_losses
from delvecore.packaging.staging import choose_target
from delvecore.progress import Steps
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import dataset_names, parse_task_name, prototask_names
from delvecore.stats.choose import (
    ADJUSTMENTS,
    DEFAULT_ADJUSTMENT,
    DEFAULT_SETTING,
    UNITS,
    Setting,
    checked_level,
)
from delvecore.writers.files import finish_writing

Names = tuple[str, ...]
"""The names below `data` (of a dataset, its prototask, its task) or `methods`; none for all of them."""
TASK_DEPTH = 3


def path_text(names: Names) -> str:
    """Return a place as a path: `/demo/age`."""
    return "/" + "/".join(names)


def places_of(hierarchy: Hierarchy, paths: Iterable[str], directory: str) -> list[Names]:
    """Return the places of paths in the data; DelveError for one below a task."""
    places: list[Names] = []
    for path in paths:
        places.append(hierarchy.locate(path, directory, part="data"))
        if len(places[-1]) > TASK_DEPTH:
            raise DelveError(f"{path}: expected a dataset, prototask or task, found a place below it")
    return places


def datasets_of(places: Iterable[Names]) -> set[str] | None:
    """Return the datasets of places. None means all: one place is the root, or there are no places."""
    datasets = {names[0] if names else "" for names in places}
    return datasets if datasets and "" not in datasets else None


def here(hierarchy: Hierarchy, directory: str) -> Names:
    """Return the place of the current directory; the root if it is outside of data and methods."""
    try:
        return hierarchy.locate(".", directory, part="data")
    except DelveError:
        return ()


def method_of(hierarchy: Hierarchy, word: str, *, purpose: str = "") -> str:
    """Return the name of a method from its name or path (`lin-1`, `/lin-1/`).

    purpose: for the message, such as ` to compare with`. Raises DelveError for an unknown method."""
    if (name := _known_name(hierarchy, word, "methods")) is None:
        raise DelveError(f"{word}: expected a method{purpose}, found none; mls / lists the methods")
    return name


def name_of(hierarchy: Hierarchy, word: str, directory: str, *, part: str) -> str:
    """Return the name of a dataset (`data`) or method (`methods`) from its name or any of its paths."""
    name = _known_name(hierarchy, word, part)
    if name is None:
        names = hierarchy.locate(word, directory, part=part)
        name = _known_name(hierarchy, names[0], part) if len(names) == 1 else None
    if name is None:
        kind, lister = ("dataset", "dls /") if part == "data" else ("method", "mls /")
        raise DelveError(f"{word}: expected the name of a {kind}, found none; {lister} lists them")
    return name


def _known_name(hierarchy: Hierarchy, word: str, part: str) -> str | None:
    """Return the name in a word such as `lin-1` or `/lin-1/`; None if it is unknown."""
    name = word.strip("/")
    is_name = name.strip(".") and "/" not in name and hierarchy.directories(part, name)
    return name if is_name else None


class TruePlace(NamedTuple):
    """A true directory, its names below `methods` or `data`, and its form in messages."""

    directory: str
    names: Names
    shown: str

    def below(self, name: str) -> "TruePlace":
        shown = name if self.shown == "" else os.path.join(self.shown, name)
        return TruePlace(os.path.join(self.directory, name), (*self.names, name), shown)


def true_place(session: Session, argument: str, *, of_all: bool = False) -> TruePlace:
    """Return the TruePlace of an argument. Raises DelveError outside of methods directories.

    of_all: may it be a methods directory itself, which has no names?"""
    directory = os.path.normpath(os.path.join(session.working_directory, argument))
    names = _names_below(session.hierarchy.roots, directory, "methods")
    if names is None or not (names or of_all):
        expected = "the true path of a directory below the methods directory of an active delve directory"
        raise DelveError(f"{argument}: expected {expected}, found {directory}")
    return TruePlace(directory, names, argument)


def data_place(session: Session, argument: str) -> TruePlace:
    """Return the TruePlace of an argument: a data directory (no names), or a dataset or prototask in it.

    Raises DelveError for other places."""
    directory = os.path.normpath(os.path.join(session.working_directory, argument))
    names = _names_below(session.hierarchy.roots, directory, "data")
    if names is None:
        expected = "the true path of a directory at or below the data directory of an active delve directory"
        raise DelveError(f"{argument}: expected {expected}, found {directory}")
    if not os.path.isdir(directory) or len(names) > 2:
        level = "a path below" if len(names) > 2 else "none"
        raise DelveError(f"{argument}: expected the directory of a dataset or prototask, found {level}")
    return TruePlace(directory, names, argument)


def _names_below(roots: Sequence[str], directory: str, part: str) -> Names | None:
    """Return the names below a part (`data` or `methods`) of a delve directory, None outside of it."""
    for root in roots:
        for base in (root, os.path.realpath(root)):
            inside = os.path.join(base, part)
            if directory == inside:
                return ()
            if directory.startswith(inside + os.sep):
                return tuple(directory[len(inside) + 1 :].split(os.sep))
    return None


def dataset_place(session: Session, argument: str) -> TruePlace | None:
    """Return the TruePlace in the current method's directory for a data path such as `/demo/income`.

    None for other arguments and outside of a method's directory."""
    names = tuple(name for name in argument.split("/") if name not in ("", "."))
    inside = _names_below(session.hierarchy.roots, session.working_directory, "methods")
    is_path = argument.startswith("/") and names and names[0] in dataset_names(session.hierarchy)
    if not inside or not is_path:
        return None
    directory = session.working_directory
    for _ in inside[1:]:
        directory = os.path.dirname(directory)
    return TruePlace(os.path.join(directory, *names), (inside[0], *names), os.path.join(*names))


def prototask_places(session: Session, place: TruePlace) -> list[TruePlace]:
    """Return the TruePlaces of all prototasks at or below a place in the data, in lexical order."""
    if len(place.names) == 2:
        return [place]
    below = _directories_below(session.hierarchy, place, place.names)
    return [one for each in below for one in prototask_places(session, each)]


def _task_places(session: Session, place: TruePlace) -> list[TruePlace]:
    if not os.path.isdir(place.directory):
        raise DelveError(f"{place.shown}: expected a directory, found none; make it with mgendir")
    if len(place.names) > 4:
        raise DelveError(f"{place.shown}: expected a method, dataset, prototask or task, found a path below")
    if len(place.names) == 4:
        return [place]
    if place.names:
        below = _directories_below(session.hierarchy, place, place.names[1:])
    else:
        methods = [place.below(name) for name in sorted(os.listdir(place.directory))]
        below = [one for one in methods if os.path.isdir(one.directory)]
    return [task for one in below for task in _task_places(session, one)]


def _directories_below(hierarchy: Hierarchy, place: TruePlace, data: Names) -> list[TruePlace]:
    """Return the directories in a place that have a counterpart in the data. data: names of the place
    there."""
    if len(data) == 2:
        names = [name for name in os.listdir(place.directory) if parse_task_name(name) is not None]
    else:
        known = set(prototask_names(hierarchy, *data) if data else dataset_names(hierarchy))
        names = [name for name in os.listdir(place.directory) if name in known]
    below = [place.below(name) for name in sorted(names)]
    return [one for one in below if os.path.isdir(one.directory)]


def task_places(session: Session, options: Namespace, *, of_all: bool = False) -> list[TruePlace]:
    """Return the task directories at and below the path of the options, in lexical order.

    of_all: may it be a methods directory, with all methods? Raises DelveError if there are none."""
    place = true_place(session, *(options.paths or ["."]), of_all=of_all)
    places = _task_places(session, place)
    if not places:
        raise DelveError(f"{place.shown}: expected task directories, found none; make them with mgendir")
    return places


def each_task(
    places: Sequence[TruePlace], options: Namespace, work: Callable[[TruePlace, Steps], None]
) -> None:
    """Call `work` for each task directory, and show the progress. First, finish any interrupted write.

    options: `paths`, and the flag `q` for no progress."""
    with Steps(sys.stderr, parts=len(places), quiet=options.q) as progress:
        for task in places:
            finish_writing(task.directory)
            progress.part(task.shown, line=task.shown if options.paths or len(places) > 1 else None)
            work(task, progress)


def active_roots() -> list[str]:
    try:
        return list(active_hierarchy(current_directory()).roots)
    except DelveError:
        return []


def data_target(asked: str | None) -> str:
    """Return the delve directory for new data. asked: its path, None to choose an active one."""
    return choose_target(asked, active_roots(), current_directory(), part="data")


def asked_names(text: str | None, expected: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the losses and the metrics in the text after -l, separated by blanks or commas; none for None.

    expected: for the message. Raises DelveError for an empty text, and for unknown or repeated words."""
    losses, metrics, wrong = list[str](), list[str](), "none"
    for word in (text or "").replace(",", " ").split():
        names, left = _losses_in(word)
        losses += names
        if left:
            from delvecore.metrics.registry import find_metric, known_name

            metric = known_name(word)
            if find_metric(metric) is None:
                losses, metrics, wrong = [], [], repr(left)
                break
            metrics.append(metric)
    if text is not None and not losses and not metrics:
        raise DelveError(f"expected {expected} after -l, found {wrong}")
    check_once([*losses, *metrics])
    return tuple(losses), tuple(metrics)


def _losses_in(word: str) -> tuple[tuple[str, ...], str]:
    """Return the losses in a word, and the rest of the word, such as a function of a file."""
    if ".py:" in word:
        return (), word
    try:
        return split_losses(word), ""
    except ValueError as error:
        return (), str(error.args[0])


class ExactName(str):
    """One name, taken literally."""

    __slots__ = ()


def add_names(add: Callable[..., object]) -> None:
    """Add `--methods` and `--method` to a parser by its `add_argument`; both fill `methods`."""
    meaning = "these methods only, in this order, as one argument separated by blanks or commas: 'lin-1 gp-1'"
    add("--methods", action="append", metavar="NAMES", help=meaning)
    meaning = "one method, whose name may contain blanks; may be repeated, for several methods in this order"
    add("--method", action="append", dest="methods", type=ExactName, metavar="NAME", help=meaning)


def add_setting(add: Callable[..., object]) -> None:
    """Add `--level` and `--adjust` to a parser by its `add_argument`."""
    usual = DEFAULT_SETTING
    meaning = f"confidence level of intervals and tests (default: {usual.level})"
    add("--level", type=_level, default=usual.level, metavar="LEVEL", help=meaning)
    meaning = f"how to adjust p for the number of compared pairs (default: {usual.adjust})"
    add("--adjust", choices=tuple(ADJUSTMENTS), default=usual.adjust, help=meaning)


def setting_of(options: Namespace) -> Setting:
    return Setting(options.level, options.adjust or DEFAULT_ADJUSTMENT)


def _level(text: str) -> float:
    try:
        return checked_level(float(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_unit(add: Callable[..., object]) -> None:
    """Add `--unit` to a parser by its `add_argument`: the unit of average ranks."""
    meaning = (
        "what counts once in ranks: each task, each dataset with all its tasks, or each family "
        "(task-array) with all its datasets (default: the dataset if datasets have several tasks)"
    )
    add("--unit", choices=tuple(UNITS), help=meaning)


def chosen_names(values: Iterable[str] | None, known: Collection[str]) -> tuple[str, ...]:
    """Return the names without repetitions.

    A text is split at blanks and commas, unless it is one method's name and its parts are not all names."""
    names: list[str] = []
    for value in values or ():
        words = value.replace(",", " ").split()
        is_one = isinstance(value, ExactName) or (value in known and not all(word in known for word in words))
        names += [str(value)] if is_one else words
    return tuple(dict.fromkeys(names))
