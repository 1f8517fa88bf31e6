"""`delve top`: the best methods of each task."""

import json

import pytest

import delvecore
from delvecore.cli import delve
from tests.archives import small_archive, write_tree
from tests.score_texts import csv_rows


@pytest.fixture
def archive(tmp_path):
    """Two methods and their squared errors after two training sets."""
    root = small_archive(tmp_path)
    losses = {"svm.v1": ("1 3 1 3", "4 4 4 4"), "svm.v2": ("1 1 1 1", "2 4 2 4")}
    for name, texts in losses.items():
        place = f"methods/{name}/demo/age/std.8"
        files = {f"{place}/loss.S.{i}": text.replace(" ", "\n") + "\n" for i, text in enumerate(texts)}
        stats = (root / "methods/one/demo/age/std.8/Test-set-stats").read_text()
        write_tree(root, files | {f"{place}/Test-set-stats": stats})
    return root


def rows(text: str) -> list[dict[str, str]]:
    return list(csv_rows(text))


def test_methods_are_ranked_with_all_statistics_of_their_scores(run_command, archive):
    words = ["top", "/demo/age/std.8", "--methods", "^svm", "--losses", "^S$", "--format", "csv"]
    outcome = run_command(delve.main, *words, path=archive)
    assert outcome.code == 0, outcome.err
    # Means over the test cases: 2 and 4, 1 and 3.
    first, second = rows(outcome.out)
    told = [first[name] for name in ("method", "rank", "mean", "min", "max", "iqr", "sets", "missing")]
    assert told == ["svm.v2", "1", "2.0", "1.0", "3.0", "1.0", "2", "0"]
    assert [second[name] for name in ("method", "rank", "mean", "median")] == ["svm.v1", "2", "3.0", "3.0"]
    assert float(first["std"]) == pytest.approx(2**0.5)


def test_top_one_names_the_best_and_another_statistic_may_choose_another(run_command, archive):
    for statistic, expected in (("mean", ["svm.v2"]), ("std", ["svm.v1", "svm.v2"])):
        outcome = run_command(
            *(delve.main, "top", "/demo/age/std.8", "--methods", "svm", "--losses", "S", "--top", "1"),
            *("--statistic", statistic, "--format", "json"),
            path=archive,
        )
        assert [row["method"] for row in json.loads(outcome.out)["rows"]] == expected


def test_each_score_can_be_printed(run_command, archive):
    outcome = run_command(delve.main, "top", "--each", "--methods", "svm.v1", path=archive)
    assert outcome.out == (
        "task,method,loss,training_set,score\n/demo/age/std.8,svm.v1,S,0,2.0\n/demo/age/std.8,svm.v1,S,1,4.0\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--tasks", "("), "--tasks: expected a regular expression, found '('"),
        (("--methods", "zz"), "methods: expected a method that matches 'zz', found none"),
    ],
)
def test_what_matches_nothing_is_said_in_one_line(run_command, archive, words, message):
    outcome = run_command(delve.main, "top", *words, path=archive)
    assert outcome.code == 1
    assert outcome.err.splitlines()[-1].startswith(f"delve top: {message}")


def test_the_library_has_the_same_scores(archive):
    score_file = delvecore.scores(str(archive), methods="svm", losses=["S"])
    assert score_file["score"].to_pylist() == [2, 4, 1, 3]
    assert delvecore.top_performer(score_file, task="/demo/age/std.8", loss="S") == "svm.v2"
    (standing,) = delvecore.rank_methods(score_file)
    assert [place.method for place in standing.places] == ["svm.v2", "svm.v1"]
    parts = [delvecore.select_scores(score_file, methods=[name]) for name in ("svm.v1", "svm.v2")]
    assert delvecore.merge_scores(*parts).equals(score_file)


FOLDS = "dataset,method,fold,{}\nd,a,1,0.5\nd,a,2,0.9\nd,b,1,0.625\nd,b,2,0.625\n"


