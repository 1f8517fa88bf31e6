"""The registered methods."""

import re
import sys
from pathlib import Path

import pytest

import delvecore.methods
from delvecore.cli.delve import main
from delvecore.cli.mcheck import main as mcheck
from delvecore.errors import DelveError
from delvecore.methods import METHODS, distribution_of, load_method, plug_ins
from delvecore.methods.objects import ObjectMethod
from tests.importers.proben1_files import PUMP
from tests.methods.learners import Whole

CODE = Path(delvecore.methods.__file__).parent


@pytest.mark.parametrize("name", METHODS)
def test_every_module_of_the_package_that_a_method_uses_is_listed(name):
    listed = set(METHODS[name].modules)
    for module in listed:
        text = (CODE / f"{module}.py").read_text()
        used = set(re.findall(r"from delvecore\.methods\.(\w+) import", text))
        assert used <= listed, f"{module} uses {sorted(used - listed)}"


POINTS = """[delvecore.methods]
whole-1 = tests.methods.learners:Whole
mean-1 = tests.methods.learners:Mean
lin-1 = tests.methods.learners:Mean
lost-1 = tests.methods.learners:lost
"""


@pytest.fixture
def _installed(tmp_path, monkeypatch):
    """A distribution with four plug-ins, as an installer leaves it."""
    directory = tmp_path / "site" / "brought-1.2.dist-info"
    directory.mkdir(parents=True)
    (directory / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.2\n")
    (directory / "entry_points.txt").write_text(POINTS)
    monkeypatch.setattr(sys, "path", [*sys.path, str(directory.parent)])


@pytest.mark.usefixtures("_installed")
def test_plug_ins_are_found_with_their_distribution():
    by_name = {name: distribution_of(point) for name, point in plug_ins().items()}
    assert by_name == dict.fromkeys(("lin-1", "lost-1", "mean-1", "whole-1"), "brought 1.2")


@pytest.mark.usefixtures("_installed")
def test_plug_ins_are_loaded_by_name_and_those_of_the_project_come_first():
    assert isinstance(load_method("whole-1"), Whole)
    mean = load_method("mean-1")
    assert isinstance(mean, ObjectMethod)
    assert mean.name == "mean-1"
    assert type(load_method("lin-1")).__module__ == "delvecore.methods.lin_1"


@pytest.mark.usefixtures("_installed")
def test_a_plug_in_that_cannot_be_loaded_says_why():
    with pytest.raises(DelveError, match=r"tests\.methods\.learners:lost: expected an object that"):
        load_method("lost-1")
    with pytest.raises(DelveError, match=r"whole-1\), found 'nothing'"):
        load_method("nothing")


@pytest.mark.parametrize(
    ("text", "directory"),
    [
        ("rprop", "rprop"),
        ("rprop(outputs=linear,topology=16+8)", "rprop-topology-16+8-outputs-linear"),
        ("rprop( stop = PQ3+GL5.0+UP8 )", "rprop-stop-GL5+UP8+PQ3"),
    ],
)
def test_a_directory_is_named_by_parameters_that_are_not_the_default_in_one_spelling(text, directory):
    assert load_method(text).name == directory


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rprop(rates=fast)", "rprop: expected rates=pivot, linear or search, found 'fast'"),
        ("rprop(shortcuts=../x)", "rprop: expected shortcuts=all or none, found '../x'"),
        (
            "rprop(layers=2)",
            "rprop: expected one of the parameters topology, outputs, shortcuts, rates, stop, found 'layers'",
        ),
        ("rprop(stop=GL5", "rprop(stop=GL5: expected ) at the end, found none"),
    ],
)
def test_what_is_no_parameter_is_refused_with_what_is_allowed(text, message):
    with pytest.raises(DelveError) as caught:
        load_method(text)
    assert str(caught.value) == message


@pytest.mark.parametrize("topology", ["0", "16x8", "99999", ""])
def test_hidden_nodes_are_numbers_above_zero(topology):
    with pytest.raises(DelveError, match="topology"):
        load_method(f"rprop(topology={topology})")


@pytest.fixture
def pump(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["import", "proben1", str(PUMP / "pump1.dt"), "--into", "delve-p"]) == 0
    (tmp_path / "delve-p/methods").mkdir(exist_ok=True)
    monkeypatch.chdir(tmp_path / "delve-p")
    return tmp_path / "delve-p"


TASK = "/proben1-pump/pump1/std.240"


def test_a_run_says_its_parameters_and_answers_the_check_list(pump, capsys):
    # Report, section 2.11: initialization, parameters, stopping, and how they were found.
    assert main(["run", "rprop(topology=4, stop=GL5)", TASK, "-q", "--workers", "1"]) == 0
    place = pump / "methods" / "rprop-topology-4-stop-GL5"
    assert "topology 4, outputs pivot" in (place / "Summary").read_text()
    assert "stop: GL5\n" in (place / "Source/Settings").read_text()
    head = (
        "Network: 9-4-3, all feed forward connections including all shortcut connections\nOutputs: linear\n"
    )
    assert (place / TASK[1:] / "Training.0").read_text().startswith(head)
    capsys.readouterr()
    mcheck(["-cq", f"/{place.name}"])
    assert "PROBEN1, section" not in capsys.readouterr().out


def test_a_file_tells_parameters_in_lists(pump):
    (pump / "search.toml").write_text(
        '[learner]\nmethod = "rprop"\n[learner.parameters]\ntopology = [2, "2+2"]\nrates = "search"\n'
    )
    assert main(["run", "--workflow", "search.toml", TASK, "-q", "--workers", "1"]) == 0
    heads = [(pump / "methods" / f"search.v{n}" / TASK[1:] / "Training.0").read_text()[:16] for n in (1, 2)]
    assert heads == ["Network: 9-2-3, ", "Network: 9-2-2-3"]


def test_a_file_with_a_wrong_parameter_is_refused_at_its_line(pump, capsys):
    (pump / "search.toml").write_text('[learner]\nmethod = "rprop"\n[learner.parameters]\nrates = "fast"\n')
    assert main(["run", "--workflow", "search.toml", TASK]) == 1
    assert "search.toml:" in (said := capsys.readouterr().err)
    assert "expected rates=pivot, linear or search, found 'fast'" in said
