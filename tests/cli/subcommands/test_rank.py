"""`delve rank` on tables, whose numbers are worked by hand or of the literature, and on an archive."""

import json

import pytest

import delvecore
from delvecore.answers.questions import QUESTIONS
from delvecore.cli import delve
from delvecore.errors import DelveError
from tests.score_texts import csv_rows
from tests.shared import golden_path

TABLE = "task,a,b,c\none,1,2,3\ntwo,1,2,3\nthree,2,1,3\nfour,1,2,3\nfive,1,2,3\nsix,1,2,\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return str(path)


def rank(run_command, *arguments):
    """Rank an archive, or a table whose values are better the lower unless something else is said."""
    said = [] if "--higher-is-better" in arguments else ["--lower-is-better"]
    of_table = any(argument.endswith(".csv") for argument in arguments)
    return run_command(delve.main, "rank", *arguments, *(said if of_table else []))


def found_in(run_command, *arguments):
    return json.loads(rank(run_command, *arguments, "--format", "json").out)


def test_json_has_the_ranks_and_tests_of_a_table(table, run_command):
    record = found_in(run_command, table, "--control", "a")
    assert (record["methods"], record["dropped_tasks"]) == (["a", "b", "c"], ["six"])
    assert record["tasks"] == ["one", "two", "three", "four", "five"]
    # Ranks add up to 6, 9 and 15: chi2 = 12 (16 + 1 + 25) / (5 * 3 * 4) = 8.4.
    assert record["average_ranks"] == {"a": 1.2, "b": 1.8, "c": 3.0}
    assert record["friedman"]["chi2"] == pytest.approx(8.4)
    # F = 4 * 8.4 / (10 - 8.4) = 21.
    assert record["iman_davenport"]["f"] == pytest.approx(21)
    assert set(record["nemenyi"]["p"]) == {"a|b", "a|c", "b|c"}
    # The critical difference is 2.3437 * sqrt(3 * 4 / 30) = 1.4823.
    assert record["nemenyi"]["cd"] == pytest.approx(1.4823, abs=1e-4)
    assert record["nemenyi"]["groups"] == [["a", "b"], ["b", "c"]]
    assert (record["bonferroni_dunn"]["control"], record["bonferroni_dunn"]["different"]) == ("a", ["c"])
    first = record["wilcoxon"][0]
    assert (first["method_a"], first["method_b"], first["n"], first["zeros"], first["method"]) == (
        "a",
        "b",
        5,
        0,
        "exact",
    )
    # Five equal sizes share rank 3; one sign is against four: 2 * P(at most one of five) = 12 / 32.
    assert (first["statistic"], first["p"]) == (3, 0.375)
    assert first["p_holm"] == 0.375
    assert len(record["t_tests"]) == len(record["bayes"]) == 3
    assert record["t_tests"][1]["t"] == pytest.approx(-9)


def test_zeros_can_be_ranked(run_command):
    path = str(golden_path("demsar_table6.csv"))
    record = found_in(run_command, path, "--higher-is-better", "--zeros", "pratt")
    # Of independent programs: 0.0078125 with Pratt's zeros, 0.0073 without zeros.
    assert record["wilcoxon"][0]["p"] == pytest.approx(0.0078125)
    assert record["friedman"]["chi2"] == pytest.approx(10.952380952380956, rel=1e-9)


def test_an_archive_is_ranked_by_standardized_losses(run_command, monkeypatch, tmp_path, whole_archive):
    monkeypatch.delenv("DELVE_PATH", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    monkeypatch.chdir(tmp_path)
    record = found_in(run_command, "/demo", "--loss", "A")
    assert all(task.startswith("/demo/") for task in record["tasks"])
    assert record["quantity"] == "standardized loss A"
    assert "expected results under the loss X, found none" in rank(run_command, "--loss", "X").err
    # A place that does not exist is not left out in silence beside one that does.
    outcome = rank(run_command, "/demo", "/nowhere")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("delve rank: /nowhere: expected a place with tasks and their results")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--control", "z"], "expected a control among a, b, c, got 'z'"),
        (["--test", "control"], "--test control: expected the method that others are compared with, as --co"),
        (["--unit", "dataset"], "expected a column dataset, or names of tasks such as age/std.128"),
    ],
)
def test_requests_that_mean_nothing_are_one_line(table, run_command, arguments, message):
    outcome = rank(run_command, table, *arguments)
    assert outcome.code == 1
    assert outcome.err.startswith("delve rank: ")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_mean_difference_that_is_only_rounding_is_printed_as_0(tmp_path, run_command):
    # 0.1 + 0.2 + 0.3 + 0.15 = 0.2 + 0.25 + 0.1 + 0.2, but not in floating point.
    table = tmp_path / "t.csv"
    table.write_text("task,a,b\n1,0.1,0.2\n2,0.2,0.25\n3,0.3,0.1\n4,0.15,0.2\n")
    lines = rank(run_command, str(table)).out.splitlines()
    assert [line.split()[:4] for line in lines if line.startswith("  a  b  3/0/1")] == [
        ["a", "b", "3/0/1", "0"]
    ]


@pytest.mark.slow
def test_many_methods_are_few_lines_unless_all_are_asked_for(tmp_path, run_command):
    names = [f"method-{number}" for number in range(20)]
    lines = [",".join(str((7 * row + 3 * k) % 21 + k) for k in range(20)) for row in range(8)]
    path = tmp_path / "many.csv"
    path.write_text(f"task,{','.join(names)}\n" + "".join(f"t{k},{line}\n" for k, line in enumerate(lines)))
    short = rank(run_command, str(path)).out
    assert len(short.splitlines()) < 100
    assert "and 8 more (--all prints everything)" in short
    whole = rank(run_command, str(path), "--all").out
    assert "method-19  method-18" in whole or "method-18  method-19" in whole


