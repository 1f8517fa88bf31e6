"""The networks of the PROBEN1 report: RPROP, stopped by a validation set, the best epoch kept.

`rprop-linear-1` has no hidden nodes, `rprop-pivot-1` the pivot architecture of its problem with all shortcut
connections, `rprop-noshortcut-1` the same without them. Other tasks have the commonest pivot architecture,
and, where they have no validation set, a third of the training cases for one. Outputs are guesses; cut to 0
to 1 and normalised they are probabilities; the validation error is the variance of a number. Source: L.
Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994, section 3.3 and table 7."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from delvecore.methods.protocol import CodedAttribute, LearningInstance, Predictions, TaskView
from delvecore.methods.rprop_training import LINEAR, MULTILAYER, Examples, Network, TrainedRun, train
from delvecore.methods.standard import InputMethod, gaussian_prediction, usable_inputs
from delvecore.methods.targets import (
    ClassProblem,
    NumberPrediction,
    NumberProblem,
    PerTargetMethod,
    frequencies,
)
from delvecore.model import Coding

__all__ = ["PIVOTS", "Architecture", "RpropLinear1", "RpropNoshortcut1", "RpropPivot1", "pivot_of"]

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


def pivot_of(task: TaskView) -> Architecture:
    """Return the pivot architecture of a task's problem."""
    known = task.dataset.name.startswith(DATASETS)
    return PIVOTS.get(task.prototask.name, USUAL) if known else USUAL


class _Rprop(InputMethod):
    """A network trained once. rule: how; shortcuts: are there all of them, or none?"""

    rule, shortcuts = MULTILAYER, True

    def architecture(self, task: TaskView) -> Architecture:
        """Return what lies between inputs and outputs."""
        return pivot_of(task)

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
        run = train(network, self.rule, learned, judged, [rng])[0]
        said = [network.predict(run.weights[np.newaxis], rows)[0] for rows in (judged.inputs, test)]
        errors = np.mean((said[0] - judged.targets) ** 2, axis=0)
        outputs = _Outputs(said[1], errors)
        found = outputs.fit_predict(instance, rng)
        plain = None if found.probabilities is None else outputs.activations(instance.targets[0])
        text = training_text(network, run, len(learn), len(held))
        return replace(found, outputs=plain, records={"Training": text})


class RpropLinear1(_Rprop):
    """Direct connections from inputs to outputs only."""

    name = "rprop-linear-1"
    rule = LINEAR

    def architecture(self, task: TaskView) -> Architecture:
        return Architecture((), squashed=False)


class RpropPivot1(_Rprop):
    """The pivot architecture, each layer connected to all later ones."""

    name = "rprop-pivot-1"


class RpropNoshortcut1(_Rprop):
    """The pivot architecture, each layer connected to the next one."""

    name = "rprop-noshortcut-1"
    shortcuts = False


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
