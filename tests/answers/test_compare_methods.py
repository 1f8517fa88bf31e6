"""Sentences about comparisons say what the numbers say, and no more."""

import math

import pytest

from delvecore.answers.compare_methods import TaskComparison
from delvecore.answers.compare_pair import pair_sentence
from delvecore.losses.metrics import known_metric
from delvecore.losses.spec import measure_named
from delvecore.model import TaskId
from delvecore.render.spans import markdown
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
    "lower": -0.012,
    "upper": 0.672,
    "standardized_lower": -0.024,
    "standardized_upper": 1.344,
    "test": "t",
    "p": 0.053,
    "note": None,
    "notes": [],
}


def pair(level=0.95, **changes):
    row = PAIR | changes
    return row | {"p_adjusted": row["p"], "verdict": verdict(row["difference"], row["p"], level=level)}


def measure_of(row):
    """The measure of a row of results: a metric by its usual name, otherwise a loss of DELVE."""
    return known_metric(row["loss"]) if len(row["loss"]) > 1 else measure_named(row["loss"])


def plain(text):
    return markdown(text).replace("\\", "")


def said(standardized=False, **changes):
    row = pair(**changes)
    return plain(pair_sentence(row, measure_of(row), level=0.95, standardized=standardized))


def estimate(name, mean=0.3, loss="S", error=0.01):
    return {"method": name, "loss": loss, "mean": mean, "standard_error": error, "instances": 8}


def comparison(estimates, pairs, reference="knn-cv-1"):
    """Of the methods in the order of their estimates; pairs: of one with the other."""
    place, measure = TaskId("demo", "age", "std.8"), measure_of(estimates[0])
    return TaskComparison(place, measure, tuple(estimates), tuple(pairs), reference)


def task_sentence(estimates, pairs):
    return plain(comparison(estimates, pairs, reference=estimates[-1]["method"]).sentence)


def of_pairs(*pairs):
    return comparison([estimate("knn-cv-1")], pairs)


def noted(*remarks):
    """The columns of a table that hold these notes."""
    return {"note": notes.words_of(remarks), "notes": list(map(str, remarks))}


def without_test(note, **changes):
    return {
        **noted(note),
        "p": None,
        "test": None,
        **dict.fromkeys(("standard_error", "standardized_error", "lower", "upper")),
        **changes,
    }


