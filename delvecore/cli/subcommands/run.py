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
from delvecore.cli.support.manual import (
    LOSSES,
    PREDICTIONS,
    TASK,
    ManualParser,
    add_follow_links,
    add_scheduler,
    used,
)
from delvecore.cli.support.places import here, places_of
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.errors import DelveError
from delvecore.methods import METHODS, is_method, load_method, plug_ins
from delvecore.methods.objects import TRUST, method_from
from delvecore.metrics.registry import known_name
from delvecore.model import TaskId
from delvecore.packaging.staging import target_directory
from delvecore.parallel.processes import compute_in_one_thread, usable_cores
from delvecore.progress import Progress
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.source_files import family_of
from delvecore.render.numbers import integer, parameter, seconds_text, significant
from delvecore.runner.choice import choose_tasks, coding_choice, without_results_elsewhere
from delvecore.runner.command_method import CommandMethod, Runnable, program_words
from delvecore.runner.descriptions import describe_method
from delvecore.runner.runs import PlannedRun, Step, connect_cluster, plan_run, run_methods
from delvecore.tables import PLACE, rows_of
from delvecore.workflows.method import workflow_methods

NUMBERED = re.compile(r"(/\S+ )?\binstance \d+: | in case \d+")
"""What in the message of a failure tells one instance or case from another."""
EXAMPLES = (
    ("delve run --list", "List the methods."),
    ("delve run lin-1 /demo/age/std.128 --into delve-mine", "Run one on a task."),
    ("delve run lin-1 knn-cv-1 /demo --workers 4", "Run two on all tasks of a dataset."),
    ("delve run 'rprop(topology=16+8, stop=GL5)' /demo", "Run one with parameters."),
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
    return _list_methods() if options.list else _run(options)


def _list_methods() -> int:
    brought = plug_ins()
    width = max(map(len, [*METHODS, *brought]))
    for name, entry in METHODS.items():
        parameters = ", ".join(one.name for one in entry.parameters)
        print_lines(f"{name:{width}}  {entry.purpose}{f' ({parameters})' if parameters else ''}")
    for name, plug_in in brought.items():
        if name in METHODS:
            where = f"{plug_in.distribution}: {name}"
            print(f"delve run: {where}: expected a name that no method of the project has", file=sys.stderr)
        else:
            print_lines(f"{name:{width}}  from {plug_in.distribution}")
    return 0


def _run(options: Namespace) -> int:
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
    tasks = choose_tasks(hierarchy, places)
    cases: dict[str, PrototaskCases] = {}
    said, runs = set[str](), []
    for method in methods:
        chosen = without_results_elsewhere(tasks, hierarchy, method.name, into)
        for root, count in chosen.elsewhere.items():
            there = f"{root} has results on {count} task{'s' * (count != 1)} already"
            if options.again:
                remedy = f"write there (--into {root}), or leave it out of DELVE_PATH"
                remedy = "unpack or remove them" if root == into else remedy
                raise DelveError(f"--again: {method.name}: {there}, which cannot be replaced; {remedy}")
            progress.say(f"delve run: {method.name}: {there}; they are left as they are")
        run = plan_run(
            hierarchy,
            method,
            chosen,
            into,
            again=options.again,
            keep=options.keep,
            cases=cases,
            codings=codings,
        )
        family = family_of(method.name) or method.name
        for prototask, reason in run.refused_prototasks.items():
            line = f"delve run: {prototask}: {family} cannot be applied: {reason}"
            if line not in said:  # what concerns all variants is said once
                said.add(line)
                progress.say(line)
        if run.refused and not (run.work or run.complete or run.faults):
            raise DelveError(f"expected a task for {method.name}, found none among those given")
        if run.work or method.name not in METHODS:
            describe_method(method, into, options.workflow)
        runs.append(run)
    return _work(runs, into, options, progress)


def _work(runs: Sequence[PlannedRun], into: str, options: Namespace, progress: Progress) -> int:
    """Run what is planned, with results in a delve directory, and say what came of it."""
    steps: dict[str, list[Step]] = {run.method.name: [] for run in runs}
    reasons = Counter[str]()

    def notify(step: Step) -> None:
        steps[step.request.method.name].append(step)
        if step.outcome.failure:
            reason = NUMBERED.sub("", step.outcome.failure)
            reasons[reason] += 1
            if reasons[reason] == 1:  # what concerns all instances is said once
                progress.say(f"delve run: {step.request.method.name}{step.message}")
        step.show(progress)

    carry_out = connect_cluster(options.scheduler, runs)
    workers = options.workers or usable_cores()
    try:
        failures = run_methods(runs, workers=workers, carry_out=carry_out, notify=notify)
    except KeyboardInterrupt:
        progress.say("delve run: interrupted; what is complete is kept, the same command goes on from there")
        return INTERRUPTED
    progress.clear()
    for reason, count in reasons.items():
        if count > 1:
            progress.say(f"delve run: {count - 1} more failed for the same reason: {reason}")
    said = {step.message for taken in steps.values() for step in taken if step.outcome.failure}
    for failure in dict.fromkeys(failures):
        if failure not in said:
            progress.say(f"delve run: {failure}")
    for run in runs:
        _summarize(run, steps[run.method.name], into)
    return 1 if failures else 0


def _summarize(run: PlannedRun, steps: list[Step], into: str) -> None:
    name, good = run.method.name, [step for step in steps if not step.outcome.failure]
    failed = run.instances - len(good) + len(run.faults)
    done = f"{len(good)} instance{'s' * (len(good) != 1)} run, {run.complete} complete before"
    print_lines(f"{name}: {done}, {failed} failed; results in {os.path.join(into, 'methods', name)}")
    if good:
        seconds = sorted(step.outcome.cost.seconds for step in good)
        sizes = [step.outcome.cost.megabytes for step in good if step.outcome.cost.megabytes is not None]
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


def _fault(options: Namespace) -> str | None:
    own = sum(bool(one) for one in (options.command, options.object, options.workflow))
    if not options.words and not own:
        return "expected a METHOD; --list shows the methods"
    if own > 1:
        return "expected one of --command, --object and --workflow; run them one after the other"
    if options.name and not own:
        return "--name: expected --command, --object or --workflow, found none"
    if (options.time_limit or options.targets) and not options.command:
        return f"{'--time-limit' if options.time_limit else '--targets'}: expected --command, found none"
    if options.trust and not options.workflow:
        return "--trust: expected --workflow, found none"
    if options.time_limit is not None and not options.time_limit > 0:
        return f"--time-limit: expected a positive number of seconds, found {parameter(options.time_limit)}"
    if options.workers is not None and options.scheduler:
        return "--workers: expected it without --scheduler, whose cluster has its own"
    if options.workers is not None and options.workers < 1:
        return f"--workers: expected at least 1, found {options.workers}"
    return None


def _chosen_methods(
    options: Namespace, roots: Sequence[str], working_directory: str
) -> tuple[list[Runnable], list[str]]:
    """Return (methods, paths): those that the words name, and those of the options. Raises DelveError."""
    is_own = options.command or options.object or options.workflow
    count = 0 if is_own else 1  # the first word is a method, even if it names none: that is an error
    while count < len(options.words) and is_method(options.words[count]):
        count += 1
    loaded: list[Runnable] = [load_method(name) for name in options.words[:count]]
    methods, paths = list({method.name: method for method in loaded}.values()), options.words[count:]
    if not is_own:
        return methods, paths
    named_here = options.object or options.trust
    if working_directory not in sys.path and named_here:  # a file alone imports nothing that lies beside it
        sys.path.insert(0, working_directory)  # as `python -m` does; other processes take it over
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
    # A program that every directory finds, such as `python`, is named by the first file that it is given.
    is_of_all = os.sep not in options.command.split()[0]
    own = [word for word in words[1:] if os.path.isfile(word)] if is_of_all else []
    name = options.name or EXTENSION.sub("", os.path.basename([*own, words[0]][0]))
    rules = {"with_targets": options.targets, "follow_links": options.follow_links}
    return [CommandMethod(name, words, tuple(roots), options.time_limit, **rules)]


def command() -> ManualParser:
    parser = ManualParser(
        "delve run",
        "apply learning methods to tasks",
        description="Apply learning methods to task instances, and write predictions and losses. "
        "Instances that are complete are left as they are, so an interrupted run goes on where it stopped.",
        note="Without --into, results go into the delve directory around the working directory, else into "
        "the first one of DELVE_PATH that can be written. They go into the archive that ships with this "
        "program only when it is named.",
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
    meaning = "how many processes compute (default: as many as there are cores); the results are the same"
    add("--workers", type=int, metavar="COUNT", help=meaning)
    add_scheduler(parser, "compute")
    _add_rules(parser)
    add("-q", "--quiet", action="store_true", help="show no progress")
    return parser


def _add_rules(parser: ManualParser) -> None:
    add = parser.add_argument
    meaning = (
        "how attributes are encoded. impute (the default) adds rules for missing, censored and constant "
        "values where there are any; default does not. A file has lines ATTRIBUTE CODING OPTION=VALUE, as an "
        "encoding file"
    )
    add("--codings", default="impute", metavar="impute|default|FILE", help=meaning)
    add("--resume", action="store_true", help="leave complete instances as they are, which is the default")
    meaning = "run complete instances too; an error where the results are in another delve directory"
    add("--again", action="store_true", help=meaning)
    meaning = "files to keep: data files, predictions and losses; the latter two (default); losses alone"
    add("--keep", choices=("all", "predictions", "losses"), default="predictions", help=meaning)
    add_follow_links(parser)


def _add_own_methods(parser: ManualParser) -> None:
    add = parser.add_argument
    meaning = (
        "a program that is a method: it runs in a directory with train.N and test.N of an instance. It "
        "writes predictions there, such as cguess.N; DELVE_INSTANCE says N, DELVE_SEED a random seed"
    )
    add("--command", metavar="COMMAND", help=meaning)
    meaning = "a Python object that is a method: it has fit and predict, or makes something that has"
    add("--object", metavar="MODULE:ATTRIBUTE", help=meaning)
    meaning = (
        "a workflow: steps before learning, a learner with lists of values, steps after predicting; each "
        "combination of values is a method, NAME.v1, NAME.v2 ..."
    )
    add("--workflow", metavar="FILE.toml", help=meaning)
    meaning = (
        "run all Python objects that the workflow names; without it only classes with fit of scikit-learn "
        "and imbalanced-learn, and registered methods"
    )
    add(TRUST, action="store_true", help=meaning)
    add("--name", help="of that method (default: that of the program, attribute or file)")
    add("--time-limit", type=float, metavar="SECONDS", help="how long the program may take for an instance")
    meaning = (
        "give the program targets.N too, the true targets of the test cases, which only the density that it "
        "predicts for them (lptarg.N) may depend on"
    )
    add("--targets", action="store_true", help=meaning)
