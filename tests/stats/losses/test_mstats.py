"""What `mstats` reports: by hand, as independent programs have it, and as in the recorded session."""

import csv
import json
import re
from math import inf, nan

import numpy as np
import pytest

from delvecore.number_format.numbers import round_number
from delvecore.stats import notes
from delvecore.stats.losses.anova import (
    DESIGNS,
    MeanSquares,
    PairSquares,
    as_arrays,
    mean_squares,
    pair_mean_squares,
    quasi_f,
)
from delvecore.stats.losses.comparisons import analyze_pairs
from delvecore.stats.losses.mstats import compare, compare_losses, estimate, estimate_loss
from delvecore.stats.losses.results import standardized_mean, standardized_spread
from tests.shared import golden_path

HAND = np.array([[1.0, 2.0, 3.0], [3.0, 6.0, 9.0]])


def test_comparison_is_of_the_differences_case_by_case():
    other = np.array([[0.0, 0.0, 0.0], [3.0, 6.0, 9.0]])
    comparison = compare_losses(HAND, other, design="hierarchical")
    # Differences 1 2 3 and 0 0 0: row means 2 and 0, mean 1, MS_a = 3 x 2 = 6, t = 1 / sqrt(6/6) = 1.
    assert (comparison.mean_a, comparison.mean_b, comparison.mean) == (4.0, 3.0, 1.0)
    assert (comparison.pair.statistic[0], comparison.pair.df1[0]) == (1.0, 1)
    assert comparison.p == pytest.approx(0.5)


def anova_4x64():
    rows = list(csv.reader(golden_path("anova_4x64.csv").read_text().splitlines()))[1:]
    values = json.loads(golden_path("statistics.json").read_text())["anova_4x64"]
    expected = {name: {key: cell["value"] for key, cell in part.items()} for name, part in values.items()}
    return np.array([list(map(float, row[1:])) for row in rows]), expected


def test_hierarchical_analysis_agrees_with_independent_programs():
    rows, expected = anova_4x64()
    squares = mean_squares(rows, design="hierarchical")
    table = expected["hierarchical.mean_squares"]
    assert (squares.mean, squares.training, squares.residual) == pytest.approx(
        (table["mean"], table["MS_a"], table["MS_e"]), rel=1e-12
    )
    comparison = compare_losses(rows, np.zeros((4, 64)), design="hierarchical")
    test = expected["hierarchical.t"]
    t, df = comparison.pair.statistic[0], comparison.pair.df1[0]
    assert (t, df, comparison.p, comparison.mean / t) == pytest.approx(
        (test["t"], test["df"], test["p"], test["se"]), rel=1e-12
    )


def test_common_analysis_agrees_with_independent_programs():
    rows, expected = anova_4x64()
    squares = mean_squares(rows, design="common")
    table = expected["common_test_set.mean_squares"]
    assert squares == pytest.approx((table["mean"], table["MS_a"], table["MS_b"], table["MS_e"]), rel=1e-12)
    assert 256 * squares.mean**2 == pytest.approx(expected["common_test_set.SS_mean"]["SS_m"], rel=1e-12)
    comparison = compare_losses(rows, np.zeros((4, 64)), design="common")
    test = expected["common_test_set.quasi_F"]
    statistic = quasi_f(squares, instances=4, test_cases=64)
    assert (*statistic, comparison.p) == pytest.approx(
        (test["F"], test["df1"], test["df2"], test["p"]), rel=1e-11
    )


@pytest.mark.parametrize("design", DESIGNS)
def test_constant_losses_vary_by_exactly_zero(design):
    estimate = estimate_loss(np.full((3, 7), 0.1), design=design)
    assert (estimate.standard_error, estimate.sd_training, estimate.sd_residual) == (0.0, 0.0, 0.0)
    assert estimate.mean == pytest.approx(0.1, rel=1e-15)


@pytest.mark.parametrize("design", DESIGNS)
def test_losses_constant_in_each_training_set_leave_no_residual(design):
    squares = mean_squares(np.repeat([[0.1], [0.3], [0.7]], 7, axis=1), design=design)
    assert squares.residual == 0.0
    assert squares.cases in (0.0, None)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_large_constant_does_not_wash_out_small_variations(design):
    small = HAND * 2.0**-40
    raised = 1.0 + small
    assert mean_squares(raised, design=design)[1:] == pytest.approx(mean_squares(small, design=design)[1:])


TENTH_MORE = np.array([[[0.3, 0.8, 1.1], [0.4, 1.3, 0.7]], [[0.2, 0.7, 1.0], [0.3, 1.2, 0.6]]])
"""Losses that differ by 0.1, as decimals: as doubles some of the differences are 0.09999999999999998."""


