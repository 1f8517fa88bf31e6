"""The networks of the PROBEN1 report: RPROP, stopped by a validation set, the best epoch kept.

Parameters choose hidden nodes, outputs, shortcut connections, RPROP's rates and the stopping criteria; three
methods have those of the report's tables 3 and 4 (`rprop-linear-1`), 8 and 9 (`rprop-pivot-1`), 10 and 11
(`rprop-noshortcut-1`). Tasks of no problem of the report have the commonest pivot architecture, and, where
they have no validation set, a third of the training cases for one. Outputs are guesses; cut to 0 to 1 and
normalised they are probabilities; the validation error is the variance of a number. Source: L. Prechelt,
PROBEN1, technical report 21/94, Universität Karlsruhe 1994, section 3.3 and table 7."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from delvecore.methods.protocol import CodedAttribute, LearningInstance, Predictions, TaskView
from delvecore.methods.rprop_training import RATES, Examples, Network, TrainedRun, read_stop, train
from delvecore.methods.standard import InputMethod, gaussian_prediction, usable_inputs
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import (
    ClassProblem,
    NumberPrediction,
    NumberProblem,
    PerTargetMethod,
    frequencies,
)
from delvecore.model import Coding

DATASETS = "proben1-"
CLASS_WEIGHT = 0.01
"""Of the frequencies of the training cases in the probabilities."""


class Architecture(NamedTuple):
    """hidden: nodes of each hidden layer; squashed: have outputs the sigmoid, or the identity?"""

    hidden: tuple[int, ...]
    squashed: bool


def _architecture(text: str) -> Architecture:
    """Return what `16+8 l` says: nodes of two hidden layers, linear or sigmoid outputs."""
    layers, _, outputs = text.partition(" ")
    return Architecture(tuple(int(word) for word in layers.split("+") if word != "0"), outputs == "s")


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
    f"{problem}{number}": _architecture(text)
    for problem, texts in _TABLE_7.items()
    for number, text in enumerate(texts, start=1)
}
"""Table 7, by data file."""
USUAL = _architecture("16+8 l")
DOCUMENTATION = """\
THE METHOD {name}

A network of L. Prechelt's report on PROBEN1 (21/94, section 3.3), with the parameters {told}.

Encoding. Inputs have their default codings. Targets are a column a class, or one of zeros and ones.

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


def pivot_of(task: TaskView) -> Architecture:
    """Return the pivot architecture of a task's problem."""
    known = task.dataset.name.startswith(DATASETS)
    return PIVOTS.get(task.prototask.name, USUAL) if known else USUAL


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
        texts = {
            "topology": topology,
            "outputs": outputs,
            "shortcuts": shortcuts,
            "rates": rates,
            "stop": stop,
        }
        self.settings = texts
        """The parameters, as texts."""

    def architecture(self, task: TaskView) -> Architecture:
        """Return what lies between inputs and outputs."""
        found = pivot_of(task)
        if self.topology != "pivot":
            hidden = () if self.topology == "none" else tuple(map(int, self.topology.split("+")))
            found = Architecture(hidden, squashed=False)
        return found if self.outputs == "pivot" else found._replace(squashed=self.outputs == "sigmoid")

    @property
    def description(self) -> tuple[str, str]:
        """Summary and documentation, which answer the report's check list."""
        told = ", ".join(f"{key} {value}" for key, value in self.settings.items())
        limits, rates = dict(self.stop), self.rates
        words = {
            "GL": f"the generalization loss was above {limits.get('GL', 0):g} percent",
            "UP": f"the validation error had grown in {limits.get('UP', 0):g} strips of 5 epochs in a row",
            "PQ": f"generalization loss / progress P5 was above {limits.get('PQ', 0):g}",
        }
        said = {
            "stop": " and ".join(words[name] for name in limits),
            "low": rates.first_steps[0],
            "high": rates.first_steps[1],
        }
        summary = f"A feed-forward network trained by RPROP and stopped early: {told}.\n"
        return summary, DOCUMENTATION.format(name=self.name, told=told, **said, **rates._asdict())

    def codings(self, task: TaskView) -> dict[int, Coding]:
        """Targets are coded as PROBEN1's are: a column a class, or one of zeros and ones."""
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
        learned, judged = (Examples(inputs[rows], instance.train_targets[rows]) for rows in (learn, held))
        shape = self.architecture(instance.task)
        width = inputs.shape[1], shape.hidden, instance.train_targets.shape[1]
        network = Network(*width, squashed=shape.squashed, shortcuts=self.shortcuts)
        run = train(network, self.rates, self.stop, learned, judged, rngs=[rng])[0]
        weights = run.weights[np.newaxis]
        errors = np.mean((network.predict(weights, judged.inputs)[0] - judged.targets) ** 2, axis=0)
        with predicting():
            said = network.predict(weights, test)[0]
        outputs = _Outputs(said, errors)
        found = outputs.fit_predict(instance, rng)
        plain = None if found.probabilities is None else outputs.activations(instance.targets[0])
        text = training_text(network, run, len(learn), len(held))
        return replace(found, outputs=plain, records={"Training": text})


