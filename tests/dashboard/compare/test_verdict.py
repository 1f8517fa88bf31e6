"""Sentences about comparisons say what the numbers say, and no more."""

import math

import pytest

from dashboard.compare.choice import RAW, STANDARDIZED
from dashboard.compare.verdict import (
    cautions,
    is_significant,
    pair_sentence,
    pair_verdict,
    pairs_named,
    reference_sentence,
    task_sentence,
)
from delvecore.stats import notes
from delvecore.stats.choose import verdict

PAIR = {
    "method_a": "lin-1",
    "loss": "S",
    "method_b": "knn-cv-1",
    "instances": 8,
    "mean_a": 1.13,
    "mean_b": 0.8,
    "difference": 0.33,
    "standard_error": 0.14,
    "standardized_difference": 0.66,
    "standardized_error": 0.28,
    "test": "t",
    "p": 0.053,
    "note": None,
    "notes": [],
}


def pair(level=0.95, **changes):
    row = PAIR | changes
    return row | {"p_adjusted": row["p"], "verdict": verdict(row["difference"], row["p"], level=level)}


def plain(text):
    return text.replace("\\", "")


def said(unit=RAW, **changes):
    return plain(pair_sentence(pair(**changes), unit=unit))


def noted(*found):
    """The columns of a table that hold these notes."""
    return {"note": notes.words_of(found), "notes": list(map(str, found))}


def without_test(note, **changes):
    return {
        **noted(note),
        "p": None,
        "test": None,
        "standard_error": None,
        "standardized_error": None,
        **changes,
    }


def test_a_difference_that_is_not_significant_is_said_to_be_none():
    assert (
        said()
        == "**lin-1 loses 0.33 ± 0.14 more than knn-cv-1**, p = 0.053, 8 training sets: **no significant difference**."
    )


def test_a_significant_difference_names_the_better_method():
    assert said(p=0.0123).endswith("p = 0.012, 8 training sets: **knn-cv-1 is significantly better**.")
    assert "loses 0.33 ± 0.14 less" in said(difference=-0.33, p=0.0123)
    assert said(difference=-0.33, p=0.0123).endswith("**lin-1 is significantly better**.")


def test_the_sentence_is_in_the_unit_chosen():
    assert "loses 0.66 ± 0.28 more than knn-cv-1** (standardized), p" in said(unit=STANDARDIZED)


def test_the_level_decides_what_is_significant():
    assert [is_significant(pair(level)) for level in (0.9, 0.95, 0.99)] == [True, False, False]
    assert [is_significant(pair(p=p)) for p in (0.0499999, 0.05)] == [True, False]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            without_test(notes.ONE_TRAINING_SET, instances=1),
            "**lin-1 loses 0.33 more than knn-cv-1**, but there is one training set only, so how sure that is "
            "cannot be estimated.",
        ),
        (
            without_test(notes.IDENTICAL, difference=0.0),
            "**lin-1 and knn-cv-1 have the same loss on every test case**: there is no difference to test.",
        ),
        (
            without_test(notes.ZERO_VARIANCE, standard_error=0.0),
            "**lin-1 loses 0.33 more than knn-cv-1**, but the difference is the same everywhere, so p is undefined.",
        ),
        (
            {"difference": 0.0, "p": 1.0},
            "**lin-1 loses on average as much as knn-cv-1**, p = 1.00, 8 training sets: **no significant difference**.",
        ),
        (
            without_test(notes.NOT_FINITE, difference=math.inf, mean_a=math.inf),
            "**lin-1 has an infinite loss, knn-cv-1 has none**: it gave probability zero to what happened. "
            "A test is not possible.",
        ),
        (
            without_test(notes.NOT_FINITE, difference=None, mean_a=math.inf, mean_b=math.inf),
            "**lin-1 and knn-cv-1 both have infinite losses**: they cannot be compared under this loss.",
        ),
        (
            without_test(notes.NO_SHARED_INSTANCE, difference=None, mean_a=None, mean_b=None),
            "**lin-1 and knn-cv-1 cannot be compared here**: not compared: no instance in common.",
        ),
    ],
)
def test_where_there_is_no_test_the_reason_is_said(changes, sentence):
    assert said(**changes) == sentence


