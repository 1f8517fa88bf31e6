"""The Leaderboard page."""

import re
import shutil
from html import unescape

import pytest

import delvecore
from dashboard.leaderboard import data
from dashboard.server import archive as opened
from delvecore.answers.leaderboard import leader_basis, leader_heading, leaderboard_answer, shown_columns
from delvecore.answers.wins_and_losses import MEASURES, kinds_by_method, kinds_heading
from delvecore.archive.leaderboards import leaderboard, task_facts
from delvecore.render.answers import shown
from delvecore.render.spans import plain
from delvecore.stats.choose import DEFAULT_SETTING, Verdict
from delvecore.stats.verdicts import verdict_row
from tests.archives import write_tree
from tests.dashboard.array_archive import METHODS, opened_array
from tests.dashboard.conftest import visit
from tests.dashboard.reading import answer, texts


def request_of(page):
    opened.choose_paths([str(page.archive)])
    return data.Request(opened.open_archive(patience=10).archive, "S", DEFAULT_SETTING)


def table_of(app):
    """Return the rows of the table as texts: {method: [cells]}, and its headings."""
    (html,) = (one.proto.body for one in app.get("html") if 'class="leaders"' in one.proto.body)
    rows = [re.findall(r"<t[hd].*?</t[hd]>", row, re.S) for row in re.findall(r"<tr.*?</tr>", html, re.S)]
    plain = [[unescape(re.sub(r"<[^>]*>", "", cell, flags=re.S)) for cell in row] for row in rows]
    return {row[0].split()[-1]: row for row in plain[1:]}, plain[0], html


def test_the_heading_says_that_four_datasets_are_too_few(array_page):
    # Quince lacks one of the 8 tasks of 4 plots; apple is always first, pear always second.
    assert answer(array_page("leaderboard")) == (
        "Four datasets are too few to rank methods By standardized squared error (S) on 7 of 8 tasks. "
        "apple has the best mean rank of 3; differences are **not testable with 4 datasets (smallest adjusted p "
        "0.12)**."
    )


def test_the_table_has_all_methods_best_first_in_words_with_a_link(array_page):
    rows, heads, html = table_of(array_page("leaderboard"))
    assert list(rows) == ["apple", "pear", "quince"]
    assert heads[:1] == ["Method"]
    assert heads[2:5] == ["Mean rank", "Wins", "Within 10\N{NO-BREAK SPACE}%"]
    assert rows["apple"][0] == "It was drawn at random apple"
    assert rows["apple"][2:4] == ["1.00", "100.0 %"]
    assert 'href="methods?method=apple"' in html
    assert 'scope="row"' in html
    assert 'role="img" aria-label="place 1 of 3"' in html


def test_the_columns_are_those_of_the_answer(array_page):
    rows, heads, _ = table_of(array_page("leaderboard"))
    table = shown_columns(data.leaders(request_of(array_page)).table).drop("lowest_place", "highest_place")
    assert [head.lower().replace("\N{NO-BREAK SPACE}", " ") for head in [heads[0], *heads[2:]]] == [
        one.title.lower() for one in table.columns
    ]
    for row, method in enumerate(table["method"]):
        cells = [shown(one.values[row], one) or "–" for one in table.columns if one.key != "method"]
        assert rows[method][2:] == cells


def test_the_command_that_publishes_the_results_is_shown(array_page):
    assert "delve publish DIRECTORY" in [block.value for block in array_page("leaderboard").code]


def test_kinds_of_tasks_are_columns_and_the_heading_counts_them(array_page):
    app = array_page("leaderboard", **{"archive-part": "Light"})
    rows, heads, html = table_of(app)
    assert len(heads) == 5
    assert app.title[0].value == "apple has the best mean rank on 2 of 2 levels of light"
    assert rows["apple"][3:] == ["1.0", "1.0"]
    assert "<b>1.0</b>" in html
    assert not array_page("leaderboard", **{"archive-part": "Cost"}).info  # an old part shows all tasks


