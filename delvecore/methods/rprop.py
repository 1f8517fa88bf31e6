"""The networks of the PROBEN1 report: RPROP, stopped by a validation set, the best epoch kept.

docs/proben1.md describes the parameters, and the defaults for tasks that are not in the report. Outputs are
guesses. Clipped to 0..1 and normalized they are probabilities. The validation error is the variance of a
number. Source: L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994, sections 2.9 and 3.3
and table 7; M. Riedmiller and H. Braun, IEEE International Conference on Neural Networks 1993, without taking
the last step back where the gradient changes its sign."""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from delvecore.methods.protocol import CodedAttribute, LearningInstance, Predictions, TaskView
from delvecore.methods.standard import InputMethod, gaussian_prediction, usable_inputs
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import (
    NumberPrediction,
    PerTargetMethod,
    TargetProblem,
    frequencies,
)
from delvecore.model import Coding

STRIP = 5
"""Epochs between two evaluations on the validation set."""
MOST_EPOCHS = 3000
LEAST_PROGRESS = 0.1
"""In parts per thousand."""


Stop = tuple[tuple[str, float], ...]
"""Criteria by name with their limits. Training stops as soon as each was fulfilled once. GL: the loss of
generalization in percent is above the limit. UP: the validation error has grown in this number of strips in a
row. PQ: GL divided by the progress is above the limit. Names: L. Prechelt, Neural Networks 11 (1998),
761-767."""
CRITERIA = ("GL", "UP", "PQ")


def read_stop(text: str) -> Stop:
    """Return the criteria in `GL5` or `GL5+UP8+PQ3`, in the order of CRITERIA. Raises ValueError.

    >>> read_stop("PQ3+GL5")
    (('GL', 5.0), ('PQ', 3.0))
    """
    found = [re.fullmatch(r"(GL|UP|PQ)(\d{1,6}(?:\.\d{1,6})?)", part) for part in text.split("+")]
    limits = {match[1]: float(match[2]) for match in found if match and float(match[2])}
    if len(limits) < len(found) or limits.get("UP", 1.0) % 1:
        raise ValueError(f"expected criteria such as GL5 or GL5+UP8+PQ3, each once, found {text!r}")
    return tuple((name, limits[name]) for name in CRITERIA if name in limits)


class Rates(NamedTuple):
    """Parameters of RPROP.

    Attributes
    ----------
    grow, shrink : float
        Factors of a step.
    first_steps : tuple[float, float]
        Range of the first steps.
    first_weights : float
        Largest size of the first weights.
    largest : float
        Largest step.
    """

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
"""Rates of sections 3.3.1 and 3.3.2, and rates that give the figures of tables 8 to 11 (docs/proben1.md)."""
Cases = tuple[np.ndarray, np.ndarray]
"""Inputs, shape (cases, inputs), and targets, shape (cases, outputs)."""


