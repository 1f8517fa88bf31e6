"""Section 5, predictions and loss functions: sentences that no other test is named after."""

import shutil
from itertools import product

import numpy as np
import pytest

from delvecore.cli import mcheck, mgendata, mgendir, minfo, mloss, mstats
from delvecore.encoding.codings import default_coding
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.losses.functions import (
    absolute_error,
    squared_error,
    squared_probability_loss,
    zero_one_loss,
)
from delvecore.losses.method_task import open_method_task
from delvecore.model import PriorLine, Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset, read_prototask
from tests.manual.test_section_4 import DATASET

VALUES = np.array([1.0, 2.0, 2.0, 3.0, 12.0])


def expected(loss, guess):
    return loss(np.full((len(VALUES), 1), guess), VALUES[:, None]).mean()


def test_the_mean_minimizes_squared_and_the_median_absolute_error():
    guesses = np.linspace(0, 13, 1301)
    assert min(guesses, key=lambda guess: expected(squared_error, guess)) == 4  # mean of VALUES
    assert min(guesses, key=lambda guess: expected(absolute_error, guess)) == 2  # their median


def test_the_most_probable_value_minimizes_zero_one_loss():
    targets = np.array(["red"] * 2 + ["blue"] * 5 + ["green"] * 3)[:, None]
    lost = {
        guess: zero_one_loss(np.full(targets.shape, guess), targets).mean()
        for guess in ("red", "blue", "green")
    }
    assert lost == {"red": 0.8, "blue": 0.5, "green": 0.7}


def test_squared_probability_loss_is_never_greater_than_two():
    grid = [row for row in product(np.linspace(0, 1, 11), repeat=3) if abs(sum(row) - 1) < 1e-9]
    losses = [squared_probability_loss(np.array([row]), np.array([0]))[0] for row in grid]
    assert max(losses) == 2
    assert min(losses) == 0


def cases_of(instances):
    return [(one.training.tolist(), one.test.tolist()) for one in instances]


def test_instances_do_not_depend_on_method_prior_or_loss(small):
    hierarchy = Hierarchy([str(small)])
    dataset = read_dataset(hierarchy, "demo")
    cases = prototask_cases(hierarchy, dataset, read_prototask(hierarchy, dataset, "age"))
    standard, vague = (
        cases_of(task_instances(hierarchy, cases, Task("demo", "age", prior, 4)))
        for prior in ("std", "vague")
    )
    assert standard == vague
    for method in ("base", "line"):
        task = open_method_task(hierarchy, method, "demo", "age", "std.4")
        assert cases_of(task.plan.instances) == standard


def test_commands_use_the_instances_that_a_file_lists(features, run_command):
    # river/flow/std.15.instances: two instances, 1 to 15 and 31 to 45 train, 21 to 30 and 51 to 60 test.
    directory = features / "methods/new/river/flow/std.15"
    directory.mkdir(parents=True)
    (features / "encoding").write_text("INDEX copy\n")
    codings = str(features / "encoding")
    assert run_command(mgendata.main, "-q", "-c", codings, directory=directory).code == 0
    trained = [
        line.split()[0] for n in range(2) for line in (directory / f"train.{n}").read_text().splitlines()
    ]
    tested = [
        line.split()[0] for n in range(2) for line in (directory / f"test.{n}").read_text().splitlines()
    ]
    assert [int(float(word)) for word in trained] == [*range(1, 16), *range(31, 46)]
    assert [int(float(word)) for word in tested] == [*range(21, 31), *range(51, 61)]
    assert "INDEX" in run_command(minfo.main, directory=directory).out
    statistics = run_command(mstats.main, "-l", "S", "/bold/river/flow/std.15").out
    assert "2 disjoint training sets, each containing 15 cases" in statistics


DEFAULTS = [
    (1, "binary", (("passive", "no"),), "0/1", {"passive": "no"}),
    (1, "binary", (), "-1/+1", {}),
    (2, "nominal", (), "1-of-n", {}),
    (2, "nominal", (("passive", "none"),), "1-of-n", {"passive": "none"}),
    (2, "ordinal", (), "therm", {}),
    (3, "real", (), "nm-abs", {}),
    (3, "integer", (), "nm-abs", {}),
    (3, "angular", (("unit", "24"),), "rectan", {"unit": "24"}),
]


def encode(method, small, run_command, *lines):
    """Run mgendata on age/std.8 with codings; return train.0 as numbers (None where it fails) and the outcome."""
    directory = method / "demo/age/std.8"
    directory.mkdir(parents=True, exist_ok=True)
    (small / "encoding").write_text("".join(f"{line}\n" for line in lines))
    outcome = run_command(mgendata.main, "-q", "-c", str(small / "encoding"), directory=directory)
    return (np.loadtxt(directory / "train.0", ndmin=2) if outcome.code == 0 else None), outcome


def test_mgendir_makes_directories_and_nothing_else(method, run_command):
    run_command(mgendir.main, "demo", directory=method)
    assert [path for path in method.rglob("*") if not path.is_dir()] == []


def test_a_new_prior_makes_new_tasks(method, small, run_command):
    shutil.copy(small / "data/demo/age/std.prior", small / "data/demo/age/mine.prior")
    assert run_command(mgendir.main, "demo/age/mine.4", directory=method).code == 0
    assert (method / "demo/age/mine.4").is_dir()


@pytest.mark.parametrize(("number", "kind", "options", "coding", "expected"), DEFAULTS)
def test_default_encodings_follow_the_types(number, kind, options, coding, expected):
    used_coding = default_coding(DATASET.attribute(number), PriorLine(number, "NLMH", kind, options))
    assert (used_coding.coding, dict(used_coding.options)) == (coding, expected)


