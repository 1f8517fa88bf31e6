"""How long does `delve import` take for a gigabyte of CSV, and how much memory?"""

import os
import sys
import tempfile

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from benchmarks.results import Finding
from benchmarks.timing import costs_of

BYTES = 1_000_000_000
ROWS = 200_000
GOAL_SECONDS, GOAL_MEGABYTES = 60, 1000
_READ = "import sys, pandas; pandas.read_csv(sys.argv[1])"
_NOTE = (
    "A CSV file of {size:.2f} GB, {cases:,} cases of 14 real, 2 whole and 3 categorical columns and a "
    "target, some with missing values. Seconds of the processor were {own:.0f}, of `pandas.read_csv` alone, "
    "which stands beside it, {other:.0f}; largest resident memory of a process of its own."
)


def measure(*, size: int = BYTES) -> list[Finding]:
    """Import a made file once; read it by pandas."""
    with tempfile.TemporaryDirectory() as parent:
        path = os.path.join(parent, "made.csv")
        cases = _write(path, size)
        into = os.path.join(parent, "delve-made")
        given = ["import", path, "--target", "y", "--into", into]
        own = costs_of([sys.executable, "-m", "delvecore.cli.delve", *given])
        other = costs_of([sys.executable, "-c", _READ, path])
        note = _NOTE.format(
            size=os.path.getsize(path) / 1e9, cases=cases, own=own.processor, other=other.processor
        )
    return [
        Finding(
            what="a gigabyte of CSV imported",
            measured=f"{own.seconds:.0f} s",
            beside=f"`pandas.read_csv` {other.seconds:.0f} s",
            ratio=f"{own.seconds / other.seconds:.1f}x as long",
            goal=f"{GOAL_SECONDS} s",
            reached=own.seconds <= GOAL_SECONDS,
            note=note,
        ),
        Finding(
            what="memory of `delve import`",
            measured=f"{own.megabytes:.0f} MB",
            beside=f"{other.megabytes:.0f} MB",
            ratio=f"{other.megabytes / own.megabytes:.1f}x less",
            goal=f"{GOAL_MEGABYTES} MB",
            reached=own.megabytes <= GOAL_MEGABYTES,
            note=note,
        ),
    ]


def _write(path: str, size: int) -> int:
    """Write cases until a file has so many bytes; return how many."""
    rng, cases = np.random.default_rng(1), 0
    with open(path, "wb") as file:
        while file.tell() < size:
            options = arrow_csv.WriteOptions(include_header=not cases)
            arrow_csv.write_csv(_table(rng), file, options)
            cases += ROWS
    return cases


def _table(rng: np.random.Generator) -> pa.Table:
    columns = {f"x{number}": pa.array(rng.normal(size=ROWS)) for number in range(13)}
    columns["gaps"] = pa.array(rng.normal(size=ROWS), mask=rng.random(ROWS) < 0.1)
    columns |= {f"n{most}": pa.array(rng.integers(0, most, ROWS)) for most in (1000, 5)}
    for name, most in (("colour", 3), ("city", 200), ("sold", 2)):
        words = np.array([f"{name} {number}" for number in range(most)])
        columns[name] = pa.array(words[rng.integers(0, most, ROWS)], mask=rng.random(ROWS) < 0.05)
    return pa.table(columns | {"y": pa.array(rng.normal(size=ROWS))})
