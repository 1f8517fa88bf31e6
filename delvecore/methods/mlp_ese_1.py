"""mlp-ese-1: ensembles of networks that stop early. What it does in detail is said in its description."""

import numpy as np

from delvecore.methods.networks import Network, train_network
from delvecore.methods.standard import (
    InputMethod,
    make_folds,
    standard_inputs,
    standard_problem,
)
from delvecore.methods.targets import ClassProblem, NumberPrediction, NumberProblem

__all__ = ["MlpEse1", "hidden_units"]

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

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        standard = standard_problem(problem)
        values = standard.values[:, np.newaxis]
        held, tested = _committee(standard.train, values, standard.test, Network("squares", 1), rng)
        return standard.prediction(tested[:, 0], float(np.mean((held - values) ** 2)))

    def predict_classes(self, problem: ClassProblem, rng: np.random.Generator) -> np.ndarray:
        train, test = standard_inputs(problem.instance)
        members = np.eye(problem.count)[problem.classes]
        _, tested = _committee(train, members, test, Network("logs", problem.count), rng)
        everyone = (members.sum(axis=0) + 1) / (len(members) + problem.count)
        return (1 - CLASS_WEIGHT) * tested + CLASS_WEIGHT * everyone


def hidden_units(cases: int, inputs: int, outputs: int) -> int:
    """Return the least number of units with which a network has as many weights as training cases."""
    needed = cases * outputs - outputs * (inputs + 1)
    return int(np.clip(-(-needed // (inputs + 1 + outputs)), FEWEST_UNITS, MOST_UNITS))


def _committee(
    train: np.ndarray, targets: np.ndarray, test: np.ndarray, network: Network, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return mean outputs for training cases, of the networks that each stopped, and for test cases."""
    train, test = np.clip(train, -FURTHEST, FURTHEST), np.clip(test, -FURTHEST, FURTHEST)
    held_out, tested = np.zeros(targets.shape), np.zeros((len(test), targets.shape[1]))
    for _ in range(DIVISIONS):
        for learn, held in make_folds(len(train), PARTS, rng):
            units = hidden_units(len(learn), train.shape[1], targets.shape[1])
            trained = train_network(
                network, (train[learn], targets[learn]), (train[held], targets[held]), units, rng
            )
            held_out[held] += trained.outputs(train[held]) / DIVISIONS
            tested += trained.outputs(test) / (DIVISIONS * PARTS)
    return held_out, tested
