"""How much memory do the commands that make files take with a dataset of a gigabyte?"""

import os
import subprocess
import sys
import tempfile

from benchmarks.made_tasks import write_large_dataset
from benchmarks.results import Finding

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
        beside = _peak([sys.executable, "-c", _READ, data], root)
        commands = {"dgenorder": prototask, "dgenproto": prototask, "mgendata": task}
        found = []
        for name, place in commands.items():
            options = [] if name == "dgenorder" else ["-q"]
            peak = _peak([sys.executable, "-m", f"delvecore.cli.{name}", *options, place], root)
            found.append(_finding(name, peak, beside, note))
        return found


def _peak(command, root) -> float:
    """Run a command to its end; return the most memory that it took, in megabytes."""
    process = subprocess.Popen(command, env={**os.environ, "DELVE_PATH": root}, stdin=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_maxrss * unit / 1e6


def _finding(name, peak, beside, note):
    ratio = f"{beside / peak:.1f}x less"
    return Finding(
        f"memory of `{name}`", f"{peak:.0f} MB", f"{beside:.0f} MB", ratio, f"{GOAL} MB", peak < GOAL, note
    )
