"""A large archive while it is first read: pages show what is there, wait for what they need, and go on."""

import shutil
import threading

import pytest

import delvecore
from dashboard.server import archive as opened
from delvecore.archive import parts, reading
from delvecore.archive.parts import PartStore
from tests.archives import small_archive, write_tree

NAMES = ("demo", "second", "third")
ARRAY = (
    "Title: a pair\nFactors:\n  which  1: demo | 2: second\nMembers:\n  demo/age/std 1\n  second/age/std 2\n"
)
"""Two of the datasets as an array."""


class Reading:
    """An archive of three datasets that is read as far as it is told."""

    def __init__(self, root, monkeypatch):
        self.goes_on = {name: threading.Event() for name in NAMES}
        self.orders = []
        store = PartStore(
            reading.look([str(root)], follow_links=False), delvecore.locations.cache_directory()
        )
        for name in NAMES:
            store.make(name, keep_cases=lambda *_: None)

        def made(store, order, names):
            self.orders.append(order)
            for name, goes_on in self.goes_on.items():
                assert goes_on.wait(30)
                yield name

        monkeypatch.setattr(parts, "_made", made)
        monkeypatch.setattr(parts, "PAUSE", 0.0)

    def read(self, *names):
        """Have datasets read, and wait until they are shown."""
        for name in names:
            self.goes_on[name].set()
        left = sum(not one.is_set() for one in self.goes_on.values())
        for _ in range(600):
            found = opened.open_archive(patience=0.05)
            if found.archive is not None and len(found.archive.pending) == left:
                return
            threading.Event().wait(0.02)
        raise AssertionError("it is not shown")


@pytest.fixture
def with_array(slow):
    return slow


@pytest.fixture
def slow(tmp_path, monkeypatch, request):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(reading, "FEWEST_RESULTS", 1)
    root = small_archive(tmp_path)
    for name in NAMES[1:]:
        shutil.copytree(root / "data/demo", root / "data" / name)
        for method in (root / "methods").iterdir():
            if (method / "demo").is_dir():
                shutil.copytree(method / "demo", method / name)
    if "with_array" in request.fixturenames:
        write_tree(root, {"data/pair/Array.spec": ARRAY})
    held = Reading(root, monkeypatch)
    opened.choose_paths([str(root)])
    opened.open_archive(patience=10)
    yield held
    for goes_on in held.goes_on.values():
        goes_on.set()
    opened.open_archive(patience=30)


def said(app):
    return " ".join(str(element.value) for element in [*app.markdown, *app.text, *app.dataframe])


@pytest.mark.parametrize(("name", "at_last"), [("archive", "**3 datasets**"), ("datasets", "third")])
def test_pages_that_need_nothing_are_there_at_once_and_say_what_is_coming(slow, run_page, name, at_last):
    app = run_page(name)
    assert "Results on **0 of 3 datasets** are read; the others follow." in said(app)
    slow.read("demo")
    assert "Results on **1 of 3 datasets**" in said(app.run())
    slow.read("second", "third")
    app.run()
    assert "the others follow" not in said(app)
    assert at_last in said(app)


def test_compare_waits_for_its_dataset_which_is_wanted_first(slow, run_page):
    app = run_page("compare", task="/second/age/std.8")
    assert app.get("progress")
    assert slow.orders[0].is_wanted("second")
    slow.read("demo", "second")
    app.run()
    assert not app.get("progress")
    assert "Results on **2 of 3 datasets**" in said(app)
    assert "/second/age/std.8" in said(app) + " ".join(code.value for code in app.code)


def test_compare_without_a_task_waits_for_a_typical_one_of_the_largest_array(with_array, run_page):
    app = run_page("compare")
    assert "This page compares results on **1 dataset**, of which **0 are read**." in said(app)
    assert with_array.orders[0].is_wanted("demo")
    with_array.read("demo")
    app.run()
    assert not app.get("progress")
    assert "On **/demo/age with 8 training cases**" in said(app).replace("\\", "")
    with_array.read("second", "third")
    assert "On **/demo/age with 8 training cases**" in said(app.run()).replace("\\", "")


def test_task_arrays_waits_for_the_members_of_its_array_alone(with_array, run_page):
    app = run_page("task_arrays")
    assert "This page compares results on **2 datasets**, of which **0 are read**." in said(app)
    with_array.read("demo", "second")
    app.run()
    assert not app.get("progress")
    assert not app.exception


@pytest.mark.parametrize("name", ["ranking", "methods", "tables", "compare"])
def test_pages_over_all_tasks_wait_for_all(slow, run_page, name):
    app = run_page(name)
    assert app.get("progress")
    slow.read(*NAMES)
    app.run()
    assert not app.get("progress")
    assert not app.exception