@dataclass(frozen=True)
class Network:
    """Architecture of a network.

    Weights are in rows, one per run: biases of all hidden and output nodes, then for inputs and each hidden
    layer a matrix to the nodes that it feeds.

    Attributes
    ----------
    hidden : tuple of int
        Nodes of each hidden layer.
    squashed : bool
        Whether outputs have the sigmoid, not the identity.
    shortcuts : bool
        Whether each layer feeds all later ones, not only the next one.
    """

    inputs: int
    hidden: tuple[int, ...]
    outputs: int
    squashed: bool = False
    shortcuts: bool = True

    @classmethod
    def of_text(cls, text: str, inputs: int, outputs: int, *, shortcuts: bool = True) -> "Network":
        """Return the network of a text such as `16+8 l`: hidden nodes, then l (linear) or s (sigmoid)."""
        layers, _, kind = text.partition(" ")
        hidden = tuple(int(word) for word in layers.split("+") if word != "0")
        return cls(inputs, hidden, outputs, kind == "s", shortcuts)

    @property
    def nodes(self) -> int:
        """Number of hidden and output nodes."""
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
        """Number of free parameters, biases included."""
        return self.blocks[-1][1].stop

    def _matrices(self, weights: np.ndarray) -> list[np.ndarray]:
        return [weights[:, place].reshape(len(weights), *shape) for _, place, shape in self.blocks]

    def propagate(self, weights: np.ndarray, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (sums, activations) of all nodes after the inputs, shape (runs, cases, nodes)."""
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
        """Return the outputs, shape (runs, cases, outputs)."""
        return self.propagate(weights, inputs)[1][:, :, self.layers[-1]]

    def gradient(self, weights: np.ndarray, cases: Cases) -> tuple[np.ndarray, np.ndarray]:
        """Return (half the gradient of the squared error, the squared error of all cases) of each run."""
        (inputs, targets), matrices = cases, self._matrices(weights)
        sums, active = self.propagate(weights, inputs)
        off = active[:, :, self.layers[-1]] - targets
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
        found[:, place] = (inputs.T @ back[:, :, fed]).reshape(len(weights), -1)
        found[:, : self.nodes] = back.sum(axis=1)
        return found, np.einsum("ijk,ijk->i", off, off)


def _excess(error: np.float64, least: np.float64 | float) -> np.float64:
    """Return the excess of an error over the least error, as a share of it. 0 if both are zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(error / least - 1, nan=0.0, posinf=np.inf)


def train(
    network: Network, rates: Rates, stop: Stop, learn: Cases, held: Cases, rng: Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Train a network by strips of STRIP epochs; return its weights and the curve of the training.

    The validation set `held` judges each strip, and training ends as `Stop` describes. Weights are those of
    the epoch with the least validation error. The curve has a row per strip: epoch, squared error percentages
    of training and validation set, GL in percent, P in parts per thousand."""
    shape, limits = (1, network.weights), dict(stop)
    weights = rng.uniform(-rates.first_weights, rates.first_weights, shape)
    steps, before = rng.uniform(*rates.first_steps, shape), np.zeros(shape)
    best, lowest, epoch = weights, np.inf, 0
    rise, last, met = 0, np.inf, set[str]()
    curve: list[tuple[float, ...]] = []
    while True:
        errors = []
        for _ in range(STRIP):
            slope, squares = network.gradient(weights, learn)
            turn = np.sign(slope) * before
            steps *= np.where(turn > 0, rates.grow, np.where(turn < 0, rates.shrink, 1.0))
            np.minimum(steps, rates.largest, out=steps)
            before = np.sign(slope)
            weights = weights - before * steps
            errors.append(100 * squares[0] / learn[1].size)
        epoch += STRIP
        off = network.predict(weights, held[0]) - held[1]
        error = 100 * np.einsum("ijk,ijk->i", off, off)[0] / held[1].size
        if error < lowest:
            best, lowest = weights, error
        loss = 100 * _excess(error, lowest)
        progress = 1000 * _excess(np.mean(errors), np.min(errors))
        curve.append((epoch, errors[-1], error, loss, progress))
        rise, last = rise + 1 if error > last else 0, error
        with np.errstate(divide="ignore", invalid="ignore"):
            quotient = loss / progress
        signs = {
            "GL": loss > limits.get("GL", np.inf),
            "UP": rise >= limits.get("UP", np.inf),
            "PQ": quotient > limits.get("PQ", np.inf),
        }
        met |= {name for name in limits if signs[name]}
        if len(met) == len(limits) or progress < LEAST_PROGRESS or epoch >= MOST_EPOCHS:
            return best[0], np.array(curve)


DATASETS = "proben1-"
CLASS_WEIGHT = 0.01
"""Weight of the training frequencies in the probabilities."""


_TABLE_7 = {
    "building": ("16+0 l", "16+8 l", "16+8 s"),
    "cancer": ("4+2 l", "8+4 l", "16+8 l"),
    "card": ("32+0 l", "24+0 l", "16+8 l"),
    "diabetes": ("32+0 l", "16+8 l", "32+0 l"),
    "flare": ("32+0 s", "32+0 s", "24+0 s"),
    "gene": ("4+2 l", "4+2 s", "4+2 s"),
    "glass": ("16+8 l", "16+8 l", "16+8 l"),
    "heart": ("32+0 l", "32+0 l", "32+0 l"),
    "hearta": ("32+0 l", "16+0 l", "32+0 l"),
    "heartac": ("2+0 l", "8+4 l", "16+8 s"),
    "heartc": ("16+8 l", "8+8 l", "32+0 l"),
    "horse": ("16+8 l", "16+8 l", "32+0 l"),
    "soybean": ("16+8 l", "32+0 l", "16+0 l"),
    "thyroid": ("16+8 l", "8+4 l", "16+8 l"),
}
PIVOTS = {
    f"{problem}{number}": text
    for problem, texts in _TABLE_7.items()
    for number, text in enumerate(texts, start=1)
}
"""Table 7, by data file; see `Network.of_text`."""
USUAL = "16+8 l"
DOCUMENTATION = """\
THE METHOD {name}

A network of L. Prechelt's report on PROBEN1 (21/94, section 3.3), with the parameters {parameters}.

Encoding. Inputs have their default codings. Targets are a column per class, or one of zeros and ones.

2.11.3: nodes and connections stand in `Training.n`; hidden nodes are x / (1 + |x|), outputs linear or so.

2.11.4: weights start evenly from -{first_weights:g} to {first_weights:g}, steps from {low:g} to {high:g}.

2.11.5: RPROP; a step grows by {grow:g} and shrinks by {shrink:g}, at most {largest:g}; no step is taken back.

2.11.6: every 5 epochs, training stops when once {stop}, or the progress P5 is below 0.1 per thousand, \
or after 3000 epochs; the weights of the least validation error are kept.

2.11.7: the squared error is minimized; squared error percentages are 100 / (N P) times its sum.

2.11.9: it was tuned on no data; parameters are those of the report, and for the rates `pivot` they were \
chosen among five by the figures of the report's tables 8 to 11.

Costs: seconds and memory of each instance stand in `Costs`.
"""


def pivot_of(task: TaskView) -> str:
    is_published = task.dataset.name.startswith(DATASETS)
    return PIVOTS.get(task.prototask.name, USUAL) if is_published else USUAL


class Rprop(InputMethod):
    """A network trained once; its parameters are those of `delvecore.methods.NETWORK`."""

    def __init__(
        self,
        name: str = "rprop",
        *,
        topology: str = "pivot",
        outputs: str = "pivot",
        shortcuts: str = "all",
        rates: str = "pivot",
        stop: str = "GL2",
    ) -> None:
        self.name, self.shortcuts, self.outputs, self.topology = name, shortcuts == "all", outputs, topology
        self.rates, self.stop = RATES[rates], read_stop(stop)
        shape = {"topology": topology, "outputs": outputs, "shortcuts": shortcuts}
        self.settings = {**shape, "rates": rates, "stop": stop}
        """The parameters, as texts."""

    def network(self, task: TaskView, inputs: int, outputs: int) -> Network:
        """Return the network for a task with these numbers of inputs and outputs."""
        layers, _, kind = pivot_of(task).partition(" ")
        if self.topology != "pivot":
            layers, kind = "0" if self.topology == "none" else self.topology, "l"
        kind = kind if self.outputs == "pivot" else self.outputs[0]
        return Network.of_text(f"{layers} {kind}", inputs, outputs, shortcuts=self.shortcuts)

    @property
    def description(self) -> tuple[str, str]:
        """Summary and documentation, which answer the report's check list."""
        parameters = ", ".join(f"{key} {value}" for key, value in self.settings.items())
        limits, rates = dict(self.stop), self.rates
        words = {
            "GL": f"the generalization loss was above {limits.get('GL', 0):g} percent",
            "UP": f"the validation error had grown in {limits.get('UP', 0):g} strips of 5 epochs in a row",
            "PQ": f"generalization loss / progress P5 was above {limits.get('PQ', 0):g}",
        }
        facts = {
            "stop": " and ".join(words[name] for name in limits),
            "low": rates.first_steps[0],
            "high": rates.first_steps[1],
        }
        summary = f"A feed-forward network trained by RPROP and stopped early: {parameters}.\n"
        texts = {"name": self.name, "parameters": parameters, **facts, **rates._asdict()}
        return summary, DOCUMENTATION.format(**texts)

    def codings(self, task: TaskView) -> dict[int, Coding]:
        """Code targets as in PROBEN1: a column per class, or one column of zeros and ones."""
        codings = super().codings(task)
        for attribute, line in task.targets:
            if line.type in ("nominal", "ordinal"):
                codings[attribute.number] = Coding(attribute.name, "1-of-n", ())
            elif line.type == "binary":
                passive = line.option("passive") or (attribute.range.categories or ("",))[0]
                codings[attribute.number] = Coding(attribute.name, "0/1", (("passive", passive),))
        return codings

    def fit_predict(self, instance: LearningInstance, rng: Generator) -> Predictions:
        inputs, test = usable_inputs(instance)
        held = _held_out(instance, rng)
        learn = np.setdiff1d(np.arange(len(inputs)), held)
        learned, judged = ((inputs[rows], instance.train_targets[rows]) for rows in (learn, held))
        network = self.network(instance.task, inputs.shape[1], instance.train_targets.shape[1])
        best, curve = train(network, self.rates, self.stop, learned, judged, rng)
        weights = best[np.newaxis]
        errors = np.mean((network.predict(weights, judged[0])[0] - judged[1]) ** 2, axis=0)
        with predicting():
            test_outputs = network.predict(weights, test)[0]
        outputs = _Outputs(test_outputs, errors)
        predictions = outputs.fit_predict(instance, rng)
        plain = None if predictions.probabilities is None else outputs.activations(instance.targets[0])
        text = training_text(network, curve, len(learn), len(held))
        return replace(predictions, outputs=plain, records={"Training": text})


def _held_out(instance: LearningInstance, rng: Generator) -> np.ndarray:
    """Return the rows of the validation cases: those of the task, otherwise a third drawn at random."""
    if len(instance.validation):
        return instance.validation
    cases = len(instance.train_inputs)
    return np.sort(rng.permutation(cases)[: max(cases // 3, 1)])


class _Outputs(PerTargetMethod):
    """Output of a trained network on test cases.

    Attributes
    ----------
    outputs : array
        Shape (cases, columns of targets).
    errors : array
        Mean squared errors of the validation set, one per column.
    """

    name = "outputs"

    def __init__(self, outputs: np.ndarray, errors: np.ndarray) -> None:
        self.outputs, self.errors = outputs, errors

    def predict_number(self, problem: TargetProblem, rng: Generator) -> NumberPrediction:
        place = problem.target.columns.start
        return gaussian_prediction(self.outputs[:, place], float(self.errors[place]))

    def predict_classes(self, problem: TargetProblem, rng: Generator) -> np.ndarray:
        shares = np.clip(self.activations(problem.target), 0.0, 1.0) + 1e-9
        shares /= shares.sum(axis=1, keepdims=True)
        known = frequencies(problem.values, problem.count)
        return (1 - CLASS_WEIGHT) * shares + CLASS_WEIGHT * known

    def guess_classes(self, problem: TargetProblem, probabilities: np.ndarray) -> np.ndarray:
        """Guess the class with the largest output."""
        return np.argmax(self.activations(problem.target), axis=1)

    def activations(self, target: CodedAttribute) -> np.ndarray:
        """Return an output per class, shape (cases, classes)."""
        columns = self.outputs[:, target.columns]
        if columns.shape[1] > 1:
            return columns
        first, second = target.codes[:, 0]
        share = (columns - first) / (second - first)
        return np.hstack([1 - share, share])


def training_text(network: Network, curve: np.ndarray, learned: int, held: int) -> str:
    """Return `Training.n`: the network, the length of its training, and a line per strip of the curve.

    learned, held: numbers of cases for training and validation."""
    epochs = int(curve[-1, 0])
    nodes = "-".join(map(str, (network.inputs, *network.hidden, network.outputs)))
    which = "including all shortcut connections" if network.shortcuts else "between adjacent layers"
    facts = {
        "Network": f"{nodes}, all feed forward connections {which}",
        "Outputs": "sigmoid" if network.squashed else "linear",
        "Weights": network.weights,
        "Total-Epochs": epochs,
        "Relevant-Epochs": int(curve[np.argmin(curve[:, 2]), 0]),
        "Connection-Traversals": network.weights * (epochs * (2 * learned + 1) + len(curve) * held),
    }
    lines = [f"{key}: {value}" for key, value in facts.items()]
    rows = [f"{int(row[0])} {' '.join(f'{value:.6g}' for value in row[1:])}" for row in curve]
    return "\n".join([*lines, "Curve: epoch training validation GL P", *rows]) + "\n"
