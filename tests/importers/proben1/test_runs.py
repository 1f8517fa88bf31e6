"""Methods on a problem of PROBEN1's form, from the file to checked results."""

import pytest

from delvecore.cli.delve import main
from delvecore.cli.mcheck import main as mcheck
from tests.importers.proben1.files import PUMP


@pytest.mark.slow
def test_the_made_problem_runs_with_the_networks_and_is_checked(tmp_path, monkeypatch, capsys):
    (tmp_path / "delve-p/data").mkdir(parents=True)
    (tmp_path / "delve-p/methods").mkdir()
    monkeypatch.chdir(tmp_path / "delve-p")
    assert main(["import", "proben1", str(PUMP), "--runs", "2"]) == 0
    for method in ("lin-1", "rprop-linear-1", "rprop-pivot-1", "rprop-noshortcut-1"):
        assert main(["run", method, "/proben1-pump/pump1/std.240"]) == 0
        task = tmp_path / "delve-p/methods" / method / "proben1-pump/pump1/std.240"
        names = {path.name for path in task.iterdir()}
        assert {"guess.0", "guess.1", "loss.Z.0", "loss.Z.1", "prob.0"} <= names
        assert ("Training.1" in names) is method.startswith("rprop")
        assert ("outputs.1" in names) is method.startswith("rprop")
        capsys.readouterr()
        mcheck([f"/{method}"])
        said = capsys.readouterr()
        assert "std.240:" not in said.out + said.err, "nothing is wrong with its results"
