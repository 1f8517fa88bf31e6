"""Plain readers of the committed files, so that these tests lean on no reader of the project."""

from pathlib import Path

import numpy as np

from tests.data_archive import DATA

DATASETS = DATA / "delve" / "data"


def rows_of(dataset: str) -> list[list[str]]:
    """The cases of a dataset as lists of words."""
    return [line.split() for line in (DATASETS / dataset / "Dataset.data").read_text().splitlines()]


def keys_of(specification: Path) -> dict[str, str]:
    """The `Key: value` lines of a specification."""
    lines = specification.read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith(" "))


def numbers_of(text: str) -> list[int]:
    """The whole numbers of a value such as `32 64 128`."""
    return [int(word) for word in text.split()]


def numeric_cases(dataset: str) -> np.ndarray:
    """The cases of a dataset with numbers only, shape (cases, attributes)."""
    return np.loadtxt(DATASETS / dataset / "Dataset.data")
