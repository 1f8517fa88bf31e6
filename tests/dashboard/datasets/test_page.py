"""The Datasets page: the list, and one dataset in full."""

import io
import shlex
import shutil

import pandas as pd
import pyarrow.parquet as pq
import pytest

from dashboard.datasets.data import cases_file, dataset_file
from dashboard.datasets.results_view import best_here
from dashboard.datasets.tabs import PARTS
from dashboard.server import archive as opened
from dashboard.ui.archive_facts import without_results
from dashboard.ui.selection import Selection
from delvecore.cli import delve
from delvecore.importers.export import export_bytes, export_table
from delvecore.packaging.pack import pack_dataset
from tests.archives import write_tree
from tests.dashboard.array_archive import array_files
from tests.dashboard.compare_archive import compared_archive
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import codes, opened_archive, plain, texts
from tests.scores_files import folds_csv

pytestmark = pytest.mark.slow


def test_the_list_shows_all_datasets_with_their_inputs_and_who_is_best(small_page):
    app = small_page("datasets")
    assert app.title[0].value == "1 dataset for classification and regression"
    assert app.markdown[0].value == "Click one to open it."
    # Method one loses half of what two does on both tasks; see `small_archive`.
    shown = app.dataframe[0].value[["dataset", "inputs", "best"]]
    assert shown.values.tolist() == [["demo", "3 numeric and 2 categorical", "one"]]
    assert "No dataset matches" in texts(small_page("datasets", search="nothing like it"))


