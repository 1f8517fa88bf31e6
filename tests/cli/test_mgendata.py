"""`mgendata` makes the data files of tasks."""

import pytest

from delvecore.cli import mgendata
from tests.shared import SESSION, shared_cases

TASKS = (
    "titanic/survived/std.20",
    "titanic/survived/std.160",
    "kin-8nm/dist/std.64",
    "kin-8nm/dist/std.1024",
)
MADE = ("train.", "test.", "targets.", "normalize.", "Coding-used", "Test-set-stats")


def made_files(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.name.startswith(MADE)}


@pytest.fixture
def method(small):
    """A method with empty directories for some tasks."""
    for task in ("demo/age/std.4", "demo/age/std.8", "demo/sex/std.4"):
        (small / "methods/mymethod" / task).mkdir(parents=True)
    return small / "methods/mymethod"


@pytest.mark.parametrize(
    "place", shared_cases(SESSION, [f"{name}/{task}" for name in ("lin", "mean") for task in TASKS])
)
def test_recorded_files_are_reproduced_byte_for_byte(golden_session, tmp_path, run_command, place):
    name, task = place.split("/", 1)
    recorded = golden_session / "delve-golden/methods" / name / task
    root = tmp_path / "delve-golden"
    directory = root / "methods" / name / task
    directory.mkdir(parents=True)
    (root / "data").symlink_to(golden_session / "delve-golden/data")
    outcome = run_command(mgendata.main, directory=directory, path="")
    assert outcome.code == 0
    record = f"mgendata_{name}_{task.replace('/', '_')}.out"
    assert outcome.out == (golden_session / "expected" / record).read_text()
    assert made_files(directory) == made_files(recorded)
    assert sorted(path.name for path in directory.iterdir()) == sorted(made_files(recorded))


def test_progress_is_what_the_manual_shows(method, run_command):
    outcome = run_command(mgendata.main, directory=method / "demo/age/std.8")
    lines = ["  segmenting cases...", "  splitting test inputs and targets..."]
    for n in range(2):
        parts = ("training data", "test inputs", "test targets")
        lines += [f"  encoding instance {n} {part}..." for part in parts]
    assert outcome == (0, "", "\n".join(lines) + "\n")


def test_directory_that_is_given_is_printed_first(method, run_command):
    outcome = run_command(mgendata.main, "./demo/age/std.8", directory=method)
    assert outcome.err.splitlines()[:2] == ["./demo/age/std.8", "  segmenting cases..."]


def test_tasks_below_a_prototask_dataset_or_method_are_all_made(method, run_command):
    outcome = run_command(mgendata.main, directory=method)
    shown = [line for line in outcome.err.splitlines() if not line.startswith(" ")]
    assert shown == ["./demo/age/std.4", "./demo/age/std.8", "./demo/sex/std.4"]
    assert (method / "demo/age/std.4/train.1").exists()
    assert (method / "demo/sex/std.4/train.3").exists()
    assert run_command(mgendata.main, "-q", "demo/age", directory=method) == (0, "", "")


def test_coding_file_replaces_the_codings_that_it_names(method, run_command, tmp_path):
    encoding = tmp_path / "encoding"
    encoding.write_text("# own codings\n3 copy\nHOUR ignore\n4 1-of-n passive=pink\n")
    directory = method / "demo/age/std.4"
    assert run_command(mgendata.main, "-q", "-c", "../../../encoding", directory=directory).code == 1
    assert run_command(mgendata.main, "-q", "-c", str(encoding), directory=directory).code == 0
    assert (directory / "Coding-used").read_text() == (
        "AGE nm-abs  scale=sqrt\nCOLOUR 1-of-n  passive=pink scale=sqrt\nHOUR ignore  scale=sqrt\n"
        "SEX -1/+1  scale=sqrt\nSIBLINGS copy  scale=sqrt\n"
    )
    # Case 9: male, 8 * 5 mod 4 = 0 siblings, COLOUR number 8 * 3 mod 5 = 4 (purple).
    line = (directory / "train.0").read_text().splitlines()[0].split()
    assert line[:-1] == ["-1", "0", "0", "0", "0", "1"]


def test_value_that_cannot_be_encoded_leaves_the_old_files(method, small, run_command):
    directory = method / "demo/age/std.4"
    assert run_command(mgendata.main, "-q", directory=directory).code == 0
    before = made_files(directory)
    data, specification = small / "data/demo/Dataset.data", small / "data/demo/Dataset.spec"
    specification.write_text(specification.read_text().replace("[0,Inf)", "[0,Inf) ?"))
    lines = data.read_text().splitlines()
    lines[23] = " ".join([lines[23].split()[0], "?", *lines[23].split()[2:]])
    data.write_text("\n".join(lines) + "\n")
    outcome = run_command(mgendata.main, "-q", directory=directory)
    assert outcome == (
        *(1, ""),
        "mgendata: /demo/age/std.4 instance 3: AGE in case 24: expected a known value to encode as nm-abs, "
        "found '?'; use missing=indicator (or mean, median, mode) for an input, the coding copy or ignore, or "
        "a prototask without such values\n",
    )
    assert made_files(directory) == before


def test_prototask_without_inputs_has_no_test_files(method, small, run_command):
    specification = small / "data/demo/age/Prototask.spec"
    specification.write_text(specification.read_text().replace("Inputs: 1 3 4 5", "Inputs:"))
    directory = method / "demo/age/std.4"
    assert run_command(mgendata.main, "-q", directory=directory).code == 0
    assert list(directory.glob("test.*")) == []
    assert len(list(directory.glob("targets.*"))) == 4


def test_methods_directory_itself_is_an_error(small, run_command):
    outcome = run_command(mgendata.main, directory=small / "methods")
    assert outcome.code == 1
    assert "expected the true path of a directory below the methods directory" in outcome.err


def test_data_in_one_delve_directory_serve_a_method_in_another(small, tmp_path, run_command):
    own = tmp_path / "delve-own"
    (own / "data").mkdir(parents=True)
    directory = own / "methods/mymethod/demo/age/std.4"
    directory.mkdir(parents=True)
    assert run_command(mgendata.main, "-q", directory=directory, path=small).code == 0
    assert (directory / "train.3").exists()
