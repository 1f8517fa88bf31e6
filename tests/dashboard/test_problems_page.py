"""The Problems page."""

from tests.archives import write_tree

BAD = {"methods/one/demo/age/std.8/loss.S.0": "1\n2\nx\n4\n", "data/demo/age/odd.prior": "1 NLMH banana\n"}


def test_a_sound_archive_has_nothing_to_show(small, run_page):
    app = run_page("problems")
    assert not app.exception
    assert app.markdown[0].value == "**Nothing**: every file of the archive could be read."


def test_every_problem_has_its_place_and_its_remedy(small, run_page):
    write_tree(small, BAD)
    app = run_page("problems")
    assert not app.exception
    table = app.dataframe[0].value
    assert set(table["kind"]) >= {"results", "specification"}
    losses = table[table["file"] == "delve-small/methods/one/demo/age/std.8/loss.S.0"]
    assert losses["line"].tolist() == [3]
    assert losses["found"].tolist() == ["'x'"]


def test_the_kind_in_the_address_filters(small, run_page):
    write_tree(small, BAD)
    app = run_page("problems", kind="results")
    assert set(app.dataframe[0].value["kind"]) == {"results"}


def test_an_unknown_kind_shows_all_with_a_notice(small, run_page):
    write_tree(small, BAD)
    app = run_page("problems", kind="<b>")
    assert not app.exception
    assert "the kind “\\<b\\>”" in app.info[0].value
