"""Results of single test cases, 0 or 1: the mean is the share of the column itself, not a loss."""

import json
import re
from pathlib import Path

import pytest

import delvecore as dv
from delvecore.cli.delve import main as delve
from tests.one_sign.outputs import csv_rows

RESULTS = {"ant": "110110110110", "bee": "100100110100"}
MEANS = {method: sum(map(int, values)) / len(values) for method, values in RESULTS.items()}
DIFFERENCE = MEANS["ant"] - MEANS["bee"]


def write_results(path: Path, name: str) -> str:
    lines = [f"dataset,method,instance,{name}"]
    for method, values in RESULTS.items():
        lines += [f"bench,{method},c{place},{value}" for place, value in enumerate(values)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture(params=["resolved", "accuracy", "1 - score", "-LL", "cost"])
def name(request):
    return request.param


@pytest.fixture(params=[True, False], ids=["higher", "lower"])
def higher(request):
    return request.param


@pytest.fixture
def printed(tmp_path, run_command, name, higher):
    """Return what `delve rank` prints of the results in a format."""
    file = write_results(tmp_path / "results.csv", name)
    asked = [file, "--case", "instance", f"--value={name}", f"--{'higher' if higher else 'lower'}-is-better"]

    def output(form):
        outcome = run_command(delve, "rank", *asked, "--format", form)
        assert outcome.code == 0, outcome.err
        return outcome.out

    return output


def check_row(row):
    assert (row["mean_a"], row["mean_b"]) == pytest.approx((MEANS["ant"], MEANS["bee"]))
    assert row["difference"] == pytest.approx(DIFFERENCE)
    assert row["lower"] <= row["difference"] <= row["upper"]


def test_rows_have_the_means_and_the_difference_of_the_column(printed):
    check_row(json.loads(printed("json"))["rows"][0])
    check_row(csv_rows(printed("csv"))[0])


def test_the_table_names_the_column_and_has_its_means(printed, name, higher):
    text = printed("text")
    line = next(line for line in text.splitlines() if re.match(r"(ant +bee|bee +ant) ", line))
    numbers = [float(one) for one in line.replace("\N{MINUS SIGN}", "-").split()[2:5]]
    right = [MEANS["ant"], MEANS["bee"], DIFFERENCE]
    assert [abs(one) for one in numbers] == pytest.approx([abs(one) for one in right], abs=0.001)
    assert numbers == pytest.approx(right, abs=0.001)
    if higher:
        assert "loss" not in text.lower()
        assert re.search(rf"mean (?:{re.escape(name)} )?of a\b", re.sub(r"\s+", " ", text))


def test_the_sentence_says_who_is_higher_and_names_the_exact_test(printed, name, higher):
    answer = json.loads(printed("json"))["answer"]
    best = "ant" if higher else "bee"
    assert f"{best} has the best {name}, {MEANS[best]:.4f}" in answer
    sides = ("of ant is 0.25 higher than that of bee", "of bee is 0.25 lower than that of ant")
    assert any(f"The {name} {side}" in answer for side in sides)
    assert "McNemar's exact test" in answer  # of 0 and 1, whichever is better


def test_the_library_has_the_same_numbers(tmp_path, name, higher):
    file = write_results(tmp_path / "results.csv", name)
    comparison = dv.compare(file, case="instance", value=name, higher_is_better=higher)
    check_row(comparison.to_frame().to_dict("records")[0])
    assert comparison.difference == pytest.approx(DIFFERENCE)
