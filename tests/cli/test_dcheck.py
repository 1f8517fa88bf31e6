"""`dcheck` verifies what sections 3.4 and 4 of the manual demand, and prints every fault with file and line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from delvecore.cli.dcheck import main
from tests.archives import write_tree
from tests.cli.demo_archive import AGE, DATASET, PRIOR, demo_archive, people

ROOT = Path(__file__).resolve().parents[2]
LINES = [" ".join(row) for row in people()]
LISTED = [" ".join(line.split()[place] for place in (0, 2, 3, 4, 1)) for line in LINES]
"""The cases as the prototask age lists its attributes: SEX SIBLINGS HOUR SHADE, then AGE."""


def data(**changed: str) -> str:
    """The demo's cases, some lines replaced: line1="..."."""
    lines = [changed.get(f"line{number}", line) for number, line in enumerate(LINES, start=1)]
    return "\n".join(lines) + "\n"


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


def spec(old="", new="", text=DATASET):
    return {"Dataset.spec": changed(text, old, new)}


def test_a_legal_and_consistent_dataset_prints_nothing_and_succeeds(check):
    assert check("/demo") == (0, [])


def test_it_will_verify_that_each_case_has_the_right_number_of_attributes(check):
    code, lines = check("/demo", **{"Dataset.data": data(line2="male 3 1", line5="male 3 1 pink 2 7")})
    assert code == 1
    remedy = "check blanks and continuation lines"
    assert lines[:2] == [
        f"Dataset.data:2: expected 5 values, found 3; {remedy}",
        f"Dataset.data:5: expected 5 values, found 6; {remedy}",
    ]


def test_it_will_verify_that_attributes_are_in_the_specified_ranges(check):
    assert check("/demo", **{"Dataset.data": data(line3="male -1 1.5 teal 24")}) == (
        1,
        [
            "Dataset.data:3: expected AGE within [0,Inf), found '-1'",
            "Dataset.data:3: expected SIBLINGS within 0..Inf, found '1.5'",
            "Dataset.data:3: expected COLOUR within pink blue red green purple, found 'teal'",
            "Dataset.data:3: expected HOUR within [0,24), found '24'",
        ],
    )


def test_missing_values_are_allowed_only_if_they_are_listed_as_allowed(check):
    specification = changed(DATASET, "[0,Inf)  ", "[0,Inf) ?lost ")
    files = {
        "Dataset.spec": specification,
        "Dataset.data": data(line1="male ?lost ? pink 2", line2="male ? 1 pink 2"),
    }
    assert check("/demo", **files) == (
        1,
        [
            "Dataset.data:2: expected AGE within [0,Inf) ?lost (no missing value allowed), found '?'",
            "Dataset.data:1: expected SIBLINGS within 0..Inf (no missing value allowed), found '?'",
        ],
    )


def test_a_censored_value_is_allowed_only_if_it_includes_a_possible_value_within_the_range(check):
    files = {
        "Dataset.data": data(
            line1="male 30: 1 pink 23:", line2="male :-1 1 pink :0", line3="male 1 1 pink 24:"
        )
    }
    assert check("/demo", **files) == (
        1,
        [
            "Dataset.data:2: expected AGE within [0,Inf), found ':-1'",
            "Dataset.data:3: expected HOUR within [0,24), found '24:'",
        ],
    )


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


def test_a_single_prior_file_can_be_checked_by_giving_its_pathname(check, small):
    files = {
        "age__std.prior": changed(PRIOR, "NLMH binary", "NLX binary"),
        "age__vague.prior": "1 N binary\n",
    }
    code, lines = check("/demo/age/std.prior", **files)
    assert (code, lines) == (1, ["age/std.prior:1: expected levels made of N, L, M and H, found 'NLX'"])


def test_priors_are_checked_against_dataset_and_prototask(check):
    text = "1 NN binary\n2 H nominal\n3 N integer\n4 L ordinal passive=red\n5 M angular\n"
    _, lines = check("/demo/age/std.prior", **{"age__std.prior": text})
    assert sorted(lines) == [
        "age/std.prior:1: expected each level once, found 'NN'; correct the line",
        "age/std.prior:2: expected a finite range for type nominal, found AGE '[0,Inf)'",
        "age/std.prior:4: expected passive only for the first value of an ordinal attribute, pink, found 'red'; "
        "correct the line",
        "age/std.prior:5: expected unit=NUMBER for an angular attribute, found 'none'",
    ]


