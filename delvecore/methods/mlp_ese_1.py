"""mlp-ese-1: ensembles of networks that stop early. Its description has the details.

The networks have one hidden layer. A quasi-Newton method trains them until held-out cases end the search."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from delvecore.methods.standard import InputMethod, make_folds, standard_inputs, standard_problem
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import NumberPrediction, TargetProblem, frequencies

MOST_STEPS = 400
PATIENCE = 100
"""The search ends after this number of steps in a row that do not lower the loss of the held-out cases."""
FIRST_WEIGHTS = 0.1


SQUARES, LOGS = "squares", "logs"
"""Losses of a network: half the squared error of numbers, or minus the log probability of classes."""
Shape = tuple[int, int, int]
"""Numbers of inputs (with a column of ones), hidden units and outputs."""


@dataclass(frozen=True)
class Network:
    """A trained network.

    Attributes
    ----------
    loss : str
        SQUARES or LOGS, whose outputs are probabilities of the classes.
    hidden : array
        Weights to the hidden units, shape (1 + inputs, units).
    direct : array
        Weights from inputs to outputs, shape (1 + inputs, outputs).
    upper : array
        Weights from the hidden units to the outputs, shape (units, outputs).
    """

    loss: str
    hidden: np.ndarray
    direct: np.ndarray
    upper: np.ndarray

    @classmethod
    def unpacked(cls, loss: str, packed: np.ndarray, shape: Shape) -> "Network":
        rows, units, outputs = shape
        first, second = rows * units, rows * (units + outputs)
        direct, upper = (part.reshape(-1, outputs) for part in (packed[first:second], packed[second:]))
        return cls(loss, packed[:first].reshape(rows, units), direct, upper)

    def outputs(self, inputs: np.ndarray) -> np.ndarray:
        """Return numbers or probabilities: shape (cases, outputs)."""
        return self.forward(with_ones(inputs))[1]

    def forward(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the activations of hidden units and outputs for inputs with a first column of ones."""
        units = np.tanh(rows @ self.hidden)
        sums = rows @ self.direct + units @ self.upper
        if self.loss == SQUARES:
            return units, sums
        powers = np.exp(sums - sums.max(axis=1, keepdims=True))
        return units, powers / powers.sum(axis=1, keepdims=True)


def with_ones(inputs: np.ndarray) -> np.ndarray:
    """Return the inputs with a first column of ones."""
    return np.hstack([np.ones((len(inputs), 1)), inputs])


Cases = tuple[np.ndarray, np.ndarray]
"""Their inputs and their targets."""


def train_network(loss: str, learn: Cases, held: Cases, units: int, rng: Generator) -> Network:
    """Return the network with the least loss of the cases `held`, on the way to the least loss of `learn`."""
    from scipy import optimize  # Only learning needs it; pages that ask about a method do not wait.

    rows, targets = with_ones(learn[0]), learn[1]
    inputs, outputs = rows.shape[1], targets.shape[1]
    shape = inputs, units, outputs
    start = FIRST_WEIGHTS * rng.normal(size=inputs * (units + outputs) + units * outputs)
    best = _Best(loss, shape, (with_ones(held[0]), held[1]), start)
    optimize.minimize(
        _loss_and_gradient,
        start,
        args=(loss, shape, rows, targets),
        jac=True,
        method="L-BFGS-B",
        callback=best.consider,
        options={"maxiter": MOST_STEPS, "maxfun": 2 * MOST_STEPS},
    )
    return Network.unpacked(loss, best.packed, shape)


