"""Objects that learn and predict, as somebody might bring them."""

import random

import numpy as np

from delvecore.methods.base_1 import Base1


class Mean:
    """Predicts the mean of what it learned."""

    def fit(self, inputs, values):
        self.mean = np.mean(values)

    def predict(self, inputs):
        return np.full((len(inputs), 1), self.mean)


class Gaussian(Mean):
    """Tells how sure it is."""

    def fit(self, inputs, values):
        super().fit(inputs, values)
        self.deviation = np.std(values, ddof=1)

    def predict(self, inputs, return_std=False):
        mean = super().predict(inputs)[:, 0]
        return (mean, np.full(len(mean), self.deviation)) if return_std else mean


class Frequencies:
    """Tells the frequencies of the values that it has seen."""

    def fit(self, inputs, classes):
        self.classes_, counts = np.unique(classes, return_counts=True)
        self.shares = counts / counts.sum()

    def predict(self, inputs):
        return np.full(len(inputs), self.classes_[np.argmax(self.shares)])

    def predict_proba(self, inputs):
        return np.tile(self.shares, (len(inputs), 1))


class First:
    """Always predicts the first value."""

    def fit(self, inputs, classes):
        pass

    def predict(self, inputs):
        return np.zeros(len(inputs))


class Seeded:
    """Predicts at random, from a seed that it is given."""

    def __init__(self, seed):
        self.generator = np.random.default_rng(seed)

    def fit(self, inputs, values):
        pass

    def predict(self, inputs):
        return self.generator.normal(size=len(inputs))


class Shared(Seeded):
    """Predicts at random, from the generators that all share."""

    def __init__(self):
        pass

    def predict(self, inputs):
        return np.random.normal(size=len(inputs)) + random.random()


class Generated(Seeded):
    """Predicts at random, from a generator that it is given."""

    def __init__(self, rng):
        self.generator = rng


class Whole(Base1):
    """A method by itself."""

    name = "whole-1"


class Box:
    """Holds a learner."""

    learner = Gaussian()


def make_gaussian():
    return Gaussian()


def fails():
    raise LookupError("no\nluck")


ready = Gaussian()

number = 3
