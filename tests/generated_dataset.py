"""A dataset whose cases are generated: the shipped kin-8fm in a delve directory of its own, with fewer cases.

The text that the simulator makes is replaced, so that building takes no time.
"""

import hashlib
from pathlib import Path

import pytest

from delvecore.simulators import simulate
from tests.archives import write_tree

LINES = "".join(f"{x} {2 * x}.5\n" for x in range(20))
SUM = hashlib.sha256(LINES.encode()).hexdigest()
SPECIFICATION = """\
Title: Twice and a half
Origin: artificial
Usage: development
Order: uninformative
Attributes:
 1 X u 0..Inf
 2 Y u [0,Inf)
"""
PROTOTASK = """\
Cases: all
Origin: artificial
Inputs: 1
Order: retain
Targets: 2
Test-Set-Size: 8
Training-Set-Sizes: 4
Test-Set-Selection: hierarchical
Maximum-Number-Of-Instances: 2
"""
GENERATOR = f"Generator: kin-8fm\nCases: 20\nSHA-256: {SUM}\n"
ARRAY = """\
Title: Twins
Factors:
  slope  1: one | 2: two
Members:
  none/y/std  1
  twice/y/std  2
"""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the generators that were called; the text is always LINES."""
    called: list[str] = []

    def simulated_text(name):
        called.append(name)
        return LINES.encode()

    monkeypatch.setattr(simulate, "simulated_text", simulated_text)
    return called


@pytest.fixture
def generated(tmp_path: Path, calls: list[str]) -> Path:
    """A delve directory with the dataset `twice` and the task-array `twins`, of which one member is a hole."""
    return write_tree(
        tmp_path / "delve",
        {
            "data/twice/Dataset.spec": SPECIFICATION,
            "data/twice/Dataset.generator": GENERATOR,
            "data/twice/Summary": "Twice.\n",
            "data/twice/Source/Notes": "Made up.\n",
            "data/twice/y/Prototask.spec": PROTOTASK,
            "data/twice/y/std.prior": "1 NLMH integer\n2 NLMH real\n",
            "data/twins/Array.spec": ARRAY,
            "methods/.keep": "",
        },
    )
