"""`dcheck` as a command: paths, options, large data. Faults of each kind are those of tests/test_faults.py."""

import os

import pytest

from delvecore.cli.dcheck import main
from tests.archives import write_tree
from tests.cli.demo_archive import AGE, PRIOR, demo_archive, people


def data(line1: str) -> str:
    """The demo's cases, the first line replaced."""
    return "".join(f"{line}\n" for line in [line1, *(" ".join(row) for row in people()[1:])])


@pytest.fixture
def check(small, run_command):
    """Check a path of the small archive with some files changed; return the lines printed and the exit code."""

    def run(*arguments, **files):
        write_tree(small / "data/demo", {name.replace("__", "/"): text for name, text in files.items()})
        outcome = run_command(main, *arguments)
        assert outcome.err == ""
        return outcome.code, outcome.out.replace(f"{small}{os.sep}data{os.sep}demo{os.sep}", "").splitlines()

    return run


def changed(text, old, new):
    assert old in text
    return text.replace(old, new)


def test_a_legal_and_consistent_dataset_prints_nothing_and_succeeds(check):
    assert check("/demo") == (0, [])


def test_unless_l_is_given_all_the_prototasks_are_also_checked(check):
    files = {"age__Prototask.spec": changed(AGE, "Targets: 2", "Targets: 9")}
    code, lines = check("/demo", **files)
    assert (code, lines) == (
        1,
        ["age/Prototask.spec:5: expected targets: the number (1 to 5) or name of an attribute, found '9'"],
    )
    assert check("-l", "/demo") == (0, [])


def test_a_single_prototask_can_be_checked_and_with_l_its_priors_are_not(check):
    files = {"age__std.prior": PRIOR + "9 N real\n", "Dataset.data": data(line1="male -1 1 pink 1")}
    code, lines = check("/demo/age", **files)
    assert (code, lines) == (1, ["age/std.prior:6: expected the number or name of an attribute, found '9'"])
    assert check("-l", "/demo/age") == (0, [])
    assert check("/demo/sex") == (0, [])


def test_the_default_is_the_current_directory(small, run_command):
    assert run_command(main, directory=small / "data/demo").code == 0
    assert run_command(main, directory=small / "data/demo/age").code == 0
    write_tree(small, {"data/demo/age/std.prior": ""})
    assert len(run_command(main, directory=small / "data/demo/age").out.splitlines()) == 5


def test_an_mpath_stands_for_the_data_that_it_is_about(small, run_command):
    write_tree(small, {"data/demo/age/std.prior": "", "methods/line/demo/age/x": ""})
    outcome = run_command(main, ".", directory=small / "methods/line/demo/age")
    assert len(outcome.out.splitlines()) == 5
    assert run_command(main, "/line/demo/age").out == outcome.out


@pytest.mark.parametrize("path", ["/", "/demo/age/std.4", "/demo/age/none.prior", "/demo/Summary"])
def test_a_path_must_identify_a_dataset_a_prototask_or_a_prior_file(small, run_command, path):
    code, out, err = run_command(main, path)
    assert (code, out) == (1, "")
    assert err.startswith("dcheck: /")
    assert err.count("\n") == 1


def test_compressed_files_and_a_dataset_in_two_directories_are_checked_as_one(tmp_path, run_command):
    import gzip

    first = demo_archive(tmp_path, "delve-a")
    second = write_tree(
        tmp_path / "delve-b",
        {"data/demo/age/other.prior.gz": gzip.compress(b"1 N real\n"), "methods/x/Summary": ""},
    )
    path = os.pathsep.join(map(str, (first, second)))
    outcome = run_command(main, "/demo/age/other.prior", path=path)
    assert outcome.out.splitlines()[0].startswith(
        f"{second}/data/demo/age/other.prior.gz:1: expected a numeric range"
    )
    assert run_command(main, "/demo", path=path).out.splitlines() == outcome.out.splitlines()


@pytest.mark.slow
def test_every_natural_dataset_that_is_known_to_be_right_passes(run_command, golden_session):
    root = golden_session / "delve-golden"
    for dataset in sorted(path.name for path in (root / "data").iterdir()):
        assert run_command(main, f"/{dataset}", path=root) == (0, "", "")
