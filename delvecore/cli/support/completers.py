"""Completion in shells: paths, methods, losses and keys that may replace the word being typed.

argcomplete calls these at each press of the key; a fault of any kind gives no words and no message."""

import contextlib
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from delvecore.cli.support.context import active_hierarchy, current_directory
from delvecore.cli.support.manual import Completer, ManualParser
from delvecore.errors import DelveError
from delvecore.losses.standard_losses import LOSSES
from delvecore.metrics.metric import METRIC_SPECS
from delvecore.readers import specifications
from delvecore.readers.array import array_names
from delvecore.readers.files import plain_name
from delvecore.readers.hierarchy import Hierarchy
from delvecore.score_tables.files import looks_like_scores

if TYPE_CHECKING:
    from delvecore.score_tables.table import Table


MOST_NAMES = 1000
"""Different texts of a column of a file of scores that are proposed."""


def answer(parser: ManualParser) -> None:
    """Print what completes the words in COMP_LINE for the shell that asks, and end the process."""
    from argcomplete.completers import SuppressCompleter
    from argcomplete.finders import CompletionFinder

    class Finder(CompletionFinder):
        """Behind `--` there are no options."""

        def collect_completions(
            self, active_parsers: list[ArgumentParser], parsed_args: Namespace, cword_prefix: str
        ) -> list[str]:
            found = super().collect_completions(active_parsers, parsed_args, cword_prefix)
            ended = "--" in os.environ["COMP_LINE"].split()[:-1]
            return [word for word in found if not (ended and word.startswith("-"))]

    finder = Finder(default_completer=SuppressCompleter(), always_complete_options=False)
    finder(parser, always_complete_options=False, exit_method=os._exit, default_completer=SuppressCompleter())


def quietly(find: Callable[[str, Namespace], Iterable[str]]) -> Completer:
    """Return a completer from a function of what was typed and the options so far; faults give no words."""

    def complete(prefix: str, parsed_args: Namespace, **_about: object) -> list[str]:
        try:
            return [word for word in find(prefix, parsed_args) if word.startswith(prefix)]
        except (DelveError, OSError, ValueError, IndexError):
            return []  # a shell that completes must not show faults

    return complete


def any_of(*completers: Completer) -> Completer:
    """Return a completer for what any of several finds."""

    def complete(prefix: str, parsed_args: Namespace, **_about: object) -> list[str]:
        return [word for one in completers for word in one(prefix, parsed_args)]

    return complete


def _paths(prefix: str, *, with_files: bool) -> list[str]:
    """Return the directories, each with a slash behind it, and if asked for the files, that begin so."""
    directory, slash, start = prefix.rpartition("/")
    with os.scandir(os.path.expanduser(directory + slash) or ".") as entries:
        found = [entry for entry in entries if _may_show(entry.name, start)]
    names = [entry.name + "/" * entry.is_dir() for entry in found if with_files or entry.is_dir()]
    return [f"{directory}{slash}{name}" for name in names]


directories = quietly(lambda prefix, _: _paths(prefix, with_files=False))
"""True paths of directories."""
files = quietly(lambda prefix, _: _paths(prefix, with_files=True))
"""True paths."""
methods = quietly(lambda *_: specifications.method_names(_hierarchy()))
arrays = quietly(lambda *_: array_names(_hierarchy()))
datasets = quietly(lambda *_: specifications.dataset_names(_hierarchy()))
losses = quietly(lambda *_: LOSSES)
losses_and_metrics = quietly(
    lambda *_: (*LOSSES, *(one.name for one in METRIC_SPECS.values() if one.is_ranked))
)
"""The letters, and the metrics by which methods can be ranked."""


def _score_table(parsed_args: Namespace) -> "Table":
    """Return the first table of scores among the words so far. Raises DelveError, IndexError without one."""
    from delvecore.score_tables.formats import read_table

    said = [value if isinstance(value, list) else [value] for value in vars(parsed_args).values()]
    words = [word for value in said for word in value if isinstance(word, str)]
    tables = [word for word in words if looks_like_scores(word) and os.path.isfile(word)]
    return read_table(tables[0])


def _score_names(parsed_args: Namespace) -> list[str]:
    """Return the names of a table's columns, and the texts in those that may name methods or datasets."""
    columns = _score_table(parsed_args).filled
    texts = [one for one in columns if not one.is_mostly_numbers and one.distinct <= MOST_NAMES]
    return [one.name for one in columns] + [text for one in texts for text in one.levels]


score_columns = quietly(lambda _, options: [one.name for one in _score_table(options).filled])
"""Of the file of scores among the words so far."""
score_names = quietly(lambda _, options: _score_names(options))
"""Of its columns, methods and datasets."""
score_sheets = quietly(lambda _, options: _score_table(options).sheets)
"""Its further sheets, if it is an Excel file."""


def method_paths(*, files: bool = False) -> Completer:
    """Return a completer for mpaths: directories with a slash behind them, files if asked for."""
    return quietly(lambda prefix, _: _method_paths(prefix, files=files))


def data_paths(*, files: bool = False, priors: bool = False, tasks: bool = False) -> Completer:
    """Return a completer for dpaths, and mpaths where only a method has such a name. Directories have a slash
    behind them; files, prior files and the names of tasks only if asked for."""
    return quietly(lambda prefix, _: _data_paths(prefix, files=files, priors=priors, tasks=tasks))


def _method_paths(prefix: str, *, files: bool) -> list[str]:
    hierarchy, (directory, slash, start) = _hierarchy(), prefix.rpartition("/")
    names = hierarchy.locate(directory + slash or ".", current_directory(), part="methods").names
    found = _entries(hierarchy, "methods", names, files=files)
    return [f"{directory}{slash}{name}" for name in found if _may_show(name, start)]


def _data_paths(prefix: str, *, files: bool, priors: bool, tasks: bool) -> list[str]:
    hierarchy, (directory, slash, start) = _hierarchy(), prefix.rpartition("/")
    names = hierarchy.locate(directory + slash or ".", current_directory(), part="data").names
    if names and prefix.startswith("/") and not hierarchy.directories("data", names[0]):
        return _method_paths(prefix, files=files)
    found = _entries(hierarchy, "data", names, files=files)
    if priors:
        found += [name for name in hierarchy.files("data", *names) if name.endswith(".prior")]
    if tasks and len(names) == 2:
        with contextlib.suppress(DelveError):
            dataset = specifications.read_dataset(hierarchy, names[0])
            prototask = specifications.read_prototask(hierarchy, dataset, names[1])
            of_priors = specifications.prior_names(hierarchy, *names)
            found += [task.name for task in specifications.list_tasks(prototask, of_priors)]
    paths = [f"{directory}{slash}{name}" for name in found if _may_show(name, start)]
    is_method = not paths and prefix.startswith("/") and not names
    return _method_paths(prefix, files=files) if is_method else paths


def _hierarchy() -> Hierarchy:
    """Return the active Hierarchy; what is wrong in it is left out without a word."""
    found = active_hierarchy(current_directory())
    return Hierarchy(found.roots, report=lambda error: None)


def _may_show(name: str, start: str) -> bool:
    return name.startswith(start) and (name[0] != "." or start.startswith("."))


def _entries(hierarchy: Hierarchy, part: str, names: tuple[str, ...], *, files: bool) -> list[str]:
    found = [f"{name}/" for name in hierarchy.subdirectories(part, *names)]
    return found + [plain_name(name) for name in hierarchy.files(part, *names)] if files else found
