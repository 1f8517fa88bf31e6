"""Tables of methods x tasks: who is best, who is not significantly worse, and how it is written."""

import csv
import io
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import delvecore
from delvecore.archive.score_tables import paper_table
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.render.grid import BEST, BETTER_THAN, EQUAL, WORSE, WORSE_THAN
from delvecore.report.paper.source import archive_paper_table, score_paper_table, score_values
from delvecore.report.paper.table import PaperRequest, PaperTable, methods_csv, paper_table_bytes
from delvecore.score_tables.options import ScoreOptions
from delvecore.stats import notes
from delvecore.stats.choose import SIGNIFICANT
from delvecore.stats.notes import words_of
from delvecore.stats.ranking.score_table import CommonResults, CommonRuns
from delvecore.stats.verdicts import RankTest, pair_verdicts, verdict_row
from delvecore.tables import RESULTS, SCHEMAS
from tests.score_texts import table_of
from tests.stats.tables import adjusted_comparisons

TASK = ("demo", "age", "std.32")
OTHER = ("demo", "sex", "std.8")


def place_of(task):
    return dict(zip(("dataset", "prototask", "task"), task, strict=True))


def results(*rows):
    """Rows of (method, task, standardized mean, standardized error) under squared error."""
    return pa.Table.from_pylist(
        [
            dict.fromkeys(RESULTS.names)
            | place_of(task)
            | {"method": method, "loss": "S", "mean": mean}
            | {"standardized_mean": mean, "standardized_error": error}
            for method, task, mean, error in rows
        ],
        schema=RESULTS,
    )


def comparisons(*rows):
    """Rows of (method a, method b, task, difference, p[, note[, test]])."""
    return lambda setting: adjusted_comparisons(
        [
            place_of(row[2])
            | {"method_a": row[0], "method_b": row[1], "loss": "S", "difference": row[3]}
            | {"standardized_difference": row[3], "p": row[4], "instances": 8}
            | {"test": None if row[4] is None else row[6] if len(row) > 6 else "t"}
            | {"note": words_of(filter(None, row[5:6])), "notes": list(map(str, filter(None, row[5:6])))}
            for row in rows
        ],
        setting,
    )


def made(paper, pairs=None, **options) -> PaperTable:
    """The table of an archive with these results, without ranks or adjustment, with the tasks' paths."""
    tasks = [
        dict.fromkeys(SCHEMAS["tasks"].names)
        | place_of(task)
        | {"prior": "std", "training_size": int(task[2].partition(".")[2]), "task_type": "regression"}
        for task in (TASK, OTHER)
    ]
    archive = SimpleNamespace(
        results=paper,
        compare=lambda loss, methods, against, setting: (pairs or comparisons())(setting),
        tasks=pa.Table.from_pylist(tasks, schema=SCHEMAS["tasks"]),
        datasets=pa.Table.from_pylist([], schema=SCHEMAS["datasets"]),
        methods=pa.table({"method": sorted(set(paper["method"].to_pylist()))}),
        measures={},
        sources=("delve",),
        arrays=(),
        families={},
        state="0",
        common_results=lambda loss, places, methods, keep: common(paper, methods),
    )
    request = {"loss": "S", "ranks": False, "adjust": "none", **options}
    return archive_paper_table(archive, PaperRequest(**request)).with_paths


def common(results, methods):
    """All results, as where no run failed."""
    rows = results.to_pylist()
    tasks = list(dict.fromkeys((row["dataset"], row["prototask"], row["task"]) for row in rows))
    there = {row["method"] for row in rows}
    kept = [name for name in methods if name in there]
    return CommonResults(results, tasks, kept, CommonRuns(len(rows), 0), {})


def score_table(scores, request):
    return score_paper_table(score_values(scores, request), request)


def text_of(table, form="text"):
    return paper_table_bytes(table, form, bare=True).decode()


def plain(table):
    return " ".join(text_of(table).split())


def example(**options):
    """`b` is lowest on the first task; `a` is not significantly different from it, `c` is worse; `a` alone on the second."""
    result_rows = results(
        ("a", TASK, 0.5, 0.04), ("b", TASK, 0.4, 0.031), ("c", TASK, 0.9, 0.2), ("a", OTHER, 1.25, None)
    )
    pairs = comparisons(
        ("a", "b", TASK, 0.1, 0.05), ("b", "c", TASK, -0.5, 0.049), ("a", "c", TASK, -0.4, 0.01)
    )
    return made(result_rows, pairs, **options)


