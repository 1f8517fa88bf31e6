"""Own delve directories beside the archive that ships with the program: the same names are no fault."""

import pytest

import delvecore
from delvecore.cli.delve import main
from delvecore.cli.mstats import main as mstats
from delvecore.errors import ParseError
from delvecore.readers import hierarchy as readers_hierarchy
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import method_tasks
from tests.archives import small_archive, write_tree

OWN_DATA = {"data/demo/Dataset.spec": "Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 A u 0..9\n"}
OWN_DATA |= {"data/demo/Dataset.data": "1\n2\n", "data/demo/Summary": "Mine.\n"}
OWN_RESULTS = {"methods/one/demo/age/std.8/loss.S.0": "1\n2\n3\n4\n", "methods/one/Summary": "Changed.\n"}


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    root = small_archive(tmp_path, "delve")
    monkeypatch.setattr(readers_hierarchy, "default_directories", lambda: [str(root)])
    return root


def own(tmp_path, files):
    root = write_tree(tmp_path / "delve-own", files)
    for part in ("data", "methods"):
        (root / part).mkdir(exist_ok=True)
    return root


def problems(*roots):
    return delvecore.open([str(root) for root in roots], cache=False).problems.to_pylist()


@pytest.mark.parametrize("first", ["own", "shipped"])
def test_an_own_dataset_hides_the_shipped_one_and_all_results_on_it(first, tmp_path, shipped):
    mine = own(tmp_path, OWN_DATA)
    roots = [mine, shipped] if first == "own" else [shipped, mine]
    hierarchy = Hierarchy(map(str, roots))
    assert hierarchy.find("data", "demo", "Dataset.spec") == str(mine / "data/demo/Dataset.spec")
    assert hierarchy.directories("data", "demo", "age") == []
    assert hierarchy.directories("methods", "one", "demo") == []
    assert hierarchy.find("methods", "one", "Summary") == str(shipped / "methods/one/Summary")
    archive = delvecore.open([str(root) for root in roots], cache=False)
    assert archive.datasets["dataset"].to_pylist() == ["demo"]
    assert archive.losses.num_rows == 0


def test_own_results_and_summaries_hide_shipped_ones_task_by_task(tmp_path, shipped):
    mine = own(tmp_path, OWN_RESULTS)
    hierarchy = Hierarchy([str(mine), str(shipped)])
    assert hierarchy.find("methods", "one", "Summary") == str(mine / "methods/one/Summary")
    assert hierarchy.files("methods", "one")["Summary"] == str(mine / "methods/one/Summary")
    assert hierarchy.directories("methods", "one", "demo", "age", "std.8") == [
        str(mine / "methods/one/demo/age/std.8")
    ]
    assert method_tasks(hierarchy, "one", "demo", "shade") == ["std.4"]


def test_what_is_hidden_is_named_once_as_a_notice(tmp_path, shipped):
    mine = own(tmp_path, OWN_RESULTS)
    found = [(one["kind"], one["message"]) for one in problems(mine, shipped) if one["kind"] == "notice"]
    hidden, used = shipped / "methods/one/demo/age/std.8", mine / "methods/one/demo/age/std.8"
    said = f"{hidden}: expected a name of its own, found the same at {used}, which is used in its place"
    assert found == [("notice", f"{said}; rename one to use both")]
    mine = own(tmp_path / "further", OWN_DATA)
    notices = [one for one in problems(mine, shipped) if one["kind"] == "notice"]
    assert [one["source"] for one in notices if "/data/" in one["source"]] == [str(shipped / "data/demo")]


def test_two_copies_among_own_directories_stay_a_fault(tmp_path, shipped):
    first, second = own(tmp_path / "a", OWN_DATA), own(tmp_path / "b", OWN_DATA)
    with pytest.raises(ParseError, match="expected one copy of the file"):
        Hierarchy([str(first), str(second), str(shipped)]).find("data", "demo", "Summary")
    assert "file" in {one["kind"] for one in problems(first, second, shipped)}


def test_a_check_with_notices_alone_finds_no_fault(tmp_path, shipped, run_command):
    mine = own(tmp_path, OWN_DATA | {"data/demo/Source/Notes": "Mine.\n"})
    outcome = run_command(main, "check", str(mine), str(shipped), "--no-cache")
    kinds = [one["kind"] for one in problems(mine, shipped)]
    assert (outcome.code, set(kinds)) == (0, {"notice"}), outcome.out


def test_an_empty_directory_of_a_task_hides_nothing(tmp_path, shipped):
    mine = own(tmp_path, {"methods/one/Summary": "The first method.\n"})
    (mine / "methods/one/demo/age/std.8").mkdir(parents=True)
    hierarchy = Hierarchy([str(mine), str(shipped)])
    places = [str(root / "methods/one/demo/age/std.8") for root in (mine, shipped)]
    assert hierarchy.directories("methods", "one", "demo", "age", "std.8") == places
    assert hierarchy.find("methods", "one", "demo", "age", "std.8", "loss.S.0") == f"{places[1]}/loss.S.0"
    hidden = [one["source"] for one in problems(mine, shipped) if one["kind"] == "notice"]
    assert not any("std.8" in path for path in hidden)


def made_losses(tmp_path, shipped):
    """Losses of one's own, as `mloss` makes them for a shipped method: those of a letter for all instances."""
    text = (shipped / "methods/one/demo/age/std.8/loss.S.0").read_text()
    place = "methods/one/demo/age/std.8"
    return own(tmp_path, {f"{place}/loss.{loss}.{number}": text for loss in "SA" for number in range(2)})


@pytest.mark.parametrize("first", ["own", "shipped"])
def test_losses_made_of_shipped_predictions_add_to_the_shipped_results(first, tmp_path, shipped):
    mine = made_losses(tmp_path, shipped)
    roots = [mine, shipped] if first == "own" else [shipped, mine]
    hierarchy, place = Hierarchy(map(str, roots)), ("methods", "one", "demo", "age", "std.8")
    assert hierarchy.find(*place, "loss.A.1") == str(mine.joinpath(*place) / "loss.A.1")
    assert hierarchy.find(*place, "loss.S.0") == str(mine.joinpath(*place) / "loss.S.0")
    assert hierarchy.files(*place)["Test-set-stats"] == str(shipped.joinpath(*place) / "Test-set-stats")
    archive = delvecore.open([str(root) for root in roots], cache=False)
    found = [row for row in archive.results.to_pylist() if row["method"] == "one" and row["loss"] == "A"]
    assert [(row["instances"], row["task"]) for row in found] == [(2, "std.8")]
    assert not [one for one in archive.problems.to_pylist() if one["kind"] == "notice"]


def test_a_comparison_after_mloss_knows_what_standardizes_the_losses(
    tmp_path, shipped, run_command, monkeypatch
):
    mine = made_losses(tmp_path, shipped)
    for path in shipped.glob("methods/one/demo/age/std.8/loss.*"):
        path.unlink()
    monkeypatch.setenv("DELVE_PATH", f"{mine}:{shipped}")
    outcome = run_command(mstats, "-l", "S", "/one/demo/age/std.8")
    assert "undefined" not in outcome.out, outcome.out
