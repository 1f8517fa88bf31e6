"""Every table of LaTeX that commands print fits a plain `article`: arrays are in `test_array_latex.py`."""

import numpy as np
import pandas as pd
import pytest

from delvecore.answers.questions import QUESTIONS
from delvecore.cli import delve
from tests.cli.subcommands.test_array_latex import METHODS, MOST_POINTS, overfull

LATEX = ("--format", "latex")
WITHOUT_TASKS = ("leaderboard", "order", "diagram", "pairs", "effects", "equivalence", "power", "regret")
"""Questions that a table of scores answers; `strengths` as well."""


def printed(run_command, *words):
    outcome = run_command(delve.main, *map(str, words))
    assert outcome.code == 0, outcome.err
    return outcome.out


def assert_all_fit(texts, directory):
    """One document for all tables, so that LaTeX starts once."""
    wide = overfull("\n\\clearpage\n".join(texts), directory)
    assert max(wide, default=0) <= MOST_POINTS


@pytest.fixture
def scores(tmp_path):
    """Scores of twelve methods with long names on fourteen datasets with long names."""
    random, path = np.random.default_rng(1), tmp_path / "scores.csv"
    lines = [",".join(["dataset", *METHODS])]
    for row in range(14):
        values = (0.6 + 0.02 * place + 0.03 * random.normal() for place in range(len(METHODS)))
        lines.append(f"some_longer_dataset_name_{row}," + ",".join(f"{value:.3f}" for value in values))
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.slow
def test_tables_of_scores_with_long_names_fit(scores, run_command, tmp_path):
    rank = ("rank", scores, "--higher-is-better", *LATEX)
    texts = [printed(run_command, *rank, "--show", word) for word in (*WITHOUT_TASKS, "strengths")]
    texts += [printed(run_command, *rank), printed(run_command, *rank, "--control", METHODS[0])]
    for more in ((), ("--methods-in", "rows"), ("--reference", METHODS[0])):
        texts.append(printed(run_command, "table", scores, "--higher-is-better", *LATEX, *more))
    assert_all_fit(texts, tmp_path)


@pytest.mark.slow
def test_tables_of_every_question_about_the_shipped_archive_fit(
    whole_archive, run_command, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    rank = ("rank", "--loss", "S", *LATEX)
    texts = [printed(run_command, *rank, "--show", word) for word in QUESTIONS]
    texts += [printed(run_command, *rank), printed(run_command, "table", "--loss", "S", *LATEX)]
    task = ("rank", "/kin-8nm/dist/std.128", "--loss", "S", *LATEX, "--show")
    texts += [printed(run_command, *task, word) for word in ("best", "same")]
    assert_all_fit(texts, tmp_path)


@pytest.mark.slow
def test_tables_of_similar_tasks_fit(whole_archive, run_command, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    inputs, path = np.random.default_rng(2).normal(size=(60, 3)), tmp_path / "some-file-of-cases.csv"
    pd.DataFrame(inputs, columns=["a", "b", "y"]).to_csv(path, index=False)
    like = ("like", path, "--target", "y", *LATEX, "--show")
    assert_all_fit([printed(run_command, *like, shown) for shown in ("methods", "tasks")], tmp_path)
