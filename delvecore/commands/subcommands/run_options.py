"""The options of `delve run`, and which of them go together."""

from argparse import Namespace
from collections.abc import Iterable, Sequence

from delvecore.commands.frame.completers import data_paths, directories, files
from delvecore.commands.frame.manual import ManualParser, used
from delvecore.commands.frame.manual_files import LOSSES, PREDICTIONS, TASK

__all__ = ["command", "parse_run"]

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
