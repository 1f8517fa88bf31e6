"""Section 7, assessing a learning method: sentences that no other test is named after."""

import shutil

import numpy as np
import pytest

from delvecore.cli import dinfo, mgendata, mgendir, minfo
from delvecore.encoding.codings import default_coding
from delvecore.model import PriorLine
from delvecore.readers.dataset import parse_dataset

DATASET = parse_dataset(
    "Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 PAIR u no yes\n2 KIND u none some many\n3 SIZE u 0..Inf\n",
    "d",
    "s",
)
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
    found = default_coding(DATASET.attribute(number), PriorLine(number, "NLMH", kind, options))
    assert (found.coding, dict(found.options)) == (coding, expected)


@pytest.mark.parametrize(("line", "wanted"), [("SEX 0/1", "passive"), ("HOUR rectan", "unit")])
def test_0_1_needs_a_passive_value_and_rectan_a_unit(method, small, run_command, line, wanted):
    _, outcome = encode(method, small, run_command, line)
    assert outcome.code == 1
    assert wanted in outcome.err


@pytest.mark.parametrize(
    ("option", "x"), [("", 0.5), (" scale=sqrt", 0.5), (" scale=linear", 0.25), (" scale=none", 1.0)]
)
def test_the_scales_of_the_thermometer_code(method, small, run_command, option, x):
    # Five colours make four numbers: x is 1, 1/4, or the root of 1/4. Columns: SEX, SIBLINGS, four of COLOUR.
    numbers, _ = encode(method, small, run_command, f"COLOUR therm{option}")
    assert set(np.abs(numbers[:, 2:6]).ravel()) == {x}
    assert (np.diff(numbers[:, 2:6], axis=1) <= 0).all()


@pytest.mark.parametrize("centre", [0, 3])
def test_normalised_training_values_have_the_centre_and_spread_promised(method, small, run_command, centre):
    option = f" centre={centre}" if centre else ""
    ages = encode(method, small, run_command, f"AGE nm-sqr{option}")[0][:, -1]
    assert (ages.mean(), ages.var(ddof=1)) == pytest.approx((centre, 1), abs=1e-7)
    ages = encode(method, small, run_command, f"AGE nm-abs{option}")[0][:, -1]
    assert np.median(ages) == pytest.approx(centre, abs=1e-7)
    assert np.abs(ages - centre).sum() / (len(ages) - 1) == pytest.approx(1, abs=1e-7)


def test_minfo_and_dinfo_without_arguments_tell_used_and_default_encodings(method, small, run_command):
    encode(method, small, run_command, "AGE copy")
    directory = method / "demo/age/std.8"
    used = run_command(minfo.main, directory=directory).out.splitlines()[-1].split()
    default = run_command(dinfo.main, directory=directory).out.splitlines()[-1].split()
    assert (used[2], used[5]) == ("AGE", "copy")
    assert (default[2], default[5]) == ("AGE", "nm-abs")


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
