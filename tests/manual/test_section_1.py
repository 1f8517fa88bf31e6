"""Section 1.3, the walk-through: what it types works as it is typed, with the archive that ships."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
WALK = """
cd $HOME
mkdir delve delve/data delve/methods
DELVE_PATH=/archive/delve:$HOME/delve
export DELVE_PATH
dls /demo
mls -l /
dmore /demo/Summary
dinfo /demo
cd delve/methods
mkdir mymethod
cd mymethod
mgendir demo/age
cd demo/age/std.256
mgendata
minfo
awk ' { print "0.0" } ' test.0 > cguess.S.0
awk ' { print "0.0" } ' test.1 > cguess.S.1
awk ' { print "0.0" } ' test.2 > cguess.S.2
awk ' { print "0.0" } ' test.3 > cguess.S.3
mloss -l S
mstats -l S
mstats -l S -c lin-1
"""
CLOSING = """
cd $HOME/delve/methods
mkdir METHOD
cd METHOD
mgendir demo/age
cd demo/age/std.256
mloss
cd $HOME/delve/methods/mymethod/demo/age/std.256
mstats -l S -c METHOD
"""


@pytest.fixture(scope="module")
def walked(tmp_path_factory, programs):
    """What a shell answers to the walk-through, and to its closing exercise with two methods: the losses of
    lin-1 are in the archive, those of ridge-cv-1 are not."""
    home = tmp_path_factory.mktemp("home")
    parts = [WALK, *(CLOSING.replace("METHOD", method) for method in ("lin-1", "ridge-cv-1"))]
    script = "set -e\n" + "echo '==== next'\n".join(parts).replace("/archive", str(ROOT / "data"))
    known = {name: value for name, value in os.environ.items() if name != "DELVE_PATH"}
    environment = known | {
        "HOME": str(home),
        "PATH": f"{programs}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["sh", "-c", f"exec 2>&1\n{script}"], stdout=subprocess.PIPE, text=True, env=environment, check=False
    )
    assert (done.returncode, "warning" in done.stdout) == (0, False), done.stdout
    shutil.rmtree(home / "delve")
    return done.stdout.split("==== next\n")


def test_the_walk_through_works_as_typed(walked):
    said = walked[0]
    assert "demo/age/std.512" in said
    assert "  encoding instance 3 test targets..." in said
    assert "  creating loss.S.3..." in said
    assert "Estimated expected loss for /lin-1:" in said
    assert "Based on 4 disjoint training sets, each containing 256 cases and" in said


def test_the_closing_exercise_makes_the_losses_of_a_shipped_method_in_an_own_directory(walked):
    compared = walked[0][walked[0].rindex("/mymethod/demo/age/std.256") :]
    assert walked[1].count("creating loss.S.") == 4
    assert walked[1].endswith(compared)
    assert "Estimated expected loss for /ridge-cv-1:" in walked[2]
    assert "Significance of difference (t-test), p = " in walked[2]