def test_a_click_opens_a_dataset(small_page):
    app = small_page.fresh("datasets")
    app.session_state["table-datasets"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    app.run()
    assert not app.exception
    assert "**demo** has 24 cases of 5 attributes: artificial, for development" in app.markdown[0].value
    assert "A small example. one is best on most tasks. **demo** has" in plain(app)
    assert app.title[0].value.replace("\\", "") == "demo: 24 cases, 3 numeric and 2 categorical inputs"


def test_every_part_of_a_dataset_is_shown_and_cases_have_buttons_for_all_of_them(small_page):
    shown = {part: small_page("datasets", dataset="demo", part=part) for part in PARTS}
    assert [part for part, app in shown.items() if "/demo" not in codes(app)] == []
    labels = [button.proto.label for button in shown["Cases"].get("download_button")]
    assert labels == ["CSV", "Parquet", "ARFF", "DELVE archive"]


def test_attributes_tell_all_of_the_specification(small_page):
    table = small_page("datasets", dataset="demo", part="Attributes").dataframe[0].value
    assert table["attribute"].tolist() == ["SEX", "AGE", "KIDS", "HOUR", "SHADE"]
    assert table["range"].tolist() == ["male female", "[0,Inf) ?", "0..Inf", "[0,24]", "pink blue red"]
    assert table["description"].iloc[1] == "Age in years"
    assert table["control"].tolist() == ["u"] * 5
    # The sexes take turns over 24 cases, the shades go round.
    assert [list(counts) for counts in table["distribution"].iloc[[0, 4]]] == [[12, 12], [8, 8, 8]]


def test_prototasks_say_what_is_predicted_from_what(small_page):
    text = texts(small_page("datasets", dataset="demo", part="Prototasks"))
    assert "Predict **AGE**" in text
    assert "From **SEX**, **AGE** and **KIDS**" in text
    assert "the same for all training sets (common)" in text
    assert "Priors: **std** and **vague**" in text


def test_priors_stand_side_by_side_with_real_cases_below(small_page):
    priors, coded = (
        item.value for item in small_page("datasets", dataset="demo", part="Priors").dataframe[:2]
    )
    assert priors["attribute"].tolist() == ["SEX", "KIDS", "HOUR", "SHADE", "AGE"]
    assert {"std: coding", "vague: coding"} <= set(priors)
    # Cases 1 to 8 are for testing; training set 0 begins at case 9, which is female.
    assert coded.loc[coded["column"] == "SEX", "case 9"].tolist() == ["female"]
    assert coded.loc[coded["column"] == "SEX", "case 9 coded"].tolist() in (["1"], ["-1"])


def test_documents_are_shown_as_they_are_and_cases_that_cannot_be_read_cost_only_themselves(small, run_page):
    path = small / "data/demo/age/vague.prior"
    path.write_text("# Nothing but\n#   hearsay & *guesses*\n" + path.read_text() + "# No reason\n")
    named = "Name: Ada\nAddress: 1 Row_Street\nDate: 2026-11-22\n"
    write_tree(
        small,
        {"data/demo/Source/Notes": "# <b>![x](http://a/b)</b>\n", "data/demo/Source/Contributor": named},
    )
    app = run_page("datasets", dataset="demo", part="Summary and source", document="Notes")
    assert "# <b>![x](http://a/b)</b>" in codes(app)
    assert "Twenty-four invented people." in texts(app)
    assert r"Contributed by Ada \(1 Row\_Street\)\, 2026\-11\-22." in texts(app)
    said = texts(run_page("datasets", dataset="demo", part="Priors"))
    assert r"**vague**: Nothing but hearsay \& \*guesses\*" in said
    (small / "data/demo/Dataset.data").unlink()
    apps = {part: run_page("datasets", dataset="demo", part=part) for part in PARTS}
    assert "The cases cannot be read" in texts(apps["Cases"])


def test_a_faulty_prior_is_shown_in_place_of_the_downloads_of_cases(small, run_page, caplog):
    prior = small / "data/demo/age/std.prior"
    prior.write_text(prior.read_text() + "9 NLMH real\n")
    app = run_page("datasets", dataset="demo", part="Prototasks")
    for prototask in ("age", "shade"):
        app.session_state[f"download-{prototask}-cases"] = True
    app.run()
    assert not app.exception
    assert [item.value for item in app.warning].count("These cases cannot be downloaded.") == 1
    line = prior.read_text().count("\n")
    (reason,) = [item.value for item in app.text if f"std.prior:{line}: expected " in item.value]
    assert ", found " in reason
    labels = [button.proto.label for button in app.get("download_button")]
    assert [label for label in labels if label != "CSV"] == ["Parquet", "ARFF"]
    assert not [record for record in caplog.records if record.exc_info]


def test_missing_and_censored_values_are_shown(small, run_page):
    lines = (small / "data/demo/Dataset.data").read_text().splitlines()
    lines[0] = "female ? 0 0 pink"
    lines[1] = "male 40: 1 5 blue"
    write_tree(small, {"data/demo/Dataset.data": "\n".join(lines) + "\n"})
    app = run_page("datasets", dataset="demo", part="Attributes", attribute="AGE")
    assert "1 missing value, 1 censored value" in app.markdown[0].value
    app.session_state["numbers-demo-AGE"] = True
    counted = app.run().dataframe[1].value
    assert counted.loc[counted["group"] == "missing", "label"].tolist() == ["missing: ?"]
    assert counted.loc[counted["group"] == "censored", "label"].tolist() == ["censored: at least"]
    told = app.dataframe[0].value.set_index("attribute").loc["AGE"]
    assert (told["reasons"], told["bounds"]) == ("? 1", "at least 1")
    cases = run_page("datasets", dataset="demo", part="Cases").dataframe[0].value
    assert cases["AGE missing"].iloc[0] == "?"
    assert cases["AGE censored"].iloc[1] == "at least"
    said = texts(run_page("datasets", dataset="demo", part="Prototasks"))
    assert "**Missing**: AGE (a target) in 1 case." in said
    assert "**Censored, so only a bound is known**: AGE (a target) in 1 case." in said
    asked = {"dataset": "demo", "part": "Priors", "prior-of": "shade"}
    coded = run_page("datasets", **asked).dataframe[1].value.set_index("column")
    assert coded.loc["AGE", "coding"] == "nm-abs missing=indicator censored=bound"


def test_datasets_of_scores_are_listed_with_methods_instances_and_metric(tmp_path, run_page):
    opened.choose_paths([str(folds_csv(tmp_path / "folds.csv"))])
    app = run_page("datasets")
    table = app.dataframe[0].value
    shown = ["dataset", "best", "methods", "instances", "metric"]
    assert [name for name in table.columns if table[name].notna().any()] == shown
    assert table[shown].drop(columns="best").iloc[0].tolist() == ["iris", 3, 5, "accuracy"]


@pytest.fixture(scope="module")
def garden(tmp_path_factory, run_page):
    files = array_files()
    measured = "Measured:\n  plot-1s/yield/std light 2.5 0.1\n  plot-2s/yield/std light 7 0.1\n"
    files["data/garden/Array.spec"] += measured
    return Pages(write_tree(tmp_path_factory.mktemp("measured") / "delve-garden", files), run_page)


def test_factors_of_task_arrays_are_columns_and_filters(garden):
    app = garden("datasets", **{"factor-beds": "one bed"})
    table = app.dataframe[0].value
    assert table["dataset"].tolist() == ["plot-1d", "plot-1s"]
    assert table["light"].tolist() == ["dark", "sunny"]
    assert table["light (%)"].tolist()[1] == 2.5
    assert any(box.proto.popover.label == "More filters · 1 set" for box in app.get("popover"))
    app = garden("datasets", **{"share-light": ["5", "7"]})
    assert app.dataframe[0].value["dataset"].tolist() == ["plot-2s"]


def test_a_dataset_says_who_is_best_on_it_and_leads_to_the_comparison_and_the_array(garden):
    app = garden.fresh("datasets", dataset="plot-1s")
    lead = "**Best with the largest training sets.** On yield with 16 training cases **apple** has the lowest"
    assert lead in texts(app)
    assert "**In its task-array**: one bed and sunny. Measured: light 2.50 ± 0.10 %." in texts(app)
    app.button(key="compare-/plot-1s/yield/std.16").click().run()
    assert "apple" in app.title[0].value
    assert app.query_params["task"] == "/plot-1s/yield/std.16"
    table = garden("datasets", dataset="plot-1s", part="Results").dataframe[0].value
    assert table["training cases"].tolist() == [16, 8]
    assert set(table["best"]) == {"apple"}
    app = garden.fresh("datasets", dataset="plot-1s")
    app.button(key="array-garden").click().run()
    assert app.query_params["array"] == "garden"


def test_of_several_priors_the_results_say_which_and_compare_opens_on_the_standard_one(small, run_page):
    for method in ("one", "two"):
        place = small / "methods" / method / "demo/age"
        shutil.copytree(place / "std.8", place / "vague.8")
    app = run_page("datasets", dataset="demo", part="Results")
    assert app.dataframe[0].value["prior"].tolist() == ["std", "vague", "std"]
    assert "with 8 training cases and the prior std" in texts(app)
    assert "the prior vague" not in texts(app)
    first = best_here(opened.open_archive().archive, "demo", Selection(), []).iloc[0]
    assert first.task == "/demo/age/std.8"
    assert first.task in run_page("compare", dataset="demo").title[0].value.replace("\\", "")


def test_what_has_no_results_is_named_with_the_reason(small):
    failures = "1 MemoryError: out of memory\n"
    write_tree(small, {"methods/three/demo/age/std.4/Failures": failures})
    shutil.copytree(small / "methods/one/demo/age/std.8", small / "methods/three/demo/age/std.8")
    archive = opened_archive(small)
    assert without_results(archive, "demo") == ""  # all have results on one of its tasks
    said = "Without results here: one and two (not run); three (failed: MemoryError: out of memory)."
    assert without_results(archive, "demo", "age", "std.4").replace("\\", "") == said


def test_all_cases_can_be_taken_away_in_each_kind_of_file(small, tmp_path):
    archive, names = opened.open_archive().archive, ("demo", "age")
    expected = export_table(archive.hierarchy, names)
    files = {form: cases_file(archive, names, form) for form in ("csv", "parquet", "arff")}
    assert pq.read_table(io.BytesIO(files["parquet"])).equals(expected)
    assert files["arff"] == b"".join(export_bytes(expected, "arff", name="-".join(names)))
    read = pd.read_csv(io.BytesIO(files["csv"]), dtype=str, keep_default_na=False)
    plain = pd.read_csv(io.BytesIO(b"".join(export_bytes(expected, "csv", name="x"))), dtype=str)
    assert read.columns.tolist() == expected.column_names
    assert len(read) == len(plain) == expected.num_rows
    pack_dataset(archive.hierarchy, "demo", str(tmp_path))
    assert dataset_file(archive, "demo") == (tmp_path / "demo.tar.gz").read_bytes()


def test_prototasks_have_their_attributes_and_inputs_by_kind(small_page):
    # Tables 1 and 2 of PROBEN1. /demo/age predicts AGE from SEX (binary) and others; targets have no entropy.
    page = small_page("datasets", dataset="demo", part="Prototasks")
    (table,) = [item.value for item in page.dataframe if "entropy" in item.value]
    assert len(table) == len({*table["prototask"]})
    assert (table["binary"] + table["continuous"] + table["nominal"]).tolist() == table["attributes"].tolist()
    row = table[table["prototask"] == "/demo/age"].iloc[0]
    assert row["outputs"] == 1
    assert row["entropy"] != row["entropy"]


def test_the_sizes_of_the_tasks_are_judged_by_the_answer_of_the_command(
    tmp_path, run_page, capsys, monkeypatch
):
    path, _ = compared_archive(tmp_path)
    monkeypatch.setenv("DELVE_PATH", str(path))
    shut = run_page("datasets", dataset="demo", part="Results")
    app = run_page("datasets", dataset="demo", part="Results", sizes="true")
    assert len(app.dataframe) == len(shut.dataframe) + 1
    command = next(one.value for one in app.code if "--show design" in one.value)
    assert delve.main([*shlex.split(command)[1:], "--format", "csv"]) == 0
    printed = pd.read_csv(io.StringIO(capsys.readouterr().out), comment="#")
    shown = app.dataframe[-1].value
    assert shown["limit"].tolist() == printed["limit"].tolist()
    assert shown["from_training"].tolist() == pytest.approx(printed["from_training"].tolist())
    assert "limit the error on" in texts(app)
