"""Help that needs no library of numbers or tables loads none."""

import contextlib
import os
import subprocess
import sys

import pytest

from delvecore.cli import delve

CLASSIC = ("dcheck", "dgenorder", "dls", "dmore", "mcheck", "mgendir", "mls", "mmore")
SUBCOMMANDS = ("check", "install", "examples")
PROBE = """
import contextlib, io, sys
from importlib import import_module
for module, *words in {calls!r}:
    sys.argv = words
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
        import_module(module).main()
print([name for name in ("numpy", "scipy", "pandas", "pyarrow") if name in sys.modules])
"""


@pytest.mark.parametrize(
    "calls",
    [
        [(f"delvecore.cli.{name}", name, option) for name in CLASSIC for option in ("-h", "--help")],
        [("delvecore.cli.delve", "delve", name, "--help") for name in SUBCOMMANDS],
    ],
    ids=["classic", "delve"],
)
def test_help_loads_no_library_of_numbers_or_tables(calls):
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(calls=calls)], capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


@pytest.mark.parametrize("name", ["run", "dashboard", "like", "publish", "verify"])
def test_commands_that_compute_do_so_in_one_thread(name, monkeypatch, capsys):
    # Of two threads each waits for the other where a machine is busy: three times the processor time.
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    with contextlib.suppress(SystemExit):
        delve.main([name, "--help"])
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