@pytest.mark.parametrize("design", DESIGNS)
def test_a_difference_that_is_constant_in_decimals_has_zero_variance(design):
    comparison = compare_losses(*TENTH_MORE, design=design)
    assert (comparison.standard_error, comparison.p, comparison.reason) == (0.0, None, notes.ZERO_VARIANCE)
    squares = pair_mean_squares(TENTH_MORE, design=design)
    pairs = analyze_pairs(squares, instances=2, test_cases=3)
    assert pairs.difference.tolist() == pytest.approx([0.1])
    assert (pairs.standard_error.tolist(), np.isnan(pairs.p).all()) == ([0.0], True)


def test_a_small_variation_in_decimals_stays():
    a, b = TENTH_MORE.copy()
    a[0, 0] = 0.3000000000001
    comparison = compare_losses(a, b, design="hierarchical")
    assert comparison.p is not None
    assert 0 < comparison.p < 1e-9


@pytest.mark.parametrize("design", DESIGNS)
def test_one_training_set_gives_an_estimate_only(design):
    estimate = estimate_loss(np.array([[1.0, 2.0, 6.0]]), design=design)
    assert (estimate.instances, estimate.test_cases, estimate.mean) == (1, 3, 3.0)
    assert (estimate.standard_error, estimate.reason) == (None, notes.ONE_TRAINING_SET)
    case = estimate_loss(np.array([[1.0], [2.0]]), design=design)
    assert (case.mean, case.standard_error, case.reason) == (1.5, None, notes.ONE_TEST_CASE)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(
    ("bad", "mean", "reason"),
    [
        ([-inf], -inf, notes.INFINITE_MEAN),
        ([inf, -inf], None, notes.UNDEFINED_MEAN),
        ([nan], None, notes.UNDEFINED_MEAN),
        ([1.7e308, 1.7e308], inf, notes.INFINITE_MEAN),
        ([1e200, -1e200], 0.5, notes.TOO_LARGE),
    ],
)
def test_losses_out_of_reach_have_no_standard_error(design, bad, mean, reason):
    rows = np.array([[1.0, 1.0, 1.0], [*bad, *[0.0] * (3 - len(bad))]])
    estimate = estimate_loss(rows, design=design)
    assert (estimate.mean, estimate.standard_error, estimate.reason) == (mean, None, reason)


def test_infinite_losses_of_one_method_leave_no_test():
    losses = np.array([[[inf, 1.0], [1.0, 2.0]], [[1.0, 1.0], [1.0, 2.0]]])
    comparison = compare_losses(*losses, design="hierarchical")
    assert (comparison.mean_a, comparison.mean, comparison.p, comparison.reason) == (
        inf,
        inf,
        None,
        notes.NOT_FINITE,
    )


def test_rows_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="equally many losses, at least one; got 2 instances of 2 1 losses"):
        estimate_loss([np.ones(2), np.ones(1)], design="common")
    with pytest.raises(ValueError, match="equally many losses"):
        estimate_loss([], design="common")


def test_different_shapes_are_not_compared():
    with pytest.raises(
        ValueError, match=r"cannot compare losses of \[3, 3\] test cases with losses of \[3\]"
    ):
        compare_losses(HAND, HAND[:1], design="common")


# From mean squares.

SHAPE = {"instances": 2, "test_cases": 3}


def compare_squares(squares, mean_a=5.0, mean_b=1.0, identical=False, **shape):
    means = {"mean_a": np.array([mean_a]), "mean_b": np.array([mean_b])}
    place = np.zeros(1, dtype=int)
    pairs = PairSquares(place, place, **means, squares=as_arrays(squares), identical=np.array([identical]))
    return compare(pairs, **shape)


def test_a_dominating_interaction_is_a_caution():
    comparison = compare_squares(MeanSquares(0.0, 1.0, 1.0, 5.0), **SHAPE)
    assert comparison.dominated
    assert comparison.p is not None


def test_no_difference_and_no_residual_is_no_evidence():
    # Differences +1 and -1 by training set: mean 0, MS_a > 0, MS_b = MS_e = 0.
    assert compare_squares(MeanSquares(0.0, 3.0, 0.0, 0.0), **SHAPE).p == 1.0


# The manual prints six digits, which the standard error inherits; p has an error of some df times as much.


def manual_blocks():
    return json.loads(golden_path("manual-figures.json").read_text())["blocks"]


def manual_squares(block, mean):
    # MS_a = J SD_train^2 + SD_resid^2, MS_e = SD_resid^2: manual eqs. 5 to 7, turned round.
    residual = block["sd_resid"] ** 2
    return MeanSquares(mean, block["J"] * block["sd_train"] ** 2 + residual, None, residual)


def test_the_manuals_printed_standard_errors_follow_from_its_standard_deviations():
    estimates = [block for block in manual_blocks() if "mean" in block]
    assert estimates
    for block in estimates:
        shape = {"instances": block["I"], "test_cases": block["J"]}
        loss_estimate = estimate(manual_squares(block, block["mean"]), **shape)
        assert loss_estimate.standard_error == pytest.approx(block["se"], rel=1e-5)
        assert loss_estimate.sd_training == pytest.approx(block["sd_train"], rel=1e-9)


