"""Feed-forward networks trained by RPROP and stopped early, many runs at once.

RPROP changes each weight by a step of its own, which grows while the gradient keeps its sign and shrinks when
it does not. Training is judged by the squared error of a validation set, measured after every strip of five
epochs. Source: L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994, sections 2.9 and
3.3; M. Riedmiller and H. Braun, IEEE International Conference on Neural Networks 1993, without taking the
last step back where the gradient changes its sign."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

STRIP = 5
"""Epochs between two looks at the validation set."""
MOST_EPOCHS = 3000
LEAST_PROGRESS = 0.1
"""In parts per thousand."""
MOST_NUMBERS = 1 << 19
"""Runs are trained together as far as their activations are no more numbers than this."""


Stop = tuple[tuple[str, float], ...]
"""Criteria by name with their limits. Training stops as soon as each was fulfilled once: GL, the loss of
generalization in percent, is larger; UP, the validation error has grown for so many strips in a row; PQ, GL
divided by the progress is larger. Names: L. Prechelt, Neural Networks 11 (1998), 761-767."""
CRITERIA = ("GL", "UP", "PQ")


def read_stop(text: str) -> Stop:
    """Return what `GL5` or `GL5+UP8+PQ3` says, in the order of CRITERIA. Raises ValueError.

    Examples
    --------
    >>> read_stop("PQ3+GL5")
    (('GL', 5.0), ('PQ', 3.0))
    """
    found = [re.fullmatch(r"(GL|UP|PQ)(\d{1,6}(?:\.\d{1,6})?)", part) for part in text.split("+")]
    limits = {match[1]: float(match[2]) for match in found if match and float(match[2])}
    if len(limits) < len(found) or limits.get("UP", 1.0) % 1:
        raise ValueError(f"expected criteria such as GL5 or GL5+UP8+PQ3, each once, found {text!r}")
    return tuple((name, limits[name]) for name in CRITERIA if name in limits)


class Rates(NamedTuple):
    """Parameters of RPROP: the factors of a step, the range that first steps are drawn from, that of first
    weights (both sides of zero), and the largest step."""

    grow: float
    shrink: float
    first_steps: tuple[float, float]
    first_weights: float
    largest: float = 50.0


RATES = {
    "linear": Rates(1.2, 0.5, (0.005, 0.02), 0.01),
    "search": Rates(1.1, 0.5, (0.05, 0.2), 0.5),
    "pivot": Rates(1.2, 0.5, (0.05, 0.2), 0.1),
}
"""Those of sections 3.3.1 and 3.3.2, and those that give the figures of tables 8 to 11 (docs/proben1.md)."""


class Examples(NamedTuple):
    """inputs: shape (examples, inputs); targets: shape (examples, outputs)."""

    inputs: np.ndarray
    targets: np.ndarray


@dataclass(frozen=True)
class Network:
    """Which nodes feed which. hidden: nodes of each hidden layer; squashed: have outputs the sigmoid, or the
    identity?; shortcuts: does each layer feed all later ones, or the next one only?

    Weights lie in rows, one a run: biases of all hidden and output nodes, then for inputs and each hidden
    layer a matrix to the nodes that it feeds."""

    inputs: int
    hidden: tuple[int, ...]
    outputs: int
    squashed: bool = False
    shortcuts: bool = True

    @property
    def nodes(self) -> int:
        """How many nodes are no inputs?"""
        return sum(self.hidden) + self.outputs

    @cached_property
    def layers(self) -> tuple[slice, ...]:
        """The nodes of each layer behind the inputs."""
        ends = np.cumsum([0, *self.hidden, self.outputs]).tolist()
        return tuple(map(slice, ends[:-1], ends[1:]))

    @cached_property
    def blocks(self) -> tuple[tuple[slice, slice, tuple[int, int]], ...]:
        """For inputs and each hidden layer: the nodes fed, the place in a row of weights, the shape there."""
        found, start = [], self.nodes
        for layer, width in enumerate((self.inputs, *self.hidden)):
            last = self.nodes if self.shortcuts else self.layers[layer].stop
            fed = slice(self.layers[layer].start, last)
            shape = width, fed.stop - fed.start
            found.append((fed, slice(start, start + shape[0] * shape[1]), shape))
            start = found[-1][1].stop
        return tuple(found)

    @property
    def weights(self) -> int:
        """How many free parameters are there, biases included?"""
        return self.blocks[-1][1].stop

    def _matrices(self, weights: np.ndarray) -> list[np.ndarray]:
        return [weights[:, place].reshape(len(weights), *shape) for _, place, shape in self.blocks]

    def propagate(self, weights: np.ndarray, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (sums, activations) of all nodes behind the inputs, shape (runs, examples, nodes)."""
        matrices = self._matrices(weights)
        sums = np.repeat(weights[:, np.newaxis, : self.nodes], len(inputs), axis=1)
        sums[:, :, self.blocks[0][0]] += inputs @ matrices[0]
        active = np.empty_like(sums)
        for layer, nodes in enumerate(self.layers):
            is_output = layer == len(self.hidden)
            own = sums[:, :, nodes]
            active[:, :, nodes] = own / (1 + np.abs(own)) if self.squashed or not is_output else own
            if not is_output:
                fed = self.blocks[layer + 1][0]
                sums[:, :, fed] += active[:, :, nodes] @ matrices[layer + 1]
        return sums, active

    def predict(self, weights: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        """Return the outputs, shape (runs, examples, outputs)."""
        return self.propagate(weights, inputs)[1][:, :, self.layers[-1]]

    def gradient(self, weights: np.ndarray, examples: Examples) -> tuple[np.ndarray, np.ndarray]:
        """Return (half the gradient of the squared error, its sum over all examples) of each run."""
        matrices = self._matrices(weights)
        sums, active = self.propagate(weights, examples.inputs)
        off = active[:, :, self.layers[-1]] - examples.targets
        slopes = 1 / (1 + np.abs(sums)) ** 2
        if not self.squashed:
            slopes[:, :, self.layers[-1]] = 1
        back = slopes
        back[:, :, self.layers[-1]] *= off
        found = np.empty_like(weights)
        for layer in range(len(self.hidden), 0, -1):
            (fed, place, _), nodes = self.blocks[layer], self.layers[layer - 1]
            back[:, :, nodes] *= back[:, :, fed] @ matrices[layer].transpose(0, 2, 1)
            product = active[:, :, nodes].transpose(0, 2, 1) @ back[:, :, fed]
            found[:, place] = product.reshape(len(weights), -1)
        fed, place, _ = self.blocks[0]
        found[:, place] = (examples.inputs.T @ back[:, :, fed]).reshape(len(weights), -1)
        found[:, : self.nodes] = back.sum(axis=1)
        return found, np.einsum("ijk,ijk->i", off, off)


def _excess(errors: np.ndarray, least: np.ndarray) -> np.ndarray:
    """By which share are errors larger than the least ones? 0 where both are zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(errors / least - 1, nan=0.0, posinf=np.inf)


class TrainedRun(NamedTuple):
    """One run. weights: those of the epoch with the least validation error; relevant: that epoch; epochs: how
    many were trained; curve: a row a strip: epoch, squared error percentages of training and validation set,
    GL in percent, P in parts per thousand; least: the least error percentage of the training set."""

    weights: np.ndarray
    relevant: int
    epochs: int
    curve: np.ndarray
    least: float

    @property
    def overfit(self) -> float:
        """GL when training ended."""
        return float(self.curve[-1, 3])


def train(
    network: Network,
    rates: Rates,
    stop: Stop,
    learn: Examples,
    held: Examples,
    *,
    rngs: Sequence[np.random.Generator],
) -> list[TrainedRun]:
    """Train a run for each generator of random numbers, which alone decides about it. held: the validation
    set."""
    at_once = max(MOST_NUMBERS // (len(learn.inputs) * network.nodes), 1)
    found: list[TrainedRun] = []
    for start in range(0, len(rngs), at_once):
        batch = _Batch(network, rates, stop, learn, held, rngs=rngs[start : start + at_once])
        while batch.goes_on:
            batch.strip()
        found += batch.finished()
    return found


class _Batch:
    """Runs trained together. Those that have ended are taken out; weights, steps and so on are of the others,
    whose numbers are in `runs`."""

    def __init__(
        self,
        network: Network,
        rates: Rates,
        stop: Stop,
        learn: Examples,
        held: Examples,
        *,
        rngs: Sequence[np.random.Generator],
    ) -> None:
        self.network, self.rates, self.stop, self.learn, self.held = network, rates, stop, learn, held
        shape = (network.weights,)
        self.weights = np.array(
            [rng.uniform(-rates.first_weights, rates.first_weights, shape) for rng in rngs]
        )
        self.steps = np.array([rng.uniform(*rates.first_steps, shape) for rng in rngs])
        self.before = np.zeros_like(self.weights)
        count = len(rngs)
        self.runs, self.epoch = np.arange(count), 0
        self.best, self.lowest = self.weights.copy(), np.full(count, np.inf)
        self.relevant, self.least = np.zeros(count, dtype=int), np.full(count, np.inf)
        self.rise, self.last = np.zeros(count, dtype=int), np.full(count, np.inf)
        self.signs = np.zeros((count, len(stop)), dtype=bool)
        self.curves: list[list[tuple[float, ...]]] = [[] for _ in rngs]
        self.ended: dict[int, TrainedRun] = {}

    @property
    def goes_on(self) -> bool:
        return bool(len(self.runs))

    def finished(self) -> list[TrainedRun]:
        return [self.ended[run] for run in sorted(self.ended)]

    def strip(self) -> None:
        """Train STRIP epochs, look at the validation set, and take out the runs that are to stop."""
        errors = np.array([self._epoch() for _ in range(STRIP)])
        off = self.network.predict(self.weights, self.held.inputs) - self.held.targets
        held = 100 * np.einsum("ijk,ijk->i", off, off) / self.held.targets.size
        self.least = np.minimum(self.least, errors.min(axis=0))
        better = held < self.lowest
        self.best[better], self.relevant[better] = self.weights[better], self.epoch
        self.lowest = np.where(better, held, self.lowest)
        loss = 100 * _excess(held, self.lowest)
        progress = 1000 * _excess(errors.mean(axis=0), errors.min(axis=0))
        for place, run in enumerate(self.runs):
            row = self.epoch, errors[-1, place], held[place], loss[place], progress[place]
            self.curves[run].append(row)
        self._take_out(self._stops(held, loss, progress))

    def _epoch(self) -> np.ndarray:
        """Change the weights once; return the squared error percentages before that."""
        slope, squares = self.network.gradient(self.weights, self.learn)
        turn = np.sign(slope) * self.before
        self.steps *= np.where(turn > 0, self.rates.grow, np.where(turn < 0, self.rates.shrink, 1.0))
        np.minimum(self.steps, self.rates.largest, out=self.steps)
        self.before = np.sign(slope)
        self.weights -= self.before * self.steps
        self.epoch += 1
        return 100 * squares / self.learn.targets.size

    def _stops(self, held: np.ndarray, loss: np.ndarray, progress: np.ndarray) -> np.ndarray:
        """Which runs are to stop? See `Stop`."""
        self.rise = np.where(held > self.last, self.rise + 1, 0)
        self.last = held
        with np.errstate(divide="ignore", invalid="ignore"):
            quotient = loss / progress
        limits = dict(self.stop)
        found = {
            "GL": loss > limits.get("GL", np.inf),
            "UP": self.rise >= limits.get("UP", np.inf),
            "PQ": quotient > limits.get("PQ", np.inf),
        }
        self.signs |= np.array([found[name] for name, _ in self.stop]).T
        return self.signs.all(axis=1) | (progress < LEAST_PROGRESS) | (self.epoch >= MOST_EPOCHS)

    def _take_out(self, stops: np.ndarray) -> None:
        for place in np.flatnonzero(stops).tolist():
            run, curve = int(self.runs[place]), np.array(self.curves[self.runs[place]])
            relevant = int(self.relevant[place])
            self.ended[run] = TrainedRun(
                self.best[place].copy(), relevant, self.epoch, curve, float(self.least[place])
            )
        if stops.any():
            names = ("weights", "steps", "before", "runs", "best", "lowest")
            for name in (*names, "relevant", "least", "rise", "last", "signs"):
                setattr(self, name, getattr(self, name)[~stops])
