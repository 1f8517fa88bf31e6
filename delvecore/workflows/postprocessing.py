"""Steps after predicting: guesses are filled in, clipped, rounded, or chosen by expected utility.

Guesses alone change; the distributions that a learner gives stay what they are. Utility: C. Elkan, "The
foundations of cost-sensitive learning", IJCAI 2001; L. Torgo, performanceEstimation, standardPOST."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from delvecore.errors import DelveError
from delvecore.methods.objects import load_object
from delvecore.methods.protocol import CodedAttribute, LearningInstance, Predictions
from delvecore.workflows.workflow_spec import Step

NUMERIC = ("clip", "positive", "integer")
"""The steps that numbers alone allow."""
Options = Mapping[str, Any]


def postprocess(instance: LearningInstance, predictions: Predictions, steps: tuple[Step, ...]) -> Predictions:
    """Return predictions after some steps. instance: as the learner got it."""
    for step in steps:
        if step.kind == "utility":
            predictions = _of_most_use(instance, predictions, np.array(step.options["matrix"], dtype=float))
        elif step.kind == "fill":
            predictions = _filled(instance, predictions)
        elif step.kind in NUMERIC:
            change = partial(_CHANGES[step.kind], options=step.options)
            predictions = _with_numbers(instance, predictions, change)
        else:
            predictions = _by_object(step, instance, predictions)
    return predictions


Change = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""What makes new guesses of guesses and of the targets of the training cases, in the units of the data."""


def _clip(guesses: np.ndarray, known: np.ndarray, *, options: Options) -> np.ndarray:
    found: np.ndarray = np.clip(guesses, options.get("low", known.min()), options.get("high", known.max()))
    return found


def _positive(guesses: np.ndarray, known: np.ndarray, *, options: Options) -> np.ndarray:
    found: np.ndarray = np.maximum(guesses, 0.0)
    return found


def _integer(guesses: np.ndarray, known: np.ndarray, *, options: Options) -> np.ndarray:
    found: np.ndarray = np.rint(guesses)
    return found


_CHANGES = {"clip": _clip, "positive": _positive, "integer": _integer}


def _with_numbers(instance: LearningInstance, predictions: Predictions, change: Change) -> Predictions:
    """Return predictions whose guesses of numbers are others."""
    guesses = {loss: guess.astype(np.float64) for loss, guess in predictions.guesses.items()}
    for target in instance.targets:
        if target.is_categorical:
            continue
        if target.coding.option("transform"):
            raise DelveError(f"{target.attribute.name}: expected a target without a transformation")
        (centre, scale), column = target.centre_and_scale, target.columns.start
        known = instance.train_targets[:, column] * scale + centre
        for guess in guesses.values():
            guess[:, column] = (change(guess[:, column] * scale + centre, known) - centre) / scale
    return replace(predictions, guesses=guesses)


def _filled(instance: LearningInstance, predictions: Predictions) -> Predictions:
    """Put the median, or the most frequent category, where there is no prediction; its frequencies where
    there are no probabilities."""
    guesses = {loss: guess.astype(np.float64) for loss, guess in predictions.guesses.items()}
    shares = predictions.probabilities
    lost = np.isnan(shares).any(axis=1) if shares is not None else np.zeros(len(instance.test_inputs), bool)
    for target in instance.targets:
        known, columns = instance.train_targets[:, target.columns], target.columns
        centre = _most_frequent(known) if target.is_categorical else np.median(known, axis=0)
        for guess in guesses.values():
            guess[np.isnan(guess[:, columns]).any(axis=1) | lost, columns] = centre
    if shares is not None and lost.any():
        target = instance.targets[0]
        own = instance.train_targets[:, target.columns]
        counts = [np.sum((own == code).all(axis=1)) for code in target.codes]
        shares = np.where(lost[:, np.newaxis], np.array(counts) / len(own), shares)
    return replace(predictions, guesses=guesses, probabilities=shares)


def _most_frequent(codes: np.ndarray) -> np.ndarray:
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    found: np.ndarray = rows[np.argmax(counts)]
    return found


def _of_most_use(instance: LearningInstance, predictions: Predictions, matrix: np.ndarray) -> Predictions:
    """Guess the category whose expected utility is largest, the first of equal ones. matrix: what each guess
    (column) is worth for each true category (row)."""
    target, shares = instance.targets[0], predictions.probabilities
    if shares is None:
        raise DelveError("utility: expected a learner that gives probabilities, found guesses alone")
    if len(matrix) != len(target.codes):
        count = len(target.codes)
        raise DelveError(f"utility: expected a matrix of {count} x {count}, found {len(matrix)} rows")
    codes = target.codes[np.argmax(shares @ matrix, axis=1)]
    return replace(predictions, guesses={loss: _placed(target, codes) for loss in predictions.guesses})


def _placed(target: CodedAttribute, codes: np.ndarray) -> np.ndarray:
    found = np.zeros((len(codes), target.columns.stop))
    found[:, target.columns] = codes
    return found


def _by_object(step: Step, instance: LearningInstance, predictions: Predictions) -> Predictions:
    """Let a function of one's own make guesses of guesses and training targets, both in data units."""
    change = load_object(step.place)
    return _with_numbers(instance, predictions, lambda guesses, known: change(guesses, known, **step.options))