class RpropLinear1(Rprop):
    """Direct connections from inputs to outputs only: section 3.3.1."""

    def __init__(self) -> None:
        super().__init__("rprop-linear-1", topology="none", rates="linear", stop="GL5")


class RpropPivot1(Rprop):
    """The pivot architecture, each layer connected to all later ones: section 3.3.3."""

    def __init__(self) -> None:
        super().__init__("rprop-pivot-1")


class RpropNoshortcut1(Rprop):
    """The pivot architecture, each layer connected to the next one: section 3.3.3."""

    def __init__(self) -> None:
        super().__init__("rprop-noshortcut-1", shortcuts="none")


def _held_out(instance: LearningInstance, rng: Generator) -> np.ndarray:
    """Return the rows of the validation cases: those of the task, else a third drawn at random."""
    if len(instance.validation):
        return instance.validation
    cases = len(instance.train_inputs)
    return np.sort(rng.permutation(cases)[: max(cases // 3, 1)])


class _Outputs(PerTargetMethod):
    """What a trained network says of test cases. outputs: shape (cases, columns of targets); errors: mean
    squared ones of the validation set, one a column."""

    name = "outputs"

    def __init__(self, outputs: np.ndarray, errors: np.ndarray) -> None:
        self.outputs, self.errors = outputs, errors

    def predict_number(self, problem: NumberProblem, rng: Generator) -> NumberPrediction:
        place = _columns(problem.target).start
        return gaussian_prediction(self.outputs[:, place], float(self.errors[place]))

    def predict_classes(self, problem: ClassProblem, rng: Generator) -> np.ndarray:
        shares = np.clip(self.activations(problem.target), 0.0, 1.0) + 1e-9
        shares /= shares.sum(axis=1, keepdims=True)
        known = frequencies(problem.classes, problem.count)
        return (1 - CLASS_WEIGHT) * shares + CLASS_WEIGHT * known

    def guess_classes(self, problem: ClassProblem, probabilities: np.ndarray) -> np.ndarray:
        """The winner takes all."""
        return np.argmax(self.activations(problem.target), axis=1)

    def activations(self, target: CodedAttribute | None) -> np.ndarray:
        """Return an output a class, shape (cases, classes)."""
        found = self.outputs[:, _columns(target)]
        if found.shape[1] > 1 or target is None:
            return found
        first, second = target.codes[:, 0]
        share = (found - first) / (second - first)
        return np.hstack([1 - share, share])


def _columns(target: CodedAttribute | None) -> slice:
    return slice(0, None) if target is None else target.columns


def training_text(network: Network, run: TrainedRun, learned: int, held: int) -> str:
    """Return `Training.n`: what the network is, how long it was trained, and a line a strip."""
    nodes = "-".join(map(str, (network.inputs, *network.hidden, network.outputs)))
    which = "including all shortcut connections" if network.shortcuts else "between adjacent layers"
    facts = {
        "Network": f"{nodes}, all feed forward connections {which}",
        "Outputs": "sigmoid" if network.squashed else "linear",
        "Weights": network.weights,
        "Total-Epochs": run.epochs,
        "Relevant-Epochs": run.relevant,
        "Connection-Traversals": network.weights * (run.epochs * (2 * learned + 1) + len(run.curve) * held),
    }
    lines = [f"{key}: {value}" for key, value in facts.items()]
    rows = [f"{int(row[0])} {' '.join(f'{value:.6g}' for value in row[1:])}" for row in run.curve]
    return "\n".join([*lines, "Curve: epoch training validation GL P", *rows]) + "\n"
