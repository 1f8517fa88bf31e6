"""How much memory do the commands that make files take with a dataset of a gigabyte?"""

import os
import sys
import tempfile

from benchmarks.made_tasks import write_large_dataset
from benchmarks.results import Finding
from benchmarks.timing import costs_of

GOAL = 300
"""Megabytes."""
CASES = 2_500_000

_READ = "import sys, numpy; numpy.loadtxt(sys.argv[1])"
_NOTE = (
    "Largest resident memory of a process of its own, with {cases:,} cases of 33 real attributes, "
    "{size:.2f} GB, in a random order; half of the cases for testing, four training sets of the others. "
    "Beside it: `numpy.loadtxt` of the dataset's file."
)


def measure(*, cases: int = CASES) -> list[Finding]:
    """Run `dgenorder`, `dgenproto` and `mgendata` once each on a made dataset."""
    with tempfile.TemporaryDirectory() as parent:
        root, task = write_large_dataset(parent, cases)
        data = os.path.join(root, "data", "large", "Dataset.data")
        prototask = os.path.join(root, "data", "large", "made")
        note = _NOTE.format(cases=cases, size=os.path.getsize(data) / 1e9)
        beside = costs_of([sys.executable, "-c", _READ, data]).megabytes
        commands = {"dgenorder": prototask, "dgenproto": prototask, "mgendata": task}
        found = []
        for name, place in commands.items():
            options = [] if name == "dgenorder" else ["-q"]
            command = [sys.executable, "-m", f"delvecore.cli.{name}", *options, place]
            peak = costs_of(command, DELVE_PATH=root).megabytes
            found.append(_finding(name, peak, beside, note))
        return found


def _finding(name, peak, beside, note):
    ratio = f"{beside / peak:.1f}x less"
    return Finding(
        f"memory of `{name}`", f"{peak:.0f} MB", f"{beside:.0f} MB", ratio, f"{GOAL} MB", peak < GOAL, note
    )
