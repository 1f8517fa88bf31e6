"""Learners that say what they saw."""

import numpy as np


class LastValue:
    """Predicts the number of cases that it learned from, or the last value of them."""

    def __init__(self, counts: bool = False) -> None:
        self.counts = counts

    def fit(self, inputs: np.ndarray, values: np.ndarray) -> None:
        self.value = len(values) if self.counts else values[-1]

    def predict(self, inputs: np.ndarray) -> list[float]:
        return [self.value] * len(inputs)
