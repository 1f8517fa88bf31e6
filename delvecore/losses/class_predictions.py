"""Which classes did a method predict, and how probable did it think them? From its prediction files.

Guesses are those that serve 0-1 loss, probabilities those that serve squared probability loss; the cases are
those that count in 0-1 loss: the ones whose true class is known.
"""

from dataclasses import dataclass

import numpy as np

from delvecore.errors import Fault
from delvecore.losses.evaluation import Evaluation
from delvecore.losses.method_task import MethodTask
from delvecore.losses.predictions import PredictionFile, choose_predictions, list_predictions

__all__ = ["ClassPredictions", "class_predictions", "has_classes"]

GUESSES, PROBABILITIES = "Z", "Q"


@dataclass(frozen=True, eq=False)
class ClassPredictions:
    """Predictions for the test cases of one instance that count.

    actual, guessed: places of the target's values, int64; probabilities: shape (cases, values), float64, None
    where there is no such file.
    """

    instance: int
    actual: np.ndarray
    guessed: np.ndarray
    probabilities: np.ndarray | None


def has_classes(task: MethodTask) -> bool:
    """Has the task one target, and is it categorical?"""
    return Evaluation(task, _say_nothing).has_distribution


def class_predictions(task: MethodTask) -> tuple[tuple[str, ...], tuple[ClassPredictions, ...]]:
    """Return the values of the target and the predictions of each instance that has guesses, by number.

    Raises DelveError for a task without one categorical target or without guesses, ParseError (file and line)
    for a bad file.
    """
    evaluation = Evaluation(task, _say_nothing)
    if not evaluation.has_distribution:
        raise Fault(
            task.path,
            "one categorical target, for a contingency table counts classes",
            "others",
            "mstats and mtable judge all kinds of target",
        )
    files = list_predictions(task.hierarchy.files("methods", *task.names))
    guesses = choose_predictions(files, GUESSES, distribution=True)
    if not guesses:
        raise Fault(
            task.path,
            "prediction files guess.0, guess.1, ...",
            "none",
            "losses alone do not say which class was predicted; delve run --keep predictions keeps them",
        )
    given = choose_predictions(files, PROBABILITIES, distribution=True)
    probabilities = {file.instance: file for file in given}
    found = [_one(evaluation, file, probabilities.get(file.instance)) for file in guesses]
    return tuple(task.targets[0][0].range.categories or ()), tuple(found)


def _one(
    evaluation: Evaluation, guesses: PredictionFile, probabilities: PredictionFile | None
) -> ClassPredictions:
    counted = evaluation.counted(GUESSES, guesses.instance)
    guessed = evaluation.class_guesses(guesses, counted)
    actual = evaluation.class_targets(guesses.instance, counted)
    rows = None if probabilities is None else evaluation.class_probabilities(probabilities)[counted]
    return ClassPredictions(guesses.instance, actual, guessed, rows)


def _say_nothing(_line: str) -> None:
    """What decoding reports matters to commands that write files only."""
