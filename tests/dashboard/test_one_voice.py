"""Whoever is asked, the same question has the same answer: all pairs, tasks, losses and settings of the archive.

The record of a comparison is what `Archive.compare` says; pages, commands and files for papers are held to it."""

import csv
import functools
import io
import json
import random
import shlex
from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path

import pytest

import delvecore
from dashboard.compare import data as compare_data
from dashboard.ranking import data as ranking_data
from dashboard.ranking.data import archive_scores, finding_of, verdicts_of
from dashboard.ranking.exports import command as ranking_command
from dashboard.ranking.exports import name_of, scores_csv
from dashboard.server import archive as opened
from dashboard.task_arrays import data as array_data
from dashboard.ui.request import Request
from delvecore.archive import Archive
from delvecore.cli import delve, mtable
from delvecore.plots.draw import draw
from delvecore.plots.task_arrays.panels import task_of
from delvecore.render.grid import BEST, BETTER_THAN, EQUAL, UNTESTED, WORSE, WORSE_THAN
from delvecore.render.numbers import p_text
from delvecore.render.spans import plain
from delvecore.report.paper.source import archive_paper_table
from delvecore.report.paper.table import PaperRequest
from delvecore.report.ranking.sentences import counted_units, ranking_sentence
from delvecore.stats import notes
from delvecore.stats.choose import ADJUSTMENTS, SIGNIFICANT, UNITS, Setting, turned_verdict
from delvecore.stats.verdicts import RankTest
from tests.score_texts import csv_rows

SETTINGS = (Setting(), Setting(0.9, "benjamini-hochberg"))
TO_REFERENCE = {BETTER_THAN: "better", WORSE_THAN: "worse"}
Verdicts = dict[tuple[str, str, str], str]
"""What is said of the first of two methods on a task: by path of the task, first, second."""


def _array_request(archive, array, loss, methods, reference, setting):
    return Request(
        archive,
        loss,
        setting,
        array=array,
        methods=methods,
        available=methods,
        reference=reference,
    )


@pytest.fixture(scope="module")
def archive(whole_archive: Path) -> Iterator[Archive]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(whole_archive))
        patch.delenv("DELVE_PATH", raising=False)
        opened.choose_paths(())
        opening = opened.open_archive()
        if opening.opening is not None:
            assert opening.opening.is_done(600.0)
            opening = opened.open_archive()
        yield opening.archive


def losses_of(archive: Archive) -> list[str]:
    return sorted({row["loss"] for row in opened.rows(archive, "results")})


@functools.cache
def recorded(archive: Archive, loss: str, setting: Setting) -> Verdicts:
    recordeds: Verdicts = {}
    for row in archive.compare(loss=loss, setting=setting).to_pylist():
        path, a, b = f"/{row['dataset']}/{row['prototask']}/{row['task']}", row["method_a"], row["method_b"]
        recordeds[path, a, b] = row["verdict"]
        recordeds[path, b, a] = turned_verdict(row["verdict"])
        excludes_zero = row["lower"] is not None and (row["lower"] > 0 or row["upper"] < 0)
        assert excludes_zero == (row["verdict"] in ("better", "worse"))
    return recordeds


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_compare_says_what_is_recorded_in_its_sentence_matrix_differences_and_latex(archive, setting):
    for loss in losses_of(archive):
        expected = recorded(archive, loss, setting)
        paths = sorted({path for path, *_ in expected})
        for path in paths[:: 9 if setting == Setting() else 21]:
            names = tuple(compare_data.ranked(archive, path, loss))
            request = Request(archive, loss, setting, tasks=(path,), methods=names, reference=names[0])
            assert_compare_agrees(request, expected)


def assert_compare_agrees(request: Request, expected: Verdicts) -> None:
    comparison = compare_data.comparison_of(request)
    identical = {
        frozenset((row["method_a"], row["method_b"]))
        for row in comparison.pairs
        if notes.IDENTICAL in notes.parsed(row["notes"])
    }

    def said(first: str, second: str) -> str:
        return "identical" if {first, second} in identical else expected[request.task, first, second]

    cells = comparison.pair_matrix().table.select("method_a", "method_b", "verdict").rows
    matrix = {(a, b): verdict for a, b, verdict in cells}
    assert matrix == {pair: said(*pair) for pair in matrix}
    assert len(matrix) == len(request.methods) * (len(request.methods) - 1)
    lines = comparison.overview().table.select("method", "reference", "verdict").rows
    lines = [line for line in lines if line[2] != "reference"]
    assert [verdict for *_, verdict in lines] == [said(*pair) for *pair, _ in lines]
    latex = compare_data.table_latex(request, "pairs")
    assert sum(latex.count(mark) for mark in (r"\bfseries ", r"\mathbf{")) == sum(
        said(*pair) in ("better", "worse") for pair in combinations(request.methods, 2)
    )


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_task_arrays_say_what_is_recorded(archive, setting):
    for array, losses in array_data.losses_known(archive).items():
        for loss in losses:
            available, expected = (array_data.ranked(archive, array, loss), recorded(archive, loss, setting))
            for reference in available[::6]:
                request = _array_request(archive, array, loss, available, reference, setting)
                for row in array_data.table("differences", request).to_pylist():
                    if row["verdict"] is not None:
                        place = (
                            task_of(row["dataset"], row["prototask"], row["task"]),
                            row["method"],
                            reference,
                        )
                        assert row["verdict"] == expected.get(place, "not tested"), place
            assert_winners_agree(array_data.table("winners", request).to_pylist(), expected)


