"""What drives a method's loss on a task-array: contrasts and terms by hand and as independent programs have them;
effects of factors and of training size, slopes, covariances."""

from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from delvecore.losses.spec import measure_named
from delvecore.measures import column_measure
from delvecore.stats.arrays.factorial_effects import (
    ARRAY_EFFECTS,
    LEARNING_SLOPES,
    ONE_SIZE,
    TRAINING_SIZE,
    CellEstimates,
    analyze_term,
    array_effects,
    estimate_contrast,
    learning_slopes,
    make_design,
)
from delvecore.stats.arrays.results import block_covariance
from delvecore.stats.choose import Setting
from tests.stats.made_arrays import FULL, array_of, factor, results_of, task_table

A, B = factor("a", "0", "1"), factor("b", "0", "1")
SQUARE = np.array(list(product(range(2), range(2))))


def independent(values, variances, degrees) -> CellEstimates:
    values = np.asarray(values, dtype=float)
    matrix = np.diag(np.broadcast_to(variances, values.shape).astype(float))
    return CellEstimates(values, matrix, np.arange(len(values)), np.broadcast_to(degrees, values.shape))


def effect(design, term, cells):
    return estimate_contrast(design.combination(term, [2.0]), cells)


def test_variances_that_only_rounding_makes_are_none():
    # Two cells that always err alike: their difference has no error. An ulp in the weights is no evidence.
    cells = CellEstimates(
        np.array([2.0, 2.0]), np.full((2, 2), 1 / 3), np.zeros(2, dtype=int), np.full(2, 2.0)
    )
    weights = np.array([-1.0, 1.0 + 2**-52])
    assert np.isnan(estimate_contrast(weights, cells).p)
    basis = np.array([[-(0.5**0.5)], [np.nextafter(0.5**0.5, 1)]])
    assert np.isnan(analyze_term(basis, cells).p)


def test_one_factor_of_two_levels_is_welchs_t_test():
    # SciPy's test of two samples with unequal variances.
    first, second = [1.0, 2.0, 4.0, 4.5], [3.0, 3.5, 9.0]
    samples = [np.array(first), np.array(second)]
    means, variances = [s.mean() for s in samples], [s.var(ddof=1) / len(s) for s in samples]
    cells = independent(means, variances, [3, 2])
    design = make_design([A], np.array([[0], [1]]), order=1)
    welch = stats.ttest_ind(second, first, equal_var=False)
    measured_effect = effect(design, (0,), cells)
    assert (measured_effect.p, measured_effect.df2) == pytest.approx((welch.pvalue, welch.df))
    tested = analyze_term(design.basis((0,)), cells)
    assert (tested.value / tested.error, tested.df, tested.df2, tested.p) == pytest.approx(
        (welch.statistic**2, 1, welch.df, welch.pvalue)
    )


def test_equal_variances_give_the_classic_analysis_of_variance():
    # Two-way ANOVA, three replicates m - 1, m, m + 1 in each cell: statsmodels 0.15.0,
    # anova_lm(ols("y ~ C(a, Sum) * C(b, Sum)"), typ=3); its sums of squares count each replicate.
    cells = np.array(list(product(range(2), range(3))))
    design = make_design([A, factor("b", "0", "1", "2")], cells, order=2)
    estimates = independent([1, 3, 4, 2, 5.5, 9], 1 / 3, 2)
    expected = {
        (0,): (36.125, 36.125, 6.118292719379698e-05),
        (1,): (75.25, 37.625, 6.768537860071756e-06),
        (0, 1): (12.25, 6.125, 0.014683075051294762),
    }
    for term, (squares, f, p) in expected.items():
        test = analyze_term(design.basis(term), estimates)
        assert (3 * test.value, test.value / test.error) == pytest.approx((squares, f))
        assert (test.df2, test.p) == pytest.approx((12, p))


