"""What `delve run` is asked for: the options, which of them go together, the methods and paths they name."""

import os
import re
import sys
from argparse import Namespace
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from delvecore.commands.frame.completers import data_paths, directories, files
from delvecore.commands.frame.manual import ManualParser, used
from delvecore.commands.frame.manual_files import LOSSES, PREDICTIONS, TASK
from delvecore.errors import DelveError

if TYPE_CHECKING:
    from delvecore.runner.command_method import Runnable

__all__ = ["chosen_methods", "command", "parse_run"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
EXTENSION = re.compile(r"\.[A-Za-z]\w*$")
EXAMPLES = (
    ("delve run --list", "List the methods."),
    ("delve run lin-1 /demo/age/std.128 --into delve-mine", "Run one on a task."),
    ("delve run lin-1 knn-cv-1 /demo --workers 4", "Run two on all tasks of a dataset."),
    ("delve run --command './my-method' /demo", "Run a program of your own."),
    (
        "delve run --object sklearn.linear_model:BayesianRidge /demo/age",
        "Run a Python object with fit and predict.",
    ),
)


def parse_run(arguments: Sequence[str]) -> Namespace:
    """Return the options, checked; ends the program where they mean nothing."""
    parser = command()
    options = parser.parse_args(arguments)
    fault = None if options.list else _fault(options)
    if fault:
        parser.error(fault)
    return options


def _fault(options: Namespace) -> str | None:
    """Return what is wrong with the options, or None."""
    own = options.command or options.object
    if not options.words and not own:
        return "expected a METHOD; --list shows the methods"
    if options.command and options.object:
        return "expected --command or --object, found both; run them one after the other"
    if options.name and not own:
        return "--name: expected --command or --object, found neither"
    if (options.time_limit or options.targets) and not options.command:
        return f"{'--time-limit' if options.time_limit else '--targets'}: expected --command, found none"
    if options.time_limit is not None and not options.time_limit > 0:
        return f"--time-limit: expected a positive number of seconds, found {options.time_limit:g}"
    if options.workers is not None and options.scheduler:
        return "--workers: expected it without --scheduler, whose cluster has its own"
    if options.workers is not None and options.workers < 1:
        return f"--workers: expected at least 1, found {options.workers}"
    return None


def chosen_methods(
    options: Namespace, roots: Sequence[str], working_directory: str
) -> "tuple[list[Runnable], list[str]]":
    """Return (methods, paths): those that the words name, and the program or object of the options.

    roots: the delve directories with the data.
    """
    from delvecore.methods import METHODS, load_method
    from delvecore.methods.plug_ins import plug_ins

    known = {*METHODS, *plug_ins()}
    is_own = options.command or options.object
    count = 0 if is_own else 1  # the first word is a method, even if it names none: that is an error
    while count < len(options.words) and options.words[count] in known:
        count += 1
    names, paths = list(dict.fromkeys(options.words[:count])), options.words[count:]
    methods: list[Runnable] = [load_method(name) for name in names]
    if is_own:
        methods.append(_own_method(options, roots, working_directory))
        _check_name(methods[-1].name, known)
    return methods, paths


def _own_method(options: Namespace, roots: Sequence[str], working_directory: str) -> "Runnable":
    if options.object:
        from delvecore.methods.objects import method_from

        if working_directory not in sys.path:
            sys.path.insert(0, working_directory)  # as `python -m` does; other processes take it over
        return method_from(options.object, options.name)
    from delvecore.runner.command_method import CommandMethod, program_words

    words = program_words(options.command, working_directory)
    name = options.name or _name_of(words, options.command)
    return CommandMethod(name, words, tuple(roots), options.time_limit, options.targets)


def _name_of(words: Sequence[str], command: str) -> str:
    """Return the name of a program without its extension: of the first file that a program which every
    directory finds, such as `python`, is given."""
    is_of_all = os.sep not in command.split()[0]
    files = [word for word in words[1:] if os.path.isfile(word)] if is_of_all else []
    return EXTENSION.sub("", os.path.basename([*files, words[0]][0]))


def _check_name(name: str, known: Collection[str]) -> None:
    if not NAME.fullmatch(name):
        raise DelveError(f"expected a name of letters, digits and . _ + - for the method, found {name!r}")
    if name in known:
        raise DelveError(f"expected a name that no registered method has, found {name}; give one with --name")


def command() -> ManualParser:
    """Return what the command takes and tells of itself."""
    parser = ManualParser(
        "delve run",
        "apply learning methods to tasks",
        description="Apply learning methods to task instances, and write predictions and losses. "
        "Instances that are complete are left as they are, so an interrupted run goes on where it stopped.",
        note="Without --into, results go into the delve directory around the working directory, else into "
        "the first one of DELVE_PATH that can be written; into the archive that ships with this program "
        "only when it is named.",
        files=(
            (TASK + "Seeds", "holds the seed of each complete instance."),
            (TASK + "Costs", "holds its seconds, and the largest size of its process in MB."),
            (TASK + "Failures", "holds the message of each instance that failed."),
            *(*PREDICTIONS, LOSSES),
        ),
        examples=EXAMPLES,
        statuses=used(fails="An instance failed, or an error happened."),
    )
    add = parser.add_argument
    meaning = (
        "names that --list shows, then tasks, prototasks or datasets: /demo/age/std.128, /demo, /; without "
        "any, those of the working directory, or all"
    )
    add("words", nargs="*", metavar="METHOD... [PATH...]", help=meaning)
    _add_own_methods(parser)
    add("--list", action="store_true", help="list the registered methods")
    add("--into", metavar="DELVE_DIRECTORY", help="the delve directory that results go into")
    _add_computers(parser)
    add("--resume", action="store_true", help="leave complete instances as they are, which is the default")
    add("--again", action="store_true", help="run complete instances too")
    meaning = "files to keep: data files, predictions and losses; the latter two (default); losses alone"
    add("--keep", choices=("all", "predictions", "losses"), default="predictions", help=meaning)
    add("-q", "--quiet", action="store_true", help="show no progress")
    parser.complete(words=_words, into=directories, command=files)
    return parser


def _words(prefix: str, parsed_args: Namespace, **about: object) -> Iterable[str]:
    """A method first, then paths."""
    from delvecore.methods import METHODS

    return data_paths(tasks=True)(prefix, parsed_args) if parsed_args.words else METHODS


def _add_computers(parser: ManualParser) -> None:
    """Add the options for who computes."""
    meaning = "how many processes compute (default: as many as there are cores); the results are the same"
    parser.add_argument("--workers", type=int, metavar="COUNT", help=meaning)
    meaning = (
        "let the workers of a running Dask cluster compute, whose scheduler has an address such as "
        "tcp://host:8786; the results are the same"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help=meaning)


def _add_own_methods(parser: ManualParser) -> None:
    """Add the options for methods that are not registered."""
    add = parser.add_argument
    meaning = (
        "a program that is a method: it runs in a directory with train.N and test.N of an instance, and "
        "writes predictions there, such as cguess.N; DELVE_INSTANCE says N, DELVE_SEED a random seed"
    )
    add("--command", metavar="COMMAND", help=meaning)
    meaning = "a Python object that is a method: it has fit and predict, or makes something that has"
    add("--object", metavar="MODULE:ATTRIBUTE", help=meaning)
    add("--name", help="of that method (default: that of the program or attribute)")
    meaning = "how long the program may take for an instance"
    add("--time-limit", type=float, metavar="SECONDS", help=meaning)
    meaning = (
        "give the program targets.N too, the true targets of the test cases, which only the density that it "
        "predicts for them (lptarg.N) may depend on"
    )
    add("--targets", action="store_true", help=meaning)
