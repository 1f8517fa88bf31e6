"""Methods that predict one target at a time: their targets taken apart, their predictions put together.

With several targets the prediction for each ignores the others, given the inputs: log densities are added.
Source: DELVE manual, sections 5.1 and 5.2.
"""

from dataclasses import dataclass

import numpy as np

from delvecore.losses.spec import GUESS_LOSSES, LOSS_SPECS
from delvecore.methods.distributions import Gaussian, StudentT
from delvecore.methods.protocol import CodedAttribute, LearningInstance, Predictions, TaskView
from delvecore.model import Coding

__all__ = ["ClassProblem", "NumberPrediction", "NumberProblem", "PerTargetMethod"]


@dataclass(frozen=True)
class NumberProblem:
    """A coded integer or real target. values: of the training cases; step: the coded width of one unit of
    an integer target, None for a real one."""

    instance: LearningInstance
    values: np.ndarray
    step: float | None


@dataclass(frozen=True)
class ClassProblem:
    """A categorical target. classes: of the training cases, int positions among the values in their order;
    count: how many values there are."""

    instance: LearningInstance
    classes: np.ndarray
    count: int


@dataclass(frozen=True)
class NumberPrediction:
    """Predictions of a coded number, shape (cases,): its mean, its median and its whole distribution.

    mean, median: one and the same array where the method makes no difference between them;
    mode: the best guess under 0-1 loss of an integer target; None for the integer nearest to the median.
    """

    mean: np.ndarray
    median: np.ndarray
    distribution: Gaussian | StudentT
    mode: np.ndarray | None = None


class PerTargetMethod:
    """A method that is defined by how it predicts one number and one category."""

    name: str

    def can(self, task: TaskView) -> str | None:
        """Return why the method cannot be applied to a task, or None if it can."""
        for attribute, line in task.targets:
            if line.type == "angular":
                return f"its target {attribute.name} is an angle"
        return None

    def codings(self, task: TaskView) -> dict[int, Coding]:
        """Return the codings that replace the default ones: none."""
        return {}

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        """Return predictions of an integer or real target."""
        raise TypeError(f"{self.name} predicts no numbers")

    def predict_classes(self, problem: ClassProblem, rng: np.random.Generator) -> np.ndarray:
        """Return positive probabilities of the values of a categorical target: shape (cases, values)."""
        raise TypeError(f"{self.name} predicts no categories")

    def guess_classes(self, problem: ClassProblem, probabilities: np.ndarray) -> np.ndarray:
        """Return guesses under 0-1 loss, int positions: the most probable value, the first of equal ones."""
        return np.argmax(probabilities, axis=1)

    def fit_predict(self, instance: LearningInstance, rng: np.random.Generator) -> Predictions:
        """Learn from the instance's training cases and predict its test cases."""
        parts = [self._predict(instance, target, rng) for target in instance.targets]
        guesses = _guesses(parts, [loss for loss in instance.task.losses if loss in GUESS_LOSSES])
        if len(parts) == 1 and parts[0].probabilities is not None:
            return Predictions(guesses, probabilities=parts[0].probabilities)
        coded = all(part.log_scale is not None for part in parts)
        densities = [part.log_density - (0.0 if coded else part.log_scale or 0.0) for part in parts]
        return Predictions(guesses, log_densities=np.sum(densities, axis=0), coded=coded)

    def _predict(
        self, instance: LearningInstance, target: CodedAttribute, rng: np.random.Generator
    ) -> "_Part":
        if target.is_categorical:
            return self._class_part(instance, target, rng)
        return self._number_part(instance, target, rng)

    def _class_part(
        self, instance: LearningInstance, target: CodedAttribute, rng: np.random.Generator
    ) -> "_Part":
        classes = _positions(target, instance.train_targets)
        problem = ClassProblem(instance, classes, len(target.codes))
        probabilities = self.predict_classes(problem, rng)
        points = {"mode": target.codes[self.guess_classes(problem, probabilities)]}
        true = _positions(target, instance.test_targets)
        with np.errstate(divide="ignore"):  # a probability may have become zero in computing it
            log_density = np.log(probabilities[np.arange(len(true)), true])
        return _Part(points, log_density, None, probabilities)

    def _number_part(
        self, instance: LearningInstance, target: CodedAttribute, rng: np.random.Generator
    ) -> "_Part":
        centre, scale = target.centre_and_scale
        step = 1 / scale if target.kind == "integer" else None
        values = instance.train_targets[:, target.columns][:, 0]
        prediction = self.predict_number(NumberProblem(instance, values, step), rng)
        true = instance.test_targets[:, target.columns][:, 0]
        points = {"mean": prediction.mean[:, np.newaxis]}
        is_shared = prediction.median is prediction.mean
        points["median"] = points["mean"] if is_shared else prediction.median[:, np.newaxis]
        if step is None:
            log_density, log_scale = prediction.distribution.log_density(true), float(np.log(scale))
        else:
            log_density, log_scale = prediction.distribution.log_mass(true - step / 2, true + step / 2), None
            nearest = (np.rint(prediction.median * scale + centre) - centre) / scale
            points["mode"] = (nearest if prediction.mode is None else prediction.mode)[:, np.newaxis]
        return _Part(points, log_density, log_scale, None)


@dataclass(frozen=True)
class _Part:
    """Predictions of one target. points: {mean, median or mode: guesses}; log_scale: log of the scale of a
    coded density, None for a probability."""

    points: dict[str, np.ndarray]
    log_density: np.ndarray
    log_scale: float | None
    probabilities: np.ndarray | None


def _positions(target: CodedAttribute, coded: np.ndarray) -> np.ndarray:
    """Return which value of a categorical target each row of codes stands for: the one with its code."""
    differences = coded[:, np.newaxis, target.columns] - target.codes[np.newaxis]
    return np.argmin(np.sum(differences**2, axis=2), axis=1)


def _guesses(parts: list[_Part], losses: list[str]) -> dict[str, np.ndarray]:
    """Return the guesses for losses, shape (cases, target columns); those that serve several losses once,
    under an empty string.

    Guesses are shared where a method gives one array for both, not where values happen to agree: all
    instances of a task must have files of the same names.
    """
    points = {
        loss: [part.points[point] for part in parts]
        for loss in losses
        if (point := LOSS_SPECS[loss].point) is not None
    }
    stacked = {loss: np.hstack(points[loss]) for loss in losses}
    for loss in losses:
        same = [
            other
            for other in losses
            if all(one is two for one, two in zip(points[other], points[loss], strict=True))
        ]
        if len(same) > 1 or len(losses) == 1:
            return {"": stacked[loss]} | {key: guess for key, guess in stacked.items() if key not in same}
    return stacked
