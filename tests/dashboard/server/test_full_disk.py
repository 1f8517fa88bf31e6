"""A disk that is full, a cache that cannot be written or is taken away: pages show what they showed."""

import contextlib
import resource
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import delvecore
from dashboard.server import archive as opened
from dashboard.server import uploads
from delvecore import locations
from tests.archives import feature_archive
from tests.dashboard.add_data.test_page import Upload
from tests.dashboard.conftest import visit
from tests.dashboard.reading import texts
from tests.packed import pack_members

pytestmark = pytest.mark.slow

PAGES = ("leaderboard", "datasets", "compare", "ranking")
CANNOT = "reading again next time"


@contextlib.contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes, as if the disk were full then."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def cache() -> Path:
    return Path(locations.cache_directory())


@pytest.mark.parametrize("size", [0, 2000])
def test_on_a_full_disk_pages_show_all_and_say_once_why_it_is_slow(small, run_page, size):
    with full_disk(size):
        for name in PAGES:
            app = run_page(name)
            assert not app.error
            assert texts(app).count(CANNOT) == 1
            assert "File too large" in texts(app)
    left = [path for path in cache().rglob("*") if path.is_file()]
    assert [path for path in left if path.stat().st_size > size] == []


def test_generated_cases_need_no_room_on_the_disk(tmp_path):
    root = feature_archive(tmp_path)
    sound = delvecore.open(root, cache=False)
    with full_disk(0):
        archive = delvecore.open(root)
    assert archive.results.equals(sound.results)
    assert archive.problems.equals(sound.problems)


def test_an_upload_that_the_disk_does_not_take_is_refused(small, tmp_path):
    path = pack_members(tmp_path / "mine.tar.gz", [("mine/Summary", "Mine.\n" * 100)])
    own = uploads.Own()
    with full_disk(60):
        own.take([Upload("mine.tar.gz", path.read_bytes())], [str(small)])
    assert own.refused == ["mine.tar.gz: the server cannot keep it (file too large); try later"]
    own.take([Upload("mine.tar.gz", path.read_bytes())], [str(small)])
    assert own.refused == []
    assert own.archive(opened.open_archive().archive).methods["method"].to_pylist() == ["mine", "one", "two"]


def test_a_cache_that_is_no_directory_is_told_once(small, run_page):
    cache().parent.mkdir(parents=True, exist_ok=True)
    cache().write_text("")
    app = run_page("compare")
    assert texts(app).count(CANNOT) == 1


def test_a_cache_that_goes_away_while_it_is_served_is_not_missed(small, run_page):
    delvecore.open(small)  # so that what is served lies in the cache
    opened.choose_paths([str(small)])
    app = run_page("leaderboard")
    shutil.rmtree(cache())
    for name in PAGES:
        visit(app, name)
        assert not app.error
    assert CANNOT not in texts(app)
