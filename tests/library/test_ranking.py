"""`delvecore.rank`: the numbers are those of the analysis, and each way to show them says the same."""

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import delvecore as dv
from delvecore.stats.verdicts import RankTest
from tests.library.frames import METHODS, long_frame, wide_frame
from tests.shared import golden_path

FORMATS = ("text", "md", "html", "tex")


@pytest.fixture(scope="module")
def ranking():
    return dv.rank(wide_frame(), higher_is_better=True)


def test_the_ranks_of_a_published_table_are_those_that_were_published():
    # Demsar 2006, table 6: average ranks 3.143, 2.000, 2.893, 1.964; two values of a line are equal as printed.
    lines = [line.split(",") for line in golden_path("demsar_table6.csv").read_text().splitlines()]
    values = np.array([[float(cell) for cell in line[-4:]] for line in lines[1:]])
    frame = dv.rank(values, methods=lines[0][-4:], higher_is_better=True).to_frame()
    assert sorted(frame["mean_rank"]) == pytest.approx([1.964, 2.0, 2.893, 3.143], abs=0.5 / 14 + 0.001)


def test_pairs_have_the_verdicts_that_the_frame_counts(ranking):
    pairs, frame = ranking.pairs(), ranking.to_frame()
    better = dict.fromkeys(METHODS, 0)
    for line in pairs.itertuples():
        winner = {"better": line.method_a, "worse": line.method_b}.get(line.verdict)
        better |= {winner: better[winner] + 1} if winner else {}
        assert line.wins + line.ties + line.losses == 12
    assert frame["better_than"].to_dict() == better
    assert frame["worse_than"].sum() == frame["better_than"].sum()


@pytest.mark.parametrize("statistic", ["scaled", "ranks", "means"])
def test_the_statistic_of_sign_flips_is_chosen_and_named(statistic):
    words = {"scaled": "scaled differences", "ranks": "signed ranks", "means": "mean differences"}
    values = np.random.default_rng(0).normal(size=(9, 3)) + np.arange(3)
    ranking = dv.rank(values, methods=list("abc"), higher_is_better=False, statistic=statistic)
    assert f"The test is sign flips of {words[statistic]}, adjusted" in ranking.sentence
    assert ranking.analysis.sign_flips.statistic == statistic


def test_a_control_is_what_the_others_are_held_against():
    ranking = dv.rank(wide_frame(), higher_is_better=True, control="bagging")
    assert ranking.test == RankTest.FLIPS
    assert "Against the reference bagging" in ranking.sentence
    assert set(ranking.pairs().query("method_a != 'bagging' and method_b != 'bagging'")["verdict"]) == {
        "not tested"
    }


def test_folds_are_averaged_and_the_guesses_told():
    ranking = dv.rank(long_frame())
    assert ranking.to_frame()["mean"]["ada"] == pytest.approx(wide_frame()["ada"].mean())
    assert "design: 5-fold cross-validation" in ranking.reading.text
    assert ranking.reading.methods == len(METHODS)


def test_in_a_notebook_it_is_a_sentence_a_diagram_and_a_table(ranking):
    html = ranking._repr_html_()
    assert "ada is the best of 3, significantly better than every other" in html
    svg = re.search(r"<svg.*</svg>", html, re.DOTALL)[0]
    assert {name for name in METHODS if name in svg} == set(METHODS)
    assert ET.fromstring(svg).tag.endswith("svg")
    assert "<table" in html
    assert html.startswith(
        "<p>Read: 3 methods (ada, bagging, cart) &#215; 12 datasets (d0, ... d11), score, higher is better"
    )
    said = " ".join(repr(ranking).split())
    assert said.startswith(
        "Read: 3 methods (ada, bagging, cart) × 12 datasets (d0, ... d11), score, higher is better (your answer)."
    )
    assert "\n\nada is the best of 3, significantly better than every other." in repr(ranking)


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_has_methods_results_and_the_command(ranking, form):
    text = ranking.report(form, command="delve report scores.csv", provenance=["Made of scores"])
    plain = " ".join(text.split())
    assert "We compared 3 methods on 12 tasks" in plain
    assert "Friedman" in plain
    assert "sign flips of scaled differences, adjusted for all pairs by the largest statistic" in plain
    assert "Westfall" in plain
    assert "delve report scores.csv" in plain
    assert "Made of scores" in plain
    assert plain.index("Read: 3 methods (") < plain.index("We compared")


def test_a_file_is_what_its_ending_says(ranking, tmp_path):
    paths = {
        ending: ranking.save(tmp_path / f"ranking{ending}") for ending in (".md", ".json", ".csv", ".tex")
    }
    texts = {ending: Path(path).read_text("utf-8") for ending, path in paths.items()}
    assert texts[".md"] == ranking.report("md")
    assert r"\begin{table" in texts[".tex"]
    assert [row["method"] for row in json.loads(texts[".json"])["ranking"]] == list(ranking.methods)
    lines = [line for line in texts[".csv"].splitlines() if not line.startswith("#")]
    assert len(lines) == 1 + len(ranking.pairs())
    with pytest.raises(dv.DelveError, match=r"expected a name that ends in one of \.html, \.md"):
        ranking.save(tmp_path / "ranking.docx")


def test_a_table_in_markdown_has_a_row_a_method_best_first(ranking):
    rows = [line for line in ranking.to_markdown().splitlines() if line.startswith("|")]
    assert [row.split("|")[1].strip(" *") for row in rows[2:]] == list(ranking.methods)


