"""`delve measures` on a small archive: the test shades of shade/std.4 are pink red blue pink red blue."""

import json

import pytest

from delvecore.cli import delve
from tests.archives import write_tree
from tests.losses.test_compute import SHADE_TASK

GUESSES = ("pink red blue pink red pink", "pink pink pink pink pink pink", "blue red blue pink red blue", "")


@pytest.fixture(autouse=True)
def _predictions(archive):
    files = {f"guess.{n}": text.replace(" ", "\n") + "\n" for n, text in enumerate(GUESSES) if text}
    files["prob.0"] = "".join(f"{row}\n" for row in ["8 1 1", "1 1 8", "1 8 1"] * 2)
    write_tree(archive / "methods/one" / SHADE_TASK, files)


def measure(run_command, *arguments):
    return run_command(delve.main, "measures", *arguments)


def test_json_has_everything_with_full_precision(run_command):
    (record,) = json.loads(measure(run_command, "one", f"/{SHADE_TASK}", "--format", "json").out)
    assert (record["method"], record["task"], record["own_test_sets"]) == ("one", "/demo/shade/std.4", False)
    assert record["counts"] == [[5, 1, 0], [3, 3, 0], [2, 0, 4]]
    assert record["measures"]["accuracy"]["mean"] == pytest.approx(12 / 18)
    blue = record["by_class"][1]
    assert (blue["recall"], blue["precision"], blue["f"]) == (1 / 2, 3 / 4, 6 / 10)
    assert [part["accuracy"] for part in record["training_sets"]] == pytest.approx([5 / 6, 1 / 3, 5 / 6])
    assert record["training_sets"][0]["auc"] == [1, 1, 1]
    assert (record["intervals"], record["null"]) == ([], None)


def test_the_null_hypothesis_is_tested_in_each_training_set_of_a_common_test_set(run_command):
    # 5, 2 and 5 of 6 right. P(X >= 5 | 1/2) = 7/64, P(X >= 2 | 1/2) = 57/64.
    words = "--null", "0.5", "--format", "json"
    (record,) = json.loads(measure(run_command, "one", f"/{SHADE_TASK}", *words).out)
    tests = [part["null"] for part in record["training_sets"]]
    assert [test["p_greater"] for test in tests] == pytest.approx([7 / 64, 57 / 64, 7 / 64])
    text = " ".join(measure(run_command, "one", f"/{SHADE_TASK}", "--null", "0.5").out.split())
    assert "Average recall p above 0.500" in text
    assert "0 0.833 0.436 to 0.970 0.833 0.11" in text


def test_losses_without_predictions_are_an_error_for_a_task_and_a_note_for_many(run_command):
    outcome = measure(run_command, "two", f"/{SHADE_TASK}")
    assert outcome.code == 1
    assert outcome.err.startswith("delve measures: /two/demo/shade/std.4: expected prediction files guess.0")
    outcome = measure(run_command, "two")
    assert "expected classification tasks with predictions of two, found none" in outcome.err


def test_a_task_of_numbers_and_an_unknown_method_are_refused(run_command):
    assert "found none; minfo one lists" in measure(run_command, "one", "/demo/age").err
    assert measure(run_command, "three").err == (
        "delve measures: three: expected a method, found none; mls / lists the methods\n"
    )


def test_another_method_is_held_against_or_it_is_said_why_not(run_command):
    text = measure(run_command, "one", f"/{SHADE_TASK}", "--against", "one").out
    assert "Against one: expected a separate test set for each training set" in " ".join(text.split())
    (record,) = json.loads(
        measure(run_command, "one", f"/{SHADE_TASK}", "--against", "one", "--format", "json").out
    )
    assert record["against"]["method"] == "one"
    assert "not independent" in record["against"]["reason"]
