"""Where the archive is that is shown where none is named."""

import os
import sys
from pathlib import Path

from delvecore import locations


def test_the_whole_archive_is_shown_where_it_is_installed(tmp_path, monkeypatch):
    (tmp_path / "delve_browser_archive" / "delve" / "data").mkdir(parents=True)
    before = locations.default_directories()
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    assert locations.default_directories() == [str(tmp_path / "delve_browser_archive" / "delve")]
    assert before == [locations.shipped("delve")]


def test_the_part_inside_a_wheel_is_known_as_a_part(tmp_path, monkeypatch):
    monkeypatch.setattr(locations, "package_root", lambda: str(tmp_path))
    inside = tmp_path / "archive_data" / "delve"
    inside.mkdir(parents=True)
    assert locations.default_directories() == [str(inside)]
    assert locations.is_part_of_whole([str(inside)])
    assert not locations.is_part_of_whole([str(inside), str(tmp_path)])
    assert not locations.is_part_of_whole([])


def test_a_cache_that_others_may_write_or_have_is_not_trusted(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    shared = tmp_path / "delve"
    shared.mkdir()
    assert locations.cache_directory() == str(shared)
    reasons = {"others can write to it": lambda: shared.chmod(0o777), "it is another user's": lambda: None}
    for number, (why, change) in enumerate(reasons.items()):
        locations._own_directory.cache_clear()
        change()
        if number:
            monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        private = Path(locations.cache_directory())
        assert private != shared
        assert private.stat().st_mode & 0o077 == 0
        assert locations.cache_directory() == str(private)  # and told once
        assert len(caplog.messages) == number + 1
        assert (
            f"{shared}: expected a cache that only this user can access, found that {why}"
            in caplog.messages[-1]
        )
