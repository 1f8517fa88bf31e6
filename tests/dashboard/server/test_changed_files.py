"""Files that change while pages are open: noticed soon, told, and shown when asked; no page falls apart."""

import errno
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dashboard.compare import data as compare_data
from dashboard.server import archive as opened
from dashboard.server import checks
from delvecore.errors import Fault
from tests.archives import losses, write_tree
from tests.dashboard.reading import texts, watching

pytestmark = pytest.mark.slow

NEW_LOSSES = {"methods/one/demo/age/std.8/loss.S.0": losses(3, 4, 9.0)}
TOLD = "**The archive has changed on disk.** This page shows its earlier state."


@pytest.fixture
def watched(small: Path) -> Iterator[Path]:
    opened.open_archive()
    with watching():
        wait_for(lambda: opened._shelf.is_watched)
        yield small


def wait_for(is_so: Callable[[], bool], seconds: float = 20.0) -> float:
    """Wait until it is so; return how long that took."""
    begin = time.monotonic()
    while not is_so():
        assert time.monotonic() < begin + seconds
        time.sleep(0.01)
    return time.monotonic() - begin


def test_what_changes_is_noticed_within_two_seconds(watched):
    shown = opened.open_archive()
    assert not opened.has_changed(shown)
    for change in (
        lambda: write_tree(watched, NEW_LOSSES),
        lambda: write_tree(watched, {"methods/new/Summary": "New.\n"}),
        lambda: shutil.rmtree(watched / "methods/two"),
        lambda: watched.rename(watched.parent / "elsewhere"),
    ):
        shown = opened.open_archive()
        change()
        assert wait_for(lambda shown=shown: opened.has_changed(shown)) < 2
        assert opened.open_archive().state != shown.state
    wait_for(lambda: opened.open_archive().archive is None)
    (watched.parent / "elsewhere").rename(watched)
    wait_for(lambda: opened.open_archive().archive is not None)
    shown = opened.open_archive()
    write_tree(watched, {"methods/newer/Summary": "Newer.\n"})
    wait_for(lambda: opened.has_changed(shown))


def test_visits_do_not_look_at_files_that_are_watched(small, run_page, monkeypatch):
    looks, really_look = [], opened.look
    monkeypatch.setattr(opened, "look", lambda: looks.append(1) or really_look())
    run_page("compare")
    run_page("compare")
    assert looks == [1]
    monkeypatch.setattr(opened._shelf, "is_watched", True)
    run_page("compare")
    assert looks == [1]


def test_a_page_says_that_the_archive_changed_and_keeps_what_it_shows_until_asked(small, run_page):
    app = run_page("compare", loss="S", task="/demo/age/std.8")
    write_tree(small, NEW_LOSSES)
    opened.look()
    before = texts(app.run())
    assert TOLD in before
    other = run_page("compare", loss="S", task="/demo/age/std.8")
    assert TOLD not in texts(other)
    kept, new = (one.session_state["frame"].archive for one in (app, other))
    assert kept.state != new.state
    assert kept.losses.to_pylist() != new.losses.to_pylist()
    app.button(key="show-new").click().run()
    after = texts(app)
    assert not app.exception
    assert TOLD not in after
    assert app.title[0].value.startswith("No significant difference between one and two")
    assert app.query_params["task"] == "/demo/age/std.8"
    assert after != before.replace(TOLD + "\n", "")


def test_an_archive_that_goes_away_leaves_the_page_and_comes_back(small, run_page):
    app = run_page("datasets")
    small.rename(small.parent / "elsewhere")
    opened.look()
    assert TOLD in texts(app.run())
    app.button(key="show-new").click().run()
    assert app.error[0].value == "The archive cannot be read."
    (small.parent / "elsewhere").rename(small)
    opened.look()
    assert not app.run().error
    assert not app.exception


def test_what_was_found_while_files_were_away_is_forgotten_when_they_are_back(small):
    archive, step = opened.open_archive().archive, ("one", None)
    (small / "methods/one").rename(small / "hidden")
    opened.look()
    assert [problem.found for problem in checks.findings_in(archive, [step], 60)] == ["none"]
    assert step in checks.findings_by_step(archive)
    (small / "hidden").rename(small / "methods/one")
    opened.look()
    assert step not in checks.findings_by_step(archive)
    findings_in = checks.findings_in(archive, [step], 60)
    assert "a directory in methods" not in [one.expected for one in findings_in]


def test_what_goes_away_during_a_run_is_one_message_and_a_fault_of_the_program_stays_one(
    small, run_page, monkeypatch
):
    app = run_page("compare")
    for error in (
        FileNotFoundError(errno.ENOENT, "No such file or directory", "loss.S.0"),
        Fault("loss.S.0", "a file", "none"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(compare_data, "compared_tasks", failing(error))
            app.run()
            assert not app.exception
            (message,) = app.error
            assert message.value.startswith("This page could not be finished: files of the archive")
        app.button(key="try-again").click().run()
        assert not app.exception
        assert not app.error
    monkeypatch.setattr(compare_data, "compared_tasks", failing(ZeroDivisionError()))
    assert len(app.run().exception) == 1


def failing(error: Exception) -> Callable[..., None]:
    def fail(*_):
        raise error

    return fail
