"""How the methods code their inputs: by default, save for integers with a finite range.

An integer with a finite range, such as the brightness 0..16 of a pixel, may well be the same in all cases of
a small training set, which `nm-abs` cannot encode. Its range says how it is to be scaled, so its coding is
`copy`, and the method itself maps the lowest value of the range to -1 and the highest to +1, as the coding
`-1/+1` does for binary attributes.
"""

import numpy as np

from delvecore.methods.protocol import LearningInstance, TaskView
from delvecore.model import Attribute, Coding

__all__ = ["input_codings", "usable_inputs"]


def input_codings(task: TaskView) -> dict[int, Coding]:
    """Return `copy` for each integer input with a finite range of two values or more, by number."""
    return {
        attribute.number: Coding(attribute.name, "copy", ())
        for attribute, line in task.inputs
        if line.type == "integer" and _bounds(attribute) is not None
    }


def usable_inputs(instance: LearningInstance) -> tuple[np.ndarray, np.ndarray]:
    """Return the inputs of the training and of the test cases, copied integers mapped to -1 .. +1."""
    train, test = instance.train_inputs.copy(), instance.test_inputs.copy()
    for coded in instance.inputs:
        is_copied = coded.kind == "integer" and coded.coding.coding == "copy"
        if is_copied and (bounds := _bounds(coded.attribute)) is not None:
            low, high = bounds
            for inputs in (train, test):
                inputs[:, coded.columns] = (2 * inputs[:, coded.columns] - low - high) / (high - low)
    return train, test


def _bounds(attribute: Attribute) -> tuple[float, float] | None:
    """Return the lowest and highest value of a finite range of integers, None for any other range."""
    if attribute.range.kind != "integer" or attribute.range.categories is None:
        return None
    values = [float(text) for text in attribute.range.categories]
    return (min(values), max(values)) if min(values) < max(values) else None
