"""The base class of methods that predict one target at a time, and predictive distributions.

Several targets are predicted independently, given the inputs: log densities are added. Probabilities of
intervals serve integer targets. Tails keep their relative accuracy, so a target far from its prediction has a
large but finite loss. Source: DELVE manual, sections 5.1 and 5.2."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from scipy import special

from delvecore.encoding.codings import default_coding, is_linear
from delvecore.losses.standard_losses import GUESS_LOSSES, LOSS_SPECS, TEST_SET_STATS_LOSSES
from delvecore.methods.protocol import CodedAttribute, LearningInstance, Predictions, TaskView
from delvecore.model import NUMERIC_TYPES, Coding

LOG_SMALLEST = -650.0
"""Below this logarithm, the probability of an interval is taken as density times width."""


@dataclass(frozen=True)
class Distribution(ABC):
    """Distributions of one number, one per case, symmetric about their location; both of shape (cases,)."""

    location: np.ndarray
    scale: np.ndarray

    @abstractmethod
    def log_density(self, values: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def _log_cumulative(self, scaled: np.ndarray) -> np.ndarray: ...

    def log_mass(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Return log(F(high) - F(low)), computed in the lower tail, where intervals above the location are
        mirrored to; log of density times width where F underflows."""
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


class Gaussian(Distribution):
    """Normal distributions; the scale is the standard deviation."""

    def log_density(self, values: np.ndarray) -> np.ndarray:
        scaled = (values - self.location) / self.scale
        return -0.5 * scaled**2 - np.log(self.scale) - 0.5 * np.log(2 * np.pi)

    def _log_cumulative(self, scaled: np.ndarray) -> np.ndarray:
        return special.log_ndtr(scaled)


