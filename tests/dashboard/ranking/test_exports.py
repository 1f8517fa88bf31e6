"""The command that the page shows runs as it stands, whatever tasks and methods are called."""

import json
import shlex

import pytest

from dashboard.ranking.data import archive_scores
from dashboard.ranking.exports import archive_places, command, name_of, numbers_text, pairs_latex, scores_csv
from dashboard.ui.request import Request
from delvecore.cli import delve
from delvecore.score_tables.options import ScoreOptions
from delvecore.stats.verdicts import RankTest
from tests.archives import write_tree
from tests.cli.running import Runner
from tests.dashboard.compare_archive import AGE, add_losses, compared_archive, drawn_losses
from tests.dashboard.reading import opened_archive

NAMES = ["two words", "it's", "größe-β", "-dash", "=sum", '$(x) `y` "z"', "a;b|c&d"]


def run(request, directory, monkeypatch, capfdbinary, path=None):
    """Run the command as a shell would read it, its file beside it; return what it prints."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(directory / "cache"))
    (directory / f"{name_of(request, 'table')}.csv").write_text(scores_csv(request))
    words = shlex.split(command(request))
    assert words[0] == "delve"
    outcome = Runner(monkeypatch, capfdbinary)(delve.main, *words[1:], directory=directory, path=path)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


def request_of(archive, loss, control, **more):
    scores = archive_scores(archive, loss)
    chosen = {
        "tasks": scores.tasks,
        "methods": scores.methods,
        "test": RankTest.CONTROL,
    } | more
    return Request(archive=archive, loss=loss, reference=control or "", **chosen)


@pytest.mark.slow
def test_a_command_from_the_archive_runs_whatever_methods_are_called(tmp_path, monkeypatch, capfdbinary):
    path, _ = compared_archive(tmp_path, {name: {AGE: drawn_losses(3, (2, 4))} for name in NAMES[:6]})
    stats = (path / "methods/one/demo/age/std.8/Test-set-stats").read_text()
    for name in NAMES[:6]:
        add_losses(path, name, "/demo/age/std.4", "S", [[1.0, 2.0]] * 4)
        write_tree(path, {f"methods/{name}/demo/age/std.4/Test-set-stats": stats})
    archive = opened_archive(path)
    methods = archive_scores(archive, "S").methods
    for chosen in (methods, methods[1:]):
        assert "two words" in chosen
        request = request_of(archive, "S", "-dash", methods=chosen, drop="methods")
        assert (archive_places(request) is not None) == (chosen == methods)
        assert "-dash" in run(request, tmp_path, monkeypatch, capfdbinary, path)


def test_all_numbers_are_files_with_every_test_pair_and_value(tmp_path):
    (tmp_path / "scores.csv").write_text(
        "task,a,b,c\nt1,1,2,3\nt2,1,,3\nt3,2,3,4\nt4,1,2,2\nt5,3,1,\nt6,1,2,3\nt7,1,2,3\nt8,1,2,4\nt9,1,2,5\n"
    )
    archive = opened_archive(tmp_path / "scores.csv", scores=ScoreOptions(higher_is_better=False))
    request = request_of(archive, "score", None, test=RankTest.NEMENYI)
    record = json.loads(numbers_text(request, "tests"))
    # Tests of complete tasks are over seven, that which allows gaps is over all nine.
    assert (len(record["tasks"]), record["skillings_mack"]["tasks"]) == (7, 9)
    assert [len(numbers_text(request, what).splitlines()) for what in ("every-pair", "table")] == [
        1 + 3,
        1 + 9,
    ]
    bold = [line for line in pairs_latex(request).splitlines() if line.endswith(r"\\") and "bf" in line]
    # Of the mean ranks 1, 2.07 and 2.93 only the first and the last are further apart than 1.25.
    assert [line.split(" & ")[:2] for line in bold] == [["a", "c"]]


def test_the_command_leaves_out_tasks_where_the_page_does(tmp_path, monkeypatch, capfdbinary):
    rows = "".join(
        f"t{task},{task % 3},{2 + task % 2},{5.5 - task % 2 if task < 4 else ''}\n" for task in range(9)
    )
    (tmp_path / "scores.csv").write_text(f"task,a,b,c\n{rows}")
    archive = opened_archive(tmp_path / "scores.csv", scores=ScoreOptions(higher_is_better=False))
    request = request_of(archive, "score", None, test=RankTest.NEMENYI, methods=("a", "b", "c"), keep=("c",))
    assert "--missing tasks" in command(request)
    assert "over 4 of 9 tasks" in " ".join(run(request, tmp_path, monkeypatch, capfdbinary).split())
    assert "--missing" not in command(
        request_of(archive, "score", None, test=RankTest.NEMENYI, methods=("a", "b"))
    )