@pytest.mark.parametrize(
    ("measure", "heading", "cells"),
    [
        ("Mean rank", "has the best mean rank", ["1.3", "1.7", "3.0"]),
        ("Best", "is most often best", ["66.7 %", "33.3 %", "0.0 %"]),
        ("Near", "is most often within 1 %", ["66.7 %", "33.3 %", "0.0 %"]),
        ("Within reach", "are most often within 10 %", ["66.7 %", "100.0 %", "0.0 %"]),
    ],
)
def test_the_heading_on_kinds_says_what_the_cells_show(tmp_path, run_page, measure, heading, cells):
    path, _ = opened_array(tmp_path)
    for bed, values in {1: (1.0, 1.05, 9.0), 2: (1.0, 1.05, 9.0), 3: (2.0, 1.0, 9.0)}.items():
        for method, value in zip(METHODS, values, strict=True):
            for file in path.glob(f"methods/{method}/plot-{bed}s/yield/*/loss.S.*"):
                file.write_text(f"{value}\n" * 8)
    app = run_page("leaderboard", **{"archive-part": "Light", "measure": measure})
    rows, heads, _ = table_of(app)
    column = next(place for place, head in enumerate(heads) if head.lower().startswith("sunny"))
    assert [rows[name][column] for name in METHODS] == cells
    assert heading in app.title[0].value


def test_chips_filter_the_tasks_and_say_what_is_too_little(array_page):
    app = array_page("leaderboard", **{"factor-light": "dark", "training-size": "8"})
    assert "too few to rank methods" in app.title[0].value or "not enough" in app.title[0].value
    pressed = next(one for one in app.get("button_group") if one.label == "Data like mine")
    assert ("factor-light", "dark") in pressed.value
    assert "factor-light" in app.query_params  # it travels
    assert "dark" in visit(app, "ranking").query_params["factor-light"]


def test_what_is_missing_is_told_with_the_reason(array_page):
    # No program is called quince: nothing but the absence of its results is known.
    gaps = data.gaps_with_reasons(request_of(array_page).archive)
    assert gaps.select("method", "reason").rows == [("quince", "not run")]
    said = texts(array_page("leaderboard"))
    assert "2 of 3 methods have results on all 8 tasks with results; quince lacks 1." in said


def test_without_two_methods_on_two_tasks_the_page_says_why_nobody_is_best(small_page):
    app = small_page("leaderboard")
    assert app.title[0].value == "No method can be called best yet"
    assert (
        "**1 dataset** with 2 prototasks and 5 tasks; **2 methods** with results on 2 of the tasks."
        in texts(app)
    )


def test_an_archive_without_results_leads_to_its_datasets_and_says_how_to_get_some(small, run_page):
    for name in ("one", "two"):
        shutil.rmtree(small / "methods" / name / "demo")
    app = run_page("leaderboard")
    assert "and no results yet" in app.markdown[0].value
    assert [link.proto.label for link in app.get("page_link")][-1] == "All datasets"
    assert "delve run" in app.code[-1].value


def test_problems_are_announced_and_counted_as_the_page_problems_counts_them(small, run_page):
    write_tree(small, {"methods/one/demo/age/std.8/loss.S.0": "1\nnan\nx\n4\n"})
    assert "found in the files so far; the rest is shown" in texts(run_page("leaderboard"))
    listed = run_page("file_check")
    while "so far" in listed.title[0].value:
        listed.run()
    problems = int((listed.dataframe[0].value["kind"] != "notice").sum())
    assert problems > 1  # losses that are no numbers, and methods without a description
    assert listed.title[0].value.startswith(f"{problems} problems")
    assert f"{problems} problems found in the files; the rest is shown" in texts(run_page("leaderboard"))


