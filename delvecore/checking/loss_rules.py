"""Rules for loss files: names, and that they are what `mloss` makes of the predictions that are there.

Source: DELVE manual, section 7.5 and appendix C (`mloss`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from delvecore.errors import ParseError, Report
from delvecore.losses.spec import parse_loss
from delvecore.readers.files import read_text
from delvecore.readers.results import parse_losses

__all__ = ["LossFile", "check_losses", "loss_files"]

NAME = re.compile(r"loss\.(.+)\.(0|[1-9][0-9]*)")
MOST_DIGITS = 9
TOLERANCE = 2e-8
"""Relative difference of two losses that nine digits allow."""
REMEDY = "run mloss again"


@dataclass(frozen=True, order=True)
class LossFile:
    """A loss file's name taken apart, and its path."""

    loss: str
    instance: int
    path: str


def loss_files(files: Mapping[str, str], *, report: Report) -> list[LossFile]:
    """Return the loss files of a task's directory, by loss and instance; report names that are none.

    files: true path by plain name.
    """
    found = []
    for name, path in files.items():
        if not name.startswith("loss."):
            continue
        match = NAME.fullmatch(name)
        if match and len(match[2]) <= MOST_DIGITS and parse_loss(match[1]):
            found.append(LossFile(match[1], int(match[2]), path))
        else:
            expected = "loss.L.n with a loss (A L Q S Z, or such as Z0.2N, Mfile) and an instance's number"
            report(ParseError(path, None, expected, repr(name), "rename it", kind="results"))
    return sorted(found)


def check_losses(file: LossFile, made: np.ndarray, *, report: Report) -> None:
    """Check a loss file against the losses made of the predictions now: shape (cases,), lower is better."""
    try:
        kept = np.array(parse_losses(read_text(file.path), file.path, loss=file.loss), dtype=np.float64)
    except ParseError as error:
        report(error)
        return
    if len(kept) != len(made):
        expected = f"{len(made)} losses, one a test case"
        report(ParseError(file.path, None, expected, f"{len(kept)}", REMEDY, kind="results"))
        return
    other = np.flatnonzero(~_same(kept, made))
    if len(other):
        first = int(other[0])
        expected = f"the loss of the prediction that is there, {made[first]:.9g}"
        found = f"{kept[first]:.9g}" + (f" ({len(other)} of {len(made)} differ)" if len(other) > 1 else "")
        line = _lines(file.path)[first]
        report(ParseError(file.path, line, expected, found, REMEDY, kind="results"))


def _same(kept: np.ndarray, made: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        near = np.abs(kept - made) <= TOLERANCE * np.maximum(np.abs(made), 1e-3)
    return near | (kept == made)


def _lines(path: str) -> list[int]:
    """Return the numbers of the lines that hold a loss."""
    return [number for number, line in enumerate(read_text(path).split("\n"), start=1) if line.strip()]
