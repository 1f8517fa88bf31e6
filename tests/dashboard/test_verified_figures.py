"""Files of all figures carry their numbers, and `delve verify` computes them again as their pages do."""

import re

import pytest

from dashboard.server import archive as opened
from dashboard.server.pages import PAGES
from dashboard.ui import blocks, figure_numbers
from delvecore.cli import delve
from delvecore.plots.pictures import with_provenance
from delvecore.render import provenance
from delvecore.score_tables.options import ScoreOptions
from tests.dashboard.array_archive import array_archive

pytestmark = pytest.mark.slow

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
VIEWS = {
    "leaderboard": [{}],
    "datasets": [{"dataset": "plot-1s", "part": part} for part in ("Attributes", "Prototasks")],
    "methods": [{"method": "apple", "method-part": part} for part in ("Losses", "Where it wins")],
    "compare": [{"compare-part": part} for part in ("Training sets", "Test cases", "All pairs")],
    "task_arrays": [
        {"array-part": part} for part in ("What drives it", "Curves", "One method", "Differences", "Cost")
    ],
    "ranking": [{"robustness": "true", "pair": "true", "more": "true"}, {"diagram": "Classic diagram"}],
}
"""Addresses of pages with figures."""
WITHOUT_LOSSES = {"plot-1s-yield-cases"}
"""Figures that show which cases are used, not their values."""


@pytest.fixture
def save(monkeypatch, run_page, tmp_path):
    """Save the figures of a view, and return their files by name."""

    def saved(page, folder=tmp_path, **parameters):
        files = {}

        def keep(key, table):
            path = folder / f"{page}-{key}.svg"
            lines = blocks.picture_lines(key, "mstats", table, key=key)
            path.write_bytes(with_provenance(SVG, "svg", lines))
            files[key] = path

        with monkeypatch.context() as patch:
            patch.setattr(figure_numbers, "keep", keep)
            run_page(page, **parameters)
        return files

    return saved


def verify(capsys, *words):
    capsys.readouterr()
    code = delve.main(["verify", *map(str, words)])
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, captured.out.splitlines()


def test_every_page_with_figures_has_views():
    assert {page.name for page in PAGES} - set(VIEWS) == {"tables", "add_data", "file_check"}


@pytest.mark.parametrize(("page", "views"), VIEWS.items())
def test_figures_of_every_page_are_verified_until_their_data_change(page, views, save, tmp_path, capsys):
    archive = array_archive(tmp_path)
    opened.choose_paths([str(archive)])
    files = {}
    for view in views:
        files |= save(page, **view)
    assert files
    code, lines = verify(capsys, *files.values(), "--data", archive)
    assert [line for line in lines[:-1] if "figure unchanged (" not in line] == []
    assert (code, f"{len(files)} unchanged" in lines[-1]) == (0, True)
    for method, values in {"apple": "9.0\n8.0\n", "pear": "1.0\n2.0\n"}.items():
        for path in (archive / "methods" / method).rglob("loss.S.*"):
            path.write_text(values * 4)
    for path in archive.rglob("Dataset.data"):
        path.write_text(re.sub("^(-?)", r"\g<1>1", path.read_text(), flags=re.MULTILINE)[:-1])
    code, lines = verify(capsys, *files.values(), "--data", archive)
    said = {
        path.name: line for path in files.values() for line in lines if line.startswith(f"{path}: figure")
    }
    unchanged = [
        name
        for name, line in said.items()
        if not line.startswith("figure changed", len(line.split(": ")[0]) + 2)
    ]
    assert (code, len(said)) == (1, len(files))
    assert unchanged == [files[key].name for key in files if key in WITHOUT_LOSSES]


def test_a_verdict_that_changed_is_named(save, tmp_path, capsys):
    archive = array_archive(tmp_path)
    opened.choose_paths([str(archive)])
    path = save("compare", task="/plot-1s/yield/std.16", methods=["apple", "quince"], reference="apple")[
        "overview"
    ]
    assert verify(capsys, path, "--data", archive)[0] == 0
    for instance in range(4):
        place = archive / "methods" / "quince" / "plot-1s" / "yield" / "std.16" / f"loss.S.{instance}"
        place.write_text("0.1\n0.2\n" * 4)
    code, lines = verify(capsys, path, "--data", archive)
    assert code == 1
    assert lines[0].startswith(f"{path}: figure changed, a verdict changed (")
    (line,) = [one for one in lines if "the verdict changed" in one and "verdict:" in one]
    assert line.endswith("quince × verdict: the paper has worse; recomputed: better; the verdict changed")


def test_a_figure_of_scores_names_its_file_and_how_it_was_read(save, tmp_path, capsys):
    scores = tmp_path / "scores.csv"
    rows = [f"t{n},{0.5 + n / 50},{0.4 + n / 60},{0.3 + n * n / 900}\n" for n in range(9)]
    scores.write_text("task,a,b,c\n" + "".join(rows))
    opened.choose_paths([str(scores)], scores=ScoreOptions(higher_is_better=True))
    path = save("ranking")["order"]
    text = path.read_text()
    assert "opened by delve dashboard" in text
    assert "--higher-is-better" in text
    code, lines = verify(capsys, path)
    assert (code, "figure unchanged (" in lines[0]) == (0, True)
    scores.write_text(scores.read_text().replace("t3,0.56", "t3,0.06"))
    code, lines = verify(capsys, path)
    assert (code, "; the data changed" in lines[0]) == (1, True)


def test_a_large_table_is_verified_by_its_checksum(save, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(provenance, "MOST_NUMBERS", 10)
    archive = array_archive(tmp_path)
    opened.choose_paths([str(archive)])
    path = save("leaderboard")["leaders"]
    assert "apple," not in path.read_text()
    assert verify(capsys, path, "--data", archive)[0] == 0
    for one in (archive / "methods" / "apple").rglob("loss.S.*"):
        one.write_text("9.0\n8.0\n" * 4)
    code, lines = verify(capsys, path, "--data", archive)
    assert (code, "figure changed" in lines[0]) == (1, True)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("View: /leaderboard?", "View: /secrets?", "expected a page among leaderboard, "),
        ("#leaders,", "#other,", "expected the figure other on this page, found leaders"),
        ("opened by delve dashboard", "opened by delve run lin-1", "expected a command that only reads"),
        (
            "opened by delve dashboard",
            "opened by delve dashboard --follow-links",
            "the option --follow-links",
        ),
        ("opened by delve dashboard", "opened by delve dashboard /etc", "expected a place of the archive"),
    ],
)
def test_a_hostile_view_is_not_computed(save, tmp_path, capsys, old, new, reason):
    archive = array_archive(tmp_path)
    opened.choose_paths([str(archive)])
    path = save("leaderboard")["leaders"]
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    code, lines = verify(capsys, path, "--data", archive)
    assert (code, reason in lines[0]) == (2, True)