def test_an_incomplete_design_is_least_squares():
    # statsmodels 0.15.0: ols of y on codes -1 and 1 of i, j, codes -1, 0, 1 and 1, -2, 1 of the third factor
    # and their products by two; sums of squares as the residual's growth when a term is left out.
    values = [0.9, 0.7, 0.55, 0.95, 0.9, 0.86, 0.8, 0.5, None, 1.0, 0.93, 0.84]
    every = np.array(list(product(range(2), range(2), range(3))))
    known = np.array([value is not None for value in values])
    factors = [A, B, factor("training size", "64", "128", "256")]
    design = make_design(factors, every[known], order=2)
    cells = independent(np.log([value for value in values if value is not None]), 0.01, 3)
    linear = estimate_contrast(design.combination((2,), [2.0, 0.0]), cells)
    assert linear.value == pytest.approx(2 * -0.17921907614816007)
    assert effect(design, (0, 1), cells).value == pytest.approx(2 * 0.06729229868601751)
    squares = [analyze_term(design.basis(term), cells).value for term in design.terms[1:]]
    assert squares == pytest.approx(
        [
            0.026174898817535368,
            0.29704039737364596,
            0.17484906539497858,
            0.03622602769958524,
            0.008465776997736011,
            0.07308095806458775,
        ]
    )
    assert analyze_term(design.rest, cells).value == pytest.approx(0.005009290781939754)


def test_what_cells_share_is_in_the_error():
    # Sum of two estimates of variance 1 that vary together fully: variance 4, one unit of 3 degrees.
    together = CellEstimates(np.array([1.0, 2.0]), np.ones((2, 2)), np.array([0, 0]), np.array([3.0, 3.0]))
    contrast = estimate_contrast(np.array([1.0, 1.0]), together)
    assert (contrast.error, contrast.df2) == pytest.approx((2, 3))
    assert np.isnan(estimate_contrast(np.array([1.0, -1.0]), together).error)


def test_a_cell_without_an_error_leaves_the_effect_without_one():
    design, cells = make_design([A, B], SQUARE, order=2), independent([1, 3, 2, 6], [1, 1, np.nan, 1], 1)
    measured_effect = effect(design, (0,), cells)
    assert measured_effect.value == pytest.approx(2)
    assert np.isnan([measured_effect.error, measured_effect.p]).all()
    assert np.isnan(analyze_term(design.basis((0,)), cells).p)


SINGLE = Setting(adjust="none")


def rows_of(mean: float, spread: float = 0.5) -> list[list[float]]:
    """Two instances around a mean: its standard error is the spread."""
    return [[mean - spread] * 2, [mean + spread] * 2]


def losses_of(means: dict[tuple[str, int], float], method: str = "a") -> list[tuple]:
    return [("toy-" + name, size, method, rows_of(mean)) for (name, size), mean in means.items()]


SQUARE_LOSSES = {("8m", 64): 1.0, ("8h", 64): 3.0, ("32m", 64): 2.0, ("32h", 64): 6.0}


def by_term(table, kind="term"):
    return {row["term"]: row for row in table.to_pylist() if row["kind"] == kind}


def test_effects_of_a_square_by_hand():
    # inputs: (2 + 6) / 2 - (1 + 3) / 2 = 2; noise 3; both 1; squares 4, 9, 1 of 14. Variance of each effect:
    # four cells of weight 1/2 and variance 1/4.
    table = array_effects(results_of(FULL, *losses_of(SQUARE_LOSSES)), scale="raw")
    assert table.schema == ARRAY_EFFECTS
    terms = by_term(table)
    names = ("inputs", "noise", "inputs x noise")
    assert [terms[name]["effect"] for name in names] == pytest.approx([2, 3, 1])
    assert [terms[name]["share"] for name in names] == pytest.approx([4 / 14, 9 / 14, 1 / 14])
    assert [terms[name]["noise_share"] for name in names] == pytest.approx([0.25 / 14] * 3)
    assert (terms["noise"]["standard_error"], terms["noise"]["degrees"]) == pytest.approx((0.5, 4))
    assert terms["inputs"]["contrast"] == "from inputs 8 to inputs 32"
    assert by_term(table, "mean")["mean"]["effect"] == pytest.approx(3)


def test_a_row_names_the_levels_that_it_is_about_not_their_labels():
    three = array_of(("a",), ("b",), ("c",), factors=(factor("soil", "a", "b", "c"),))
    tables = [
        array_effects(results_of(three, *losses_of({(name, 64): 1.0 for name in names}))).to_pylist()
        for names in ("abc", "bc")
    ]
    named = [
        [row["contrasted"] for row in rows if row["factors"] == ["soil"] and row["effect"] is not None]
        for rows in tables
    ]
    assert named == [[["a"], ["b"], ["c"]], [["b", "c"]]]


