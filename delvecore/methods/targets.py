"""The base class of methods that predict one target at a time, and predictive distributions.

Several targets are predicted independently, given the inputs, so their log densities are added. Integer
targets have probabilities of intervals. Tails keep their relative accuracy, so a target far from its
prediction has a large but finite loss. Source: DELVE manual, sections 5.1 and 5.2."""

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from scipy import special

from delvecore.encoding.codings import default_coding, is_linear
from delvecore.losses.standard_losses import GUESS_LOSSES, LOSS_SPECS, TEST_SET_STATS_LOSSES
from delvecore.methods.protocol import CodedAttribute, LearningInstance, Predictions, TaskView
from delvecore.model import NUMERIC_TYPES, Coding

LOG_SMALLEST = -650.0
"""Below this logarithm, the probability of an interval is its density times its width."""


@dataclass(frozen=True)
class Distribution:
    """Distributions of one number, one per case: normal, or Student's t.

    Attributes
    ----------
    location, scale : array
        Shape (cases,).
    degrees : float
        Degrees of freedom; infinite for normal distributions.
    """

    location: np.ndarray
    scale: np.ndarray
    degrees: float = np.inf

    def log_density(self, values: np.ndarray) -> np.ndarray:
        scaled = (values - self.location) / self.scale
        if np.isinf(self.degrees):
            return -0.5 * scaled**2 - np.log(self.scale) - 0.5 * np.log(2 * np.pi)
        half = (self.degrees + 1) / 2
        constant = special.gammaln(half) - special.gammaln(self.degrees / 2)
        constant -= 0.5 * np.log(self.degrees * np.pi)
        return constant - np.log(self.scale) - half * np.log1p(scaled**2 / self.degrees)

    def _log_cumulative(self, scaled: np.ndarray) -> np.ndarray:
        if np.isinf(self.degrees):
            return special.log_ndtr(scaled)
        with np.errstate(divide="ignore"):  # log_mass replaces an underflow
            return np.log(special.stdtr(self.degrees, scaled))

    def log_mass(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Return log(F(high) - F(low)), or the log of density times width where F underflows.

        Intervals above the location are mirrored, so that F is always that of the lower tail."""
        narrow = self.log_density((low + high) / 2) + np.log(high - low)
        low, high = ((bound - self.location) / self.scale for bound in (low, high))
        mirrored = low + high > 0
        low, high = np.where(mirrored, -high, low), np.where(mirrored, -low, high)
        upper, lower = self._log_cumulative(high), self._log_cumulative(low)
        with np.errstate(divide="ignore", invalid="ignore"):  # those of far intervals are not used
            mass = upper + np.log(-np.expm1(np.minimum(lower - upper, 0.0)))
        return np.where((upper < LOG_SMALLEST) | ~np.isfinite(mass), narrow, mass)

    def log_beyond(self, bounds: np.ndarray, sides: np.ndarray) -> np.ndarray:
        """Return the log probability of at least (sides: 1) or at most (-1) each bound."""
        return self._log_cumulative(sides * (self.location - bounds) / self.scale)


@dataclass(frozen=True)
class TargetProblem:
    """One target of an instance.

    Attributes
    ----------
    values : array
        Training targets: coded numbers, or positions among the values of a categorical target.
    guesses : list of array
        Classes of the test cases, if the method predicts them itself.
    """

    instance: LearningInstance
    target: CodedAttribute
    values: np.ndarray
    guesses: list[np.ndarray] = field(default_factory=list)

    @property
    def step(self) -> float | None:
        """Coded width of one unit of an integer target, None for a real target."""
        return 1 / self.target.center_and_scale[1] if self.target.kind == "integer" else None

    @property
    def count(self) -> int:
        """Number of values of a categorical target."""
        return len(self.target.codes)


@dataclass(frozen=True)
class NumberPrediction:
    """Predictions of a coded number, shape (cases,): its mean, its median and its whole distribution.

    Attributes
    ----------
    mean, median : array
        The same array if the method does not distinguish them.
    mode : array or None
        Best guess of an integer target under 0-1 loss. None means the integer nearest to the median.
    """

    mean: np.ndarray
    median: np.ndarray
    distribution: Distribution
    mode: np.ndarray | None = None


def frequencies(classes: np.ndarray, count: int) -> np.ndarray:
    """Return the share of each value, with one added to each of the `count` counts."""
    return (np.bincount(classes, minlength=count) + 1) / (len(classes) + count)


class PerTargetMethod:
    """A method that predicts targets one at a time: a number or a category."""

    name: str

    def can(self, task: TaskView) -> str | None:
        chosen = self.codings(task)
        for attribute, line in task.targets:
            coding = chosen.get(attribute.number) or default_coding(attribute, line)
            if line.type == "angular":
                return f"its target {attribute.name} is an angle"
            if line.type in NUMERIC_TYPES and not is_linear(coding):
                return f"its target {attribute.name} has the coding {coding.coding}, which is not linear"
        return None

    def codings(self, task: TaskView) -> dict[int, Coding]:
        return {}

    def predict_number(self, problem: TargetProblem, rng: Generator) -> NumberPrediction:
        """Return predictions of an integer or real target."""
        raise TypeError(f"{self.name} predicts no numbers")

    def predict_classes(self, problem: TargetProblem, rng: Generator) -> np.ndarray:
        """Return positive probabilities of the values of a categorical target: shape (cases, values)."""
        raise TypeError(f"{self.name} predicts no categories")

    def guess_classes(self, problem: TargetProblem, probabilities: np.ndarray) -> np.ndarray:
        """Return guesses under 0-1 loss, int positions: those of the method, otherwise the most probable
        values, the first in a tie."""
        return problem.guesses[-1] if problem.guesses else np.argmax(probabilities, axis=1)

    def fit_predict(self, instance: LearningInstance, rng: Generator) -> Predictions:
        targets = instance.targets
        coded = all(target.kind != "integer" and not target.is_categorical for target in targets)
        points: list[Points] = []
        log_densities: list[np.ndarray] = []
        for place, target in enumerate(targets):
            if target.is_categorical:
                probabilities, target_points = self._class_predictions(instance, target, rng)
                true = _positions(target, instance.test_targets)
                with np.errstate(divide="ignore"):  # rounding may make a probability zero
                    log_density = np.log(probabilities[np.arange(len(true)), true])
            else:
                log_density, target_points = self._number_predictions(instance, place, rng, coded=coded)
            points.append(target_points)
            log_densities.append(log_density)
        guesses = _guesses(points, [loss for loss in instance.task.losses if loss in GUESS_LOSSES])
        if len(targets) == 1 and targets[0].is_categorical:
            return Predictions(guesses, probabilities=probabilities)
        return Predictions(guesses, log_densities=np.sum(log_densities, axis=0), coded=coded)

    def _class_predictions(
        self, instance: LearningInstance, target: CodedAttribute, rng: Generator
    ) -> tuple[np.ndarray, "Points"]:
        """Return probabilities of the values of a categorical target, and its guesses."""
        problem = TargetProblem(instance, target, _positions(target, instance.train_targets))
        probabilities = self.predict_classes(problem, rng)
        return probabilities, {"mode": target.codes[self.guess_classes(problem, probabilities)]}

    def _number_predictions(
        self, instance: LearningInstance, place: int, rng: Generator, *, coded: bool
    ) -> tuple[np.ndarray, "Points"]:
        """Return log densities of a number (probabilities of an integer or beyond a bound), and its guesses.

        coded: are densities those of the coded target?"""
        target = instance.targets[place]
        center, scale = target.center_and_scale
        problem = TargetProblem(instance, target, instance.train_targets[:, target.columns][:, 0])
        prediction, step = self.predict_number(problem, rng), problem.step
        true = instance.test_targets[:, target.columns][:, 0]
        points = {"mean": prediction.mean[:, np.newaxis]}
        is_shared = prediction.median is prediction.mean
        points["median"] = points["mean"] if is_shared else prediction.median[:, np.newaxis]
        log_scale = 0.0
        if step is None:
            log_density = prediction.distribution.log_density(true)
            log_scale = 0.0 if coded else float(np.log(scale))
        else:
            log_density = prediction.distribution.log_mass(true - step / 2, true + step / 2)
            nearest = (np.rint(prediction.median * scale + center) - center) / scale
            points["mode"] = (nearest if prediction.mode is None else prediction.mode)[:, np.newaxis]
        sides = instance.bounds[:, place] if instance.bounds.size else np.zeros(len(true), dtype=np.int8)
        if sides.any():
            beyond = prediction.distribution.log_beyond(true - sides * (step or 0.0) / 2, sides)
            log_density = np.where(sides == 0, log_density, beyond)
        return log_density - np.where(sides == 0, log_scale, 0.0), points


Points = dict[str, np.ndarray]
"""Guesses of a target by `mean`, `median` or `mode`, shape (cases, columns)."""


def _positions(target: CodedAttribute, coded: np.ndarray) -> np.ndarray:
    """Return the position among the values of a categorical target whose code is nearest to each row."""
    differences = coded[:, np.newaxis, target.columns] - target.codes[np.newaxis]
    return np.argmin(np.sum(differences**2, axis=2), axis=1)


def _guesses(targets: list[Points], losses: list[str]) -> dict[str, np.ndarray]:
    """Return the guesses by loss, shape (cases, target columns); shared guesses are under an empty string.

    Losses share guesses if a method gives the same array for both. Equal values alone do not count, since all
    instances of a task must have files of the same names. DELVE 1.1's losses decide about these names, so
    that a new loss renames no file."""
    points = {loss: [one[LOSS_SPECS[loss].point or ""] for one in targets] for loss in losses}
    stacked = {loss: np.hstack(arrays) for loss, arrays in points.items()}
    recorded = set(losses).intersection(TEST_SET_STATS_LOSSES) or set(losses)
    for loss in losses:
        same = {other for other in losses if list(map(id, points[other])) == list(map(id, points[loss]))}
        if len(same & recorded) > 1 or recorded == {loss}:
            return {"": stacked[loss]} | {key: guess for key, guess in stacked.items() if key not in same}
    return stacked
