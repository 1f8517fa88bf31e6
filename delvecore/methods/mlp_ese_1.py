"""mlp-ese-1: ensembles of networks that stop early. What it does in detail is said in its description.

The networks have one hidden layer and are trained by a quasi-Newton method until held-out cases say stop."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from scipy import optimize

from delvecore.methods.standard import InputMethod, make_folds, standard_inputs, standard_problem
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import ClassProblem, NumberPrediction, NumberProblem, frequencies

MOST_STEPS = 400
PATIENCE = 100
"""The search ends when so many steps in a row did not lower the loss of the held-out cases."""
FIRST_WEIGHTS = 0.1


@dataclass(frozen=True)
class Network:
    """What a network is for.

    Attributes
    ----------
    loss : str
        `squares` (half the squared error; outputs are numbers) or `logs` (minus the log probability; outputs
        are probabilities of the classes).
    outputs : int
        Number of outputs.
    """

    loss: str
    outputs: int


@dataclass(frozen=True)
class TrainedNetwork:
    """Weights: to the hidden units (1 + inputs, units), from inputs to outputs (1 + inputs, outputs), from
    the hidden units to the outputs (units, outputs)."""

    network: Network
    hidden: np.ndarray
    direct: np.ndarray
    upper: np.ndarray

    @classmethod
    def unpacked(cls, network: Network, packed: np.ndarray, shape: tuple[int, int]) -> "TrainedNetwork":
        """Return the network with these weights; shape: (1 + inputs, units)."""
        rows, units = shape
        first, second = rows * units, rows * (units + network.outputs)
        direct, upper = (
            part.reshape(-1, network.outputs) for part in (packed[first:second], packed[second:])
        )
        return cls(network, packed[:first].reshape(shape), direct, upper)

    def outputs(self, inputs: np.ndarray) -> np.ndarray:
        """Return numbers or probabilities: shape (cases, outputs)."""
        return self.forward(with_ones(inputs))[1]

    def forward(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what the hidden units and the outputs say to inputs with a first column of ones."""
        units = np.tanh(rows @ self.hidden)
        sums = rows @ self.direct + units @ self.upper
        if self.network.loss == "squares":
            return units, sums
        powers = np.exp(sums - sums.max(axis=1, keepdims=True))
        return units, powers / powers.sum(axis=1, keepdims=True)


def with_ones(inputs: np.ndarray) -> np.ndarray:
    """Return the inputs with a first column of ones."""
    return np.hstack([np.ones((len(inputs), 1)), inputs])


Cases = tuple[np.ndarray, np.ndarray]
"""Their inputs and their targets."""


def train_network(network: Network, learn: Cases, held: Cases, units: int, rng: Generator) -> TrainedNetwork:
    """Return the network with the least loss of the cases `held`, on the way to the least loss of `learn`."""
    rows, targets = with_ones(learn[0]), learn[1]
    shape = (rows.shape[1], units)
    size = rows.shape[1] * (units + network.outputs) + units * network.outputs
    start = FIRST_WEIGHTS * rng.normal(size=size)
    best = _Best(network, shape, (with_ones(held[0]), held[1]), start)
    optimize.minimize(
        _loss_and_gradient,
        start,
        args=(network, shape, rows, targets),
        jac=True,
        method="L-BFGS-B",
        callback=best.consider,
        options={"maxiter": MOST_STEPS, "maxfun": 2 * MOST_STEPS},
    )
    return TrainedNetwork.unpacked(network, best.packed, shape)