def test_several_methods_are_sorted_into_not_different_and_worse():
    estimates = [{"method": "gp", "loss": "S", "mean": 0.2, "standard_error": 0.01, "instances": 8}]
    estimates += [
        {"method": name, "loss": "S", "mean": 0.3, "standard_error": 0.01, "instances": 8} for name in "abc"
    ]
    found = [
        pair(method_a="a", method_b="gp", p=0.4),
        pair(method_a="b", method_b="gp", p=0.001),
        pair(method_a="c", method_b="gp", **without_test(notes.ONE_TRAINING_SET)),
    ]
    assert plain(task_sentence(estimates, found, unit=RAW)) == (
        "**gp has the lowest loss, 0.200 ± 0.010**, 8 training sets. **No significant difference from it**: "
        "a (p = 0.40). Significantly worse: b (p = 0.0010). Not tested: c."
    )
    worse = [pair(method_a="a", method_b="gp", p=0.01), pair(method_a="b", method_b="gp", p=0.02)]
    assert "**All others are significantly worse**: a (p = 0.010) and b (p = 0.020)." in plain(
        task_sentence(estimates, worse, unit=RAW)
    )
    none = [pair(method_a=name, method_b="gp", **without_test(notes.ONE_TRAINING_SET)) for name in "abc"]
    assert plain(task_sentence(estimates, none, unit=RAW)).endswith(
        "**None of the 3 others is tested against it**: there is one training set only, so how sure that is "
        "cannot be estimated."
    )


def test_scores_are_said_as_their_metric_has_them():
    # A loss of 0.2 is kept of an accuracy of 0.8.
    names = ("best", "b", "c")
    estimates = [{"method": one, "loss": "accuracy", "mean": 0.2, "instances": 5} for one in names]
    estimates = [one | {"standard_error": 0.01} for one in estimates]
    found = [pair(method_a=name, method_b="best", loss="accuracy", p=0.4) for name in "bc"]
    told = plain(task_sentence(estimates, found, unit=RAW))
    assert told.startswith("**best has the highest accuracy, 0.800 ± 0.010**, 5 training sets.")
    assert said(loss="accuracy", difference=-0.2, standard_error=0.01).startswith(
        "**The accuracy of lin-1 is 0.200 ± 0.010 higher than that of knn-cv-1**"
    )
    assert "0.200 ± 0.010 lower than" in said(loss="RMSE", difference=-0.2, standard_error=0.01)


def test_where_no_mean_is_finite_nobody_is_called_best():
    estimates = [
        {"method": name, "loss": "S", "mean": math.inf, "standard_error": None, "instances": 8}
        for name in "abc"
    ]
    assert "cannot be compared" in task_sentence(estimates, [pair(), pair()], unit=RAW)


def test_the_reference_is_compared_with_all_others():
    found = [pair(method_a="a", p=0.01), pair(method_a="b", p=0.01, difference=-1), pair(method_a="c")]
    assert reference_sentence(found, "knn") == "Against **knn**: better: b; worse: a; not significant: c."
    assert reference_sentence(found[:1], "knn") is None


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"p": 0.01}, "worse"),
        ({"p": 0.01, "difference": -1.0}, "better"),
        ({}, "not significant"),
        (without_test(notes.IDENTICAL), "identical"),
        (without_test(notes.ONE_TRAINING_SET), "not tested"),
    ],
)
def test_verdicts_are_about_the_first_method(changes, expected):
    assert pair_verdict(pair(**changes)) == expected


def test_cautions_come_from_the_notes_and_name_the_pairs():
    shared, other_way = notes.SHARED_INSTANCES.of(2, 8, 2), notes.SHARED_INSTANCES.of(2, 2, 8)
    found = cautions(
        [
            pair(**noted(shared, notes.TRAINING_CLIPPED, notes.CASES_CLIPPED)),
            pair(method_a="x", **noted(other_way)),
        ]
    )
    said = list(found)
    assert [caution.is_serious for caution in said] == [True, False, False]
    assert plain(said[0].text) == "compared on the 2 training sets that both have"
    assert [plain(name) for name in found[said[0]]] == ["lin-1 and knn-cv-1", "x and knn-cv-1"]
    assert "between test cases was estimated negative" in said[2].text


def test_what_was_not_compared_is_a_caution_with_the_names_escaped():
    (caution,) = cautions([pair(**without_test(notes.UNEQUAL_LOSSES.of(1, 3, 2)))])
    assert plain(caution.text) == "not compared: in instance 1 lin-1 has 3 losses, knn-cv-1 2"


def test_names_cannot_become_markdown():
    assert r"\*\*x\*\*" in pair_sentence(pair(method_a="**x**"), unit=RAW)


def test_one_pair_concerned_is_named_and_several_are_counted():
    assert pairs_named(["a and b"], of=3) == "a and b"
    assert pairs_named(["a and b", "a and c"], of=3) == "2 of 3 pairs"
    assert pairs_named(["a and b", "a and c", "b and c"], of=3) == "All 3 pairs"


def test_p_too_small_for_digits_stands_once_behind_all_methods_that_have_it():
    best = {"method": "a", "loss": "S", "mean": 1.0, "standard_error": 0.1, "instances": 4, "notes": ()}
    worse = [
        pair(method_a=name, method_b="a", difference=0.5, p=p)
        for name, p in zip("bcd", (1e-9, 0.01, 1e-7), strict=True)
    ]
    told = plain(task_sentence([best], worse, unit=RAW))
    assert told.endswith("c (p = 0.010), b and d (each p < 0.0001).")
