"""Networks with one hidden layer, trained by a quasi-Newton method until held-out cases say stop."""

from dataclasses import dataclass

import numpy as np
from scipy import optimize

__all__ = ["Network", "TrainedNetwork", "train_network"]

MOST_STEPS = 400
PATIENCE = 100
"""The search ends when so many steps in a row did not lower the loss of the held-out cases."""
FIRST_WEIGHTS = 0.1


@dataclass(frozen=True)
class Network:
    """What a network is for.

    loss: `squares` (half the squared error; outputs are numbers) or `logs` (minus the log probability;
    outputs are probabilities of the classes); outputs: how many.
    """

    loss: str
    outputs: int


@dataclass(frozen=True)
class TrainedNetwork:
    """Weights. hidden: shape (1 + inputs, units); direct: (1 + inputs, outputs), from the inputs to the
    outputs; upper: (units, outputs), from the hidden units to the outputs."""

    network: Network
    hidden: np.ndarray
    direct: np.ndarray
    upper: np.ndarray

    @classmethod
    def unpacked(cls, network: Network, packed: np.ndarray, shape: tuple[int, int]) -> "TrainedNetwork":
        """Return the network with these weights; shape: (1 + inputs, units)."""
        rows, units = shape
        first, second = rows * units, rows * (units + network.outputs)
        return cls(
            network,
            packed[:first].reshape(rows, units),
            packed[first:second].reshape(rows, network.outputs),
            packed[second:].reshape(units, network.outputs),
        )

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


def train_network(
    network: Network,
    learn: tuple[np.ndarray, np.ndarray],
    held: tuple[np.ndarray, np.ndarray],
    units: int,
    rng: np.random.Generator,
) -> TrainedNetwork:
    """Return the network, on the way to the least loss of some cases, with the least loss of others.

    learn, held: inputs and targets of the cases to learn from, and of those that say when to stop.
    """
    rows, targets = with_ones(learn[0]), learn[1]
    shape = (rows.shape[1], units)
    start = FIRST_WEIGHTS * rng.normal(
        size=rows.shape[1] * (units + network.outputs) + units * network.outputs
    )
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

    def __init__(
        self,
        network: Network,
        shape: tuple[int, int],
        held: tuple[np.ndarray, np.ndarray],
        start: np.ndarray,
    ) -> None:
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
