"""What was checked is checked anew only where files have changed, and what somebody waits for comes first."""

import gc
import os
import threading
from concurrent.futures import Future

import pytest

import delvecore
from dashboard.server import archive as opened
from dashboard.server import cache, checks
from delvecore.checks import parts
from delvecore.errors import DelveError
from tests.archives import write_tree
from tests.dashboard.reading import opened_archive


def whole(archive, patience=30):
    """Check the whole archive; return its findings."""
    return checks.findings_in(archive, None, patience)


class SameProcess:
    """A worker that computes in this process, so that a test sees what it does."""

    has_ended = False

    def __init__(self, *, niceness):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def submit(self, function):
        answer = Future()
        answer.set_result(function())
        return answer


@pytest.fixture
def checked(small, tmp_path, monkeypatch):
    """Check the archive as a server does that has just started; return the parts whose files were read."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(checks, "Worker", SameProcess)
    real, read = parts._problems, []
    monkeypatch.setattr(parts, "_problems", lambda where, *step: (read.append(step), real(where, *step))[1])

    def check(*, use_cache=True):
        cache.forget()
        read.clear()
        archive = opened_archive(small, use_cache=use_cache)
        messages = sorted(problem.message for problem in whole(archive))
        return list(read), messages

    return check


ALL = [(None, "demo"), ("one", None), ("one", "demo"), ("two", None), ("two", "demo")]


def test_a_new_server_reads_only_parts_whose_files_have_changed_and_without_a_cache_all(checked, small):
    first, problems = checked()
    assert first == ALL
    assert problems
    assert checked() == ([], problems)
    place = small / "methods/one/demo/age/std.8"
    (place / "loss.S.0").write_text("1\n2\nx\n4\n")
    read, now = checked()
    assert read == [("one", "demo")]
    assert len(now) > len(problems)
    os.rename(place / "loss.S.0", place / "loss.S.9")  # a file with another name counts as changed
    assert checked()[0] == [("one", "demo")]
    write_tree(small, {"data/demo/age/odd.prior": "1 NLMH banana\n"})
    assert checked()[0] == [(None, "demo"), ("one", "demo"), ("two", "demo")]
    assert checked(use_cache=False)[0] == ALL


def test_what_somebody_waits_for_is_checked_first(small, monkeypatch):
    may_go_on, order, real = threading.Event(), [], checks._findings

    def patient(worker, archive, step):
        order.append(step)
        assert may_go_on.wait(20)
        return real(worker, archive, step)

    monkeypatch.setattr(checks, "_findings", patient)
    archive = opened.open_archive(patience=20).archive
    assert whole(archive, 0.0) is None
    assert checks.findings_in(archive, checks.method_steps(archive, "two"), 0.0) is None
    may_go_on.set()
    assert whole(archive) is not None
    rest = [step for step in order[1:] if step != (None, "demo")]
    assert rest[:2] == [("two", None), ("two", "demo")] or order[:2] == [("two", None), ("two", "demo")]


def die(*_args, **_options):
    os._exit(1)


def test_a_part_whose_check_ends_the_process_is_named(small, monkeypatch):
    monkeypatch.setattr(checks, "part_problems", die)
    archive = opened_archive(small)
    [findings_in] = checks.findings_in(archive, [("two", "demo")], 60)
    assert (findings_in.source, findings_in.found) == (
        "results of two on demo",
        "that the process ended twice",
    )


def test_a_check_that_was_abandoned_is_not_finished_and_goes_on_for_who_comes_next(small, monkeypatch):
    may_go_on, begun, real = threading.Event(), threading.Event(), checks._findings

    def patient(worker, archive, step):
        begun.set()
        assert may_go_on.wait(20)
        return real(worker, archive, step)

    monkeypatch.setattr(checks, "_findings", patient)
    archive = opened_archive(small)
    assert whole(archive, 0.0) is None
    abandoned = checks._check(archive).job
    assert begun.wait(20)
    opened.choose_paths([])
    del archive
    gc.collect()
    may_go_on.set()
    assert abandoned.is_done(20)
    archive = opened_archive(small)
    assert whole(archive, 0.0) is None
    assert not checks.is_checked(archive)
    assert whole(archive) is not None
    assert checks.is_checked(archive)


def test_a_check_goes_on_while_another_visitor_keeps_the_same_archive(small, monkeypatch):
    may_go_on, begun, real = threading.Event(), threading.Event(), checks._findings

    def patient(worker, archive, step):
        begun.set()
        assert may_go_on.wait(20)
        return real(worker, archive, step)

    monkeypatch.setattr(checks, "_findings", patient)
    one, other = (delvecore.open(str(small), cache=False) for _ in range(2))
    assert whole(one, 0.0) is whole(other, 0.0) is None
    assert checks._check(one) is checks._check(other)
    assert begun.wait(20)
    del one
    gc.collect()
    may_go_on.set()
    assert whole(other) is not None


def test_a_check_that_failed_is_told(small, monkeypatch):
    def fail(worker, archive, step):
        raise DelveError("data: expected a directory, found none")

    monkeypatch.setattr(checks, "_findings", fail)
    archive = opened_archive(small)
    for _ in range(2):
        with pytest.raises(DelveError, match="expected a directory, found none"):
            whole(archive)
