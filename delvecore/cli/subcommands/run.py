"""`delve run`: apply registered learning methods to the instances of tasks."""

import os
import re
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from delvecore.cli.support.completers import data_paths, directories, files
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
from delvecore.cli.support.own_methods import add_own_methods, describe_method, is_asked_for, own_methods
from delvecore.cli.support.places import Names, here, places_of
from delvecore.cli.support.progress import Progress
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.errors import DelveError
from delvecore.methods import METHODS, load_method, plug_ins
from delvecore.packaging.staging import choose_target
from delvecore.parallel.cluster import carry_out_on, data_of
from delvecore.parallel.processes import CarryOut
from delvecore.parallel.threads import compute_in_one_thread, usable_cores
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.settings import family_of
from delvecore.runner.choice import choose_tasks, without_results_elsewhere
from delvecore.runner.codings import DEFAULT, IMPUTE, CodingChoice
from delvecore.runner.command_method import Runnable
from delvecore.runner.one_instance import Bench, InstanceOutcome, Request
from delvecore.runner.runs import PlannedRun, Step, plan_run, run_methods

__all__ = ["command", "main"]

NUMBERED = re.compile(r"(/\S+ )?\binstance \d+: | in case \d+")
"""What in the message of a failure tells one instance or case from another."""
EXAMPLES = (
    ("delve run --list", "List the methods."),
    ("delve run lin-1 /demo/age/std.128 --into delve-mine", "Run one on a task."),
    ("delve run lin-1 knn-cv-1 /demo --workers 4", "Run two on all tasks of a dataset."),
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
        print_lines(f"{name:{width}}  {entry.purpose}")
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
    into = choose_target(options.into, hierarchy.roots, working_directory)
    if into not in hierarchy.roots:
        hierarchy = Hierarchy([into, *hierarchy.roots], follow_links=options.follow_links)
    places = places_of(hierarchy, paths, working_directory) or [here(hierarchy, working_directory)]
    for names in places:
        if names and hierarchy.find("data", names[0], "Dataset.spec") is None:
            where, remedy = " ".join(hierarchy.roots), "list other delve directories in DELVE_PATH"
            expected = f"a dataset in {where}"
            raise DelveError(f"/{names[0]}: expected {expected}, found none; check the name, or {remedy}")
    progress = Progress(sys.stderr, quiet=options.quiet)
    request = _Request(hierarchy, into, options, progress, codings=_codings(options.codings))
    return _work(request, [*_plan(request, methods, places)])


class _Request(NamedTuple):
    """What is to be run, save for methods and places: from where, into which delve directory, and how."""

    hierarchy: Hierarchy
    into: str
    options: Namespace
    progress: Progress
    codings: CodingChoice


def _plan(request: _Request, methods: list[Runnable], places: Sequence[Names]) -> Iterator[PlannedRun]:
    """Yield what is to be done for each method; say which cannot be applied to what."""
    hierarchy, into, options, progress, codings = request
    tasks = choose_tasks(hierarchy, places)
    cases: dict[str, PrototaskCases] = {}
    said = set[str]()
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
        refused = {path.rpartition("/")[0]: reason for path, reason in run.refused.items()}
        family = family_of(method.name) or method.name
        for prototask, reason in refused.items():
            line = f"delve run: {prototask}: {family} cannot be applied: {reason}"
            if line not in said:  # what concerns all variants is said once
                said.add(line)
                progress.say(line)
        if run.refused and not (run.work or run.complete or run.faults):
            raise DelveError(f"expected a task for {method.name}, found none among those given")
        describe_method(method, options, into)
        yield run


def _codings(word: str) -> CodingChoice:
    """Return what `--codings` says: a rule by its name, or a file of codings."""
    if word in (DEFAULT, IMPUTE):
        return CodingChoice(word)
    return CodingChoice(IMPUTE, read_text(word), word)


def _work(request: _Request, runs: Sequence[PlannedRun]) -> int:
    options, progress = request.options, request.progress
    steps: dict[str, list[Step]] = {run.method.name: [] for run in runs}
    reasons = Counter[str]()

    def notify(step: Step) -> None:
        steps[step.request.method.name].append(step)
        if step.outcome.failure:
            reason = NUMBERED.sub("", step.outcome.failure)
            reasons[reason] += 1
            if reasons[reason] == 1:  # what concerns all instances is said once
                progress.say(f"delve run: {step.request.method.name}{step.message}")
        done = f" instance {step.outcome.instance}, {step.count} of {step.total}"
        progress.show(f"{step.request.method.name}{step.path}", step.share, done, whole=step.is_last)

    carry_out = _cluster(options, runs)
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
        _summarize(run, steps[run.method.name], request.into)
    return 1 if failures else 0


def _cluster(options: Namespace, runs: Sequence[PlannedRun]) -> CarryOut[Request, InstanceOutcome] | None:
    """Return who carries requests out instead of processes here, if there is something to do."""
    if not options.scheduler or not any(run.work for run in runs):
        return None
    roots = dict.fromkeys(root for run in runs for root in run.roots)
    return carry_out_on(options.scheduler, Bench, places=data_of(roots))


def _summarize(run: PlannedRun, steps: list[Step], into: str) -> None:
    name, good = run.method.name, [step for step in steps if not step.outcome.failure]
    failed = run.instances - len(good) + len(run.faults)
    done = f"{len(good)} instance{'s' * (len(good) != 1)} run, {run.complete} complete before"
    print_lines(f"{name}: {done}, {failed} failed; results in {os.path.join(into, 'methods', name)}")
    if good:
        seconds = sorted(step.outcome.seconds for step in good)
        sizes = [step.outcome.megabytes for step in good if step.outcome.megabytes is not None]
        memory = f"; at most {max(sizes):.0f} MB of memory" if sizes else ""
        median = f"{seconds[len(seconds) // 2]:.2g} s an instance (median)"
        print_lines(f"{name}: {median}, {sum(seconds):.1f} s in all{memory}")


def _fault(options: Namespace) -> str | None:
    own = is_asked_for(options)
    if not options.words and not own:
        return "expected a METHOD; --list shows the methods"
    if own > 1:
        return "expected one of --command, --object and --workflow; run them one after the other"
    if options.name and not own:
        return "--name: expected --command, --object or --workflow, found none"
    if (options.time_limit or options.targets) and not options.command:
        return f"{'--time-limit' if options.time_limit else '--targets'}: expected --command, found none"
    if options.time_limit is not None and not options.time_limit > 0:
        return f"--time-limit: expected a positive number of seconds, found {options.time_limit:g}"
    if options.workers is not None and options.scheduler:
        return "--workers: expected it without --scheduler, whose cluster has its own"
    if options.workers is not None and options.workers < 1:
        return f"--workers: expected at least 1, found {options.workers}"
    return None


def _chosen_methods(
    options: Namespace, roots: Sequence[str], working_directory: str
) -> tuple[list[Runnable], list[str]]:
    """Return (methods, paths): those that the words name, and those of the options. roots:
    the delve directories with the data."""
    known = {*METHODS, *plug_ins()}
    is_own = is_asked_for(options)
    count = 0 if is_own else 1  # the first word is a method, even if it names none: that is an error
    while count < len(options.words) and options.words[count] in known:
        count += 1
    names, paths = list(dict.fromkeys(options.words[:count])), options.words[count:]
    methods: list[Runnable] = [load_method(name) for name in names]
    if is_own:
        methods += own_methods(options, roots, working_directory, known=known)
    return methods, paths


def command() -> ManualParser:
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
    add_own_methods(parser)
    add("--list", action="store_true", help="list the registered methods")
    add("--into", metavar="DELVE_DIRECTORY", help="the delve directory that results go into")
    meaning = "how many processes compute (default: as many as there are cores); the results are the same"
    add("--workers", type=int, metavar="COUNT", help=meaning)
    add_scheduler(parser, "compute")
    _add_rules(parser)
    add("-q", "--quiet", action="store_true", help="show no progress")
    parser.complete(words=_words, into=directories, command=files, workflow=files, codings=files)
    return parser


def _add_rules(parser: ManualParser) -> None:
    add = parser.add_argument
    meaning = (
        "how attributes are encoded: by the rules for missing, censored and constant values where there are "
        "any (impute, the default), without (default), or as a file says, whose lines are those of an "
        "encoding file: ATTRIBUTE CODING OPTION=VALUE"
    )
    add("--codings", default="impute", metavar="impute|default|FILE", help=meaning)
    add("--resume", action="store_true", help="leave complete instances as they are, which is the default")
    meaning = "run complete instances too; an error where the results are in another delve directory"
    add("--again", action="store_true", help=meaning)
    meaning = "files to keep: data files, predictions and losses; the latter two (default); losses alone"
    add("--keep", choices=("all", "predictions", "losses"), default="predictions", help=meaning)
    add_follow_links(parser)


def _words(prefix: str, parsed_args: Namespace, **about: object) -> Iterable[str]:
    return data_paths(tasks=True)(prefix, parsed_args) if parsed_args.words else METHODS
