"""`delve instances`: list custom instances of a prototask, by cross-validation or another plan."""

import argparse
import os
from collections.abc import Sequence

from delvecore.cli.support.context import (
    STANDARD_OUTPUT,
    active_hierarchy,
    current_directory,
    print_lines,
    print_text,
)
from delvecore.cli.support.manual import ManualParser
from delvecore.errors import DelveError, Fault
from delvecore.model import Prototask, task_name
from delvecore.plan import BOOTSTRAPS, EVEN, ONCE, REPEATED, Plan, Planned
from delvecore.readers.hierarchy import INSTANCE_SUFFIX, Hierarchy
from delvecore.render.numbers import counted, parameter
from delvecore.writers.files import write_atomically

STANDARD_PRIOR = "std"


def _plan(options: argparse.Namespace, parser: ManualParser) -> Plan:
    plan = _kind(options, parser)._replace(
        repeats=options.repeats, seed=options.seed, stratified=options.stratified, runs=options.runs or 1
    )
    for name in ("repeats", "runs"):
        if getattr(plan, name) < 1:
            parser.error(f"--{name}: expected 1 or more, found {getattr(plan, name)}")
    if plan.repeats > 1 and plan.kind not in REPEATED:
        parser.error(
            f"--repeats: expected one of {', '.join(f'--{one}' for one in REPEATED)} as well, found none"
        )
    if plan.stratified and plan.kind not in EVEN:
        parser.error(
            f"--stratified: expected one of {', '.join(f'--{one}' for one in EVEN)} as well, found none"
        )
    if plan.runs > 1 and (plan.kind not in ONCE or plan.repeats > 1):
        parser.error("--runs: expected no other plan, or --holdout without --repeats")
    return plan


def _kind(options: argparse.Namespace, parser: ManualParser) -> Plan:
    """Return the chosen kind of plan, without the options that all plans share."""
    if options.bootstrap:
        kind, samples = options.bootstrap
        if kind not in BOOTSTRAPS or not samples.isdigit() or int(samples) < 2:
            argument = " ".join(options.bootstrap)
            parser.error(
                f"--bootstrap: expected {' or '.join(BOOTSTRAPS)} and 2 samples or more, found {argument}"
            )
        return Plan(kind, int(samples))
    if options.holdout is not None:
        return Plan("holdout", shares=(options.holdout,))
    if options.montecarlo:
        if strange := [
            size for size in options.montecarlo if size < 0 or not (0 < size < 1 or size % 1 == 0 < size)
        ]:
            parser.error(
                f"--montecarlo: expected shares below 1 or numbers of cases, found {parameter(strange[0])}"
            )
        return Plan("montecarlo", shares=tuple(options.montecarlo))
    if options.loo:
        return Plan("loo")
    numbered: tuple[Planned, ...] = ("cv", "growing", "sliding")
    for kind in numbered:
        if (number := getattr(options, kind)) is not None:
            return Plan(kind, number)
    if options.runs is None:
        parser.error("expected a plan such as --cv 10, --bootstrap e0 200 or --runs 60, found none")
    return Plan("division")


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    plan, here = _plan(options, parser), current_directory()
    from delvecore.cli.support.places import path_text
    from delvecore.encoding.prototask_cases import prototask_cases
    from delvecore.encoding.task_instances import instances_text, planned_listing, task_instances
    from delvecore.readers.instances import sets_and_runs
    from delvecore.readers.specifications import prior_names, read_dataset, read_prototask, read_task

    hierarchy = active_hierarchy(here)
    names = hierarchy.locate(options.path, here, part="data")
    if len(names) != 2 + (plan.kind == "division" and len(names) == 3):
        expected = f"the path of a prototask{' or a task' * (plan.kind == 'division')}"
        raise DelveError(f"{options.path}: expected {expected}, found {path_text(names)}")
    dataset = read_dataset(hierarchy, names[0])
    prototask = read_prototask(hierarchy, dataset, names[1])
    cases = prototask_cases(hierarchy, dataset, prototask)
    if len(names) == 3:
        task = read_task(hierarchy, *names)[-1]
        instances, runs = task_instances(hierarchy, cases, task), plan.runs
        sets = [(one.training.tobytes(), one.test.tobytes()) for one in instances]
        instances = instances[: sets_and_runs(sets)[0]]
        summary = f"{runs} runs on each of {counted(len(instances), 'training set')}"
        text = f"# {summary}\n{instances_text(instances * runs, cases.case_numbers, runs=runs)}"
        path = options.output or _beside(hierarchy, prototask, task.name)
    else:
        instances, text = planned_listing(cases, plan)
        sizes = [sorted({len(getattr(one, part)) for one in instances}) for part in ("training", "test")]
        trained, tested = (f"{one[0]}" if len(one) == 1 else f"{one[0]} to {one[-1]}" for one in sizes)
        count = counted(len(instances), "instance")
        summary = f"{plan.words}: {count}, {trained} training and {tested} test cases each"
        priors = prior_names(hierarchy, *names)
        path = options.output or _path(hierarchy, prototask, sizes[0][0], priors, options)
    if options.output == STANDARD_OUTPUT:
        print_text(text)
        return 0
    if os.path.lexists(path) and not options.force:
        remedy = "--force replaces it, but earlier results then belong to other instances"
        raise Fault(path, "no file yet", "one", remedy)
    write_atomically(path, text, alone=False)
    print_lines(f"{path}: {summary}")
    return 0


