"""A workflow as a method: steps before learning, a learner, steps after predicting; once, or in windows.

In windows, the model is learned again after a number of test cases. It learns from the cases before the next
test cases, with their true targets. Source: L. Torgo, performanceEstimation, timeseriesWF."""

import functools
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import util

import numpy as np
from numpy.random import Generator

from delvecore.encoding.instances import Instance
from delvecore.errors import DelveError
from delvecore.methods import load_method
from delvecore.methods.objects import (
    WHILE_IMPORTING,
    ObjectMethod,
    check_learner,
    check_object,
    check_trusted,
    load_object,
)
from delvecore.methods.protocol import OMITTED, LearningInstance, Method, Predictions, TaskView
from delvecore.metrics.registry import known_name
from delvecore.model import CATEGORICAL_TYPES, Coding
from delvecore.readers.files import read_text
from delvecore.render.numbers import counted
from delvecore.workflows.steps import (
    NUMERIC,
    SAMPLERS,
    SUPERVISED,
    check_sampling,
    postprocess,
    preprocess,
    without_left_out,
)
from delvecore.workflows.workflow_spec import Step, Workflow, line_of, parse_workflow

WINDOW_ORDER = "a window moves along cases in order of time"


def workflow_methods(path: str, name: str | None = None, *, trust: bool = False) -> list["WorkflowMethod"]:
    """Return a method for each variant of the workflow of a file. trust: whether to allow unknown objects,
    see `delvecore.methods.objects`. Raises ParseError (file:line), for example for an object that is not
    trusted or installed, cannot be imported, or lacks a parameter."""
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
    """Yield the place of each object's name, and a function that raises DelveError unless the object may
    run."""
    learner = workflow.learner
    objects: list[tuple[tuple[str, ...], str, Mapping[str, object]]]
    objects = [(("learner", "object"), learner.place, learner.options)]
    for part, steps in (("pre", workflow.pre), ("post", workflow.post)):
        objects += [((part, step.kind, "object"), step.place, step.options) for step in steps]
    objects.append((("learner", "predictor"), workflow.predictor.place, workflow.predictor.options))
    objects += [(("metrics",), place, {}) for place in workflow.metrics]
    objects += [(("deps", "scripts"), script, {}) for script in workflow.scripts]
    text = read_text(path)
    for keys, place, parameters in objects:
        if place:
            where = f"{path}:{line_of(text, keys)}"
            yield keys, partial(check_trusted, place, trust=trust, where=where, parameters=parameters)


def _checks(workflow: Workflow) -> Checks:
    """Yield the place of each part in the file, and a function that raises DelveError if it is unusable."""
    learner = workflow.learner
    yield ("deps", "packages"), partial(_check_packages, workflow.packages)
    yield ("deps", "scripts"), partial(run_scripts, workflow.scripts)
    yield from ((("metrics",), partial(known_name, place)) for place in workflow.metrics)
    if learner.kind:
        yield ("learner", "method"), partial(load_method, learner.kind, learner.options)
    else:
        yield ("learner", "object"), partial(_check_learner, learner)
        yield ("learner", "predictor"), partial(_check_predictor, learner, workflow.predictor)
    for step in workflow.pre:
        if step.place:
            yield ("pre", step.kind, "object"), partial(check_object, step.place, step.options)
        elif step.kind in SAMPLERS:
            yield ("pre", step.kind), partial(check_sampling, step.kind)
    for step in workflow.post:
        if step.place:
            yield ("post", step.kind, "object"), partial(load_object, step.place)


def _check_learner(learner: Step) -> None:
    check_learner(learner.place, check_object(learner.place, learner.options))


def _check_predictor(learner: Step, predictor: Step) -> None:
    if predictor.place:
        load_object(predictor.place)
    elif predictor.kind and not callable(
        getattr(check_object(learner.place, learner.options), predictor.kind, None)
    ):
        actual = f"none named {predictor.kind}"
        raise DelveError(f"{learner.place}: expected a function of the object that predicts, found {actual}")


def _check_packages(names: Sequence[str]) -> None:
    """Raise DelveError for a package that is not installed."""
    for name in names:
        if util.find_spec(name.partition(".")[0]) is None:
            raise DelveError(f"deps: expected the package {name}, found none; pip install {name} adds it")


def run_scripts(paths: Sequence[str]) -> None:
    """Run Python files once in this process, as modules with the files' names. Raises DelveError."""
    for path in paths:
        _run_script(path)


@functools.cache
def _run_script(path: str) -> None:
    name = os.path.basename(path).removesuffix(".py")
    present = sys.modules.get(name)
    if present is not None and getattr(present, "__file__", None) != path:
        raise DelveError(
            f"{path}: expected a file whose name is not that of a module, found the module {name}"
        )
    spec = util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise DelveError(f"{path}: expected a Python file, found another file")
    module = util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except WHILE_IMPORTING as error:
        del sys.modules[name]
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise DelveError(f"{path}: expected a file that can be run, found {why}") from error


def _located(error: DelveError, path: str, place: tuple[str, ...], workflow: Workflow) -> DelveError:
    """Return an error with the line of its part of the file, or of the parameter that it names."""
    named = [key for key in workflow.learner.options if place[0] == "learner" and f"'{key}'" in str(error)]
    line = line_of(read_text(path), ("learner", "parameters", named[0]) if named else place)
    return DelveError(f"{path}:{line}: {error}" if line else f"{path}: {error}")