@dataclass(frozen=True)
class StudentT(Distribution):
    """Student's t distributions.

    Attributes
    ----------
    degrees : float
        Degrees of freedom.
    """

    degrees: float

    def log_density(self, values: np.ndarray) -> np.ndarray:
        scaled = (values - self.location) / self.scale
        half = (self.degrees + 1) / 2
        constant = special.gammaln(half) - special.gammaln(self.degrees / 2)
        constant -= 0.5 * np.log(self.degrees * np.pi)
        return constant - np.log(self.scale) - half * np.log1p(scaled**2 / self.degrees)

    def _log_cumulative(self, scaled: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore"):  # an underflow is caught by LOG_SMALLEST
            return np.log(special.stdtr(self.degrees, scaled))


@dataclass(frozen=True)
class NumberProblem:
    """A coded integer or real target.

    Attributes
    ----------
    values : array
        Values of the training cases.
    step : float or None
        The coded width of one unit of an integer target, None for a real one.
    target : CodedAttribute or None
        The predicted attribute.
    """

    instance: LearningInstance
    values: np.ndarray
    step: float | None
    target: CodedAttribute | None = None


@dataclass(frozen=True)
class ClassProblem:
    """A categorical target.

    Attributes
    ----------
    classes : array
        Classes of the training cases, as positions among the values.
    count : int
        Number of values.
    target : CodedAttribute or None
        The predicted attribute.
    guesses : list of array
        Classes of the test cases, if the method predicts them itself.
    """

    instance: LearningInstance
    classes: np.ndarray
    count: int
    target: CodedAttribute | None = None
    guesses: list[np.ndarray] = field(default_factory=list)


@dataclass(frozen=True)
class NumberPrediction:
    """Predictions of a coded number, shape (cases,): its mean, its median and its whole distribution.

    Attributes
    ----------
    mean, median : array
        The same array if the method does not distinguish them.
    mode : array or None
        Best guess of an integer target under 0-1 loss, None for the integer nearest to the median.
    """

    mean: np.ndarray
    median: np.ndarray
    distribution: Distribution
    mode: np.ndarray | None = None


def frequencies(classes: np.ndarray, count: int) -> np.ndarray:
    """Return how often each of so many values occurs, as a share; each count is raised by one."""
    return (np.bincount(classes, minlength=count) + 1) / (len(classes) + count)


class PerTargetMethod:
    """A method that is defined by how it predicts one number and one category."""

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

    def predict_number(self, problem: NumberProblem, rng: Generator) -> NumberPrediction:
        """Return predictions of an integer or real target."""
        raise TypeError(f"{self.name} predicts no numbers")

    def predict_classes(self, problem: ClassProblem, rng: Generator) -> np.ndarray:
        """Return positive probabilities of the values of a categorical target: shape (cases, values)."""
        raise TypeError(f"{self.name} predicts no categories")

    def guess_classes(self, problem: ClassProblem, probabilities: np.ndarray) -> np.ndarray:
        """Return guesses under 0-1 loss, int positions: those of the method, otherwise the most probable
        value, the first of equal ones."""
        return problem.guesses[-1] if problem.guesses else np.argmax(probabilities, axis=1)

    def fit_predict(self, instance: LearningInstance, rng: Generator) -> Predictions:
        parts = [
            (self._class_part if target.is_categorical else self._number_part)(instance, place, rng)
            for place, target in enumerate(instance.targets)
        ]
        guesses = _guesses(parts, [loss for loss in instance.task.losses if loss in GUESS_LOSSES])
        if len(parts) == 1 and parts[0].probabilities is not None:
            return Predictions(guesses, probabilities=parts[0].probabilities)
        coded = all(part.log_scale is not None for part in parts)
        densities = [part.log_density if coded else part.plain_log_density for part in parts]
        return Predictions(guesses, log_densities=np.sum(densities, axis=0), coded=coded)

    def _class_part(self, instance: LearningInstance, place: int, rng: Generator) -> "_Part":
        target = instance.targets[place]
        classes = _positions(target, instance.train_targets)
        problem = ClassProblem(instance, classes, len(target.codes), target)
        probabilities = self.predict_classes(problem, rng)
        points = {"mode": target.codes[self.guess_classes(problem, probabilities)]}
        true = _positions(target, instance.test_targets)
        with np.errstate(divide="ignore"):  # a probability may have become zero in computing it
            log_density = np.log(probabilities[np.arange(len(true)), true])
        return _Part(points, log_density, None, probabilities)

    def _number_part(self, instance: LearningInstance, place: int, rng: Generator) -> "_Part":
        target = instance.targets[place]
        centre, scale = target.centre_and_scale
        step = 1 / scale if target.kind == "integer" else None
        values = instance.train_targets[:, target.columns][:, 0]
        prediction = self.predict_number(NumberProblem(instance, values, step, target), rng)
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
        sides = instance.bounds[:, place] if instance.bounds.size else np.zeros(len(true), dtype=np.int8)
        if sides.any():
            beyond = prediction.distribution.log_beyond(true - sides * (step or 0.0) / 2, sides)
            log_density = np.where(sides == 0, log_density, beyond)
        return _Part(points, log_density, log_scale, None, is_bound=sides != 0)


@dataclass(frozen=True)
class _Part:
    """Predictions of one target.

    Attributes
    ----------
    points : dict of str to array
        Guesses by `mean`, `median` or `mode`.
    log_scale : float or None
        Log of the scale of a coded density, None for a probability.
    is_bound : array or None
        Positions with a probability even if others have a density.
    """

    points: dict[str, np.ndarray]
    log_density: np.ndarray
    log_scale: float | None
    probabilities: np.ndarray | None
    is_bound: np.ndarray | None = None

    @property
    def plain_log_density(self) -> np.ndarray:
        scale = self.log_scale or 0.0
        return self.log_density - (scale if self.is_bound is None else np.where(self.is_bound, 0.0, scale))


def _positions(target: CodedAttribute, coded: np.ndarray) -> np.ndarray:
    """Return which value of a categorical target each row of codes stands for: the one with its code."""
    differences = coded[:, np.newaxis, target.columns] - target.codes[np.newaxis]
    return np.argmin(np.sum(differences**2, axis=2), axis=1)


def _guesses(parts: list[_Part], losses: list[str]) -> dict[str, np.ndarray]:
    """Return the guesses for losses, shape (cases, target columns); those that serve several losses once,
    under an empty string. Guesses are shared where a method gives one array for both, not where values happen
    to agree: all instances of a task must have files of the same names. These go by DELVE 1.1's losses, so
    that a loss that is added renames no file."""
    points = {loss: [part.points[LOSS_SPECS[loss].point or ""] for part in parts] for loss in losses}
    stacked = {loss: np.hstack(found) for loss, found in points.items()}
    recorded = set(losses).intersection(TEST_SET_STATS_LOSSES) or set(losses)
    for loss in losses:
        same = {other for other in losses if list(map(id, points[other])) == list(map(id, points[loss]))}
        if len(same & recorded) > 1 or recorded == {loss}:
            return {"": stacked[loss]} | {key: guess for key, guess in stacked.items() if key not in same}
    return stacked
