"""`delve run`: apply registered learning methods to the instances of tasks."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from delvecore.commands.frame.context import INTERRUPTED, active_hierarchy
from delvecore.commands.frame.places import Names, here, places_of
from delvecore.commands.subcommands.run_options import chosen_methods, command, parse_run
from delvecore.errors import DelveError
from delvecore.readers.hierarchy import Hierarchy

if TYPE_CHECKING:
    from delvecore.commands.frame.progress import Progress
    from delvecore.encoding.prototask_cases import PrototaskCases
    from delvecore.runner.command_method import Runnable
    from delvecore.runner.runs import Outcomes, PlannedRun, Step

__all__ = ["command", "main"]


def main(arguments: Sequence[str]) -> int:
    """Run methods; return 0, or 1 where an instance failed or no task suits a method."""
    options = parse_run(arguments)
    return _list_methods() if options.list else _run(options)


def _list_methods() -> int:
    from delvecore.methods import METHODS
    from delvecore.methods.plug_ins import plug_ins

    brought = plug_ins()
    width = max(map(len, [*METHODS, *brought]))
    for name, entry in METHODS.items():
        print(f"{name:{width}}  {entry.purpose}")
    for name, plug_in in brought.items():
        if name in METHODS:
            where = f"{plug_in.distribution}: {name}"
            print(f"delve run: {where}: expected a name that no method of the project has", file=sys.stderr)
        else:
            print(f"{name:{width}}  from {plug_in.distribution}")
    return 0


def _run(options: Namespace) -> int:
    from delvecore.runner.threads import compute_in_one_thread

    compute_in_one_thread()
    # Imported here: these need NumPy, which --help need not wait for, and which asks for threads only once.
    from delvecore.commands.frame.progress import Progress
    from delvecore.sharing.target import choose_target

    working_directory = os.getcwd()
    hierarchy = active_hierarchy(working_directory)
    methods, paths = chosen_methods(options, hierarchy.roots, working_directory)
    into = choose_target(options.into, hierarchy.roots, working_directory)
    if into not in hierarchy.roots:
        hierarchy = Hierarchy([into, *hierarchy.roots])
    places = places_of(hierarchy, paths, working_directory) or [here(hierarchy, working_directory)]
    _check_datasets(hierarchy, places)
    request = _Request(hierarchy, into, options, Progress(sys.stderr, quiet=options.quiet))
    return _work(request, [*_planned(request, methods, places)])


class _Request(NamedTuple):
    """What is to be run, save for methods and places: from where, into which delve directory, and how."""

    hierarchy: Hierarchy
    into: str
    options: Namespace
    progress: "Progress"


def _planned(
    request: _Request, methods: "Sequence[Runnable]", places: Sequence[Names]
) -> "Iterator[PlannedRun]":
    """Yield what is to be done for each method; say which cannot be applied to what."""
    from delvecore.runner.choice import choose_tasks, without_results_elsewhere
    from delvecore.runner.runs import plan_run

    hierarchy, into, options, progress = request
    tasks = choose_tasks(hierarchy, places)
    cases: dict[str, PrototaskCases] = {}
    for method in methods:
        chosen = without_results_elsewhere(tasks, hierarchy, method.name, into)
        for root, count in chosen.elsewhere.items():
            progress.say(_left_alone(method.name, root, count))
        run = plan_run(hierarchy, method, chosen, into, again=options.again, keep=options.keep, cases=cases)
        for prototask, reason in _refused_prototasks(run.refused).items():
            progress.say(f"delve run: {prototask}: {method.name} cannot be applied: {reason}")
        if run.refused and not (run.work or run.complete or run.faults):
            raise DelveError(f"expected a task for {method.name}, found none among those given")
        yield run


def _left_alone(method: str, root: str, count: int) -> str:
    """Say that a delve directory has results already, of which no second copy is made."""
    tasks = "1 task" if count == 1 else f"{count} tasks"
    return f"delve run: {method}: {root} has results on {tasks} already; they are left as they are"


def _check_datasets(hierarchy: Hierarchy, places: Sequence[Names]) -> None:
    """Raise DelveError, saying where was looked, for a place below a dataset that is not there."""
    for names in places:
        if names and hierarchy.find("data", names[0], "Dataset.spec") is None:
            where = " ".join(hierarchy.roots)
            raise DelveError(
                f"/{names[0]}: expected a dataset in {where}, found none; check the name, or list other "
                "delve directories in DELVE_PATH"
            )


def _work(request: _Request, runs: "Sequence[PlannedRun]") -> int:
    from delvecore.runner.runs import run_methods
    from delvecore.runner.threads import usable_cores

    options, progress = request.options, request.progress
    steps: dict[str, list[Step]] = {run.method.name: [] for run in runs}

    def notify(step: "Step") -> None:
        steps[step.method].append(step)
        if step.failure:
            progress.say(f"delve run: {step.method}{step.path} instance {step.instance}: {step.failure}")
        done = f" instance {step.instance}, {step.count} of {step.total}"
        progress.show(f"{step.method}{step.path}", step.share, done, whole=step.is_last)

    carry_out = _cluster(options.scheduler, runs) if any(run.work for run in runs) else None
    workers = options.workers or usable_cores()
    try:
        failures = run_methods(runs, workers=workers, carry_out=carry_out, notify=notify)
    except KeyboardInterrupt:
        progress.say("delve run: interrupted; what is complete is kept, the same command goes on from there")
        return INTERRUPTED
    progress.clear()
    said = {step.message for taken in steps.values() for step in taken if step.failure}
    for failure in dict.fromkeys(failures):
        if failure not in said:
            progress.say(f"delve run: {failure}")
    for run in runs:
        _summarize(run, steps[run.method.name], request.into)
    return 1 if failures else 0


def _cluster(address: str | None, runs: "Sequence[PlannedRun]") -> "Outcomes | None":
    """Return what carries instances out on a cluster, None without an address."""
    if not address:
        return None
    from delvecore.runner.cluster import carry_out_on

    return carry_out_on(address, roots=dict.fromkeys(root for run in runs for root in run.roots))


def _summarize(run: "PlannedRun", steps: "list[Step]", into: str) -> None:
    """Print how many instances of a method were run, and what they cost."""
    name, good = run.method.name, [step for step in steps if not step.failure]
    failed = run.instances - len(good) + len(run.faults)
    done = f"{len(good)} instance{'s' * (len(good) != 1)} run, {run.complete} complete before"
    print(f"{name}: {done}, {failed} failed; results in {os.path.join(into, 'methods', name)}")
    if good:
        seconds = sorted(step.seconds for step in good)
        sizes = [step.megabytes for step in good if step.megabytes is not None]
        memory = f"; at most {max(sizes):.0f} MB of memory" if sizes else ""
        median = f"{seconds[len(seconds) // 2]:.2g} s an instance (median)"
        print(f"{name}: {median}, {sum(seconds):.1f} s in all{memory}")


def _refused_prototasks(refused: dict[str, str]) -> dict[str, str]:
    """Return {prototask path: reason} from {task path: reason}."""
    return {path.rpartition("/")[0]: reason for path, reason in refused.items()}
