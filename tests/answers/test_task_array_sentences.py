"""The sentences of the Task-arrays page: the pattern, what is significant, the largest of many differences."""

from itertools import product

import pyarrow as pa

from delvecore.answers.task_array_sentences import (
    array_basis,
    array_finding,
    crossing_sentence,
    failure_sentence,
    own_sentence,
    records,
)
from delvecore.losses.spec import measure_named
from delvecore.measures import column_measure
from delvecore.render.spans import markdown
from delvecore.stats.arrays.estimates import Crossing
from delvecore.stats.arrays.results import GridCell
from delvecore.stats.choose import Setting
from tests.stats.made_arrays import FULL

LOSS, ACCURACY = measure_named("S"), column_measure("accuracy", True)
LEVELS = tuple(product(("8", "32"), ("m", "h")))


def plain(text: str) -> str:
    return markdown(text).replace("\\", "")


def winner(levels, size, best, *, worse=(), not_worse=(), significant=1):
    """A row of `ARRAY_WINNERS`."""
    lists = {"worse": list(worse), "not_worse": list(not_worse), "untested": [], "without_results": []}
    counts = {"significant_pairs": significant, "tested_pairs": 3}
    place = {"dataset": f"toy-{''.join(levels)}", "levels": list(levels), "training_size": size}
    return place | {"best": best} | lists | counts


def finding(best_of, unit="dataset", measure=LOSS):
    rows = [
        winner(levels, size, best_of(levels, size), worse=("b", "c"))
        for levels in LEVELS
        for size in (64, 128)
    ]
    return plain(array_finding(FULL, pa.Table.from_pylist(rows), ("a", "b", "c"), measure=measure, unit=unit))


def test_methods_that_are_best_equally_often_share_the_heading():
    said = finding(lambda levels, size: "a" if size == 64 else "b", unit="task")
    assert said == "a and b each have the lowest loss on 4 of 8 tasks of toy"


def test_the_basis_names_who_is_significantly_best():
    rows = [winner(LEVELS[0], 64, "a", worse=("b",)), winner(LEVELS[1], 64, "b", not_worse=("a",))]
    said = plain(array_basis(pa.Table.from_pylist(rows), ("a", "b"), of=3, measure=LOSS, unit="task"))
    assert said.endswith("2 of 3 methods; a is significantly best on 1 task.")


def test_of_scores_the_highest_is_told():
    said = finding(lambda levels, size: "a", measure=ACCURACY)
    assert said == "a has the highest accuracy on most tasks of 4 of 4 datasets of toy"
    assert "loss" not in said
    rows = [winner(LEVELS[0], 64, "a", worse=("b",)), winner(LEVELS[1], 64, "b", worse=("a",))]
    said = own_sentence(pa.Table.from_pylist(rows), ("a", "b"), "a", measure=ACCURACY, unit="task")
    assert said.endswith("highest on 1 of 2 tasks, significantly best on 1.")


def test_a_method_falls_behind_most_where_another_has_the_highest_score():
    facts = {"levels": ["8", "m"], "training_size": 64, "difference_error": 0.1, "p": 1e-5}
    rows = [
        facts | {"method": "b", "difference": 0.5, "verdict": "better"},
        facts | {"method": "c", "difference": 0.75, "verdict": "better"},
        facts | {"method": "d", "difference": -0.9, "verdict": "worse"},
    ]
    said = plain(
        failure_sentence(FULL, pa.Table.from_pylist(rows), "a", measure=ACCURACY, setting=Setting()) or ""
    )
    assert ": its accuracy is 0.75 ± 0.10 below that of c (p" in said


def test_being_not_worse_counts_for_nothing():
    rows = [
        winner(LEVELS[0], 64, "a", worse=("c",), not_worse=("b",)),
        winner(LEVELS[1], 64, "b", worse="ac"),
    ]
    counted = records(pa.Table.from_pylist(rows), ("a", "b", "c")).rows
    by_name = {name: tuple(numbers) for name, *numbers in counted}
    assert by_name == {"b": (1, 1, 2), "a": (1, 0, 2), "c": (0, 0, 2)}


def test_the_largest_of_many_differences_pays_for_being_chosen():
    def rows(p):
        facts = {"levels": ["8", "m"], "training_size": 64, "method": "b", "difference_error": 0.1}
        other = facts | {"difference": 0.2, "p": 0.5, "verdict": "not significant"}
        return pa.Table.from_pylist([facts | {"difference": -0.5, "p": p, "verdict": "better"}, *[other] * 9])

    said = failure_sentence(FULL, rows(0.001), "a", measure=LOSS, setting=Setting())
    assert said is not None
    assert "as the largest of 10 differences" in said
    assert "p = 0.010" in said.replace("\N{NO-BREAK SPACE}", " ")
    assert failure_sentence(FULL, rows(0.01), "a", measure=LOSS, setting=Setting()) is None


def test_a_crossing_is_told_with_its_sizes_and_place():
    before, after = (GridCell(("32", "h"), size, "toy-32h", "out", f"std.{size}") for size in (128, 256))
    one = Crossing(before, after, behind="lasso", ahead="rf_1", is_significant=True, share=0.5, value=1.0)
    said = crossing_sentence(FULL, one)
    assert plain(said) == ("**rf_1** overtakes lasso between 128 and 256 training cases: inputs 32, noise h.")
