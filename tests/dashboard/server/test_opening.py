"""An archive that takes long to read: the page says how far it is, and comes by itself."""

import threading

import pytest

import delvecore
from dashboard.server import archive as opened
from tests.archives import small_archive


def test_what_goes_wrong_is_told_to_who_asks():
    opening = opened.Job(lambda notify: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        opening.result()


def test_a_page_shows_how_far_the_archive_is_and_then_the_archive(tmp_path, run_page, monkeypatch):
    root, go_on, really_open = small_archive(tmp_path), threading.Event(), delvecore.open

    def slow(paths, *, cache, notify, **_):
        notify(0.25, "dataset demo")
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
