"""What visitors added is removed after they have left, though nobody else does anything."""

import gc
import secrets
from pathlib import Path

import pytest
import streamlit as st

from dashboard.server import uploads
from dashboard.server.uploads import Own
from dashboard.server.visitors import COOKIE


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch):
    monkeypatch.setattr(uploads, "_with_files", set())


@pytest.fixture
def later(monkeypatch):
    """Let so many seconds pass."""
    start, passed = uploads.time.monotonic(), [0.0]
    monkeypatch.setattr(uploads.time, "monotonic", lambda: start + passed[0])

    def wait(seconds: float) -> None:
        passed[0] += seconds

    return wait


def visitor(session: str, *, has_cookie: bool) -> Own:
    own = Own()
    own.sessions.add(session)
    own.has_cookie = has_cookie
    own._make_place()
    Path(own.base, "1").write_text("a,b\n")
    return own


def test_files_of_a_browser_with_the_cookie_go_an_hour_after_its_last_page(later):
    own = visitor("one", has_cookie=True)
    place = Path(own.base)
    for _ in range(3):
        later(3000)
        uploads.remove_left({"one"}.__contains__)
    later(3590)
    uploads.remove_left(set().__contains__)
    assert place.is_dir()
    later(20)
    uploads.remove_left(set().__contains__)
    assert not place.exists()
    assert (own.base, own.files) == ("", [])


def test_files_of_a_browser_without_the_cookie_go_within_seconds_though_its_session_is_kept(later):
    own = visitor("one", has_cookie=False)
    place = Path(own.base)
    uploads.remove_left({"one"}.__contains__)
    later(5)
    uploads.remove_left(set().__contains__)
    assert place.is_dir()
    later(6)
    uploads.remove_left(set().__contains__)
    assert not place.exists()


def test_another_tab_keeps_the_files(later):
    own = visitor("one", has_cookie=True)
    own.sessions.add("two")
    later(10_000)
    uploads.remove_left({"two"}.__contains__)
    assert Path(own.base).is_dir()


def test_the_files_of_the_last_fifty_who_left_are_kept(later):
    owns = []
    for number in range(52):
        later(1)
        owns.append(visitor(str(number), has_cookie=True))
    places = [Path(own.base) for own in owns]
    uploads.remove_left(set().__contains__)
    assert [place.is_dir() for place in places] == [False] * 2 + [True] * 50


def test_files_that_are_being_installed_are_left_until_the_next_time(later):
    own = visitor("one", has_cookie=False)
    later(60)
    with uploads.INSTALLING:
        uploads.remove_left(set().__contains__)
    assert Path(own.base).is_dir()
    uploads.remove_left(set().__contains__)
    assert uploads._with_files == set()


def test_who_comes_back_after_that_can_add_files_again(later):
    own = visitor("one", has_cookie=False)
    own.refused, before = ["old"], own._taken
    later(60)
    uploads.remove_left(set().__contains__)
    own._make_place()
    assert Path(own.root).is_dir()
    assert own.refused == []
    assert own._taken > before


class Context:
    def __init__(self, cookie: str) -> None:
        self.cookies = {COOKIE: cookie}


def test_a_page_that_is_loaded_again_has_what_the_browser_added_and_no_other_browser_has(monkeypatch):
    state = {}
    monkeypatch.setattr(st, "session_state", state)
    one, other = (secrets.token_urlsafe(32) for _ in range(2))
    monkeypatch.setattr(st, "context", Context(one))
    mine = uploads.own()
    mine._make_place()
    place = mine.base
    del mine
    state.clear()
    gc.collect()
    assert uploads.own().base == place
    state.clear()
    monkeypatch.setattr(st, "context", Context(other))
    assert uploads.own().base == ""
    state.clear()
    monkeypatch.setattr(st, "context", Context("guess"))
    assert uploads.own().base == ""
    state.clear()
    monkeypatch.setattr(st, "context", Context(one))
    assert uploads.own().base == place
