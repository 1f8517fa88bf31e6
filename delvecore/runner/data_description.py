"""Description of a prototask by the factors of task-arrays.

They are inputs, noise, non-linearity, size, kinds and target. Noise is the share of the target's variance
that the best of a few quick methods does not explain in cross-validation. Source: C. E. Rasmussen et al., The
DELVE Manual, 1996, and DELVE's page on task-arrays."""

import functools
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace

import numpy as np

from delvecore import cache
from delvecore.answers.similar_data import DataDescription
from delvecore.encoding.encode import TaskPlan, plan_task, suited
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases, held_cases, random_order
from delvecore.encoding.schemes import folds
from delvecore.errors import Fault
from delvecore.locations import cache_directory, shipped
from delvecore.methods import load_method
from delvecore.methods.lin_1 import fit_least_squares
from delvecore.methods.protocol import LearningInstance, TaskView
from delvecore.methods.standard import usable_inputs
from delvecore.model import CATEGORICAL_TYPES
from delvecore.parallel.processes import single_threaded
from delvecore.readers.files import read_bytes
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.choice import Specified, choose_tasks
from delvecore.runner.one_instance import instance_generator, learning_instance

SAMPLE, FOLDS, SEED = 500, 5, 1
"""Largest number of cases in use; number of folds of the cross-validation; seed of both."""
QUICK = {"numbers": ("lin-1", "knn-cv-1", "gp-1"), "classes": ("lin-1", "knn-cv-1", "mlp-ese-1")}
"""The quick methods by type of target, the linear one first. None needs scikit-learn."""
REAL_TYPES = ("real", "angular")
MOST_CLASSES = 50
MOST_WEIGHTS = 800
"""Above this number of weights, least squares on indicators of classes replaces logistic regression."""
FEWEST_CASES = 12


def describe_prototask(
    hierarchy: Hierarchy, dataset: str, prototask: str, *, name: str = ""
) -> DataDescription:
    """Describe the cases of a prototask. name: used instead of its path.

    Raises Fault for several targets, too few cases, and a constant target."""
    specified, _ = choose_tasks(hierarchy, [(dataset, prototask)])
    path = name or f"/{dataset}/{prototask}"
    if not specified:
        raise Fault(path, "a task", "none")
    _, spec, prior, _ = view = specified[0]
    if len(spec.targets) != 1:
        raise Fault(path, "a single target", str(len(spec.targets)))
    cases = held_cases(hierarchy, view[0], spec)
    target, kind = cases.columns[spec.targets[0]], prior.line(spec.targets[0]).type
    if kind == "angular":
        raise Fault(path, "a target of numbers or classes", "an angle")
    is_classes = kind in CATEGORICAL_TYPES
    values = np.array(target.words, dtype=object) if is_classes else target.numbers
    usable = np.flatnonzero(~target.missing & (target.censored == 0))
    sample = np.sort(usable[random_order(len(usable), SEED)[:SAMPLE]]) if len(usable) else usable
    classes = len(set(values[usable])) if is_classes else 0
    _check(path, values[sample], len(usable), classes)
    inputs = [prior.line(number).type for number in spec.inputs]
    categorical, real = (sum(one in types for one in inputs) for types in (CATEGORICAL_TYPES, REAL_TYPES))
    about = DataDescription(
        path,
        cases=len(usable),
        sampled=len(sample),
        real=real,
        integer=len(inputs) - categorical - real,
        categorical=categorical,
        classes=classes,
        columns=0,
        errors={},
    )
    with single_threaded():  # few cases are no faster in several threads, and much slower on a busy machine
        columns, errors = _errors(hierarchy, view, cases, sample, about.target)
    return replace(about, columns=columns, errors=errors)


def _check(path: str, values: np.ndarray, cases: int, classes: int) -> None:
    if cases < FEWEST_CASES:
        raise Fault(path, f"at least {FEWEST_CASES} cases with known targets", cases, "add cases")
    if len(set(values)) < 2:
        raise Fault(path, "a target with two different values", f"{values[0]} in all cases")
    if classes > MOST_CLASSES:
        remedy = "join classes, or use --type COLUMN=real for numbers"
        raise Fault(path, f"a target of at most {MOST_CLASSES} classes", classes, remedy)


def _errors(
    hierarchy: Hierarchy, specified: Specified, cases: PrototaskCases, sample: np.ndarray, target: str
) -> tuple[int, Mapping[str, float]]:
    """Return the number of columns of the coded inputs, and the cross-validated relative squared error of
    each quick method."""
    view, instances = TaskView(*specified), _instances(cases, sample)
    errors, columns = dict[str, float](), 0
    for name in QUICK[target]:
        method = load_method(name)
        plan = plan_task(hierarchy, cases, view.prior, view.task.training_size, codings=method.codings(view))
        plan = suited(replace(plan, instances=instances))
        columns = len(plan.names(plan.inputs))
        parts = np.array([_squares(name, plan, instance) for instance in instances])
        weights = (parts[:, 2] / parts[:, 2].max()) ** 2
        errors[name] = round(float((weights @ parts[:, 0]) / (weights @ parts[:, 1])), DIGITS)
    return columns, errors


