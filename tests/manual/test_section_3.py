"""Section 3, dataset files and specifications: sentences that no other test is named after."""

import pytest

from delvecore.cli import dinfo, mgendata
from delvecore.model import ORDERS, ORIGINS, USAGES
from delvecore.readers.cases import read_cases
from delvecore.readers.dataset import parse_dataset
from tests.archives import write_tree

SPEC = "Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 A u 0 1\n2 B u [0,Inf)\n"


def faults(text):
    errors = []
    parse_dataset(text, "d", "s", report=errors.append)
    return [str(error) for error in errors]


@pytest.mark.parametrize(
    ("key", "values", "other"),
    [
        ("Origin", ORIGINS, "found 'man-made'"),
        ("Usage", USAGES, "found 'man-made'"),
        ("Order", ORDERS, "found 'man-made'"),
    ],
)
def test_origin_usage_and_order_take_the_values_listed_and_no_others(key, values, other):
    lines = dict(line.split(": ") for line in SPEC.splitlines()[:3])
    for value in values:
        text = "".join(f"{name}: {({**lines, key: value})[name]}\n" for name in lines)
        assert faults(text + SPEC[SPEC.index("Attributes") :]) == []
    (fault,) = faults(SPEC.replace(f"{key}: {lines[key]}", f"{key}: man-made"))
    assert other in fault


def test_dinfo_says_when_commonality_indexes_are_present(features, run_command):
    assert "Commonality indexes are present\n" in run_command(dinfo.main, "/speech").out
    assert "ommonality" not in run_command(dinfo.main, "/river").out


def test_control_may_be_unknown():
    assert faults(SPEC.replace("1 A u", "1 A ?")) == []


def test_a_range_may_hold_values_that_no_case_has():
    dataset = parse_dataset(SPEC.replace("0 1", "aries taurus scorpio"), "d", "s")
    errors = []
    read_cases("aries 1\ntaurus 2\n", dataset, "data", report=errors.append)
    assert errors == []


@pytest.mark.parametrize("word", ["\\x", "@x", "(x", "[x", "+x", "-x", ".x", ":x"])
def test_words_with_a_special_first_character_are_no_categories(word):
    # Section 3.3 lists the characters; those that begin a range are refused in the specification already.
    errors = []
    dataset = parse_dataset(SPEC.replace("0 1", "yes no"), "d", "s")
    read_cases(f"{word} 1\nyes 2\n", dataset, "data", report=errors.append)
    assert len(errors) == 1


def test_numbers_keep_the_digits_of_the_data_file(small, run_command):
    write_tree(small, {"methods/new/demo/age/std.4/.keep": "", "encoding": "AGE copy\n"})
    data = small / "data/demo/Dataset.data"
    lines = [line.split() for line in data.read_text().splitlines()]
    for case, age in enumerate(("5.0", "5.00", "5", "05")):
        lines[case][1] = age
    data.write_text("".join(" ".join(line) + "\n" for line in lines))
    directory = small / "methods/new/demo/age/std.4"
    run_command(mgendata.main, "-q", "-c", str(small / "encoding"), directory=directory)
    copied = "".join((directory / f"targets.{n}").read_text() for n in range(2))
    assert copied.split() == ["5.0", "5.00", "5", "05"]
