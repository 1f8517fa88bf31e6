"""A delve directory with tasks whose instances share cases, for tests: folds, leave-one-out, holdout."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.archives import small_archive, write_tree

__all__ = ["CASES", "folds", "instances_text", "overlapping_archive"]

CASES = list(range(1, 25))


def folds(count: int) -> list[list[int]]:
    """Return test sets in which every case is once."""
    return [CASES[fold::count] for fold in range(count)]


def instances_text(tests: Sequence[Sequence[int]]) -> str:
    """Return the text of a file in which all other cases train."""
    parts = []
    for number, test in enumerate(tests):
        training = " ".join(str(case) for case in CASES if case not in test)
        parts.append(f"Instance: {number}\nTraining: {training}\nTest: {' '.join(map(str, test))}\n")
    return "".join(parts)


def overlapping_archive(parent: Path) -> Path:
    """The small archive, with losses S of `one` and `two` on tasks of `/demo/age`: `std.21` (eight folds),
    `std.23` (leave-one-out) and `std.18` (five holdout sets)."""
    draws = np.random.default_rng(3)
    holdout = [sorted(draws.choice(CASES, 6, replace=False).tolist()) for _ in range(5)]
    files = {}
    for size, tests in ((21, folds(8)), (23, folds(24)), (18, holdout)):
        files[f"data/demo/age/std.{size}.instances"] = instances_text(tests)
        for method, more in (("one", 0.0), ("two", 0.5)):
            for number, test in enumerate(tests):
                losses = draws.gamma(2, size=len(test)) + more
                text = "".join(f"{loss:.6g}\n" for loss in losses)
                files[f"methods/{method}/demo/age/std.{size}/loss.S.{number}"] = text
    return write_tree(small_archive(parent, "delve-overlap"), files)
