"""Help loads no NumPy, and the records that it prints have their functions where NumPy is."""

import subprocess
import sys

import pytest

from delvecore.cli import mstats
from delvecore.cli.delve import CLASSIC, COMMANDS
from delvecore.losses.functions import LOSS_FUNCTIONS
from delvecore.losses.standard_losses import LOSS_SPECS, LOSSES
from delvecore.render.answers import WRITERS
from delvecore.render.formats import ANSWER_FORMATS
from tests.archives import small_archive

ASK = """
import contextlib, io, sys
from delvecore.cli.delve import main
for words in {commands}:
    for option in ("--help", "-h"):
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit):
            main([*words, option])
        heavy = sorted({{"numpy", "scipy", "pandas", "pyarrow"}} & set(sys.modules))
        print(" ".join(words), option, len(text.getvalue()) > 500, *heavy)
"""
GROUPS = {
    "delve": [[], ["import", "proben1"], ["export", "proben1"], *([name] for name in COMMANDS)],
    "DELVE 1.1": [[name] for name in CLASSIC],
}


@pytest.mark.parametrize("group", GROUPS)
def test_help_loads_no_numpy(group):
    program = ASK.format(commands=GROUPS[group])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    expected = [f"{' '.join(words)} {option} True" for words in GROUPS[group] for option in ("--help", "-h")]
    assert done.stdout.splitlines() == expected


def test_an_unknown_loss_is_answered_with_the_choices(tmp_path, run_command):
    root = small_archive(tmp_path)
    outcome = run_command(mstats.main, "-l", "XX", "/", directory=root)
    choices = (
        f"expected losses among {' '.join(LOSSES)}, or specialized ones such as Z0.2N and Mcosts, after -l"
    )
    assert outcome.err == f"mstats: {choices}, found 'X'\n"


def test_every_record_has_its_function():
    assert list(LOSS_FUNCTIONS) == list(LOSS_SPECS)
    assert tuple(WRITERS) == ANSWER_FORMATS
