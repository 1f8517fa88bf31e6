"""Scores of test cases in an archive: matched by case, counted, put beside each other."""

import pytest

import delvecore as dv
from delvecore.cli import delve
from delvecore.errors import DelveError
from tests.case_results import right_or_wrong
from tests.score_tables.test_case_results import exact_p


@pytest.fixture
def two_files(tmp_path):
    """Model a lacks cases q1 and q2, model b case q7."""
    frame = right_or_wrong(0.75, 0.6)
    lacking = {"a": ["q1", "q2"], "b": ["q7"]}
    for model, cases in lacking.items():
        part = frame[(frame.model == model) & ~frame.doc_id.isin(cases)]
        part.to_csv(tmp_path / f"{model}.csv", index=False)
    known = frame[~frame.doc_id.isin(["q1", "q2", "q7"])]
    return [tmp_path / "a.csv", tmp_path / "b.csv"], exact_p(known)


def check(archive, p):
    assert "3 test cases (q1, q2, q7): not all methods have them" in archive.readings[0].text
    assert "compared on the 217 of task0 that all have" in archive.readings[0].text
    (row,) = archive.comparisons.to_pylist()
    assert (row["test_cases"], row["p"]) == (217, pytest.approx(p))
    assert archive.results["test_cases"].to_pylist() == [217, 217]
    assert archive.tasks["test_cases"].to_pylist() == [217]


def test_files_of_different_cases_are_matched_by_case(two_files):
    paths, p = two_files
    check(dv.open(paths), p)
    check(dv.open(paths), p)  # from the cache


def test_a_file_beside_an_archive_is_matched_by_case(two_files):
    (first, second), p = two_files
    check(dv.open(first).beside([second]), p)


def test_a_group_joined_later_is_matched_by_case(two_files):
    (first, second), p = two_files
    joined = dv.open(first).joined(dv.open(second)._scores[0].group)
    check(joined, p)
    assert joined.case_names["/task0/scores/all"][:3] == ("q0", "q3", "q4")


def test_a_method_with_fewer_than_half_of_the_cases_has_no_result(tmp_path):
    frame = right_or_wrong(0.75, 0.6, 0.5)
    number = frame.doc_id.str[1:].astype(int)
    frame[(frame.model != "c") | (number < 100)].to_csv(tmp_path / "three.csv", index=False)
    archive = dv.open(tmp_path / "three.csv")
    assert "1 method (c): fewer than half of the test cases of task0" in archive.readings[0].text
    assert archive.results["method"].to_pylist() == ["a", "b"]
    assert archive.comparisons["p"][0].as_py() == pytest.approx(exact_p(frame))


def test_means_and_cases_in_one_opening_are_refused(two_files, tmp_path):
    (tmp_path / "means.csv").write_text("task,model,acc\ntask0,c,0.5\ntask0,d,0.6\n")
    with pytest.raises(DelveError, match=r"means\.csv: expected a column of test cases"):
        dv.open([two_files[0][0], tmp_path / "means.csv"])


def test_the_table_of_tasks_has_the_groups():
    frame = right_or_wrong(0.75, 0.6, cases=6)
    frame["passage"] = frame.doc_id.str[1:].astype(int) // 2
    archive = dv.library.input_tables.archive_of(
        dv.library.input_tables.score_file(frame, dv.score_tables.options.NOTHING_SAID)
    )
    (task,) = archive.tasks.to_pylist()
    assert (task["scheme"], task["test_set_selection"]) == ("test cases", "common")
    assert task["case_groups"] == [0, 0, 1, 1, 2, 2]


def test_a_table_for_a_paper_marks_what_is_tested_within_a_task(tmp_path, run_command):
    right_or_wrong(0.9, 0.6, 0.4, tasks=2).to_csv(tmp_path / "results.csv", index=False)
    found = run_command(delve.main, "table", str(tmp_path / "results.csv")).out
    assert "McNemar's exact test over the test cases" in " ".join(found.split())
    assert "nothing is tested" not in found
