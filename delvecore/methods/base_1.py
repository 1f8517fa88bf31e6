"""base-1: predictions that ignore the inputs. What it does in detail is said in its description."""

import numpy as np

from delvecore.methods.protocol import TaskView
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import (
    ClassProblem,
    Gaussian,
    NumberPrediction,
    NumberProblem,
    PerTargetMethod,
    frequencies,
)
from delvecore.model import Coding


class Base1(PerTargetMethod):
    """Mean, median or commonest value of the training targets, and their frequencies or a Gaussian."""

    name = "base-1"

    def codings(self, task: TaskView) -> dict[int, Coding]:
        return {attribute.number: Coding(attribute.name, "ignore", ()) for attribute, _ in task.inputs}

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        values, same = problem.values, np.ones(len(problem.instance.test_targets))
        mean, median, deviation = np.mean(values), np.median(values), np.std(values, ddof=1)
        found, counts = np.unique(values, return_counts=True)
        mode = found[np.argmax(counts)]  # the smallest of equally common values
        with predicting():
            location, spread = same * mean, same * deviation
            return NumberPrediction(location, same * median, Gaussian(location, spread), same * mode)

    def predict_classes(self, problem: ClassProblem, rng: np.random.Generator) -> np.ndarray:
        shares = frequencies(problem.classes, problem.count)
        with predicting():
            return np.tile(shares, (len(problem.instance.test_targets), 1))
