"""The File check page."""

import threading

import pytest

from dashboard.server import archive as opened
from dashboard.server import checks as check_data
from tests.archives import feature_archive, write_tree
from tests.dashboard.reading import answer, opened_archive

pytestmark = pytest.mark.slow

BAD = {"methods/one/demo/age/std.8/loss.S.0": "1\n2\nx\n4\n", "data/demo/age/odd.prior": "1 NLMH banana\n"}


def test_a_table_of_scores_has_no_files_of_datasets_and_methods_to_check(tmp_path, run_page):
    lines = [f"d{number},{method},0.{number}{len(method)}" for number in range(3) for method in ("a", "bb")]
    (tmp_path / "scores.csv").write_text("\n".join(["dataset,method,accuracy", *lines, ""]))
    opened.choose_paths([str(tmp_path / "scores.csv")])
    app = run_page("file_check")
    assert answer(app) == "No problems in the files The checks of all files of the archive found no problem."
    assert check_data.method_steps(opened.open_archive().archive) == []


def test_what_dcheck_finds_in_a_dataset_is_listed_once_with_its_line(small, run_page):
    write_tree(small, {"data/demo/age/std.9.instances": "Instance: 0\nTraining: 1-9\nTest: 9 10\n"})
    write_tree(small, {"methods/one/demo/age/std.7/loss.S.0": "1\n"})  # a directory in the wrong place
    table = run_page("file_check").dataframe[0].value
    rows = table[table["file"] == "delve-small/data/demo/age/std.9.instances"]
    assert rows["line"].tolist() == [3]
    assert rows["found"].tolist() == ["case 9 in both"]
    assert (table["file"] == "delve-small/methods/one/demo/age/std.7").sum() == 1


def test_what_takes_long_is_checked_in_the_background_with_progress(small, run_page, monkeypatch):
    write_tree(small, BAD)
    may_go_on, real = threading.Event(), check_data._findings

    def patient(worker, archive, step):
        assert may_go_on.wait(20)
        return real(worker, archive, step)

    monkeypatch.setattr(check_data, "_findings", patient)
    app = run_page("file_check")
    assert app.title[0].value == "7 problems so far"
    assert len(app.title) == 1
    assert set(app.dataframe[0].value["kind"]) == {"results", "specification"}
    assert "Checking: dataset demo" in app.get("progress")[0].proto.text
    archive = opened.serving()
    may_go_on.set()
    assert check_data.findings_in(archive, None, 60) is not None
    app.run()
    assert "documentation" in set(app.dataframe[0].value["kind"])
    assert app.title[0].value.startswith("8 problems") or "so far" not in app.title[0].value


def test_a_row_is_told_in_full_as_the_commands_print_it(small, run_page):
    write_tree(small, BAD)
    app = run_page("file_check", kind="results")
    table = app.dataframe[0].value
    assert set(table["kind"]) == {"results"}
    row = table.index[table["line"] == 3][0]
    chosen = {"selection": {"rows": [int(row)], "columns": [], "cells": []}}
    app.session_state["table-problems"] = chosen
    app.run()
    assert not app.exception
    told = [block.value for block in app.code if block.value.startswith("delve-small/methods/one")]
    assert told == [
        "delve-small/methods/one/demo/age/std.8/loss.S.0:3: expected one loss, a finite number, found 'x'"
    ]


def test_findings_are_the_same_as_those_of_the_commands(tmp_path):
    from delvecore.checks.methods import method_problems

    root = feature_archive(tmp_path)
    archive = opened_archive(root)
    steps = check_data.method_steps(archive, "careful")
    assert steps == [("careful", None), *(("careful", name) for name in ("river", "shapes", "speech"))]
    findings_in = check_data.findings_in(archive, steps, 60)
    assert sorted(findings_in) == sorted(method_problems(archive.hierarchy, "careful"))
    assert set(steps) <= check_data.findings_by_step(archive).keys()


def test_a_visitor_waits_for_the_checks_once_and_then_sees_how_far_they_are(small, run_page, monkeypatch):
    opened.open_archive(patience=30)
    may_go_on, waited, real = threading.Event(), [], check_data.findings_in
    monkeypatch.setattr(check_data, "_findings", lambda worker, archive, step: may_go_on.wait(20) and ())
    monkeypatch.setattr(
        check_data,
        "findings_in",
        lambda archive, steps, patience: waited.append(patience) or real(archive, steps, 0.0),
    )
    app = run_page("file_check")
    app.run()
    may_go_on.set()
    assert not app.exception
    assert sum(patience > 0 for patience in waited) == 1