def test_a_significant_difference_names_the_better_method():
    assert said(p=0.0123).endswith("p = 0.012, 8 training sets: **knn-cv-1 is significantly better**.")
    other = {"difference": -0.33, "lower": -0.63, "upper": -0.03, "p": 0.0123}
    assert "loses 0.33 less than knn-cv-1**, 95 % interval 0.03 to 0.63, p" in said(**other)
    assert said(difference=-0.33, p=0.0123).endswith("**lin-1 is significantly better**.")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            without_test(notes.ONE_TRAINING_SET, instances=1),
            "**lin-1 loses 0.33 more than knn-cv-1**, but there is one training set only, so the uncertainty "
            "cannot be estimated.",
        ),
        (
            without_test(notes.NOT_FINITE, difference=math.inf, mean_a=math.inf),
            "**lin-1 has an infinite loss, but knn-cv-1 does not**: lin-1 gave probability zero to what "
            "happened. A test is not possible.",
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
    estimates = [estimate("gp", 0.2), *map(estimate, "abc")]
    pairs = [
        pair(method_a="a", method_b="gp", p=0.4),
        pair(method_a="b", method_b="gp", p=0.001),
        pair(method_a="c", method_b="gp", **without_test(notes.ONE_TRAINING_SET)),
    ]
    assert task_sentence(estimates, pairs) == (
        "**gp has the lowest loss, 0.200 ± 0.010**, 8 training sets. **No significant difference from it**: "
        "a (p = 0.40). Significantly worse: b (p = 0.0010). Not tested: c."
    )


def test_scores_are_said_as_their_metric_has_them():
    names = ("best", "b", "c")
    estimates = [estimate(one, 0.8, "accuracy") for one in names]
    pairs = [pair(method_a=name, method_b="best", loss="accuracy", p=0.4) for name in "bc"]
    told = task_sentence(estimates, pairs)
    assert told.startswith("**best has the highest accuracy, 0.800 ± 0.010**, 8 training sets.")
    numbers = {"difference": 0.2, "lower": 0.18, "upper": 0.22, "p": 0.01}
    higher, lower = (said(loss=loss, **numbers) for loss in ("accuracy", "RMSE"))
    assert higher.startswith(
        "**The accuracy of lin-1 is 0.200 higher than that of knn-cv-1**, 95 % interval 0.180 to 0.220, p"
    )
    assert higher.endswith("**lin-1 is significantly better**.")
    assert lower.startswith("**The RMSE of lin-1 is 0.200 higher than")
    assert lower.endswith("**knn-cv-1 is significantly better**.")


def test_cautions_come_from_the_notes_and_name_the_pairs():
    shared, other_way = notes.SHARED_INSTANCES.of(2, 8, 2), notes.SHARED_INSTANCES.of(2, 2, 8)
    found = of_pairs(
        pair(**noted(shared, notes.TRAINING_CLIPPED, notes.CASES_CLIPPED)),
        pair(method_a="x", **noted(other_way)),
    )
    assert found.cautions == ["All 2 pairs: compared on the 2 training sets that both have."]
    assert list(map(plain, found.remarks)) == [
        "Between lin-1 and knn-cv-1 the training sets add no measurable variance.",
        "Between lin-1 and knn-cv-1 the test cases add no measurable variance.",
    ]
    others = [pair(method_a=name, **noted(notes.TRAINING_CLIPPED)) for name in "xy"] + [pair(method_a="z")]
    assert of_pairs(*others).remarks == ["In 2 of 3 pairs the training sets add no measurable variance."]


def heading(estimates, pairs):
    return plain(comparison(estimates, pairs, reference=estimates[-1]["method"]).heading)


def test_the_heading_of_several_methods_counts_the_significantly_worse():
    names = ("a", "b", "c")
    estimates = [estimate("gp", 0.2), *map(estimate, names)]

    def against(*ps):
        return [pair(method_a=name, method_b="gp", p=p) for name, p in zip(names, ps, strict=True)]

    lead = "gp has the lowest loss on /demo/age/std.8; "
    assert heading(estimates, against(0.01, 0.01, 0.01)) == f"{lead}all others are significantly worse."
    assert heading(estimates, against(0.4, 0.01, 0.01)) == f"{lead}2 of 3 others are significantly worse."
    assert heading(estimates, against(0.4, 0.4, 0.4)) == f"{lead}none of 3 others is significantly worse."
    untested = [
        one | without_test(notes.ONE_TRAINING_SET) | {"verdict": "not tested"} for one in against(1, 1, 1)
    ]
    assert heading(estimates, untested) == f"{lead}no difference from it is tested."
    tied = [estimate("gp", 0.3), *map(estimate, names)]
    assert (
        heading(tied, against(0.4, 0.4, 0.4)) == "All 4 methods have the same mean loss on /demo/age/std.8."
    )
    assert heading(estimates[:1], []) == "gp has a loss of 0.200 ± 0.010 on /demo/age/std.8."


def test_the_heading_of_a_pair_is_its_verdict():
    estimates = [estimate("knn-cv-1", 0.8), estimate("lin-1", 1.13)]
    assert (
        heading(estimates, [pair(p=0.01)])
        == "knn-cv-1 is significantly better than lin-1 on /demo/age/std.8."
    )
    headline = heading(estimates, [pair()])
    assert headline == "No significant difference between knn-cv-1 and lin-1 on /demo/age/std.8."
    headline = heading(estimates, [pair(**without_test(notes.ONE_TRAINING_SET))])
    assert headline == "The difference between knn-cv-1 and lin-1 on /demo/age/std.8 is not tested."
