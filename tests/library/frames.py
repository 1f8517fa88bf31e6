"""Frames of scores for the tests of the library, drawn once."""

import numpy as np
import pandas as pd

__all__ = ["METHODS", "long_frame", "wide_frame"]

METHODS = ("ada", "bagging", "cart")


def wide_frame(tasks: int = 12, methods=METHODS) -> pd.DataFrame:
    """Accuracies of methods, the later ones lower, on tasks named d0, d1, ..., as columns of methods."""
    random = np.random.default_rng(7)
    values = random.normal(0.8, 0.05, (tasks, 1)) - 0.03 * np.arange(len(methods))
    values = values + random.normal(0, 0.01, (tasks, len(methods)))
    names = pd.Index([f"d{number}" for number in range(tasks)], name="dataset")
    return pd.DataFrame(values, index=names, columns=list(methods))


def long_frame(folds: int = 5) -> pd.DataFrame:
    """The same, with folds whose mean is the value of the wide frame: a row per dataset, method and fold."""
    wide = wide_frame().reset_index().melt(id_vars="dataset", var_name="classifier", value_name="accuracy")
    moved = np.linspace(-0.01, 0.01, folds)
    return pd.concat([wide.assign(fold=k, accuracy=wide["accuracy"] + move) for k, move in enumerate(moved)])
