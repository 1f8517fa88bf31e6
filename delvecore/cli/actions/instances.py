"""`delve instances`: list instances of one's own of a prototask, by cross-validation or another plan."""

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
from delvecore.cli.support.places import path_text
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.task_instances import instances_text, planned_listing, task_instances
from delvecore.errors import DelveError, Fault
from delvecore.model import Prototask, task_name
from delvecore.plan import Plan
from delvecore.readers.hierarchy import INSTANCE_SUFFIX, Hierarchy
from delvecore.readers.instances import sets_and_runs
from delvecore.readers.specifications import prior_names, read_dataset, read_prototask, read_task
from delvecore.render.numbers import counted
from delvecore.writers.files import write_atomically


def list_instances(options: argparse.Namespace, plan: Plan) -> int:
    here = current_directory()
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
        known = [(one.training.tobytes(), one.test.tobytes()) for one in instances]
        instances = instances[: sets_and_runs(known)[0]]
        said = f"{runs} runs on each of {counted(len(instances), 'training set')}"
        text = f"# {said}\n{instances_text(instances * runs, cases.case_numbers, runs=runs)}"
        path = options.output or _beside(hierarchy, prototask, task.name)
    else:
        instances, text = planned_listing(cases, plan)
        said, path = _told(plan, instances), options.output or _path(hierarchy, prototask, instances, options)
    if options.output == STANDARD_OUTPUT:
        print_text(text)
        return 0
    if os.path.lexists(path) and not options.force:
        raise Fault(
            path, "no file yet", "one", "--force replaces it; results on it are of other instances then"
        )
    write_atomically(path, text, alone=False)
    print_lines(f"{path}: {said}")
    return 0


def _path(
    hierarchy: Hierarchy, prototask: Prototask, instances: Sequence[Instance], options: argparse.Namespace
) -> str:
    """Return where the instances of a task are listed: beside the prototask's specification. Raises Fault for
    a prior that is not there, and for a task that has standard instances, unless these are to be replaced."""
    priors = prior_names(hierarchy, prototask.dataset, prototask.name)
    if options.prior not in priors:
        raise Fault("--prior", f"one of {', '.join(priors)}", repr(options.prior))
    size = min(len(one.training) for one in instances)
    name = task_name(options.prior, size)
    if size in prototask.training_set_sizes and not options.force:
        remedy = "--force lists others in their place"
        raise Fault(f"{prototask.path}/{name}", "a task without standard instances", "one with them", remedy)
    return _beside(hierarchy, prototask, name)


def _beside(hierarchy: Hierarchy, prototask: Prototask, task: str) -> str:
    place = hierarchy.find("data", prototask.dataset, prototask.name, "Prototask.spec") or ""
    return os.path.join(os.path.dirname(place), task + INSTANCE_SUFFIX)


def _told(plan: Plan, instances: Sequence[Instance]) -> str:
    sizes = [sorted({len(getattr(one, part)) for one in instances}) for part in ("training", "test")]
    trained, tested = (f"{one[0]}" if len(one) == 1 else f"{one[0]} to {one[-1]}" for one in sizes)
    many = counted(len(instances), "instance")
    return f"{plan.words}: {many}, {trained} training and {tested} test cases each"