DATASETS = "task,family,a,b\nx/std.1,f,1,2\nx/std.2,f,2,3\ny,f,1,2\nz,g,2,1\nw,h,1,2\nv,i,1,2\n"


@pytest.fixture
def related(tmp_path):
    path = tmp_path / "related.csv"
    path.write_text(DATASETS)
    return str(path)


def test_tasks_of_one_dataset_count_once_and_it_is_said_first(related, run_command):
    text = rank(run_command, related).out
    words = " ".join(text.split())
    assert (
        "over 6 tasks of 5 datasets; tasks of one dataset count once, by score. Differences between methods are "
        "not testable with 5 datasets (smallest adjusted p 0.062). The test is sign flips" in words
    )
    assert "tasks of one dataset count once" in " ".join(text.partition("\n\n")[2].splitlines()[:2])
    assert "Datasets and families are those in the table's columns; --unit task counts every" in words
    record = found_in(run_command, related)
    assert (record["unit"], record["units"]["x"], len(record["units"])) == (
        "dataset",
        ["x/std.1", "x/std.2"],
        5,
    )
    # Four families are too few to be counted: claims are confined to them.
    assert (record["by_family"], record["by_dataset"]) == (None, None)
    assert record["assumes"] == "if datasets of f, g, h and i are independent draws"
    by_task = found_in(run_command, related, "--unit", "task")
    assert (by_task["unit"], list(by_task["units"])) == ("task", ["x/std.1", "x/std.2", "y", "z", "w", "v"])
    rows = list(csv_rows(rank(run_command, related, "--format", "csv").out))
    assert (rows[0]["unit"], rows[0]["units"], rows[0]["wins"]) == ("dataset", "5", "4")
    latex = rank(run_command, related, "--format", "latex", "--unit", "family").out
    assert "tasks of one family count once" in latex


def test_methods_of_one_dataset_are_compared_on_it(tmp_path, run_command):
    path = tmp_path / "iris.csv"
    rows = "rf,0,.90\nrf,1,.91\nrf,2,.93\nsvm,0,.80\nsvm,1,.82\nsvm,2,.85\n"
    path.write_text(f"model,fold,accuracy\n{rows}")
    text = " ".join(run_command(delve.main, "rank", str(path)).out.split())
    assert text.startswith(
        "Read: 2 methods (rf, svm) × 1 dataset (iris), 3 folds each, accuracy, higher is better (column name)."
    )
    # The interval: 0.09 ± 4.303 sqrt(0.0001 (1/3 + (1/3) / (1 - 1/3))).
    assert (
        "One task, iris: rf has the best accuracy, 0.9133, of 2 methods. The accuracy of rf is 0.090 higher than "
        "that of svm, 95 % interval 0.051 to 0.129, p = 0.010," in text
    )
    listed_rows = json.loads(run_command(delve.main, "rank", str(path), "--format", "json").out)["rows"]
    # Corrected resampled t: mean 0.09, variance 0.0001, times 1/3 + (1/3) / (1 - 1/3); 2 degrees of freedom.
    assert [(row["verdict"], round(row["p_adjusted"], 4)) for row in listed_rows] == [("better", 0.0101)]
    with pytest.raises(DelveError, match="delvecore\\.compare"):
        delvecore.rank(path)


ONE_DATASET = "not tested: all tasks are of one dataset"


@pytest.fixture
def one_dataset(tmp_path):
    """Twelve tasks of one dataset on which c is always last and a mostly first."""
    path = tmp_path / "one.csv"
    rows = "".join(f"age/p{n}.128,{n},{n + (2 if n % 4 else -1)},{n + 5}\n" for n in range(12))
    path.write_text(f"task,a,b,c\n{rows}")
    return str(path)


@pytest.mark.parametrize("form", ["text", "json", "csv", "latex"])
def test_tasks_of_one_dataset_have_no_verdict_in_any_format(form, one_dataset, run_command):
    text = " ".join(rank(run_command, one_dataset, "--format", form).out.split())
    assert ONE_DATASET in text
    assert "significantly" not in text
    assert "p = " not in text
    by_task = " ".join(rank(run_command, one_dataset, "--unit", "task").out.split())
    assert "a is significantly better than" in by_task


@pytest.mark.parametrize("question", [word for word, one in QUESTIONS.items() if not one.needs])
def test_no_question_over_tasks_of_one_dataset_has_a_verdict(question, one_dataset, run_command):
    record = json.loads(rank(run_command, one_dataset, "--show", question, "--format", "json").out)
    assert ONE_DATASET in record["answer"].lower()
    for row in record["rows"]:
        assert row.get("verdict", "not tested") == "not tested"
        inferred = [
            key for key in row if key.startswith("p_") or key == "p" or key.endswith(("lower", "upper"))
        ]
        assert [row[key] for key in inferred] == [None] * len(inferred)


def test_reports_and_tables_of_one_dataset_have_no_verdict(one_dataset, run_command):
    report = " ".join(run_command(delve.main, "report", one_dataset, "--lower-is-better").out.split())
    assert f"Differences were {ONE_DATASET}." in report
    assert "Friedman" not in report
    table = " ".join(run_command(delve.main, "table", one_dataset, "--lower-is-better").out.split())
    assert ONE_DATASET in table