class WorkflowMethod:
    """A variant of a workflow."""

    def __init__(self, workflow: Workflow) -> None:
        self.name, self.workflow = workflow.name, workflow
        learner = workflow.learner
        self.learner: Method = ObjectMethod(
            self.name,
            learner.place,
            learner.options,
            predictor=workflow.predictor.name,
            predictor_parameters=workflow.predictor.options,
            keep_models=workflow.keep_models,
        )
        if learner.kind:
            self.learner = load_method(learner.kind, learner.options)

    def can(self, task: TaskView) -> str | None:
        return _unsuited(self.workflow, task) or self.learner.can(task)

    def can_instance(self, instance: Instance) -> str | None:
        """Return the reason why a window cannot move along the cases of an instance, or None."""
        if self.workflow.window is None:
            return None
        if (np.diff(np.concatenate([instance.training, instance.test])) < 0).any():
            reason = f"instance {instance.number} does not test on later cases than it trains on"
            return f"{WINDOW_ORDER}, but {reason}; delve instances --growing lists such instances"
        return None

    def codings(self, task: TaskView) -> dict[int, Coding]:
        run_scripts(self.workflow.scripts)
        return self.learner.codings(task)

    def fit_predict(self, instance: LearningInstance, rng: Generator) -> Predictions:
        run_scripts(self.workflow.scripts)
        window, predictions = self.workflow.window, []
        if window is None:
            return self._predicted(instance, rng)
        parts = _windows(instance, window)
        for number, part in enumerate(parts, start=1):
            predictions.append(self._predicted(part, rng))
            if window.options.get("verbose"):
                place = f"{self.name}{instance.task.task.path} instance {instance.number}"
                print(f"{place}: window {number} of {len(parts)}", file=sys.stderr, flush=True)
        return _joined(predictions)

    def _predicted(self, instance: LearningInstance, rng: Generator) -> Predictions:
        ready, left_out = preprocess(instance, self.workflow.pre, rng)
        predictions = self.learner.fit_predict(ready, rng)
        if any(step.kind == "omit" for step in self.workflow.pre):
            if left_out.any():
                predictions = without_left_out(ready, predictions, left_out, rng)
            training, test = len(instance.train_inputs) - len(ready.train_inputs), int(left_out.sum())
            counts = f"{counted(training, 'training case')} and {counted(test, 'test case')}"
            record = f"{counts} with missing values left out\n"
            predictions = replace(predictions, records={**predictions.records, OMITTED: record})
        return postprocess(instance, predictions, self.workflow.post)


def _unsuited(workflow: Workflow, task: TaskView) -> str | None:
    """Return the reason why the steps do not suit a task, or None."""
    is_category = [line.type in CATEGORICAL_TYPES for _, line in task.targets]
    for kind in (step.kind for step in (*workflow.pre, *workflow.post)):
        if len(is_category) > 1 and kind in (*SUPERVISED, "utility"):
            return f"{kind} is for tasks with one target"
        if not all(is_category) and kind in (*SAMPLERS, "utility"):
            return f"{kind} is for categories, but its target is a number"
        if all(is_category) and kind in NUMERIC:
            return f"{kind} is for numbers, but its targets are categories"
    if workflow.window and task.prototask.order_file:
        return f"{WINDOW_ORDER}, but its prototask has a random order"
    if workflow.window and not task.prototask.is_sequential and task.dataset.order == "uninformative":
        return f"{WINDOW_ORDER}, but the order of its dataset is uninformative"
    return None


def _windows(instance: LearningInstance, window: Step) -> list[LearningInstance]:
    """Return the instance in parts, each with some test cases and the training cases before them."""
    relearn = window.options["relearn"]
    inputs = np.vstack([instance.train_inputs, instance.test_inputs])
    targets = np.vstack([instance.train_targets, instance.test_targets])
    size, windows = len(instance.train_inputs), []
    for past in range(0, len(instance.test_inputs), relearn):
        first = past if window.kind == "sliding" else 0
        learned, judged = slice(first, size + past), slice(size + past, size + past + relearn)
        windows.append(
            replace(
                instance,
                train_inputs=inputs[learned],
                train_targets=targets[learned],
                test_inputs=inputs[judged],
                test_targets=targets[judged],
                bounds=instance.bounds[past : past + relearn],
                validation=np.empty(0, dtype=np.int64),
            )
        )
    return windows


def _joined(parts: Sequence[Predictions]) -> Predictions:
    """Join the predictions of parts of the test cases."""
    first = parts[0]
    guesses = {loss: np.concatenate([part.guesses[loss] for part in parts]) for loss in first.guesses}
    shares = [part.probabilities for part in parts if part.probabilities is not None]
    kept = [name for name in first.records if name == OMITTED]
    densities = [part.log_densities for part in parts if part.log_densities is not None]
    return Predictions(
        guesses,
        probabilities=np.concatenate(shares) if shares else None,
        log_densities=np.concatenate(densities) if densities else None,
        coded=first.coded,
        records={name: "".join(part.records[name] for part in parts) for name in kept},
        models=tuple(model for part in parts for model in part.models),
    )