@pytest.mark.parametrize("name", ["accuracy", "1 - score", "-LL", "cost", "neg_error"])
@pytest.mark.parametrize(
    ("option", "statistic", "expected"),
    [
        # Means 0.7 and 0.625; least 0.5 and 0.625; spreads 0.28 and 0, of which less is always better.
        ("--higher-is-better", "mean", ["a", "b"]),
        ("--higher-is-better", "min", ["b", "a"]),
        ("--higher-is-better", "std", ["b", "a"]),
        ("--lower-is-better", "mean", ["b", "a"]),
        ("--lower-is-better", "max", ["b", "a"]),
    ],
)
def test_scores_are_ranked_by_their_direction_and_shown_as_in_the_file(
    run_command, tmp_path, name, option, statistic, expected
):
    (tmp_path / "scores.csv").write_text(FOLDS.format(name))
    words = ["top", str(tmp_path / "scores.csv"), option, "--statistic", statistic, "--format", "json"]
    rows = json.loads(run_command(delve.main, *words).out)["rows"]
    assert [(row["method"], row["loss"]) for row in rows] == [(method, name) for method in expected]
    (row,) = (row for row in rows if row["method"] == "a")
    values = [row[key] for key in ("mean", "median", "min", "max", "iqr")]
    assert values == pytest.approx([0.7, 0.7, 0.5, 0.9, 0.2])


def test_each_score_is_that_of_the_file(run_command, tmp_path):
    (tmp_path / "scores.csv").write_text(FOLDS.format("accuracy"))
    outcome = run_command(delve.main, "top", str(tmp_path / "scores.csv"), "--each", "--methods", "a")
    rows = [line for line in outcome.out.splitlines() if not line.startswith("#")]
    assert [line.rpartition(",")[2] for line in rows] == ["score", "0.5", "0.9"]
    score_file = delvecore.scores(str(tmp_path / "scores.csv"), methods="b")
    assert score_file["score"].to_pylist() == [0.625, 0.625]


SUMMARY = """
def spread(scores, share=1.0):
    return (max(scores) - min(scores)) * share

def words(scores):
    return "many"
"""


def test_a_function_of_a_file_is_a_further_column(run_command, archive, tmp_path):
    # metricsSummary(results, summary=...): scores 2 and 4, 1 and 3, so each spreads over 2.
    (tmp_path / "mine.py").write_text(SUMMARY)
    words = ["top", "/demo/age/std.8", "--methods", "^svm", "--losses", "^S$"]
    for option, name, value in (("", "spread", 2), (":share=0.25", "spread:share=0.25", 0.5)):
        own = ["--summary", f"{tmp_path}/mine.py:spread{option}"]
        listed_rows = rows(run_command(delve.main, *words, *own, "--format", "csv", path=archive).out)
        assert [(row["method"], float(row[name])) for row in listed_rows] == [
            ("svm.v2", value),
            ("svm.v1", value),
        ]
        listed_rows = json.loads(run_command(delve.main, *words, *own, "--format", "json", path=archive).out)[
            "rows"
        ]
        assert [row[name] for row in listed_rows] == [value, value]
        text = run_command(delve.main, *words, *own, path=archive).out.splitlines()
        head = next(line for line in text if "rank" in line)
        assert head.split()[-1] == name
        assert text[text.index(head) + 1].split()[-1] == f"{value:g}"


def test_so_many_digits_are_printed(run_command, archive):
    # std of 2 and 4 is the root of 2, 1.41421356...
    words = ["top", "/demo/age/std.8", "--methods", "v1", "--losses", "^S$"]
    for option, expected in (([], "1.4142"), (["--digits", "3"], "1.41"), (["--digits", "9"], "1.41421356")):
        assert expected in run_command(delve.main, *words, *option, path=archive).out.split()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--summary", "mine.py:words"], "expected a number for 2 scores, found ValueError"),
        (["--summary", "mine.py:spread:part=1"], "expected a parameter among share, found 'part'"),
        (["--summary", "mine.py:none"], "expected a function in a Python file, found AttributeError"),
        (["--summary", "mean"], "expected FILE.py:NAME of a function"),
    ],
)
def test_a_summary_that_means_nothing_is_one_line(run_command, archive, tmp_path, words, message):
    (tmp_path / "mine.py").write_text(SUMMARY)
    outcome = run_command(
        *(delve.main, "top", "/demo/age/std.8", "--methods", "^svm", *words), path=archive, directory=tmp_path
    )
    assert outcome.code == 1
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--digits", "3", "--format", "csv"],
            "--digits: expected --format text, since CSV and JSON have all digits",
        ),
        (["--digits", "0"], "--digits: expected 1 to 17, found 0"),
        (["--each", "--summary", "mine.py:spread"], "--summary: expected no --each"),
    ],
)
def test_options_without_effect_are_refused(capsys, words, message):
    with pytest.raises(SystemExit, match="2"):
        delve.main(["top", *words])
    assert message in capsys.readouterr().err
