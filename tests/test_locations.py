"""Where the archive is that is shown where none is named."""

import sys

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
