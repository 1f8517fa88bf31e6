"""`delve run`: apply registered learning methods to the instances of tasks."""

from argparse import Namespace
from collections.abc import Sequence

from delvecore.cli.support.manual import (
    LOSSES,
    PREDICTIONS,
    TASK,
    ManualParser,
    add_follow_links,
    add_scheduler,
    used,
)
from delvecore.errors import TRUST
from delvecore.render.numbers import parameter

EXAMPLES = (
    ("delve run --list", "List the methods."),
    ("delve run lin-1 /demo/age/std.128 --into delve-mine", "Run one on a task."),
    ("delve run lin-1 knn-cv-1 /demo --workers 4", "Run two methods on all tasks of a dataset."),
    ("delve run 'rprop(topology=16+8, stop=GL5)' /demo", "Run a method with parameters."),
    ("delve run --command './my-method' /demo", "Run a program of your own."),
    (
        "delve run --object sklearn.linear_model:BayesianRidge /demo/age",
        "Run a Python object with fit and predict.",
    ),
    ("delve run --workflow svm.toml /demo/age", "Run all variants of a workflow."),
)


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    if not options.list and (fault := _fault(options)):
        parser.error(fault)
    from delvecore.cli.actions.run import list_methods, run

    return list_methods() if options.list else run(options)


def _fault(options: Namespace) -> str | None:
    own = sum(bool(one) for one in (options.command, options.object, options.workflow))
    if not options.words and not own:
        return "expected a METHOD; --list shows the methods"
    if own > 1:
        return "expected only one of --command, --object and --workflow; run them one after the other"
    if options.name and not own:
        return "--name: expected --command, --object or --workflow, found none"
    if (options.time_limit or options.targets) and not options.command:
        return f"{'--time-limit' if options.time_limit else '--targets'}: expected --command, found none"
    if options.trust and not options.workflow:
        return "--trust: expected --workflow, found none"
    if options.time_limit is not None and not options.time_limit > 0:
        return f"--time-limit: expected a positive number of seconds, found {parameter(options.time_limit)}"
    if options.workers is not None and options.scheduler:
        return "--workers: expected no --workers with --scheduler, because the cluster has its own workers"
    if options.workers is not None and options.workers < 1:
        return f"--workers: expected at least 1, found {options.workers}"
    return None


def command() -> ManualParser:
    parser = ManualParser(
        "delve run",
        "apply learning methods to tasks",
        description="Apply learning methods to task instances, and write predictions and losses. "
        "Complete instances are not run again, so an interrupted run continues where it stopped.",
        note="Without --into, results go into the delve directory around the current directory, or into "
        "the first writable one of DELVE_PATH. They go into the archive that ships with this "
        "program only if it is named.",
        files=(
            (TASK + "Seeds", "holds the seed of each complete instance."),
            (
                TASK + "Costs",
                "holds its computing time in seconds, and the peak memory of its process in MB.",
            ),
            (TASK + "Failures", "holds the message of each instance that failed."),
            *(*PREDICTIONS, LOSSES),
        ),
        examples=EXAMPLES,
        statuses=used(fails="An instance failed, or an error happened."),
    )
    add = parser.add_argument
    meaning = (
        "names of methods that --list shows, then tasks, prototasks or datasets: "
        "/demo/age/std.128, /demo, / (default: those of the current directory, or all)"
    )
    add("words", nargs="*", metavar="METHOD... [PATH...]", help=meaning)
    _add_own_methods(parser)
    add("--list", action="store_true", help="list the registered methods")
    add("--into", metavar="DELVE_DIRECTORY", help="the delve directory that results go into")
    meaning = "number of processes (default: number of cores); it does not change the results"
    add("--workers", type=int, metavar="COUNT", help=meaning)
    add_scheduler(parser, "compute")
    _add_rules(parser)
    add("-q", "--quiet", action="store_true", help="show no progress")
    return parser


def _add_rules(parser: ManualParser) -> None:
    add = parser.add_argument
    meaning = (
        "how attributes are encoded. impute (the default) adds rules for missing, censored and "
        "constant values if there are any; default does not. A FILE has lines ATTRIBUTE CODING "
        "OPTION=VALUE, like an encoding file"
    )
    add("--codings", default="impute", metavar="impute|default|FILE", help=meaning)
    add("--resume", action="store_true", help="do not run complete instances again, which is the default")
    meaning = "also run complete instances; an error if their results are in another delve directory"
    add("--again", action="store_true", help=meaning)
    meaning = (
        "files to keep: all (data files, predictions and losses), predictions (and losses, "
        "the default), or only losses"
    )
    add("--keep", choices=("all", "predictions", "losses"), default="predictions", help=meaning)
    add_follow_links(parser)


def _add_own_methods(parser: ManualParser) -> None:
    add = parser.add_argument
    meaning = (
        "a program that is a method: it runs in a directory with train.N and test.N of an "
        "instance. It writes predictions there, such as cguess.N. The variable DELVE_INSTANCE is N, "
        "and DELVE_SEED is a random seed"
    )
    add("--command", metavar="COMMAND", help=meaning)
    meaning = "a Python object that is a method: it has fit and predict, or creates such an object"
    add("--object", metavar="MODULE:ATTRIBUTE", help=meaning)
    meaning = (
        "a workflow: steps before learning, a learner with lists of values, steps after predicting; each "
        "combination of values is a method, NAME.v1, NAME.v2 ..."
    )
    add("--workflow", metavar="FILE.toml", help=meaning)
    meaning = (
        "run all Python objects that the workflow names; otherwise only estimators of scikit-learn "
        "and imbalanced-learn, and registered methods"
    )
    add(TRUST, action="store_true", help=meaning)
    add("--name", help="name of that method (default: that of the program, attribute or file)")
    add("--time-limit", type=float, metavar="SECONDS", help="how long the program may take for an instance")
    meaning = (
        "also give the program targets.N, the true targets of the test cases; only the predicted "
        "densities of these targets (lptarg.N) may depend on them"
    )
    add("--targets", action="store_true", help=meaning)
