"""The Archive page."""

import json

from tests.archives import write_tree
from tests.dashboard.reading import texts


def figure(app) -> dict:
    return json.loads(app.get("plotly_chart")[0].proto.spec)


def test_the_first_line_counts_what_is_here(small, run_page):
    app = run_page("archive")
    assert not app.exception
    assert app.title[0].value == "What is in this archive?"
    # Prototask age: priors std and vague with 2 sizes each; shade: one prior, one size.
    assert app.markdown[0].value == (
        "**1 dataset** with 2 prototasks and 5 tasks; **2 methods** with results on 2 of the tasks."
    )


def test_the_coverage_map_shows_every_method_and_prototask(small, run_page):
    cells = figure(run_page("archive"))["data"][1]
    assert cells["text"] == ["1 of 4", "1 of 4", "1 of 1", "1 of 1"]
    assert cells["customdata"] == [
        ["/demo/age", "one"],
        ["/demo/age", "two"],
        ["/demo/shade", "one"],
        ["/demo/shade", "two"],
    ]


def test_an_archive_without_results_says_how_to_get_some(empty, run_page):
    app = run_page("archive")
    assert not app.exception
    assert app.markdown[0].value.startswith("**no datasets** with no prototasks and no tasks")
    assert "delve run" in app.code[-1].value


def test_problems_are_announced(small, run_page):
    write_tree(small, {"methods/one/demo/age/std.8/loss.S.0": "1\nnan\nx\n4\n"})
    app = run_page("archive")
    assert not app.exception
    assert "found in the files; the rest is shown" in texts(app)


def test_files_that_changed_are_seen_by_the_next_visitor(small, run_page):
    run_page("archive")
    write_tree(small, {"methods/three/Summary": "A third method.\n"})
    assert "**3 methods**" in run_page("archive").markdown[0].value


def test_hostile_addresses_are_harmless(small, run_page):
    app = run_page(
        "archive", dataset="../../etc/passwd", loss="<script>", level="nan", methods=["one", "$x$"]
    )
    assert not app.exception
    notices = [item.value for item in app.info]
    assert len(notices) == 4
    assert all("which this archive does not have" in notice for notice in notices)


def test_no_delve_directory_is_an_error_with_its_reason(tmp_path, run_page):
    from dashboard.server import archive as opened

    opened.choose_paths([str(tmp_path / "nowhere")])
    app = run_page("archive")
    assert not app.exception
    assert app.error[0].value == "The archive cannot be read."
    assert "expected a file or directory, found none" in texts(app)