def _instances(cases: PrototaskCases, sample: np.ndarray) -> list[Instance]:
    """Return the folds of a sample. Cases of one group stay together."""
    groups = np.arange(len(sample)) if cases.groups is None else cases.groups[sample]
    known, unit = np.unique(groups, return_inverse=True)
    splits = folds(len(known), min(FOLDS, len(known)), seed=SEED)
    return [
        Instance(number, *(sample[np.isin(unit, part)] for part in split))
        for number, split in enumerate(splits)
    ]


def _squares(name: str, plan: TaskPlan, instance: Instance) -> tuple[float, float, float]:
    """Return the sums of squared errors of a method and of the training mean on the test cases, and the size
    of a unit of these errors in units of the target. Each class has an indicator."""
    learning = learning_instance(plan, instance)
    (target,) = learning.targets
    train, truth = learning.train_targets, learning.test_targets
    if target.is_categorical:
        train, truth = (_indicators(target.codes, one) for one in (train, truth))
        guess, scale = _probabilities(name, learning, train), 1.0
    else:
        guesses = load_method(name).fit_predict(learning, instance_generator(SEED)).guesses
        guess, scale = guesses["S"] if "S" in guesses else guesses[""], target.center_and_scale[1]
    error, whole = (float(np.sum((one - truth) ** 2)) for one in (guess, train.mean(axis=0)))
    return error, whole, scale


def _indicators(codes: np.ndarray, coded: np.ndarray) -> np.ndarray:
    """Return the indicators of coded classes, a column of ones and zeros per class."""
    squares = np.sum((coded[:, np.newaxis] - codes[np.newaxis]) ** 2, axis=2)
    indicators: np.ndarray = np.eye(len(codes))[np.argmin(squares, axis=1)]
    return indicators


def _probabilities(name: str, learning: LearningInstance, train: np.ndarray) -> np.ndarray:
    """Return the probabilities of the classes in the test cases. train: indicators of the training cases."""
    if name == "lin-1" and (learning.train_inputs.shape[1] + 1) * train.shape[1] > MOST_WEIGHTS:
        inputs, test = usable_inputs(learning)
        fits = [fit_least_squares(inputs - inputs.mean(axis=0), column) for column in train.T]
        projected = test - inputs.mean(axis=0)
        return np.transpose([one.mean + projected @ one.directions @ one.weights for one in fits])
    probabilities = load_method(name).fit_predict(learning, instance_generator(SEED)).probabilities
    if probabilities is None:
        raise TypeError(f"{name}: expected probabilities of classes, found none")
    return probabilities


FORM = 1
"""Version of the description. It changes if the same files give different numbers."""
DIGITS = 4
SHIPPED_FILE = "descriptions.json"


def known_description(hierarchy: Hierarchy, dataset: str, prototask: str) -> DataDescription:
    """Return the description of a prototask, which ships with the program or is in the cache.

    If its files have changed, it is computed and stored in the cache. Raises DelveError."""
    digest = _digest(hierarchy, dataset, prototask)
    if digest in shipped_descriptions():
        return shipped_descriptions()[digest]
    path = os.path.join(cache_directory(), "descriptions", f"{digest}.json")
    record = cache.kept(path, FORM, lambda: asdict(describe_prototask(hierarchy, dataset, prototask)))
    return DataDescription(**record)


@functools.cache
def shipped_descriptions() -> Mapping[str, DataDescription]:
    """Return the descriptions that ship with the program, by the digest of their inputs."""
    path = shipped(SHIPPED_FILE)
    if path is None:
        return {}
    with open(path, encoding="utf-8") as file:
        return {digest: DataDescription(**record) for digest, record in json.load(file).items()}


def descriptions_text(hierarchy: Hierarchy, prototasks: Iterable[tuple[str, str]]) -> str:
    """Compute the descriptions of prototasks; return the text of the file to ship."""
    lines = [
        f'"{_digest(hierarchy, *one)}": {json.dumps(asdict(describe_prototask(hierarchy, *one)))}'
        for one in prototasks
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _digest(hierarchy: Hierarchy, dataset: str, prototask: str) -> str:
    """Return the hash of the input files of a description."""
    whole = hashlib.sha256(f"{FORM} {dataset} {prototask}".encode())
    for place in ((dataset,), (dataset, prototask)):
        for name, path in sorted(hierarchy.files("data", *place).items()):
            if name != "Summary":
                whole.update(name.encode() + read_bytes(path))
    return whole.hexdigest()[:16]
