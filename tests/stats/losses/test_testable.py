"""`not significant` on a task only where some data of the same design could have been significant."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

from delvecore import compare
from delvecore.cli import delve
from delvecore.library.comparison import Comparison
from delvecore.stats.p_adjustment import adjust

ADJUSTED = ("holm", "none", "bonferroni", "hochberg", "benjamini-hochberg")


def by_case(rows: np.ndarray, groups: int = 0) -> pd.DataFrame:
    """A table with a row per method and case. rows: shape (methods, cases)."""
    records = [
        {"model": f"m{method}", "case": case, "correct": value}
        | ({"passage": case % groups} if groups else {})
        for method, values in enumerate(rows)
        for case, value in enumerate(values)
    ]
    return pd.DataFrame(records)


def compared(rows: np.ndarray, groups: int = 0, **options: str) -> Comparison:
    group = {"group": "passage"} if groups else {}
    about = {"case": "case", "method": "model", "value": "correct", "higher_is_better": True}
    return compare(by_case(rows, groups), scale="as written", **about, **group, **options)


def verdicts(comparison: Comparison) -> set[str]:
    return set(comparison.to_frame()["verdict"])


@pytest.mark.parametrize("adjusting", ADJUSTED)
@pytest.mark.parametrize("methods", [2, 3, 4])
@pytest.mark.parametrize("kind", ["right or wrong", "graded"])
def test_a_task_is_tested_exactly_where_the_clearest_data_are_significant(kind, methods, adjusting):
    noise = np.random.default_rng(1)
    for cases in range(3, 11):
        # One method is right on every case. The others are right on one each, so that no two are identical;
        # step-up procedures need several small p, which the others have if they are right on none.
        clear = np.zeros((methods, cases))
        clear[0] = 1.0
        for other in range(2, methods) if adjusting in ("holm", "none", "bonferroni") else ():
            clear[other, other - 2] = 1.0
        unclear = noise.integers(0, 2, (methods, cases)).astype(float)
        unclear[:, :2] = np.arange(methods)[:, None] >> np.arange(2) & 1  # no two are identical
        if kind == "graded":
            clear = np.arange(methods)[::-1, None] + noise.uniform(0, 0.1, (methods, cases))
            unclear = noise.normal(size=(methods, cases))
        pairs = methods * (methods - 1) // 2
        smallest = float(adjust(np.full(pairs, 2.0 ** (1 - cases)), method=adjusting).min())
        said = verdicts(compared(unclear, adjust=adjusting))
        if smallest >= 0.05:
            assert verdicts(compared(clear, adjust=adjusting)) == said == {"not tested"}
        else:
            assert "better" in verdicts(compared(clear, adjust=adjusting))
            assert "not tested" not in said


def test_groups_of_cases_count_and_not_cases():
    # Four groups: p of no data is below 1/8, however many cases there are.
    comparison = compared(np.array([[1.0] * 40, [0.0] * 40]), groups=4)
    assert verdicts(comparison) == {"not tested"}
    assert "not testable with 4 groups of test cases (smallest adjusted p 0.12)" in comparison.sentence
    assert verdicts(compared(np.array([[1.0] * 40, [0.0] * 40]), groups=8)) == {"better"}


@pytest.mark.parametrize(("samples", "expected"), [(30, "not tested"), (39, "not tested"), (40, "better")])
def test_percentiles_of_few_bootstrap_samples_are_not_tested(samples, expected):
    draws = np.random.default_rng(2)
    better, worse = draws.normal(0, 0.1, (samples, 5)), draws.normal(1, 0.1, (samples, 5))
    comparison = compare(better, worse, design="bootstrap e0")
    assert comparison.verdict == expected
    assert (comparison.interval == (None, None)) == (comparison.p is None) == (expected == "not tested")
    reason = f"not tested: not testable with {samples} bootstrap samples (smallest adjusted p "
    assert (reason in comparison.sentence) == (expected == "not tested")
    close = compare(better, better[:, ::-1] + draws.normal(0, 0.1, (samples, 5)), design="bootstrap e0")
    assert close.verdict == ("not tested" if expected == "not tested" else "not significant")


def test_a_level_of_few_cases_decides():
    rows = np.array([[1.0] * 5, [0.0] * 5])  # p = 2/32
    assert compare(rows[:1], rows[1:], design="test cases", level=0.9).verdict == "worse"
    assert compare(rows[:1], rows[1:], design="test cases").verdict == "not tested"


REASON = "not testable with 6 test cases (smallest adjusted p 0.094)"
ROWS = np.array([[1.0] * 6, [0.0] * 6, [1.0, 0, 0, 0, 0, 0]])


def test_every_format_of_a_table_says_why(tmp_path, capsys):
    path = tmp_path / "results.csv"
    by_case(ROWS).to_csv(path, index=False)
    printed = {}
    for form in ("text", "json", "csv", "latex"):
        assert delve.main(["rank", str(path), "--higher-is-better", "--format", form]) == 0
        printed[form] = capsys.readouterr().out
    assert f"Not tested: {REASON}." in " ".join(printed["text"].split())
    assert f"Not tested: {REASON}." in printed["latex"]
    told = json.loads(printed["json"])
    assert f"Not tested: {REASON}." in told["answer"]
    lines = [line for line in printed["csv"].splitlines() if not line.startswith("#")]
    for rows in (told["rows"], list(csv.DictReader(io.StringIO("\n".join(lines))))):
        assert [(row["verdict"], row["reason"]) for row in rows] == [("not tested", REASON)] * 3
    comparison = compared(ROWS)
    assert f"Not tested: {REASON}." in comparison.sentence
    assert f"not tested: {REASON}" in " ".join(repr(comparison).split())
    assert f"not tested: {REASON}" in comparison.to_latex()
