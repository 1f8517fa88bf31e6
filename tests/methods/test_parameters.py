"""Parameters in the names of methods."""

import pytest

from delvecore.cli.delve import main
from delvecore.cli.mcheck import main as mcheck
from delvecore.errors import DelveError
from delvecore.methods import load_method
from tests.importers.proben1_files import PUMP


@pytest.mark.parametrize(
    ("text", "directory"),
    [
        ("rprop", "rprop"),
        ("rprop()", "rprop"),
        ("rprop(stop=GL2, outputs=pivot)", "rprop"),
        ("rprop(outputs=linear,topology=16+8)", "rprop-topology-16+8-outputs-linear"),
        ("rprop(topology=32+0)", "rprop-topology-32"),
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
            "rprop(stop=GL5+GL2)",
            "rprop: expected stop=criteria joined by +, each once: GL5, UP8, PQ3, with other numbers too, "
            "found 'GL5+GL2'",
        ),
        (
            "rprop(layers=2)",
            "rprop: expected one of the parameters topology, outputs, shortcuts, rates, stop, found 'layers'",
        ),
        ("lin-1(ridge=1)", "lin-1: expected no parameters, found 'ridge'"),
        ("rprop(stop=GL5", "rprop(stop=GL5: expected ) at the end, found none"),
        ("rprop(stop)", "rprop(stop): expected NAME(PARAMETER=VALUE, ...), each once, found 'stop'"),
    ],
)
def test_what_is_no_parameter_is_refused_with_what_is_allowed(text, message):
    with pytest.raises(DelveError) as caught:
        load_method(text)
    assert str(caught.value) == message


@pytest.mark.parametrize("topology", ["0", "16x8", "16+", "-4", "99999", ""])
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
    assert main(["run", "rprop(topology=4, stop=GL5)", TASK, "-q"]) == 0
    place = pump / "methods" / "rprop-topology-4-stop-GL5"
    assert "topology 4, outputs pivot" in (place / "Summary").read_text()
    assert "stop: GL5\n" in (place / "Source/Settings").read_text()
    head = (place / TASK[1:] / "Training.0").read_text().splitlines()[:2]
    assert head == [
        "Network: 9-4-3, all feed forward connections including all shortcut connections",
        "Outputs: linear",
    ]
    capsys.readouterr()
    mcheck(["-cq", f"/{place.name}"])
    assert "PROBEN1, section" not in capsys.readouterr().out


def test_a_file_tells_parameters_in_lists(pump):
    (pump / "search.toml").write_text(
        '[learner]\nmethod = "rprop"\n[learner.parameters]\ntopology = [2, "2+2"]\nrates = "search"\n'
    )
    assert main(["run", "--workflow", "search.toml", TASK, "-q"]) == 0
    heads = [(pump / "methods" / f"search.v{n}" / TASK[1:] / "Training.0").read_text()[:16] for n in (1, 2)]
    assert heads == ["Network: 9-2-3, ", "Network: 9-2-2-3"]


def test_a_file_with_a_wrong_parameter_is_refused_at_its_line(pump, capsys):
    (pump / "search.toml").write_text('[learner]\nmethod = "rprop"\n[learner.parameters]\nrates = "fast"\n')
    assert main(["run", "--workflow", "search.toml", TASK]) == 1
    assert "search.toml:" in (said := capsys.readouterr().err)
    assert "expected rates=pivot, linear or search, found 'fast'" in said