def assert_winners_agree(rows: list[dict], expected: Verdicts) -> None:
    for row in rows:
        place = task_of(row["dataset"], row["prototask"], row["task"])
        for kind, allowed in (("worse", {"worse"}), ("not_worse", {"not significant", "better"})):
            assert {expected[place, name, row["best"]] for name in row[kind] or ()} <= allowed


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_tables_for_papers_say_what_is_recorded(archive, setting):
    for loss in losses_of(archive):
        expected = recorded(archive, loss, setting)
        references = {"lin-1", "gp-1"} if setting == Setting() else {"lin-1"}
        for reference in sorted({name for _, name, _ in expected} & references):
            options = {"reference": reference, "level": setting.level, "adjust": setting.adjust}
            table = archive_paper_table(archive, PaperRequest(loss=loss, ranks=False, **options))
            for head, cells in zip(table.rows, table.cells, strict=True):
                of_row = dict(zip((column.labels[0] for column in table.columns), cells, strict=True))
                assert_row_agrees(head.tasks[0], of_row, reference, expected)


def assert_row_agrees(path: str, cells: dict, reference: str, expected: Verdicts) -> None:
    best = next((name for name, cell in cells.items() if cell.standing == BEST), None)
    for name, cell in cells.items():
        if cell.value is None:
            continue
        if cells[reference].value is not None and name != reference:
            said = expected.get((path, name, reference), "not tested")
            assert TO_REFERENCE.get(cell.to_reference) == (said if said in ("better", "worse") else None)
        if best and cell.standing in (EQUAL, WORSE, UNTESTED):
            said = expected.get((path, name, best), "not tested")
            assert cell.standing == {"worse": WORSE, "not tested": UNTESTED}.get(said, EQUAL)


def test_commands_say_what_is_recorded(archive, whole_archive, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    setting = Setting(0.99)
    expected = recorded(archive, "S", setting)
    assert mtable.main(["-l", "S", "-r", "lin-1", "-a", "0.01", "-f", "csv", "/demo"]) == 0
    standings = {"significantly better": "better", "significantly worse": "worse"}
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) > 20
    for row in rows:
        if row["method"] != "lin-1":
            said = expected[row["task"], row["method"], "lin-1"]
            assert standings.get(row["to_reference"]) == (said if said in ("better", "worse") else None)
    for array in ("kin", "bank"):
        available = array_data.ranked(archive, array, "S")
        request = _array_request(archive, array, "S", available, "lin-1", setting)
        command = array_data.command("differences", request).replace("'", "").split()
        assert delve.main([*command[1:], "--format", "csv"]) == 0
        printed = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        shown = array_data.answer("differences", request).table
        order = {(row["dataset"], row["task"], row["method"]): row["verdict"] for row in printed}
        names = zip(shown["dataset"], shown["task"], shown["method"], strict=True)
        assert order == dict(zip(names, (one or "" for one in shown["verdict"]), strict=True))


def random_request(archive: Archive, draws: random.Random, test: RankTest) -> Request:
    """Return a ranking of some methods on the tasks of some datasets, by any unit and setting."""
    scores = archive_scores(archive, draws.choice(("S", "A")))
    datasets = draws.sample(sorted({path.split("/")[1] for path in scores.tasks}), draws.randint(2, 12))
    tasks = tuple(path for path in scores.tasks if path.split("/")[1] in datasets)
    methods = tuple(sorted(draws.sample(scores.methods, draws.randint(2, 6))))
    setting = Setting(draws.choice((0.9, 0.95, 0.99)), draws.choice(tuple(ADJUSTMENTS)))
    return Request(
        archive=archive,
        loss="S" if scores is archive_scores(archive, "S") else "A",
        tasks=tasks,
        methods=methods,
        reference=draws.choice(methods),
        test=test,
        unit=draws.choice((None, *UNITS)),
        setting=setting,
    )