class _Best:
    """The weights so far with the least loss of the held-out cases, those of the start included."""

    def __init__(self, network: Network, shape: tuple[int, int], held: Cases, start: np.ndarray) -> None:
        self.network, self.shape, self.held = network, shape, held
        self.packed, self.waited, self.loss = start.copy(), 0, self._loss_of(start)

    def consider(self, packed: np.ndarray) -> None:
        """Take the weights of a step if they are better; end the search when none were for long."""
        loss = self._loss_of(packed)
        self.waited += 1
        if loss < self.loss:
            self.packed, self.waited, self.loss = packed.copy(), 0, loss
        if self.waited >= PATIENCE:
            raise StopIteration

    def _loss_of(self, packed: np.ndarray) -> float:
        rows, targets = self.held
        outputs = TrainedNetwork.unpacked(self.network, packed, self.shape).forward(rows)[1]
        return _mean_loss(self.network, outputs, targets)


def _mean_loss(network: Network, outputs: np.ndarray, targets: np.ndarray) -> float:
    if network.loss == "squares":
        return float(np.sum((outputs - targets) ** 2)) / (2 * len(targets))
    return -float(np.sum(targets * np.log(np.maximum(outputs, 1e-300)))) / len(targets)


def _loss_and_gradient(
    packed: np.ndarray, network: Network, shape: tuple[int, int], rows: np.ndarray, targets: np.ndarray
) -> tuple[float, np.ndarray]:
    """Return the mean loss of the cases and its gradient; both losses have the same one at the outputs."""
    weights = TrainedNetwork.unpacked(network, packed, shape)
    units, outputs = weights.forward(rows)
    off = (outputs - targets) / len(rows)
    hidden = rows.T @ ((off @ weights.upper.T) * (1 - units**2))
    gradient = np.concatenate([hidden.ravel(), (rows.T @ off).ravel(), (units.T @ off).ravel()])
    return _mean_loss(network, outputs, targets), gradient


DIVISIONS = 4
PARTS = 3
"""Each network is stopped by a third of the training cases: 12 networks."""
FEWEST_UNITS, MOST_UNITS = 4, 32
CLASS_WEIGHT = 0.01
FURTHEST = 5.0
"""Standard inputs are cut at this size."""


class MlpEse1(InputMethod):
    """Twelve networks with one hidden layer, each stopped by the third of the cases that it left out."""

    name = "mlp-ese-1"

    def predict_number(self, problem: NumberProblem, rng: Generator) -> NumberPrediction:
        standard = standard_problem(problem)
        values = standard.values[:, np.newaxis]
        held, tested = _committee(standard.train, values, standard.test, Network("squares", 1), rng)
        return standard.prediction(tested[:, 0], float(np.mean((held - values) ** 2)))

    def predict_classes(self, problem: ClassProblem, rng: Generator) -> np.ndarray:
        train, test = standard_inputs(problem.instance)
        members = np.eye(problem.count)[problem.classes]
        _, tested = _committee(train, members, test, Network("logs", problem.count), rng)
        return (1 - CLASS_WEIGHT) * tested + CLASS_WEIGHT * frequencies(problem.classes, problem.count)


def hidden_units(cases: int, inputs: int, outputs: int) -> int:
    """Return the least number of units with which a network has as many weights as training cases."""
    needed = cases * outputs - outputs * (inputs + 1)
    return int(np.clip(-(-needed // (inputs + 1 + outputs)), FEWEST_UNITS, MOST_UNITS))


def _committee(
    train: np.ndarray, targets: np.ndarray, test: np.ndarray, network: Network, rng: Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return mean outputs for training cases, of the networks that each stopped, and for test cases."""
    train, test = np.clip(train, -FURTHEST, FURTHEST), np.clip(test, -FURTHEST, FURTHEST)
    held_out, tested = np.zeros(targets.shape), np.zeros((len(test), targets.shape[1]))
    for _ in range(DIVISIONS):
        for learn, held in make_folds(len(train), PARTS, rng):
            units = hidden_units(len(learn), train.shape[1], targets.shape[1])
            first, second = ((train[cases], targets[cases]) for cases in (learn, held))
            trained = train_network(network, first, second, units, rng)
            held_out[held] += trained.outputs(train[held]) / DIVISIONS
            with predicting():
                tested += trained.outputs(test) / (DIVISIONS * PARTS)
    return held_out, tested
