"""base-1: predictions that ignore the inputs. Its description has the details."""

import numpy as np

from delvecore.methods.protocol import TaskView
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import (
    Distribution,
    NumberPrediction,
    PerTargetMethod,
    TargetProblem,
    frequencies,
)
from delvecore.model import Coding


class Base1(PerTargetMethod):
    """Mean, median, commonest value and distribution of the training targets."""

    name = "base-1"

    def codings(self, task: TaskView) -> dict[int, Coding]:
        return {attribute.number: Coding(attribute.name, "ignore", ()) for attribute, _ in task.inputs}

    def predict_number(self, problem: TargetProblem, rng: np.random.Generator) -> NumberPrediction:
        values, ones = problem.values, np.ones(len(problem.instance.test_targets))
        mean, median, deviation = np.mean(values), np.median(values), np.std(values, ddof=1)
        distinct, counts = np.unique(values, return_counts=True)
        mode = distinct[np.argmax(counts)]  # the smallest of equally common values
        with predicting():
            location, spread = ones * mean, ones * deviation
            return NumberPrediction(location, ones * median, Distribution(location, spread), ones * mode)

    def predict_classes(self, problem: TargetProblem, rng: np.random.Generator) -> np.ndarray:
        shares = frequencies(problem.values, problem.count)
        with predicting():
            return np.tile(shares, (len(problem.instance.test_targets), 1))