def _path(
    hierarchy: Hierarchy, prototask: Prototask, size: int, priors: Sequence[str], options: argparse.Namespace
) -> str:
    """Return the path of a task's file of instances, next to the prototask's specification.

    size: size of the smallest training set. Raises Fault for an unknown prior, and for standard instances
    that may not be replaced."""
    if options.prior not in priors:
        raise Fault("--prior", f"one of {', '.join(priors)}", repr(options.prior))
    name = task_name(options.prior, size)
    if size in prototask.training_set_sizes and not options.force:
        remedy = "--force replaces them with other instances"
        raise Fault(f"{prototask.path}/{name}", "a task without standard instances", "one with them", remedy)
    return _beside(hierarchy, prototask, name)


def _beside(hierarchy: Hierarchy, prototask: Prototask, task: str) -> str:
    place = hierarchy.find("data", prototask.dataset, prototask.name, "Prototask.spec") or ""
    return os.path.join(os.path.dirname(place), task + INSTANCE_SUFFIX)


def command() -> ManualParser:
    parser = ManualParser(
        "delve instances",
        "list custom instances: cross-validation, bootstrap, holdout, windows",
        description="Divide the cases of a task into instances by a plan, and list them in the "
        "file PRIOR.SIZE.instances next to the prototask's specification. SIZE is that of the smallest "
        "training set. The task is then like any other: delve run, mgendata and mloss use its "
        "instances, and statistics correct for shared cases. Cases with the same commonality index "
        "stay together. If scikit-learn has a splitter for the plan, the sets equal those that it makes "
        "with the same seed.",
        files=(("PRIOR.SIZE.instances", "is written, with the plan and its seed in the first lines."),),
        examples=(
            ("delve instances /wine/cultivar --cv 10 --repeats 3 --stratified", "Ten folds, three times."),
            ("delve instances /demo/age --holdout 0.3 --repeats 10 -o -", "Print ten random divisions."),
            ("delve instances /wine/cultivar --bootstrap 632 200", "Two hundred samples with replacement."),
            ("delve instances /wine/cultivar --holdout 0.3 --runs 60", "Sixty runs on one partition."),
            ("delve instances /demo/age/std.128 --runs 3", "Three runs on each training set of a task."),
        ),
    )
    add = parser.add_argument
    add(
        "path",
        metavar="/DATASET/PROTOTASK",
        help="prototask whose cases are divided; with --runs alone, also a task",
    )
    _add_plans(parser)
    add(
        "--repeats",
        type=int,
        default=1,
        metavar="TIMES",
        help="number of repetitions of --cv, --holdout or --montecarlo (default: 1)",
    )
    add(
        "--stratified",
        action="store_true",
        help="for --cv or --holdout: keep the shares of the classes in each set",
    )
    meaning = (
        "number of runs with different seeds on the same sets, to measure how much stochastic "
        "training varies. "
    )
    meaning += (
        "The sets are those of --holdout. Without it, a prototask has its test set, and all other cases "
    )
    meaning += "for training; a task has each of its training sets"
    add("--runs", type=int, metavar="TIMES", help=meaning)
    add("--seed", type=int, default=1, metavar="SEED", help="seed of random draws (default: 1)")
    add("--prior", default=STANDARD_PRIOR, metavar="PRIOR", help="prior in the task's name (default: std)")
    add("-o", "--output", metavar="FILE", help="another file to write, or - to print")
    add("--force", action="store_true", help="replace an existing file, or standard instances")
    return parser


def _add_plans(parser: ManualParser) -> None:
    """Add the options that choose one plan, or --runs alone."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--cv", type=int, metavar="FOLDS", help="cross-validation")
    group.add_argument("--loo", action="store_true", help="leave-one-out: each case is tested once")
    group.add_argument(
        "--holdout", type=float, metavar="SHARE", help="share of the cases that are drawn for the test set"
    )
    meaning = (
        "samples with replacement, tested on the cases not drawn; 632 adds an instance "
        "tested on its own training cases"
    )
    group.add_argument("--bootstrap", nargs=2, metavar=("e0|632", "SAMPLES"), help=meaning)
    meaning = "for ordered cases: windows around random points; sizes for training and test are "
    meaning += "shares of all cases, such as 0.5, or numbers of cases, such as 50"
    group.add_argument("--montecarlo", type=float, nargs=2, metavar=("TRAINING", "TEST"), help=meaning)
    meaning = "for ordered cases: number of test windows, each after training on all earlier cases"
    group.add_argument("--growing", type=int, metavar="WINDOWS", help=meaning)
    group.add_argument(
        "--sliding",
        type=int,
        metavar="WINDOWS",
        help="the same, with an equal number of training cases for each window",
    )