# Tasks, datasets and families count once, on 52, 30, 5, 8 and 3 of them; on the last nothing can be tested.
@pytest.mark.parametrize(
    ("seed", "test"), [*zip((0, 4, 3, 10), RankTest, strict=True), (2, RankTest.WILCOXON)], ids=str
)
def test_a_random_ranking_is_told_alike_by_commands_library_files_reports_and_pages(
    seed, test, archive, whole_archive, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    monkeypatch.delenv("DELVE_PATH", raising=False)
    monkeypatch.chdir(tmp_path)
    request = random_request(archive, random.Random(seed), test)
    finding = finding_of(request)
    assert not isinstance(finding, str), finding
    # Some methods of an archive are ranked by the file that the page offers.
    (tmp_path / f"{name_of(request, 'table')}.csv").write_text(scores_csv(request))
    expected = printed_verdicts(request, "json", capsys)
    assert printed_verdicts(request, "csv", capsys) == expected
    assert_page_agrees(request, expected)
    told = json.loads(printed(request, "json", capsys))
    said = verdicts_of(request)
    units = counted_units(len(finding.units.tasks), finding.unit)
    smallest = f"(smallest adjusted p {p_text(said.smallest_p)})"
    reason = None if said.is_testable else f"not testable with {units} {smallest}"
    assert (told["testable"], told["reason"]) == (said.is_testable, reason)
    if reason:
        assert set(expected.values()) == {"not tested"}
    ranking = delvecore.rank(
        archive,
        loss=request.loss,
        places=request.tasks,
        methods=request.methods,
        control=request.reference,
        test=request.test.word,
        unit=request.unit,
        level=request.setting.level,
        adjust=None if request.test.adjusts_by_itself else request.setting.adjust,
    )
    pairs = ranking.pairs()
    assert {
        (row.method_a, row.method_b): row.verdict for row in pairs.itertuples()
    }.items() <= expected.items()
    frame = ranking.to_frame()
    for method, row in frame.iterrows():
        counts = [
            sum(a == method and one == word for (a, _), one in expected.items()) for word in SIGNIFICANT
        ]
        assert counts == [row["better_than"], row["worse_than"]]

    def sentence(quantity: str) -> str:
        return plain(ranking_sentence(finding, said, quantity=quantity))

    assert told["answer"] == sentence(told["quantity"])
    text = printed(request, "text", capsys)
    assert told["answer"] in " ".join(text.split())
    assert better_in_text(text) == {pair for pair, verdict in expected.items() if verdict == "better"}
    assert ranking.sentence == sentence(ranking.analysis.table.quantity)
    assert ranking.sentence in " ".join(ranking.report("text").split())
    rows = [line for line in printed(request, "latex", capsys).splitlines() if line.endswith(r"\\")]
    assert rows == [line for line in ranking.to_latex().splitlines() if line.endswith(r"\\")]


def printed(request: Request, form: str, capsys: pytest.CaptureFixture) -> str:
    words = shlex.split(ranking_command(request))
    assert delve.main([*words[1:], "--format", form]) == 0
    return capsys.readouterr().out


def printed_verdicts(request: Request, form: str, capsys: pytest.CaptureFixture) -> dict:
    """What a file says of each method against each other one."""
    text = printed(request, form, capsys)
    rows = json.loads(text)["verdicts"] if form == "json" else csv_rows(text)
    said = {(row["method_a"], row["method_b"]): row["verdict"] for row in rows}
    return said | {(b, a): str(turned_verdict(verdict)) for (a, b), verdict in said.items()}


def assert_page_agrees(request: Request, expected: dict) -> None:
    """Do the signs of the matrix, the table and bars of the page say what is expected of each pair?"""
    answer = ranking_data.pairs_of(request)
    names = list(dict.fromkeys((*answer.table["row"], *answer.table["column"])))
    cells = draw(answer, {}).plotly().data[1]
    words = {"<b>+</b>": "better", "<b>−</b>": "worse"}
    differ = {pair: said for pair, said in expected.items() if said in ("better", "worse")}
    signs = zip(cells.y, cells.x, (text.split(" ")[0] for text in cells.text), strict=True)
    shown_verdicts = {(names[row], names[column]): words.get(sign) for row, column, sign in signs}
    assert {pair: said for pair, said in shown_verdicts.items() if said} == {
        pair: said for pair, said in differ.items() if names.index(pair[0]) < names.index(pair[1])
    }
    rows = answer.table.select("row", "column", "verdict").rows
    told = {(row, column): verdict for row, column, verdict in rows}
    assert told | {(b, a): turned_verdict(one) for (a, b), one in told.items()} == expected
    diagram = ranking_data.diagram_of(request)
    order = diagram.methods
    joined = {(order[a], order[b]) for group in diagram.groups for a, b in permutations(group, 2)}
    if verdicts_of(request).control is not None:
        marked = {name for name, mark in zip(order, diagram.marks, strict=True) if mark == "different"}
        assert marked == {name for name, other in differ if other == request.reference}
    else:
        assert joined == {pair for pair, said in expected.items() if said == "not significant"}


def better_in_text(text: str) -> set[tuple[str, str]]:
    """Return the pairs of which the text says that the first is better."""
    lines = text.partition(" differ significantly.\n")[2].partition("\n\n")[0]
    told = " ".join(lines.split()).replace(", ", ",").split()
    places = [place for place, word in enumerate(told) if word == "is"]
    return {(told[place - 1], other) for place in places for other in told[place + 4].split(",")}
