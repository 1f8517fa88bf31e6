"""An archive that takes long to read: the page says how far it is, and comes by itself."""

import re
import threading

import pytest

import delvecore
from dashboard.server import archive as opened
from delvecore.archive.building import OpeningStep
from tests.archives import feature_archive, small_archive


def test_what_goes_wrong_is_told_to_who_asks():
    opening = opened.Job("Dividing", lambda notify: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        opening.result()


def test_a_failure_of_reading_is_told_once_and_the_next_caller_reads_again(tmp_path, monkeypatch):
    opened.choose_paths([str(small_archive(tmp_path))])
    with monkeypatch.context() as patch:
        patch.setattr(delvecore, "open", lambda *_, **__: 1 / 0, raising=False)
        with pytest.raises(ZeroDivisionError):
            opened.open_archive(patience=60)
    assert opened.open_archive(patience=60).archive is not None


def test_a_page_shows_how_far_the_archive_is_and_then_the_archive(tmp_path, run_page, monkeypatch):
    root, go_on, really_open = small_archive(tmp_path), threading.Event(), delvecore.open

    def slow(paths, *, cache, notify, **_):
        notify(OpeningStep(0.25, "dataset demo"))
        go_on.wait(30)
        return really_open(paths, cache=cache)

    monkeypatch.setattr(delvecore, "open", slow, raising=False)
    monkeypatch.setattr(opened, "PATIENCE", 0.2)
    opened.choose_paths([str(root)])
    app = run_page()
    assert app.title[0].value
    assert app.get("progress")[0].proto.text == "Reading the archive: dataset demo (25 %)"
    go_on.set()
    assert opened.open_archive(patience=30).archive is not None
    app.run()
    assert "**1 dataset**" in " ".join(str(element.value) for element in app.markdown)


def test_a_page_shows_how_far_a_metric_is_and_then_the_metric(tmp_path, run_page, monkeypatch):
    root, go_on, really_measured = feature_archive(tmp_path), threading.Event(), opened.metrics.measured

    def slow(archive, loss, *, first):
        first()
        go_on.wait(30)
        return really_measured(archive, loss)

    monkeypatch.setattr(opened.metrics, "measured", slow)
    opened.choose_paths([str(root)])
    archive = opened.open_archive(patience=60).archive
    monkeypatch.setattr(opened, "PATIENCE", 0.2)
    job = opened.with_metric(archive, "rmse")
    while not job.progress.share:
        assert not job.is_done(0.05)
    app = run_page("ranking", loss="rmse")
    assert re.fullmatch(r"Computing the metric: results on \w+ \(\d+ %\)", app.get("progress")[0].proto.text)
    go_on.set()
    assert job.is_done(30)
    app.run()
    assert not app.get("progress")
    assert not app.exception