def test_the_best_and_those_not_significantly_worse_are_separated_by_p():
    # p >= level is not significant: 0.05 is not, 0.049 is.
    standings = [cell.standing for cell in example().cells[0]]
    assert standings == ["not significantly worse", "best", "significantly worse"]
    assert [cell.p for cell in example().cells[0]] == [0.05, None, 0.049]


def test_adjustment_counts_all_pairs():
    # Holm, of three tests: three times 0.01, twice 0.049, and at least that for 0.05.
    cells = example(adjust="holm").cells[0]
    assert [cell.standing for cell in cells][2] == "not significantly worse"
    assert [cell.p for cell in cells] == [pytest.approx(0.098), None, pytest.approx(0.098)]
    assert [cell.raw_p for cell in cells] == [0.05, None, 0.049]


def test_the_only_result_of_a_row_is_not_called_best_and_missing_cells_say_why():
    alone, *missing = example().cells[1]
    assert (alone.standing, alone.value) == ("only result", 1.25)
    assert [cell.missing for cell in missing] == ["no results", "no results"]


def test_equal_losses_are_both_best():
    result_rows = results(("a", TASK, 0.5, 0.1), ("b", TASK, 0.5, 0.1))
    table = made(result_rows, comparisons(("a", "b", TASK, 0.0, None, notes.IDENTICAL)))
    assert [cell.standing for cell in table.cells[0]] == ["best", "best"]


def test_what_cannot_be_tested_says_so_and_why():
    result_rows = results(("a", TASK, 0.5, None), ("b", TASK, 0.4, None))
    table = made(result_rows, comparisons(("a", "b", TASK, 0.1, None, notes.ONE_TRAINING_SET)))
    assert table.cells[0][0].standing == "not tested"
    assert "0.5 ?" in text_of(table)
    assert "not tested against the best of its task: one training set: a variance" in plain(table)


def test_a_reference_marks_significant_differences_in_both_directions():
    marks = [cell.to_reference for cell in example(reference="a").cells[0]]
    assert marks == [None, None, "worse than the reference"]
    lower = example(reference="c").cells[0]
    assert [cell.to_reference for cell in lower[:2]] == ["better than the reference"] * 2


def test_a_loss_without_a_baseline_is_not_standardized_and_says_so():
    result_rows = results(("a", TASK, 0.5, 0.1))
    position = result_rows.column_names.index("standardized_mean")
    table = made(result_rows.set_column(position, "standardized_mean", pa.array([None], pa.float64())))
    assert table.cells[0][0].missing == "not standardized"
    assert "\u2013: no number: the loss of the baseline on the task is unknown." in plain(table)


def test_values_have_two_significant_digits_of_their_error():
    assert text_of(example()).splitlines()[3:6] == [
        "Task              a                b                c",
        "/demo/age/std.32  0.500 \u00b1 0.040 ~  0.400 \u00b1 0.031 *  0.90 \u00b1 0.20",
        "/demo/sex/std.8   1.250            \u2013                \u2013",
    ]


def test_csv_has_full_precision_and_words_instead_of_marks():
    rows = list(csv.DictReader(io.StringIO(methods_csv(example(reference="c"), LOSS_SPECS["S"], "c"))))
    assert len(rows) == 6
    first, second, third = rows[:3]
    assert (first["task"], first["method"]) == ("/demo/age/std.32", "a")
    assert (float(second["value"]), float(second["standard_error"])) == (0.4, 0.031)
    assert [row["standing"] for row in rows[:3]] == ["not significantly worse", "best", "significantly worse"]
    assert (first["p_adjusted"], first["test"]) == ("0.05", "t")
    assert (second["to_reference"], third["to_reference"]) == ("significantly better", "")
    assert rows[4]["standing"] == "no results"


def test_latex_sets_estimates_in_mathematics_the_best_bold_and_marks_beside_the_column():
    text = text_of(example(), "latex")
    assert (
        r"$0.500$ & ${}\pm 0.040$\rlap{$^{\approx}$} & $\mathbf{0.400}$ & ${}\pm \mathbf{0.031}$ & "
        r"$0.90$ & ${}\pm 0.20$" in text
    )
    assert text.isascii()
    assert r"\textbf{Bold}: the lowest estimate of its task." in text


def test_markdown_and_html_show_the_best_bold_and_the_notes():
    text = text_of(example(), "markdown")
    assert (
        "| /demo/age/std.32 | 0.500 \u00b1 0.040\u2248 | **0.400 \u00b1 0.031** | 0.90 \u00b1 0.20 |" in text
    )
    assert "- Bold: the lowest estimate of its task." in text
    page = text_of(example(), "html")
    assert "<strong>0.400 &#177; 0.031</strong>" in page
    assert '<th scope="row"' in page
    assert "<strong>Bold</strong>: the lowest estimate of its task." in page