@pytest.mark.parametrize(
    ("option", "x"), [("", 0.5), (" scale=sqrt", 0.5), (" scale=linear", 0.25), (" scale=none", 1.0)]
)
def test_the_scales_of_the_thermometer_code(method, small, run_command, option, x):
    # Five colours make four numbers: x is 1, 1/4, or the root of 1/4. Columns: SEX, SIBLINGS, four of COLOUR.
    numbers, _ = encode(method, small, run_command, f"COLOUR therm{option}")
    assert set(np.abs(numbers[:, 2:6]).ravel()) == {x}
    assert (np.diff(numbers[:, 2:6], axis=1) <= 0).all()


@pytest.mark.parametrize("center", [0, 3])
def test_normalized_training_values_have_the_center_and_spread_promised(method, small, run_command, center):
    option = f" centre={center}" if center else ""
    ages = encode(method, small, run_command, f"AGE nm-sqr{option}")[0][:, -1]
    assert (ages.mean(), ages.var(ddof=1)) == pytest.approx((center, 1), abs=1e-7)
    ages = encode(method, small, run_command, f"AGE nm-abs{option}")[0][:, -1]
    assert np.median(ages) == pytest.approx(center, abs=1e-7)
    assert np.abs(ages - center).sum() / (len(ages) - 1) == pytest.approx(1, abs=1e-7)


BY_THE_MANUAL = ("SEX 1-of-n", "SIBLINGS rectan unit=4", "HOUR nm-sqr", "AGE rectan unit=200")


def test_codings_of_section_7_3_are_for_all_categorical_and_all_numerical_attributes(
    method, small, run_command
):
    # Cases 9 to 16 train. Columns: two of SEX, two of SIBLINGS, five of COLOUR, HOUR, two of AGE.
    numbers, _ = encode(method, small, run_command, *BY_THE_MANUAL)
    cases = [line.split() for line in (small / "data/demo/Dataset.data").read_text().splitlines()][8:16]
    assert numbers[:, :2].tolist() == [[sex == "male", sex == "female"] for sex, *_ in cases]
    quarter = {"0": (0, 1), "1": (1, 0), "2": (0, -1), "3": (-1, 0)}  # sine and cosine of quarters of a turn
    assert numbers[:, 2:4] == pytest.approx(np.array([quarter[case[2]] for case in cases]), abs=1e-8)
    hours = np.array([float(case[4]) for case in cases])
    assert numbers[:, 9] == pytest.approx((hours - hours.mean()) / hours.std(ddof=1), abs=1e-7)
    angles = np.array([float(case[1]) for case in cases]) * np.pi / 100
    assert numbers[:, 10:] == pytest.approx(np.column_stack([np.sin(angles), np.cos(angles)]), abs=1e-7)
    # Guesses of the coded targets themselves are decoded to the targets: no loss.
    directory = method / "demo/age/std.8"
    for number in range(2):
        shutil.copy(directory / f"targets.{number}", directory / f"cguess.{number}")
    assert run_command(mloss.main, "-q", "-l", "A", directory=directory).code == 0
    assert np.loadtxt(directory / "loss.A.0") == pytest.approx(np.zeros(4), abs=1e-5)


@pytest.mark.parametrize("line", BY_THE_MANUAL)
def test_strict_refuses_the_codings_that_delve_1_1_refuses(method, small, run_command, line):
    encode(method, small, run_command, line)
    directory, codings = method / "demo/age/std.8", str(small / "encoding")
    outcome = run_command(mgendata.main, "-q", "--strict", "-c", codings, directory=directory)
    assert outcome.code == 1
    assert f"found {line.split()[1]!r}, which DELVE 1.1 refuses" in outcome.err
    assert "Coding-used" not in run_command(mcheck.main, "-q", ".", directory=directory).out
    place = f"Coding-used:{['AGE', 'COLOUR', 'HOUR', 'SEX', 'SIBLINGS'].index(line.split()[0]) + 1}: "
    refusal = run_command(mcheck.main, "-q", "--strict", ".", directory=directory)
    assert refusal.code == 1
    assert place in refusal.out + refusal.err
    (small / "encoding").write_text("SIBLINGS nm-sqr\n")
    assert run_command(mgendata.main, "-q", "--strict", "-c", codings, directory=directory).code == 0


def test_train_files_hold_inputs_and_targets_and_test_files_inputs_only(method, small, run_command):
    # SEX 1, SIBLINGS 1, COLOUR 5 and HOUR 2 numbers, then AGE.
    numbers, _ = encode(method, small, run_command, "AGE copy")
    directory = method / "demo/age/std.8"
    assert numbers.shape == (8, 10)
    assert np.loadtxt(directory / "test.0").shape == (4, 9)
    assert np.loadtxt(directory / "targets.0").shape == (4,)
    ages = [float(line.split()[1]) for line in (small / "data/demo/Dataset.data").read_text().splitlines()]
    assert np.loadtxt(directory / "targets.0").tolist() == ages[:4]
    assert numbers[:, -1].tolist() == ages[8:16]


def last_words(text):
    return [line.split()[-1] for line in text.splitlines() if "Significance" in line]


def test_p_is_the_same_whichever_method_is_first(small, run_command):
    for loss, task in (("S", "age/std.4"), ("Z", "sex/std.4")):
        one, other = (
            run_command(mstats.main, "-l", loss, "-c", compared, f"/{method}/demo/{task}").out
            for method, compared in (("base", "line"), ("line", "base"))
        )
        assert last_words(one) == last_words(other)
        assert len(last_words(one)) == 1