def test_the_manuals_printed_p_values_follow_from_its_differences():
    comparisons = [block for block in manual_blocks() if "p" in block]
    assert comparisons
    for block in comparisons:
        shape = {"instances": block["I"], "test_cases": block["J"]}
        squares = manual_squares(block, block["difference"])
        comparison = compare_squares(squares, block["mean_1"], block["mean_2"], **shape)
        assert comparison.standard_error == pytest.approx(block["se"], rel=1e-5)
        assert comparison.p == pytest.approx(block["p"], rel=1e-4)


# The recorded session.

DATASET_DESIGNS = {"kin-8nm": "hierarchical", "titanic": "common"}
LABELS = {
    "Estimated expected loss": "mean",
    "Standard error for estimate": "standard_error",
    "Estimated expected loss for lin": "mean_a",
    "Estimated expected loss for /mean": "mean_b",
    "Estimated expected difference": "mean",
    "Standard error for difference estimate": "standard_error",
    "SD from training sets & stochastic training": "sd_training",
    "SD from test cases": "sd_cases",
    "SD from test cases & stoch. pred. & interactions": "sd_residual",
    "SD from interactions & stochastic predictions": "sd_residual",
}


def read_rows(directory, loss):
    files = sorted(directory.glob(f"loss.{loss}.*"), key=lambda path: int(path.suffix[1:]))
    return [np.loadtxt(path, ndmin=1) for path in files]


def read_constants(directory):
    lines = (line.split() for line in (directory / "Test-set-stats").read_text().splitlines())
    return {words[0]: float(words[1]) for words in lines if words[1] != "undefined"}


def printed_blocks(text):
    """Split what mstats printed into (task directory, loss, {label: (raw, standardized)}, p or None)."""
    path, *blocks = re.split(r"^Loss: ", text, flags=re.MULTILINE)
    for block in blocks:
        matches = (re.match(r"\s*(.+):\s*(\S+) +(\S+)$", line) for line in block.splitlines())
        rows = {match[1]: (float(match[2]), float(match[3])) for match in matches if match}
        p = re.search(r"p = (\S+)", block)
        yield path.strip(), block[0], rows, float(p[1]) if p else None


def session_blocks(golden_session, pattern):
    files = sorted((golden_session / "expected").glob(pattern))
    assert files
    for file in files:
        yield from printed_blocks(file.read_text())


def test_the_recorded_estimates_are_reproduced_to_nine_digits(golden_session):
    compared = 0
    methods = golden_session / "delve-golden" / "methods"
    for pattern in ("mstats_lin_*.out", "mstats_mean_*.out"):
        for path, loss, printed, _ in session_blocks(golden_session, pattern):
            directory = methods / path.strip("/")
            estimate = estimate_loss(read_rows(directory, loss), design=DATASET_DESIGNS[path.split("/")[2]])
            compared += check_printed(estimate, printed, loss, read_constants(directory)[loss])
    assert compared == 8 * 3 * 4 + 4 * 3


def test_the_recorded_comparisons_are_reproduced_to_nine_digits(golden_session):
    compared = 0
    methods = golden_session / "delve-golden" / "methods"
    for path, loss, printed, p in session_blocks(golden_session, "mstats_c_*.out"):
        lin = methods / path.strip("/")
        mean = methods / path.strip("/").replace("lin/", "mean/")
        design = DATASET_DESIGNS[path.split("/")[2]]
        comparison = compare_losses(read_rows(lin, loss), read_rows(mean, loss), design=design)
        compared += check_printed(comparison, printed, loss, read_constants(lin)[loss])
        assert round_number(comparison.p) == p
    assert compared == 4 * 3 * 6 + 2 * 3


def check_printed(estimate, printed, loss, constant):
    for label, (raw, standardized) in printed.items():
        value = getattr(estimate, LABELS[label])
        is_loss = label.startswith("Estimated expected loss")
        convert = standardized_mean if is_loss else standardized_spread
        assert round_number(value) == raw, (loss, label)
        # The program standardized the nine digits that it printed, not the value behind them.
        assert round_number(convert(loss, round_number(value), constant)) == standardized, (loss, label)
    return len(printed)


@pytest.mark.parametrize("design", ["hierarchical", "common"])
@pytest.mark.parametrize("shape", [(), (6,), (4, 1)])
def test_a_shift_of_any_doubles_has_no_variance_beyond_its_own(design, shape):
    # A shift for all, for each test case, or for each training set: what is left of it is float noise.
    generator = np.random.default_rng(5)
    losses = generator.random((4, 6))
    pairs = pair_mean_squares(np.array([losses, losses + generator.random(shape)]), design=design)
    squares = pairs.squares
    assert (squares.training[0] == 0) == (shape != (4, 1))
    if design == "common":
        assert (squares.cases[0] == 0) == (shape != (6,))
        assert squares.residual[0] == 0
