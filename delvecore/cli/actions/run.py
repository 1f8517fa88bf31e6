"""`delve run`: apply registered learning methods to the instances of tasks."""

import os
import re
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence

import delvecore
from delvecore.archive.metrics import measured
from delvecore.cli.support.context import INTERRUPTED, active_hierarchy, print_lines
from delvecore.cli.support.places import here, places_of
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.errors import DelveError
from delvecore.methods import METHODS, distribution_of, is_method, load_method, plug_ins
from delvecore.methods.objects import method_from
from delvecore.metrics.registry import known_name
from delvecore.model import TaskId
from delvecore.packaging.staging import target_directory
from delvecore.parallel.processes import compute_in_one_thread, usable_cores
from delvecore.progress import Progress
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.source_files import family_of
from delvecore.render.numbers import integer, seconds_text, significant
from delvecore.runner.choice import choose_tasks, coding_choice, without_results_elsewhere
from delvecore.runner.command_method import CommandMethod, Runnable, program_words
from delvecore.runner.descriptions import describe_method
from delvecore.runner.one_instance import InstanceOutcome, Request
from delvecore.runner.runs import PlannedRun, connect_cluster, plan_run, run_methods
from delvecore.tables import PLACE, rows_of
from delvecore.workflows.method import workflow_methods

NUMBERED = re.compile(r"(/\S+ )?\binstance \d+: | in case \d+")
"""The part of a failure's message that names the instance or case."""


def list_methods() -> int:
    brought = plug_ins()
    width = max(map(len, [*METHODS, *brought]))
    for name, entry in METHODS.items():
        parameters = ", ".join(one.name for one in entry.parameters)
        print_lines(f"{name:{width}}  {entry.purpose}{f' ({parameters})' if parameters else ''}")
    for name, point in brought.items():
        if name in METHODS:
            where = f"{distribution_of(point)}: {name}"
            print(f"delve run: {where}: expected a name that no method of DELVE has", file=sys.stderr)
        else:
            print_lines(f"{name:{width}}  from {distribution_of(point)}")
    return 0


def run(options: Namespace) -> int:
    compute_in_one_thread()
    working_directory = os.getcwd()
    hierarchy = active_hierarchy(working_directory, follow_links=options.follow_links)
    methods, paths = _chosen_methods(options, hierarchy.roots, working_directory)
    with target_directory(options.into, hierarchy.roots, working_directory) as into:
        return _run_into(into, hierarchy, methods, paths, options)


def _run_into(
    into: str, hierarchy: Hierarchy, methods: Sequence[Runnable], paths: Sequence[str], options: Namespace
) -> int:
    working_directory = os.getcwd()
    if into not in hierarchy.roots:
        hierarchy = Hierarchy([into, *hierarchy.roots], follow_links=options.follow_links)
    places = places_of(hierarchy, paths, working_directory) or [here(hierarchy, working_directory)]
    for names in places:
        if names and hierarchy.find("data", names[0], "Dataset.spec") is None:
            where, remedy = " ".join(hierarchy.roots), "list other delve directories in DELVE_PATH"
            expected = f"a dataset in {where}"
            raise DelveError(f"/{names[0]}: expected {expected}, found none; check the name, or {remedy}")
    progress, codings = Progress(sys.stderr, quiet=options.quiet), coding_choice(options.codings)
    tasks, faults = choose_tasks(hierarchy, places)
    cases: dict[str, PrototaskCases] = {}
    printed, runs = set[str](), []
    for method in methods:
        chosen, elsewhere = without_results_elsewhere(tasks, hierarchy, method.name, into)
        for root, count in elsewhere.items():
            there = f"{root} already has results on {count} task{'s' * (count != 1)}"
            if options.again:
                remedy = f"write there (--into {root}), or remove it from DELVE_PATH"
                remedy = "unpack or remove them" if root == into else remedy
                raise DelveError(f"--again: {method.name}: {there}, which cannot be replaced; {remedy}")
            progress.say(f"delve run: {method.name}: {there}; they are not changed")
        run = plan_run(
            hierarchy,
            method,
            chosen,
            into,
            faults=faults,
            again=options.again,
            keep=options.keep,
            cases=cases,
            codings=codings,
        )
        family = family_of(method.name) or method.name
        for prototask, reason in run.refused_prototasks.items():
            line = f"delve run: {prototask}: {family} cannot be applied: {reason}"
            if line not in printed:  # once for all variants
                printed.add(line)
                progress.say(line)
        if run.refused and not (run.work or run.complete or run.faults):
            raise DelveError(f"expected a task for {method.name}, found none among the named ones")
        if run.work or method.name not in METHODS:
            describe_method(method, into, options.workflow)
        runs.append(run)
    return _work(runs, into, options, progress)


