"""`delve run` with programs, objects and plug-ins."""

import sys
from pathlib import Path

import pytest

from delvecore.cli import delve
from delvecore.cli.subcommands import run as delve_run
from delvecore.methods import PlugIn
from tests.runner.archive import data_archive
from tests.runner.programs import MEAN

TASK = "/demo/age/std.8"
OBJECT = "class Mean:\n    def fit(self, x, y): self.mean = y.mean()\n    def predict(self, x): return [self.mean] * len(x)\n"


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A directory with a program and a module of one's own, and an archive of data that is active."""
    archive = data_archive(tmp_path)
    (tmp_path / "my-mean.py").write_text(MEAN)
    (tmp_path / "my_learners.py").write_text(OBJECT)
    monkeypatch.setenv("DELVE_PATH", str(archive))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return archive


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("--command", f"{sys.executable} my-mean.py"), Path(sys.executable).name),
        (("--command", f"{sys.executable} my-mean.py", "--name", "mean-1"), "mean-1"),
        (("--object", "my_learners:Mean"), "Mean"),
        (("--object", "my_learners:Mean", "--name", "mean-2"), "mean-2"),
    ],
)
def test_a_method_of_ones_own_is_run_under_its_name_and_goes_on(run_command, own, options, name):
    name = name.removesuffix(".exe")
    outcome = run_command(delve.main, "run", *options, TASK, "-q")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"{name}: 2 instances run, 0 complete before, 0 failed;")
    assert (own / "methods" / name / "demo/age/std.8/loss.S.1").is_file()
    again = run_command(delve.main, "run", *options, TASK, "-q")
    assert again.out.startswith(f"{name}: 0 instances run, 2 complete before, 0 failed;")


def test_a_file_that_python_is_given_names_the_method(run_command, own, monkeypatch):
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    command = f"{Path(sys.executable).name} my-mean.py"
    outcome = run_command(delve.main, "run", "--command", command, TASK, "-q")
    assert outcome.out.startswith("my-mean: 2 instances run")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--command", "./nothing"), "./nothing: expected a program that can be run, found none"),
        (
            ("--object", "my_learners:Mean", "--name", "../x"),
            "expected a name of letters, digits and . _ + - for the method, found '../x'",
        ),
    ],
)
def test_what_is_no_method_is_refused_in_one_line(run_command, own, options, message):
    outcome = run_command(delve.main, "run", TASK, *options)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == f"delve run: {message}\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--command", "a", "--object", "b:c"], "expected one of --command, --object and --workflow"),
        (["base-1", "--time-limit", "3"], "--time-limit: expected --command, found none"),
    ],
)
def test_options_that_do_not_go_together_are_refused(capsys, options, message):
    with pytest.raises(SystemExit, match="2"):
        delve_run.main(options)
    assert message in capsys.readouterr().err


def test_the_list_shows_plug_ins_with_their_distribution(run_command, monkeypatch):
    brought = {name: PlugIn("a:b", "brought 1.2") for name in ("lin-1", "mean-1")}
    monkeypatch.setattr("delvecore.cli.subcommands.run.plug_ins", lambda: brought)
    outcome = run_command(delve.main, "run", "--list")
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1].split(maxsplit=1) == ["mean-1", "from brought 1.2"]
    expected = "brought 1.2: lin-1: expected a name that no method of the project has"
    assert outcome.err == f"delve run: {expected}\n"
