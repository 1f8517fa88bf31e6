"""A workflow as a method: steps before learning, a learner, steps after predicting; once, or in windows.

In a window the model is learned anew after so many test cases, from the cases before them, with their true
targets. Source: L. Torgo, performanceEstimation, timeseriesWF."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.random import Generator

from delvecore.encoding.instances import Instance
from delvecore.errors import DelveError
from delvecore.methods import load_method
from delvecore.methods.objects import ObjectMethod, check_learner, check_object, check_trusted, load_object
from delvecore.methods.protocol import LearningInstance, Method, Predictions, TaskView
from delvecore.metrics.registry import add_metric
from delvecore.model import CATEGORICAL_TYPES, Coding
from delvecore.readers.files import read_text
from delvecore.workflows.steps import NUMERIC, SAMPLERS, SUPERVISED, check_sampling, postprocess, preprocess
from delvecore.workflows.workflow_spec import Learner, Window, Workflow, line_of, parse_workflow

WINDOW_ORDER = "a window moves along cases in order of time"


def workflow_methods(path: str, name: str | None = None, *, trust: bool = False) -> list["WorkflowMethod"]:
    """Return a method for each variant of the workflow of a file. trust: also with objects that are not
    known, see `delvecore.methods.objects`. Raises ParseError (file:line), for what is not trusted or
    installed, cannot be imported, or does not know a parameter, too."""
    workflows = parse_workflow(read_text(path), path, name=name)
    for workflow in workflows:
        for place, check in (*_trust_checks(workflow, path, trust=trust), *_checks(workflow)):
            try:
                check()
            except DelveError as error:
                raise _located(error, path, place, workflow) from None
    return [WorkflowMethod(workflow) for workflow in workflows]


Checks = Iterator[tuple[tuple[str, ...], Callable[[], object]]]


def _trust_checks(workflow: Workflow, path: str, *, trust: bool) -> Checks:
    """Yield where each object is named, and what raises DelveError unless it may run."""
    learner = workflow.learner
    objects: list[tuple[tuple[str, ...], str, Mapping[str, object]]]
    objects = [(("learner", "object"), learner.place, learner.parameters)]
    for part, steps in (("pre", workflow.pre), ("post", workflow.post)):
        objects += [((part, step.kind, "object"), step.place, step.options) for step in steps]
    objects += [(("metrics",), place, {}) for place in workflow.metrics]
    text = read_text(path)
    for keys, place, parameters in objects:
        if place:
            where = f"{path}:{line_of(text, keys)}"
            yield keys, partial(check_trusted, place, trust=trust, where=where, parameters=parameters)


def _checks(workflow: Workflow) -> Checks:
    """Yield where each part is in the file, and what raises DelveError unless it is there and can be made."""
    learner = workflow.learner
    yield from ((("metrics",), partial(add_metric, place)) for place in workflow.metrics)
    if learner.method:
        yield ("learner", "method"), partial(load_method, learner.method, learner.parameters)
    else:
        yield ("learner", "object"), partial(_check_learner, learner)
    for step in workflow.pre:
        if step.place:
            yield ("pre", step.kind, "object"), partial(check_object, step.place, step.options)
        elif step.kind in SAMPLERS:
            yield ("pre", step.kind), partial(check_sampling, step.kind)
    for step in workflow.post:
        if step.place:
            yield ("post", step.kind, "object"), partial(load_object, step.place)


def _check_learner(learner: Learner) -> None:
    check_learner(learner.place, check_object(learner.place, learner.parameters))


def _located(error: DelveError, path: str, place: tuple[str, ...], workflow: Workflow) -> DelveError:
    """Return an error with the line of the part that it is of, or of the parameter that it names."""
    named = [key for key in workflow.learner.parameters if place[0] == "learner" and f"'{key}'" in str(error)]
    line = line_of(read_text(path), ("learner", "parameters", named[0]) if named else place)
    return DelveError(f"{path}:{line}: {error}" if line else f"{path}: {error}")


class WorkflowMethod:
    """A variant of a workflow."""

    def __init__(self, workflow: Workflow) -> None:
        self.name, self.workflow = workflow.name, workflow
        learner = workflow.learner
        self.learner: Method = ObjectMethod(self.name, learner.place, learner.parameters)
        if learner.method:
            self.learner = load_method(learner.method, learner.parameters)

    def can(self, task: TaskView) -> str | None:
        return _unsuited(self.workflow, task) or self.learner.can(task)

    def can_instance(self, instance: Instance) -> str | None:
        """Return why a window cannot move along the cases of an instance, or None if it can."""
        if self.workflow.window is None:
            return None
        if (np.diff(np.concatenate([instance.training, instance.test])) < 0).any():
            found = f"instance {instance.number} does not test on later cases than it trains on"
            return f"{WINDOW_ORDER}, and {found}; delve instances --growing lists such instances"
        return None

    def codings(self, task: TaskView) -> dict[int, Coding]:
        return self.learner.codings(task)

    def fit_predict(self, instance: LearningInstance, rng: Generator) -> Predictions:
        if self.workflow.window is None:
            return self._predicted(instance, rng)
        parts = _windows(instance, self.workflow.window)
        return _joined([self._predicted(part, rng) for part in parts])

    def _predicted(self, instance: LearningInstance, rng: Generator) -> Predictions:
        ready = preprocess(instance, self.workflow.pre, rng)
        return postprocess(instance, self.learner.fit_predict(ready, rng), self.workflow.post)


def _unsuited(workflow: Workflow, task: TaskView) -> str | None:
    """Return why the steps do not suit a task, None if they do."""
    is_category = [line.type in CATEGORICAL_TYPES for _, line in task.targets]
    for kind in (step.kind for step in (*workflow.pre, *workflow.post)):
        if len(is_category) > 1 and kind in (*SUPERVISED, "utility"):
            return f"{kind} is for tasks with one target"
        if not all(is_category) and kind in (*SAMPLERS, "utility"):
            return f"{kind} is for categories, and its target is a number"
        if all(is_category) and kind in NUMERIC:
            return f"{kind} is for numbers, and its targets are categories"
    if workflow.window and task.prototask.order_file:
        return f"{WINDOW_ORDER}, and its prototask has a random order"
    if workflow.window and not task.prototask.is_sequential and task.dataset.order == "uninformative":
        return f"{WINDOW_ORDER}, and the order of its dataset is uninformative"
    return None


def _windows(instance: LearningInstance, window: Window) -> list[LearningInstance]:
    """Return the instance in parts, each with so many test cases and the training cases before them."""
    inputs = np.vstack([instance.train_inputs, instance.test_inputs])
    targets = np.vstack([instance.train_targets, instance.test_targets])
    size, found = len(instance.train_inputs), []
    for past in range(0, len(instance.test_inputs), window.relearn):
        first = past if window.kind == "sliding" else 0
        learned, judged = slice(first, size + past), slice(size + past, size + past + window.relearn)
        found.append(
            replace(
                instance,
                train_inputs=inputs[learned],
                train_targets=targets[learned],
                test_inputs=inputs[judged],
                test_targets=targets[judged],
                validation=np.empty(0, dtype=np.int64),
            )
        )
    return found


def _joined(parts: Sequence[Predictions]) -> Predictions:
    """Return the predictions of parts of the test cases as one."""
    first = parts[0]
    guesses = {loss: np.concatenate([part.guesses[loss] for part in parts]) for loss in first.guesses}
    shares = [part.probabilities for part in parts if part.probabilities is not None]
    densities = [part.log_densities for part in parts if part.log_densities is not None]
    return Predictions(
        guesses,
        probabilities=np.concatenate(shares) if shares else None,
        log_densities=np.concatenate(densities) if densities else None,
        coded=first.coded,
    )
