"""`dgenproto` makes the data files of prototasks."""

import pytest

from delvecore.cli import dgenorder, dgenproto, mgendata


@pytest.fixture
def demo(small):
    return small / "data/demo"


def columns(demo, *places):
    """Some columns (from 0) of the dataset's file, as lines."""
    rows = [line.split() for line in (demo / "Dataset.data").read_text().splitlines()]
    return [" ".join(row[place] for place in places) for row in rows]


def test_file_has_inputs_as_listed_then_targets_in_the_prototasks_order(demo, run_command):
    specification = demo / "sex/Prototask.spec"
    text = specification.read_text().replace("AGE SIBLINGS COLOUR HOUR", "HOUR AGE")
    specification.write_text(text.replace("retain", "order"))
    order = [*range(24, 0, -2), *range(1, 24, 2)]
    (demo / "sex/order").write_text("".join(f"{number}\n" for number in order))
    assert run_command(dgenproto.main, "-q", directory=demo / "sex") == (0, "", "")
    lines = columns(demo, 4, 1, 0)
    assert (demo / "sex/Prototask.data").read_text() == "".join(f"{lines[n - 1]}\n" for n in order)


def test_progress_is_what_the_manual_shows(demo, small, run_command):
    outcome = run_command(dgenproto.main, "-i", str(demo), directory=small.parent)
    lines = []
    for name in ("age", "sex"):
        path = demo / name / "Prototask.data"
        lines += [f"generating: {path}", "  extracting cases...", "  creating file..."]
    assert outcome == (0, "", "\n".join(lines) + "\n")


def test_dataset_means_all_its_prototasks_and_the_data_directory_all_datasets(demo, small, run_command):
    for directory in (demo, small / "data"):
        assert run_command(dgenproto.main, "-q", directory=directory) == (0, "", "")
        for name in ("age", "sex"):
            assert (demo / name / "Prototask.data").read_text().count("\n") == 24
            (demo / name / "Prototask.data").unlink()


def test_tasks_are_the_same_when_only_the_prototask_data_is_kept(demo, small, run_command):
    task = small / "methods/mymethod/demo/sex/std.4"
    task.mkdir(parents=True)
    specification = demo / "sex/Prototask.spec"
    specification.write_text(specification.read_text().replace("retain", "Random-order"))
    assert run_command(dgenorder.main, "-s3", directory=demo / "sex").code == 0
    assert run_command(mgendata.main, "-q", directory=task).code == 0
    before = {path.name: path.read_bytes() for path in task.iterdir()}
    assert run_command(dgenproto.main, "-q", directory=demo / "sex").code == 0
    (demo / "Dataset.data").unlink()
    assert run_command(mgendata.main, "-q", directory=task).code == 0
    assert {path.name: path.read_bytes() for path in task.iterdir()} == before


def test_commonality_indexes_stay_behind_their_cases(demo, run_command):
    lines = (demo / "Dataset.data").read_text().splitlines()
    lines[1] += "  @17 # seen twice"
    (demo / "Dataset.data").write_text("\n".join(lines) + "\n")
    assert run_command(dgenproto.main, "-q", directory=demo / "age").code == 0
    made = (demo / "age/Prototask.data").read_text().splitlines()
    assert [line.partition(" @")[2] for line in made[:3]] == ["", "17", ""]


def test_order_must_be_made_first(demo, run_command):
    specification = demo / "age/Prototask.spec"
    specification.write_text(specification.read_text().replace("retain", "Random-order"))
    (demo / "age/Prototask.data").write_text("old\n")
    outcome = run_command(dgenproto.main, "-q", directory=demo / "age")
    message = "/demo/age: expected the file Random-order, found none; make it with dgenorder first"
    assert outcome == (1, "", f"dgenproto: {message}\n")
    assert (demo / "age/Prototask.data").read_text() == "old\n"


def test_an_error_stops_unless_errors_are_ignored(demo, run_command):
    specification = demo / "age/Prototask.spec"
    specification.write_text(specification.read_text().replace("Targets: 2", "Targets: 9"))
    outcome = run_command(dgenproto.main, "-q", directory=demo)
    assert outcome.code == 1
    assert not (demo / "sex/Prototask.data").exists()
    outcome = run_command(dgenproto.main, "-qi", directory=demo)
    assert outcome.code == 1
    assert outcome.err.startswith("dgenproto: warning: ")
    assert "expected targets: the number (1 to 5) or name of an attribute, found '9'" in outcome.err
    assert (demo / "sex/Prototask.data").exists()


def test_dpath_is_not_a_true_path(small, run_command):
    outcome = run_command(dgenproto.main, "/demo/age", directory=small / "data")
    assert outcome.code == 1
    assert "expected the true path of a directory at or below the data directory" in outcome.err