def test_effects_on_the_log_scale_multiply():
    # Losses 1 2 4 8: noise doubles, inputs quadruple, and no more.
    means = {("8m", 64): 1.0, ("8h", 64): 2.0, ("32m", 64): 4.0, ("32h", 64): 8.0}
    terms = by_term(array_effects(results_of(FULL, *losses_of(means))))
    assert terms["noise"]["scale"] == "log"
    assert [terms[name]["ratio"] for name in ("inputs", "noise", "inputs x noise")] == pytest.approx(
        [4, 2, 1]
    )
    # Relative errors 1/2, 1/4, 1/8, 1/16, each of weight 1/2.
    assert terms["noise"]["standard_error"] == pytest.approx((sum(4.0**-k for k in range(1, 5)) / 4) ** 0.5)


def test_log_probability_and_losses_of_zero_have_no_log_scale():
    data = results_of(FULL, *losses_of(SQUARE_LOSSES), measure=measure_named("L"), constant=0.0)
    assert by_term(array_effects(data))["noise"]["scale"] == "raw"
    with pytest.raises(ValueError, match="log probabilities have no zero"):
        array_effects(data, scale="log")
    zero = results_of(FULL, *losses_of(SQUARE_LOSSES | {("8m", 64): 0.0}))
    assert by_term(array_effects(zero))["noise"]["scale"] == "raw"
    with pytest.raises(ValueError, match="not above zero"):
        array_effects(zero, scale="log")
    with pytest.raises(ValueError, match="expected one of the scales log, raw"):
        array_effects(zero, scale="cubic")


def test_effects_and_slopes_of_a_score_have_the_sign_of_its_values():
    # Scores 0.5 and 0.75 with 64 and 128 cases in both members, noise lowers them by 0.25: effects 0.25, -0.25.
    means = {("8m", 64): 0.75, ("8m", 128): 1.0, ("8h", 64): 0.5, ("8h", 128): 0.75}
    scores = [(name, size, "a", [[mean - 0.01], [mean + 0.01]]) for (name, size), mean in means.items()]
    data = results_of(
        array_of(("8", "m"), ("8", "h")),
        *(("toy-" + name, *rest) for name, *rest in scores),
        measure=column_measure("score", higher_is_better=True),
    )
    terms = by_term(array_effects(data, scale="raw"))
    assert [terms[name]["effect"] for name in ("noise", TRAINING_SIZE)] == pytest.approx([-0.25, 0.25])
    assert terms["noise"]["loss"] == "score"
    slopes = learning_slopes(data, scale="raw").to_pylist()
    assert [row["slope"] for row in slopes if row["slope"] is not None] == pytest.approx([0.25, 0.25])
    assert all(row["lower"] < row["slope"] < row["upper"] for row in slopes if row["lower"] is not None)
    negative = results_of(FULL, ("toy-8m", 64, "a", [[-1.0]]), measure=column_measure("LL", True))
    with pytest.raises(ValueError, match="no log scale for these values, because a value is not above zero"):
        array_effects(negative, scale="log")


def test_shares_of_a_complete_array_add_up_to_one():
    generator = np.random.default_rng(1996)
    array = array_of(
        *[(a, b) for a in ("8", "16", "32") for b in "mh"],
        factors=(factor("inputs", "8", "16", "32"), factor("noise", "m", "h")),
    )
    sizes = (64, 128, 256)
    losses = [
        (member.dataset, size, "a", generator.uniform(1, 2, (4, 3)))
        for member in array.members
        for size in sizes
    ]
    data = results_of(array, *losses, tasks=task_table(array, sizes=sizes))
    rows = array_effects(data).to_pylist()
    assert sum(row["share"] for row in rows if row["kind"] in ("term", "rest")) == pytest.approx(1)
    assert sum(row["df"] for row in rows if row["kind"] in ("term", "rest")) == 17
    levels = [row["effect"] for row in rows if row["kind"] == "level"]
    means = np.log(data.value).reshape(3, -1).mean(axis=1)
    assert levels == pytest.approx((means - means.mean()).tolist())
    assert {row["term"] for row in rows if row["kind"] == "linear"} == {
        TRAINING_SIZE,
        "noise x training size",
    }


def test_terms_that_a_hole_hides_are_named():
    # The diagonal of the square: inputs and noise change together.
    terms = by_term(array_effects(results_of(FULL, *losses_of({("8m", 64): 1.0, ("32h", 64): 2.0}))))
    note = (
        "not estimable: the tasks with results do not separate it from noise; only where training size is 64"
    )
    assert (terms["inputs"]["effect"], terms["inputs"]["share"]) == (None, None)
    assert terms["inputs"]["note"] == note


