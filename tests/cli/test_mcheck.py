"""`mcheck` verifies what sections 7.1 to 7.5 of the manual ask of a method's directories."""

import os
import shutil
from pathlib import Path

import pytest

from delvecore.checks.datasets import TOPICS
from delvecore.checks.methods import method_problems
from delvecore.cli import mgendata, mloss
from delvecore.cli.mcheck import main
from delvecore.locations import default_directories
from delvecore.losses.standard_losses import LOSSES
from delvecore.methods import SHIPPED
from delvecore.readers.hierarchy import Hierarchy
from tests.archives import write_tree
from tests.cli.demo_archive import demo_archive

DESCRIPTION = """What it does. The mean of the training targets is guessed for every test case of an instance, so
inputs are ignored. Encodings: the default ones. Parameters: none are to be set. Convergence: everything is
computed directly. Computing cost: nothing beside reading the data. Tuning: none on any of the datasets.
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A method `mine` without a fault, with data files, predictions and losses of age/std.8 and sex/std.4."""
    small = demo_archive(tmp_path_factory.mktemp("made"))
    root = small / "methods/mine"
    write_tree(
        root, {"Summary": "Guesses the mean.\n", "Source/mine.txt": DESCRIPTION, "Source/mine.py": "pass\n"}
    )
    age, sex = root / "demo/age/std.8", root / "demo/sex/std.4"
    write_tree(age, {f"cguess.{n}": "0.25\n-1\n0\n3.5e-1\n" for n in range(2)})
    write_tree(sex, {f"prob.{n}": "0.25 0.75\n" * 8 for n in range(4)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DELVE_PATH", str(small))
        assert (mgendata.main(["-q", str(root)]), mloss.main(["-q", str(root)])) == (0, 0)
    return root


@pytest.fixture
def method(small, made):
    """A copy of it that a test may change."""
    return Path(shutil.copytree(made, small / "methods/mine"))


@pytest.fixture
def check(method, run_command):
    """Check the method with some files changed (None: removed); return the lines printed."""

    def run(files=None, path="/mine"):
        for name, text in (files or {}).items():
            if text is None:
                (method / name).unlink()
            else:
                write_tree(method, {name: text})
        outcome = run_command(main, "-q", path)
        assert outcome.err == ""
        assert outcome.code == bool(outcome.out)
        return outcome.out.replace(f"{method}{os.sep}", "").replace(f"{method}: ", "").splitlines()

    return run


def test_a_method_that_is_in_order_prints_nothing_and_succeeds(check):
    assert check() == []
    assert check(path="/mine/demo/age/std.8") == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED[::4])
def test_methods_that_ship_with_the_archive_are_in_order(name):
    # Those on the demonstration data; some are for numeric targets only.
    (root,) = default_directories()
    hierarchy = Hierarchy([root])
    assert method_problems(hierarchy, name, "demo") == []
    assert hierarchy.directories("methods", name, "demo", "age")


@pytest.mark.slow
def test_files_of_the_original_program_are_in_order(golden_session):
    # Its data files, codings, statistics, decoded predictions and losses; these methods have no documentation.
    hierarchy = Hierarchy([str(golden_session / "delve-golden")])
    for name in ("lin", "mean"):
        assert {problem.kind for problem in method_problems(hierarchy, name)} == {"documentation"}


def test_a_brief_summary_should_be_placed_in_the_summary_file(check):
    wanted = "expected a file Summary, a brief description of the method, found"
    assert check({"Summary": " \n"}) == [f"Summary: {wanted} an empty one; write it"]
    assert check({"Summary": None}) == [f"{wanted} none; write it"]


def test_computer_code_is_no_substitute_for_an_intelligible_description(check):
    lines = check({"Source/mine.txt": None, "Source/mine.py": "# " + DESCRIPTION})
    assert lines == [
        "expected a description of the method in Source, a text file next to any programs, found none; describe it so "
        "that others can implement it"
    ]
    assert "found one of 3 words" in check({"Source/Notes": "It is linear.\n"})[0]


SENTENCES = {
    "how attributes are encoded": "Encodings: the default ones.",
    "the parameters and how they are set": "Parameters: none are to be set.",
    "the criterion for convergence of an optimization": "Convergence: everything is\ncomputed directly.",
    "rough estimates of the computational cost": "Computing cost: nothing beside reading the data.",
    "which datasets the method was tuned on, if any": "Tuning: none on any of the datasets.",
}


@pytest.mark.parametrize("topic", [topic for topic, _ in TOPICS[::2]])
def test_the_description_should_mention_what_section_7_1_lists(check, topic):
    assert SENTENCES[topic] in DESCRIPTION
    assert check({"Source/mine.txt": DESCRIPTION.replace(SENTENCES[topic], "It is short.")}) == [
        f"Source/mine.txt: expected a description that mentions {topic}, found no mention of it; add it, or state that "
        "it does not apply"
    ]


def test_codings_must_be_there_for_all_attributes(check):
    place = "demo/age/std.8/Coding-used"
    lines = check({place: "AGE nm-abs\nCOLOUR 1-of-n\nHOUR rectan  unit=24\nSEX -1/+1\n"})
    assert lines[0] == f"{place}: expected the coding of SIBLINGS, found none; run mgendata again"


def test_coding_used_and_test_set_stats_should_be_kept(check):
    lines = check({"demo/age/std.8/Coding-used": None, "demo/age/std.8/Test-set-stats": None})
    assert lines == [
        "demo/age/std.8: expected a file Coding-used, found none; make it with mgendata",
        "demo/age/std.8: expected a file Test-set-stats, found none; make it with mgendata",
    ]


def test_files_made_by_mgendata_may_be_removed_and_so_may_losses(check, method):
    for path in sorted(method.glob("demo/*/*/*")):
        if path.name.startswith(("train", "test.", "targets", "normalize", "loss", "cguess")):
            path.unlink()
    assert check() == []


def test_test_set_stats_must_be_those_of_the_test_targets(check, method):
    path = method / "demo/age/std.8/Test-set-stats"
    right = path.read_text()
    line = next(number for number, text in enumerate(right.splitlines(), start=1) if text.startswith("S "))
    value = right.splitlines()[line - 1].split()[1]
    assert check({"demo/age/std.8/Test-set-stats": right.replace(f"S {value}", "S 3.0")}) == [
        f"demo/age/std.8/Test-set-stats:{line}: expected S {value}, computed from the test targets, found 3; run "
        "mgendata again"
    ]


def test_prediction_files_must_be_there_for_all_instances(check):
    lines = check(
        {"demo/sex/std.4/prob.2": None, "demo/sex/std.4/loss.Q.2": None, "demo/sex/std.4/loss.L.2": None}
    )
    assert lines == [
        "demo/sex/std.4: expected predictions of all 4 instances for loss L, Q, found none of instance 2; run the "
        "method on them"
    ]


def test_a_task_without_predictions_is_reported(check):
    assert check({"demo/age/std.4/Notes": ""})[-1] == (
        "demo/age/std.4: expected prediction files, found none; run the method, or remove the directory"
    )


def test_prediction_files_must_have_a_line_for_each_test_case(check):
    lines = check({"demo/sex/std.4/prob.0": "0.25 0.75\n" * 9, "demo/sex/std.4/prob.1": "0.25 0.75\n1\n" * 4})
    assert lines == [
        "demo/sex/std.4/prob.0:9: expected 8 lines, one for each test case, found 9; write it again",
        *(f"demo/sex/std.4/prob.1:{n}: expected 2 values, found 1" for n in (2, 4, 6, 8)),
    ]


def test_probabilities_must_be_of_something(check):
    place = "demo/sex/std.4/prob.3"
    lines = check({place: "1 0\n" * 7 + "0 0\n"})
    assert lines == [f"{place}:8: expected a probability above zero, found none"]


def test_losses_must_match_their_predictions(check, method):
    place = "demo/age/std.8/loss.S.1"
    losses = (method / place).read_text().splitlines()
    lines = check({place: "\n".join([losses[0], "7.0", *losses[2:]])})
    assert lines == [
        f"{place}:2: expected the loss of the stored prediction, {float(losses[1]):.9g}, found 7; run mloss again"
    ]
    assert check({place: "1\n2\n3\n"}) == [
        f"{place}: expected 4 losses, one per test case, found 3; run mloss again"
    ]


def test_data_files_that_are_kept_must_be_what_mgendata_makes(check, method):
    path = method / "demo/age/std.8/targets.0"
    kept = path.read_text().splitlines(keepends=True)
    lines = check({"demo/age/std.8/targets.0": "".join([kept[0], " 9.0\n", *kept[2:]])})
    assert lines == [
        "demo/age/std.8/targets.0:2: expected the output of mgendata for the data and Coding-used, found '9.0'; run mgendata "
        "again"
    ]


def test_names_instances_and_uses_of_files_are_checked(check):
    files = {
        "demo/age/std.8/guess.x.0": "",
        "demo/age/std.8/cguess.7": "",
        "demo/age/std.8/prob.0": "",
        "demo/age/std.8/loss.X.0": "",
        "demo/age/std.8/loss.S.9": "1\n",
        "demo/age/std.8/train.9": "1\n",
    }
    assert sorted(check(files)) == [
        "demo/age/std.8/cguess.7: expected an instance from 0 to 1, found 7; remove it",
        "demo/age/std.8/guess.x.0: expected a name such as cguess.0, prob.3, clptarg.L.7, found 'guess.x.0'; rename it",
        "demo/age/std.8/loss.S.9: expected an instance from 0 to 1, found 9; remove it",
        f"demo/age/std.8/loss.X.0: expected loss.L.n with a loss ({' '.join(LOSSES)}, or such as Z0.2N, Mfile) "
        "and an instance's number, found "
        "'loss.X.0'; rename it",
        "demo/age/std.8/prob.0: expected predictions that a loss of this task uses, found 'prob.0'; remove it",
        "demo/age/std.8/train.9: expected a file that mgendata makes for /demo/age/std.8, found 'train.9'; remove it",
    ]


def test_the_default_is_the_current_directory_and_a_slash_means_all_methods(method, run_command):
    assert run_command(main, "-q", directory=method) == (0, "", "")
    assert run_command(main, "-q", directory=method / "demo/age") == (0, "", "")
    assert "/methods/line: expected a description" in run_command(main, "-q", "/").out


@pytest.mark.parametrize("path", ["/none", "/mine/demo/age/std.8/loss.S.0"])
def test_a_place_that_does_not_exist_is_one_line_on_standard_error(method, run_command, path):
    code, out, err = run_command(main, path)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(
        f"mcheck: {path}: expected a method, or a dataset, prototask or task in its directory"
    )


def test_predictions_can_be_checked_without_the_dataset_only_to_a_point(method, run_command, small):
    shutil.move(small / "data/demo/Dataset.data", small / "kept")
    outcome = run_command(main, "-q", "/mine/demo/age/std.8")
    assert outcome.code == 1
    assert outcome.out.count("\n") == 1
    assert "expected Prototask.data, or Dataset.data to make it from, found neither" in outcome.out


def test_specialized_losses_are_recomputed_too(check, method, run_command):
    write_tree(method, {f"demo/sex/std.4/guess.Z0.2N.{n}": "male\n?\n" * 4 for n in range(4)})
    assert run_command(mloss.main, "-q", directory=method / "demo/sex/std.4").code == 0
    assert check() == []
    assert Path(method / "demo/sex/std.4/loss.Z0.2N.0").read_text().splitlines()[1] == "0.2"
    lines = check({"demo/sex/std.4/loss.Z0.2N.0": "1.0\n" * 8})
    assert lines[0].startswith("demo/sex/std.4/loss.Z0.2N.0:")