@pytest.fixture(scope="module")
def project_archive(whole_archive):
    """The archive of the project."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(whole_archive))
        patch.delenv("DELVE_PATH", raising=False)
        return delvecore.open()


def test_headings_and_columns_agree_under_all_losses_and_chips(array_page):
    """Every claim of the heading and the basis is what the table of the answer has."""
    archive = request_of(array_page).archive
    facts = task_facts(archive)
    chips = [
        None,
        *(
            {path for path, one in facts.items() if level in one.factors.values()}
            for level in ("sunny", "dark")
        ),
    ]
    chips += [{path for path, one in facts.items() if one.training_size == size} for size in (8, 16)]
    for loss in archive.index.losses:
        for tasks in chips:
            request = data.Request(archive, loss, DEFAULT_SETTING, None, tasks and tuple(sorted(tasks)))
            board = data.board_of(request)
            if isinstance(board, str):
                continue
            check_claims(board)
            for groups in data.kinds(request).values():
                for measure in MEASURES:
                    check_kinds(groups, measure)


def test_headings_agree_with_the_table_under_other_losses_and_chips_of_the_whole_archive(project_archive):
    facts = task_facts(project_archive)
    levels = {
        level for one in facts.values() for level in (*one.factors.values(), one.task_type, one.training_size)
    }
    for loss in project_archive.index.losses:
        for level in (None, *levels):
            tasks = level and tuple(
                path
                for path, one in facts.items()
                if level in (*one.factors.values(), one.task_type, one.training_size)
            )
            board = data.board_of(data.Request(project_archive, loss, DEFAULT_SETTING, None, tasks))
            if not isinstance(board, str):
                check_claims(board)


def test_high_noise_says_gp_and_with_64_cases_lasso(project_archive):
    facts = task_facts(project_archive)
    high = [path for path, one in facts.items() if one.factors.get("noise") == "high noise"]
    small = [path for path in high if facts[path].training_size == 64]
    headings = [
        plain(leader_heading(leaderboard(project_archive, loss="S", tasks=tasks))) for tasks in (high, small)
    ]
    assert headings == [
        "gp-1 ranks first of 12 on 12 regression datasets (high noise).",
        "lasso-cv-1 ranks first of 12 on 12 regression datasets (high noise, 64 training cases).",
    ]


def check_claims(board):
    heading, basis, table = (
        plain(leader_heading(board)),
        plain(leader_basis(board)),
        leaderboard_answer(board).table,
    )
    assert len(heading.split()) <= 15
    assert all(len(sentence.split()) <= 25 for sentence in re.split(r"[.;] ", basis))
    first = [
        name for name, rank in table.select("method", "mean_rank").rows if rank == min(table["mean_rank"])
    ]
    if "too " in heading or "not enough" in heading or "equal" in heading:
        assert board.places is None
        return
    assert all(name in heading for name in first[:3])
    assert f" of {len(table)} on " in heading
    verdicts = verdict_row(board.analysis, board.verdicts, board.analysis.order[0])
    better = [name for name, one in zip(board.whole.methods, verdicts, strict=True) if one == Verdict.BETTER]
    assert (" best " in heading) == (len(better) == len(table) - 1)
    assert table["highest_place"][0] == len(table) - len(better)
    claim = basis.partition("; counting")[0]
    if not better:
        assert "beats" not in claim or "beats no other" in claim
    elif len(better) == len(table) - 1 > 1:
        assert "beats all others" in claim
    elif len(better) > 3:
        assert f"beats {len(better)} of the {len(table) - 1} others" in claim
    else:
        assert all(name in claim for name in better)


def check_kinds(groups, measure):
    heading = plain(kinds_heading(groups, measure))
    assert len(heading.split()) <= 15
    table = kinds_by_method(groups, measure, groups[0].methods)
    counts = {
        name: sum((row, key) in table.bold for key in table.keys) for row, name in enumerate(table["method"])
    }
    most = max(counts.values())
    assert f"on {most} of {len(groups)} " in heading
    assert next(name for name, count in counts.items() if count == most) in heading