def test_a_method_without_results_has_one_row_that_says_so():
    data = results_of(FULL, *losses_of(SQUARE_LOSSES), methods=["none"])
    assert [(row["kind"], row["note"]) for row in array_effects(data).to_pylist()] == [("mean", "no results")]


def test_the_slope_is_the_change_by_doubling():
    # Losses 4 and 1 at 64 and 128 cases: log loss falls by log 4.
    means = {("8m", 64): 4.0, ("8m", 128): 1.0, ("8h", 64): 1.0}
    table = learning_slopes(results_of(FULL, *losses_of(means)))
    rows = table.to_pylist()
    assert (table.schema, len(rows)) == (LEARNING_SLOPES, 4)
    assert (rows[0]["slope"], rows[0]["ratio"]) == pytest.approx((-np.log(4), 0.25))
    assert [row["note"] for row in rows] == [None, ONE_SIZE, "no results", "no results"]
    assert rows[1]["sizes"] == [64]


def test_the_error_of_a_slope_counts_the_test_cases_that_sizes_share():
    # Instance means 3.5 4.5 and 0.5 1.5: the difference is 3 in both instances, so its error is zero; with
    # 0.5 1.7 it is 3 and 2.8: error 0.1, one degree of freedom.
    losses = [("toy-8m", 64, "a", rows_of(4.0)), ("toy-8m", 128, "a", [[0.5, 0.5], [1.7, 1.7]])]
    row = learning_slopes(results_of(FULL, *losses), scale="raw").to_pylist()[0]
    assert (row["slope"], row["standard_error"], row["degrees"]) == pytest.approx((-2.9, 0.1, 1))


def test_blocks_of_test_cases_are_the_replicates_where_numbers_of_instances_differ():
    # Four instances 1 3 5 7 are pairs of blocks: means 2 and 6; the other task has 10 and 14.
    four = (4, np.arange(4), np.array([[1.0], [3.0], [5.0], [7.0]]))
    matrix, degrees = block_covariance([four, (2, np.arange(2), np.array([[10.0], [14.0]]))])
    assert matrix == pytest.approx(np.full((2, 2), 4.0))  # sample covariance 8 over 2 blocks
    assert degrees == 1


@pytest.mark.slow
def test_intervals_hold_what_is_true_as_often_as_they_say():
    # No effects at all; test cases are shared by sizes with 4, 4 and 2 instances. With errors of sizes taken as
    # independent, 10 % of the intervals of noise would miss zero, and none of those of size. Two standard
    # deviations of 95 of 100 are 4.4.
    generator = np.random.default_rng(1996)
    counts = {64: 4, 128: 4, 256: 2}
    tasks = task_table(FULL, sizes=tuple(counts))
    tasks = tasks.append_column(
        "instances", pa.array([counts[n] for n in tasks["training_size"].to_pylist()])
    )
    held = {"noise": 0, TRAINING_SIZE: 0}
    for _ in range(100):
        rows = array_effects(
            results_of(FULL, *simulated(generator, counts), tasks=tasks), scale="raw", setting=SINGLE
        ).to_pylist()
        for row in rows:
            if row["term"] in held and row["lower"] is not None:
                held[row["term"]] += row["lower"] <= 0 <= row["upper"]
    assert all(91 <= count <= 99 for count in held.values()), held


def simulated(generator, counts):
    """Yield losses around 10: what the case, the training set and chance add."""
    for member in FULL.members:
        cases = generator.normal(0, 1, 16)
        for size, count in counts.items():
            training, chance = (
                generator.normal(0, 0.15, (count, 1)),
                generator.normal(0, 0.5, (count, 16 // count)),
            )
            yield member.dataset, size, "a", 10 + cases.reshape(count, -1) + training + chance


def test_a_common_test_set_varies_with_the_cases_that_sizes_share():
    # The same case is hard for both sizes: case means 1 3 and 2 4, covariance 2 over 2 cases.
    tasks = task_table(FULL, selection="common")
    losses = [("toy-8m", 64, "a", [[0.0, 4.0], [2.0, 2.0]]), ("toy-8m", 128, "a", [[1.0, 5.0], [3.0, 3.0]])]
    data = results_of(FULL, *losses, tasks=tasks)
    assert data.estimates.covariance[0][0, 1] == pytest.approx(1)
    assert data.estimates.covariance[0][0, 0] == pytest.approx(data.error[0, 0] ** 2)