class _Best:
    """The weights so far with the least loss of the held-out cases, those of the start included."""

    def __init__(self, loss: str, shape: Shape, held: Cases, start: np.ndarray) -> None:
        self.loss, self.shape, self.held = loss, shape, held
        self.packed, self.waited, self.least = start.copy(), 0, self._loss_of(start)

    def consider(self, packed: np.ndarray) -> None:
        """Keep the weights of a step if they are better; end the search after PATIENCE steps without gain."""
        loss = self._loss_of(packed)
        self.waited += 1
        if loss < self.least:
            self.packed, self.waited, self.least = packed.copy(), 0, loss
        if self.waited >= PATIENCE:
            raise StopIteration

    def _loss_of(self, packed: np.ndarray) -> float:
        rows, targets = self.held
        outputs = Network.unpacked(self.loss, packed, self.shape).forward(rows)[1]
        return _mean_loss(self.loss, outputs, targets)


def _mean_loss(loss: str, outputs: np.ndarray, targets: np.ndarray) -> float:
    if loss == SQUARES:
        return float(np.sum((outputs - targets) ** 2)) / (2 * len(targets))
    return -float(np.sum(targets * np.log(np.maximum(outputs, 1e-300)))) / len(targets)


def _loss_and_gradient(
    packed: np.ndarray, loss: str, shape: Shape, rows: np.ndarray, targets: np.ndarray
) -> tuple[float, np.ndarray]:
    """Return the mean loss and its gradient, which at the outputs is the same for both losses."""
    network = Network.unpacked(loss, packed, shape)
    units, outputs = network.forward(rows)
    off = (outputs - targets) / len(rows)
    hidden = rows.T @ ((off @ network.upper.T) * (1 - units**2))
    gradient = np.concatenate([hidden.ravel(), (rows.T @ off).ravel(), (units.T @ off).ravel()])
    return _mean_loss(loss, outputs, targets), gradient


DIVISIONS = 4
PARTS = 3
"""Each network is stopped by a third of the training cases: 12 networks."""
FEWEST_UNITS, MOST_UNITS = 4, 32
CLASS_WEIGHT = 0.01
FURTHEST = 5.0
"""Largest absolute value of standardized inputs; larger ones are clipped."""


class MlpEse1(InputMethod):
    """Twelve networks with one hidden layer, each stopped by a third of the cases that it does not learn."""

    name = "mlp-ese-1"

    def predict_number(self, problem: TargetProblem, rng: Generator) -> NumberPrediction:
        standard = standard_problem(problem)
        values = standard.values[:, np.newaxis]
        held, tested = _committee(standard.train, values, standard.test, SQUARES, rng)
        return standard.prediction(tested[:, 0], float(np.mean((held - values) ** 2)))

    def predict_classes(self, problem: TargetProblem, rng: Generator) -> np.ndarray:
        train, test = standard_inputs(problem.instance)
        members = np.eye(problem.count)[problem.values]
        _, tested = _committee(train, members, test, LOGS, rng)
        return (1 - CLASS_WEIGHT) * tested + CLASS_WEIGHT * frequencies(problem.values, problem.count)


def hidden_units(cases: int, inputs: int, outputs: int) -> int:
    """Return the least number of units with which a network has as many weights as training cases."""
    needed = cases * outputs - outputs * (inputs + 1)
    return int(np.clip(-(-needed // (inputs + 1 + outputs)), FEWEST_UNITS, MOST_UNITS))


def _committee(
    train: np.ndarray, targets: np.ndarray, test: np.ndarray, loss: str, rng: Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return mean outputs for training cases, by the networks that held them out, and for test cases."""
    train, test = np.clip(train, -FURTHEST, FURTHEST), np.clip(test, -FURTHEST, FURTHEST)
    held_out, tested = np.zeros(targets.shape), np.zeros((len(test), targets.shape[1]))
    for _ in range(DIVISIONS):
        for learn, held in make_folds(len(train), PARTS, rng):
            units = hidden_units(len(learn), train.shape[1], targets.shape[1])
            first, second = ((train[cases], targets[cases]) for cases in (learn, held))
            network = train_network(loss, first, second, units, rng)
            held_out[held] += network.outputs(train[held]) / DIVISIONS
            with predicting():
                tested += network.outputs(test) / (DIVISIONS * PARTS)
    return held_out, tested