def test_hostile_names_stay_what_they_are_in_reports():
    names = ["<script>alert(1)</script>", "a|b*c_d", r"\input{x}"]
    ranking = dv.rank(wide_frame(methods=names), higher_is_better=True)
    assert "<script>alert" not in ranking.report("html") + ranking._repr_html_()
    assert r"\input{x}" not in ranking.report("tex")
    assert "a|b*c" not in ranking.report("md")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 0.05}, "expected a level of confidence"),
        ({"test": "friedman"}, f"test: expected one of {', '.join(test.word for test in RankTest)}"),
        ({"test": "control"}, "test: expected a control"),
        ({"control": "nobody"}, "expected a control among ada"),
        ({"methods": ["nobody"]}, "methods: expected names of methods, found 'nobody'; there are ada"),
    ],
)
def test_a_wrong_option_is_told_in_one_line(options, message):
    with pytest.raises(dv.DelveError, match=message) as caught:
        dv.rank(wide_frame(), higher_is_better=True, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_importing_the_library_imports_nothing_that_is_slow_and_ranking_no_plotly():
    code = """
import sys, delvecore as dv
dir(dv)
print(*sorted({"numpy", "pandas", "plotly", "pyarrow"} & set(sys.modules)))
import numpy
dv.rank(numpy.eye(4)[:, :3], methods=list("abc"), higher_is_better=True).to_frame()
print("plotly" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\nFalse\n"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex was found to set the report with")
@pytest.mark.parametrize("count", [6, 12])
def test_the_tables_of_a_report_fit_on_the_page(tmp_path, count):
    names = [f"a-long-name-{number}" for number in range(count)]
    report = dv.rank(wide_frame(methods=names), higher_is_better=True, transpose=False).report("tex")
    (tmp_path / "a.tex").write_text(report, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-600:]
    assert "Overfull" not in done.stdout
    assert "Missing character" not in done.stdout


def test_an_archive_of_scores_is_ranked_as_its_file_is(tmp_path):
    long_frame().to_csv(tmp_path / "scores.csv", index=False)
    archive = dv.open(tmp_path / "scores.csv", cache=False)
    assert dv.rank(archive).sentence == dv.rank(tmp_path / "scores.csv").sentence
    assert dv.rank(archive, loss="accuracy").sentence == dv.rank(archive).sentence


def test_of_many_methods_the_first_are_shown_though_all_are_ranked():
    names = [f"m{number:02}" for number in range(30)]
    ranking = dv.rank(wide_frame(methods=names), higher_is_better=True, top=4)
    drawn = ranking.diagram(width=700)
    texts = [text for one in drawn.data for text in one.text or ()]
    assert [name for name in names if any(name in text for text in texts)] == names[:4]
    low, high = drawn.layout.xaxis.range
    frame = ranking.to_frame()
    assert len(frame) == 30
    assert low <= frame["mean_rank"].iloc[0]
    assert frame["mean_rank"].iloc[3] <= high
    assert any("of 30" in text for one in drawn.data for text in one.hovertext or () if text)
    assert "26 methods with a worse mean rank" in ranking.report("md")


def unclear():
    """A method called as a summary is, whose numbers are none."""
    return wide_frame().assign(mean=0.99)


def test_a_question_has_arguments_of_python_and_no_options():
    with pytest.raises(dv.DelveError) as caught:
        dv.rank(unclear(), higher_is_better=True)
    assert str(caught.value).endswith("; say keep=['mean'] or drop=['mean']")
    assert "--" not in str(caught.value)


@pytest.mark.parametrize("name", ["mean", ["mean"]])
def test_what_is_kept_or_dropped_is_obeyed_and_said(name):
    kept = dv.rank(unclear(), higher_is_better=True, keep=name)
    dropped = dv.rank(unclear(), higher_is_better=True, drop=name)
    assert kept.methods[0] == "mean"
    assert set(dropped.methods) == set(METHODS)
    assert "Not used: 1 column (mean): your answer." in dropped.reading.text


def test_the_design_and_share_of_folds_may_be_said():
    rows = [(d, m, n, 0.5 + 0.1 * n + len(m)) for d in "abc" for m in ("x", "yy") for n in range(10)]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "resample", "rmse"])
    assert "half of the cases for testing (by default)" in dv.rank(frame).reading.text
    [role] = [one for one in dv.rank(frame, share=0.25).reading.roles if one.role == "design"]
    assert role.why == "said"
    with pytest.raises(dv.DelveError, match="hierarchical"):
        dv.rank(frame, design="none")


@pytest.mark.parametrize("test", [None, "flips", "nemenyi"])
def test_an_adjustment_without_effect_is_refused(test):
    with pytest.raises(dv.DelveError, match=r"adjust: expected none with .*: the test adjusts p by itself"):
        dv.rank(wide_frame(), higher_is_better=True, test=test, adjust="bonferroni")
    ranking = dv.rank(wide_frame(), higher_is_better=True, test="wilcoxon", adjust="bonferroni")
    assert ranking.analysis.adjustment == "bonferroni"


def test_places_of_single_methods_are_within_those_of_all():
    draws = np.random.default_rng(5)
    values = draws.normal(size=(12, 5)) + 0.6 * np.arange(5)
    options = {"methods": list("abcde"), "higher_is_better": False}
    both, single = (dv.rank(values, **options, places_of=one).to_frame() for one in ("all", "single"))
    assert (single["lowest_place"] >= both["lowest_place"]).all()
    assert (single["highest_place"] <= both["highest_place"]).all()
    assert both["may_be_best"].tolist() == (single["lowest_place"] == 1).tolist()
    with pytest.raises(dv.DelveError, match="places_of"):
        dv.rank(values, **options, places_of="some")
    with pytest.raises(dv.DelveError, match="sign flips"):
        dv.rank(values, **options, places_of="single", test="nemenyi")
    with pytest.raises(dv.DelveError, match="without a reference"):
        dv.rank(values, **options, places_of="single", control="a")
