"""`mgendir` makes the directories of a method."""

import pytest

from delvecore.cli import mgendir
from tests.archives import write_tree


@pytest.fixture
def method(small):
    directory = small / "methods/mymethod"
    directory.mkdir()
    return directory


def directories(place):
    return sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_dir())


def test_task_is_made_with_the_directories_that_hold_it(method, run_command):
    outcome = run_command(mgendir.main, "demo/age/std.4", directory=method)
    assert outcome == (0, "", "demo\ndemo/age\ndemo/age/std.4\n")
    assert directories(method) == ["demo", "demo/age", "demo/age/std.4"]


def test_directories_that_are_there_are_skipped_in_silence(method, run_command):
    # The session of section 7.2: first one task, then all of its prototask.
    run_command(mgendir.main, "demo/age/std.4", directory=method)
    outcome = run_command(mgendir.main, "/demo/age")
    assert outcome == (0, "", "demo/age/std.8\ndemo/age/vague.4\ndemo/age/vague.8\n")


def test_path_is_shown_as_it_was_given(method, run_command):
    outcome = run_command(mgendir.main, "./demo/sex", directory=method)
    assert outcome.err == "./demo\n./demo/sex\n./demo/sex/std.4\n./demo/sex/std.8\n"


def test_method_is_made_with_all_datasets(small, run_command):
    outcome = run_command(mgendir.main, "other", directory=small / "methods")
    assert outcome.err.splitlines()[:4] == ["other", "other/demo", "other/demo/age", "other/demo/age/std.4"]
    assert len(directories(small / "methods/other")) == 9


def test_path_in_the_data_stands_for_the_current_method_from_below_it(method, run_command):
    (method / "demo").mkdir()
    outcome = run_command(mgendir.main, "/demo/sex/std.8", directory=method / "demo")
    assert outcome.err == "demo/sex\ndemo/sex/std.8\n"
    assert directories(method) == ["demo", "demo/sex", "demo/sex/std.8"]


def test_local_makes_no_directories_below(method, run_command):
    assert run_command(mgendir.main, "-l", "demo", directory=method).err == "demo\n"


def test_file_in_the_way_is_an_error(method, run_command):
    write_tree(method, {"demo": "I am a file."})
    outcome = run_command(mgendir.main, "demo", directory=method)
    assert outcome.code == 1
    assert "expected to make this directory, found" in outcome.err


def test_recorded_directories_are_made(golden_session, tmp_path, run_command):
    data = golden_session / "delve-golden/data"
    (tmp_path / "delve-new/methods/lin").mkdir(parents=True)
    (tmp_path / "delve-new/data").symlink_to(data)
    directory = tmp_path / "delve-new/methods/lin"
    outcome = run_command(mgendir.main, "titanic/survived/std.20", directory=directory, path="")
    assert outcome.out == (golden_session / "expected/mgendir_lin_titanic_survived_std.20.out").read_text()
    assert directories(directory) == ["titanic", "titanic/survived", "titanic/survived/std.20"]


def test_tasks_of_non_standard_sizes_whose_instances_are_listed_have_directories(small, method, monkeypatch):
    # Manual, section 6.3: a non-standard task instance, perhaps for a task with a non-standard size.
    write_tree(small, {"data/demo/age/std.6.instances": "Instance: 0\nTraining: 1-6\nTest: 9\n"})
    monkeypatch.chdir(method)
    assert mgendir.main(["-q", "demo/age"]) == 0
    names = sorted(path.name for path in (method / "demo/age").iterdir())
    assert names == ["std.4", "std.6", "std.8", "vague.4", "vague.8"]