def test_indexes_of_an_order_count_the_cases_used_not_those_of_the_dataset(check):
    files = {
        "age__Prototask.spec": changed(
            changed(AGE, "Order: retain", "Order: Random-order"), "Cases: all", "Cases: few"
        ),
        "age__few": "".join(f"{number}\n" for number in range(5, 25)),
        "age__Random-order": "".join(f"{number}\n" for number in range(20, 0, -1)),
    }
    assert check("/demo/age", **files) == (0, [])


def test_files_that_a_prototask_names_must_be_there(check):
    text = changed(changed(AGE, "Order: retain", "Order: Random-order"), "Cases: all", "Cases: few")
    _, lines = check("/demo/age", **{"age__Prototask.spec": text})
    assert lines == [
        "age/Prototask.spec:1: expected cases to be 'all', 'no missing' or a file beside the specification, found "
        "'few'; add the file",
        "age/Prototask.spec:4: expected order to be 'retain', 'sequential' or a file beside the specification, "
        "found 'Random-order'; make it with dgenorder",
    ]


def test_an_informative_order_must_be_changed_unless_the_prototask_is_sequential(check):
    text = changed(DATASET, "Order: uninformative", "Order: informative")
    _, lines = check("/demo/age", **{"Dataset.spec": text})
    assert lines == [
        "age/Prototask.spec:4: expected an order file or 'sequential', since the order of the dataset is "
        "informative, found 'retain'; make an order with dgenorder"
    ]


def test_cases_listed_for_an_instance_must_be_among_those_of_the_prototask(check):
    files = {
        "age__std.3.instances": "Instance: 0\nTraining: 1-3\nTest: 30\n",
        "age__odd.instances": "Instance: 0\nTraining: 1\nTest: 1\n",
    }
    _, lines = check("/demo/age", **files)
    assert lines == [
        "age/odd.instances: expected a name such as std.100.instances, of a prior and a training set size, found "
        "'odd.instances'; rename it",
        "age/odd.instances:3: expected test cases that are not training cases, found case 1 in both; take it out of one",
        "age/std.3.instances:3: expected test: cases of /demo/age, found case 30, which it does not use; take it out",
    ]


def test_prototask_data_by_number_is_found_by_its_values_alone(check):
    remedy = "make it again with dgenproto"
    by_number = "expected columns as Prototask.spec lists them, inputs, then targets, found columns by attribute number"
    assert check("/demo/age", **{"age__Prototask.data": "\n".join(LINES)}) == (
        1,
        [f"age/Prototask.data: {by_number}; {remedy}"],
    )


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


@pytest.mark.parametrize(
    "path", ["/", "/demo/age/std.4", "/nowhere", "/demo/none", "/demo/age/none.prior", "/demo/Summary"]
)
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


@pytest.mark.slow
def test_a_hundred_megabytes_are_checked_in_bounded_memory(tmp_path):
    # A tenth of that here; the whole is measured in benchmarks.
    attributes = "".join(f"{number} A{number} u (-Inf,Inf) ?\n" for number in range(1, 9))
    block = "".join(f"{n}.125 -{n}e-3 0.5 1 2 3 {n % 7} green\n" for n in range(10_000))
    root = write_tree(
        tmp_path / "delve",
        {
            "methods/x/Summary": "",
            "data/big/Dataset.spec": f"Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n{attributes}".replace(
                "8 A8 u (-Inf,Inf) ?", "8 A8 u red green"
            ),
            "data/big/Dataset.data": block * 35,
        },
    )
    code = (
        "import sys; from delvecore.cli.dcheck import main; code = main(['/big']); "
        "status = open('/proc/self/status').read(); "
        "print(int(status.split('VmHWM:')[1].split()[0]) // 1024); sys.exit(code)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DELVE_PATH": str(root)}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert (root / "data/big/Dataset.data").stat().st_size > 10_000_000
    assert int(result.stdout) < 300
