"""An archive whose methods differ as a test needs them to: losses given, or drawn with a seed."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from delvecore.archive import Archive
from tests.archives import small_archive, write_tree
from tests.dashboard.reading import opened_archive

AGE, SHADE = "/demo/age/std.8", "/demo/shade/std.4"
SHARE = 0.045
"""Makes drawn losses that lie between 0 and 1, as 0-1 losses do."""
Rows = Sequence[Sequence[float]]


def add_losses(archive: Path, method: str, task: str, loss: str, rows: Rows) -> None:
    """Write the loss files of a method, one row per instance, and the baseline of the archive's method `one`."""
    place = f"methods/{method}{task}"
    files = {
        f"{place}/loss.{loss}.{i}": "".join(f"{value!r}\n" for value in row) for i, row in enumerate(rows)
    }
    write_tree(archive, files | {f"methods/{method}/Summary": "A method of the tests.\n"})
    stats = archive / "methods" / "one" / task.strip("/") / "Test-set-stats"
    if stats.exists():
        write_tree(archive, {f"{place}/Test-set-stats": stats.read_text()})


def drawn_losses(
    seed: int, shape: tuple[int, int], *, shift: float = 0.0, unit: float = 1.0
) -> list[list[float]]:
    """Losses with effects of training sets and of test cases; 9 digits, as in a file. unit: multiplies them."""
    rng = np.random.default_rng(seed)
    values = (
        rng.gamma(2, 1, shape) + rng.gamma(2, 1, (1, shape[1])) + shift + rng.normal(0, 0.1, (shape[0], 1))
    )
    return [[float(f"{value * unit:.9g}") for value in row] for row in values]


def compared_archive(
    parent: Path, losses: Mapping[str, Mapping[str, Rows]] | None = None
) -> tuple[Path, Archive]:
    """The small archive with more methods, opened by the dashboard: (path, archive).

    losses: {method: {task: rows}} of squared error on AGE, 0-1 loss on SHADE. None: drawn ones of `near` and
    `far` on both tasks.
    """
    archive = small_archive(parent)
    if losses is None:
        losses = {
            "near": {AGE: drawn_losses(1, (2, 4)), SHADE: drawn_losses(2, (4, 6), unit=SHARE)},
            "far": {
                AGE: drawn_losses(3, (2, 4), shift=9.0),
                SHADE: drawn_losses(4, (4, 6), shift=9.0, unit=SHARE),
            },
        }
    for method, tasks in losses.items():
        for task, rows in tasks.items():
            add_losses(archive, method, task, "S" if task == AGE else "Z", rows)
    return archive, opened_archive(archive)