def test_ranks_count_the_tasks_of_one_dataset_once():
    text = "task,a,b,c\n" + "".join(f"d{k % 5}/std.{k + 1},{1 + k % 2},{2 - k % 2},3\n" for k in range(10))
    scores = table_of(text)
    table = score_table(scores, PaperRequest(paths=("s.csv",), adjust="none"))
    said = " ".join(table.notes)
    assert "Average rank over 10 tasks of 5 datasets; tasks of one dataset count once" in said
    assert (
        "sign flips of scaled differences over the datasets, adjusted for all pairs by the largest statistic"
        in said
    )
    chosen = PaperRequest(paths=("s.csv",), adjust="none", test=RankTest.WILCOXON)
    said = " ".join(score_table(scores, chosen).notes)
    assert "Wilcoxon's signed-rank test over the datasets, not adjusted" in said
    assert chosen.arguments[4:6] == ("--test", "wilcoxon")
    by_task = score_table(scores, PaperRequest(paths=("s.csv",), unit="task"))
    assert "Average rank over 10 tasks of 5 datasets; each task counts" in " ".join(by_task.notes)
    assert PaperRequest(unit="task").arguments[2:4] == ("--unit", "task")


def test_average_ranks_say_what_the_ranking_says_that_nobody_changed():
    values = np.random.default_rng(3).normal(size=(40, 5)) + np.array([0, 0.2, 0.4, 1.5, 3])
    text = "task," + ",".join("abcde") + "\n"
    text += "".join(f"t{k}," + ",".join(f"{one:.4f}" for one in row) + "\n" for k, row in enumerate(values))
    scores = table_of(text)
    table = score_table(scores, PaperRequest(paths=("s.csv",)))
    (cells,) = [row for head, row in zip(table.rows, table.cells, strict=True) if head.kind == "rank"]
    ranking = delvecore.rank(pd.read_csv(io.StringIO(text)), higher_is_better=False)
    row = verdict_row(ranking.analysis, pair_verdicts(ranking.analysis, ranking.test), 0)
    worse = [verdict in SIGNIFICANT for verdict in row]
    assert 0 < sum(worse) < 4
    assert [cell.standing == WORSE for cell in cells] == worse


NAMES = ("score", "accuracy", "1 - score", "-LL", "neg_error", "utility", "cost")
FOLDS = {"a": (0.9, 0.8, 0.85, 0.95), "b": (0.5, 0.45, 0.4, 0.45), "c": (0.55, 0.45, 0.5, 0.4)}


def folds_of(name):
    rows = [
        f"{task},{method},{fold},{value}\n"
        for task in ("t", "u")
        for method, values in FOLDS.items()
        for fold, value in enumerate(values)
    ]
    return pd.read_csv(io.StringIO(f"dataset,method,fold,{name}\n" + "".join(rows)))


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_a_table_has_the_values_of_its_file_and_the_best_on_the_side_that_is_better(tmp_path, name, higher):
    folds_of(name).to_csv(tmp_path / "scores.csv", index=False)
    options = ScoreOptions(higher_is_better=higher)
    archive = delvecore.open([tmp_path / "scores.csv"], cache=False, scores=options)
    request = PaperRequest(reference="b", adjust="none", ranks=False)
    table = paper_table(archive, request)
    cells = dict(zip((head.labels[0] for head in table.columns), table.cells[0], strict=True))
    means = {method: np.mean(values) for method, values in FOLDS.items()}
    assert {method: cell.value for method, cell in cells.items()} == pytest.approx(means)
    # b and c differ by 0.025; a has nearly twice as much, with small errors.
    standings = [cells[method].standing for method in "abc"]
    assert standings == ([BEST, WORSE, WORSE] if higher else [WORSE, BEST, EQUAL])
    assert cells["a"].to_reference == (BETTER_THAN if higher else WORSE_THAN)
    better = f"{'Higher' if higher else 'Lower'} is better; ± shows the standard error."
    assert table.caption == f"{name}. {better}"
    assert dict(table.marks)[BEST] == f"the {'highest' if higher else 'lowest'} estimate of its task."
    assert ("higher is better", "yes" if higher else "no") in table.provenance.options
    by_family = paper_table(archive, replace(request, by=("family",)))
    assert by_family.cells[0][0].standing == (BEST if higher else WORSE)