def _work(runs: Sequence[PlannedRun], into: str, options: Namespace, progress: Progress) -> int:
    """Run the planned instances, write results into a delve directory, and report the outcome."""
    outcomes: dict[str, list[InstanceOutcome]] = {run.method.name: [] for run in runs}
    reasons, messages = Counter[str](), set[str]()

    def notify(request: Request, outcome: InstanceOutcome) -> None:
        outcomes[request.method.name].append(outcome)
        if outcome.failure:
            reason, message = NUMBERED.sub("", outcome.failure), request.failure_text(outcome.failure)
            messages.add(message)
            reasons[reason] += 1
            if reasons[reason] == 1:  # once for all instances
                progress.say(f"delve run: {request.method.name}{message}")

    carry_out = connect_cluster(options.scheduler, runs)
    workers = options.workers or usable_cores()
    try:
        failures = run_methods(runs, workers=workers, carry_out=carry_out, notify=notify, bar=progress)
    except KeyboardInterrupt:
        progress.say("delve run: interrupted; complete instances are kept; repeat the command to continue")
        return INTERRUPTED
    progress.clear()
    for reason, count in reasons.items():
        if count > 1:
            progress.say(f"delve run: {count - 1} more failed for the same reason: {reason}")
    for failure in dict.fromkeys(failures):
        if failure not in messages:
            progress.say(f"delve run: {failure}")
    for run in runs:
        _summarize(run, outcomes[run.method.name], into)
    return 1 if failures else 0


def _summarize(run: PlannedRun, outcomes: list[InstanceOutcome], into: str) -> None:
    name, good = run.method.name, [one for one in outcomes if not one.failure]
    failed = run.instances - len(good) + len(run.faults)
    done = f"{len(good)} instance{'s' * (len(good) != 1)} run, {run.complete} complete before"
    print_lines(f"{name}: {done}, {failed} failed; results in {os.path.join(into, 'methods', name)}")
    if good:
        seconds = sorted(one.cost.seconds for one in good)
        sizes = [one.cost.megabytes for one in good if one.cost.megabytes is not None]
        memory = f"; at most {integer(max(sizes))} MB of memory" if sizes else ""
        median = f"{seconds_text(seconds[len(seconds) // 2])} s an instance (median)"
        print_lines(f"{name}: {median}, {seconds_text(sum(seconds))} s in all{memory}")
    workflow = getattr(run.method, "workflow", None)
    for metric in map(known_name, workflow.metrics if workflow else ()):
        _show_metric(run, metric)


def _show_metric(run: PlannedRun, metric: str) -> None:
    """Print the mean of a workflow's own metric on each task that was run."""
    archive = delvecore.open(run.roots, datasets=sorted({task.plan.task.dataset for task, _ in run.work}))
    measured_archive = measured(archive, metric)
    for method, *task, loss, mean in rows_of(measured_archive.archive.results, (*PLACE, "loss", "mean")):
        if (method, loss) == (run.method.name, measured_archive.loss):
            shown = f"{metric} {significant(mean, 6)}"
            print_lines(f"{method}{TaskId(*task).path}: {shown}, mean over the instances")


def _chosen_methods(
    options: Namespace, roots: Sequence[str], working_directory: str
) -> tuple[list[Runnable], list[str]]:
    """Return (methods, paths) that the words and the options name. Raises DelveError."""
    is_own = options.command or options.object or options.workflow
    count = 0 if is_own else 1  # the first word is a method, even if it names none: that is an error
    while count < len(options.words) and is_method(options.words[count]):
        count += 1
    loaded: list[Runnable] = [load_method(name) for name in options.words[:count]]
    methods, paths = list({method.name: method for method in loaded}.values()), options.words[count:]
    if not is_own:
        return methods, paths
    named_here = options.object or options.trust
    if (
        working_directory not in sys.path and named_here
    ):  # by default a file imports nothing from its directory
        sys.path.insert(0, working_directory)  # as `python -m` does; other processes inherit it
    own = _own_methods(options, roots, working_directory)
    for name in (method.name for method in own):
        if not NAME.fullmatch(name):
            raise DelveError(f"expected a name of letters, digits and . _ + - for the method, found {name!r}")
        if name in {*METHODS, *plug_ins()}:
            expected = "a name that no registered method has"
            raise DelveError(f"expected {expected}, found {name}; give one with --name")
    return [*methods, *own], paths


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
EXTENSION = re.compile(r"\.[A-Za-z]\w*$")


def _own_methods(options: Namespace, roots: Sequence[str], working_directory: str) -> list[Runnable]:
    if options.workflow:
        return [*workflow_methods(options.workflow, options.name, trust=options.trust)]
    if options.object:
        return [method_from(options.object, options.name)]
    words = program_words(options.command, working_directory)
    # A program on the PATH, such as `python`, is named by the first file in its arguments.
    is_of_all = os.sep not in options.command.split()[0]
    own = [word for word in words[1:] if os.path.isfile(word)] if is_of_all else []
    name = options.name or EXTENSION.sub("", os.path.basename([*own, words[0]][0]))
    rules = {"with_targets": options.targets, "follow_links": options.follow_links}
    return [CommandMethod(name, words, tuple(roots), options.time_limit, **rules)]
