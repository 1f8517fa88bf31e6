"""base-1: predictions that ignore the inputs. What it does in detail is said in its description."""

import numpy as np

from delvecore.methods.distributions import Gaussian
from delvecore.methods.protocol import TaskView
from delvecore.methods.targets import ClassProblem, NumberPrediction, NumberProblem, PerTargetMethod
from delvecore.model import Coding

__all__ = ["Base1"]


class Base1(PerTargetMethod):
    """Mean, median or commonest value of the training targets, and their frequencies or a Gaussian."""

    name = "base-1"

    def codings(self, task: TaskView) -> dict[int, Coding]:
        """Return `ignore` for every input."""
        return {attribute.number: Coding(attribute.name, "ignore", ()) for attribute, _ in task.inputs}

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        values = problem.values
        same = np.ones(len(problem.instance.test_targets))
        mean, deviation = np.mean(values), np.std(values, ddof=1)
        return NumberPrediction(
            mean=same * mean,
            median=same * np.median(values),
            distribution=Gaussian(same * mean, same * deviation),
            mode=same * _commonest(values),
        )

    def predict_classes(self, problem: ClassProblem, rng: np.random.Generator) -> np.ndarray:
        counts = np.bincount(problem.classes, minlength=problem.count)
        frequencies = (counts + 1) / (len(problem.classes) + problem.count)
        return np.tile(frequencies, (len(problem.instance.test_targets), 1))


def _commonest(values: np.ndarray) -> float:
    """Return the value that occurs most often, the smallest of equally common ones."""
    found, counts = np.unique(values, return_counts=True)
    return found[np.argmax(counts)]
