"""`delve run`: apply a registered learning method to the instances of tasks."""

import os
import sys

from delvecore.commands.context import INTERRUPTED, active_hierarchy
from delvecore.errors import DelveError
from delvecore.readers.hierarchy import Hierarchy

__all__ = ["main"]


def main(arguments):
    """Run a method; return 0, or 1 where an instance failed or no task suits the method."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.list:
        return _list_methods()
    if options.method is None or not options.tasks:
        parser.error("expected a METHOD and at least one TASK; --list shows the methods")
    return _run(options)


def _list_methods():
    from delvecore.methods import METHODS

    width = max(map(len, METHODS))
    for name, entry in METHODS.items():
        print(f"{name:{width}}  {entry.purpose}")
    return 0


def _run(options):
    # Imported here: these need NumPy, which --help need not wait for.
    from delvecore.commands.progress import Progress
    from delvecore.methods import load_method
    from delvecore.runner.choice import choose_tasks, without_results_elsewhere
    from delvecore.runner.runs import plan_run
    from delvecore.sharing.target import choose_target

    method, working_directory = load_method(options.method), os.getcwd()
    hierarchy = active_hierarchy(working_directory)
    into = choose_target(options.into, hierarchy.roots, working_directory)
    if into not in hierarchy.roots:
        hierarchy = Hierarchy([into, *hierarchy.roots])
    places = [hierarchy.locate(task, working_directory, part="data").names for task in options.tasks]
    _check_datasets(hierarchy, places)
    chosen = without_results_elsewhere(choose_tasks(hierarchy, places), hierarchy, method.name, into)
    run = plan_run(hierarchy, method, chosen, into, again=options.again, keep=options.keep)
    progress = Progress(sys.stderr, quiet=options.quiet)
    for prototask, reason in _refused_prototasks(run.refused).items():
        progress.say(f"delve run: {prototask}: {method.name} cannot be applied: {reason}")
    if run.refused and not (run.work or run.complete or run.faults):
        raise DelveError(f"expected a task for {method.name}, found none among those given")
    return _work(run, progress, into)


def _check_datasets(hierarchy, places):
    """Raise DelveError, saying where was looked, for a place below a dataset that is not there."""
    for names in places:
        if names and hierarchy.find("data", names[0], "Dataset.spec") is None:
            where = " ".join(hierarchy.roots)
            raise DelveError(
                f"/{names[0]}: expected a dataset in {where}, found none; check the name, or list other "
                "delve directories in DELVE_PATH"
            )


def _work(run, progress, into):
    from delvecore.runner.runs import run_method

    name, failed = run.method.name, []

    def notify(step):
        if step.failure:
            failed.append(step)
            progress.say(f"delve run: {step.path} instance {step.instance}: {step.failure}")
        progress.show(f"{name}{step.path}", step.share, f" instance {step.instance}", whole=step.is_last)

    try:
        failures = run_method(run, notify)
    except KeyboardInterrupt:
        progress.say("delve run: interrupted; what is complete is kept, the same command goes on from there")
        return INTERRUPTED
    progress.clear()
    for failure in failures[: len(failures) - len(failed)]:
        progress.say(f"delve run: {failure}")
    count = run.instances - len(failed)
    done = f"{count} instance{'s' * (count != 1)} run, {run.complete} complete before"
    print(f"{name}: {done}, {len(failures)} failed; results in {os.path.join(into, 'methods', name)}")
    return 1 if failures else 0


def _refused_prototasks(refused):
    """Return {prototask path: reason} from {task path: reason}."""
    return {path.rpartition("/")[0]: reason for path, reason in refused.items()}


def _parser():
    from delvecore.commands.manual_parser import ManualParser

    parser = ManualParser(
        prog="delve run",
        description="Apply a registered learning method to task instances, and write predictions and losses. "
        "Instances that are complete are left as they are, so an interrupted run goes on where it stopped.",
        epilog="Without --into, results go into the delve directory around the working directory, else into "
        "the first one of DELVE_PATH that can be written; into the archive that ships with this program "
        "only when it is named.",
    )
    parser.add_argument("method", nargs="?", metavar="METHOD", help="a name that --list shows")
    parser.add_argument(
        "tasks", nargs="*", metavar="TASK", help="a task, prototask or dataset: /demo/age/std.128, /demo, /"
    )
    parser.add_argument("--list", action="store_true", help="list the registered methods")
    parser.add_argument("--into", metavar="DELVE_DIRECTORY", help="the delve directory that results go into")
    parser.add_argument("--again", action="store_true", help="run complete instances too")
    parser.add_argument(
        "--keep",
        choices=("all", "predictions", "losses"),
        default="predictions",
        help="files to keep: data files, predictions and losses; the latter two (default); losses alone",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    return parser
