"""An index shows the README alone: its links and pictures are absolute."""

import re
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="hatchling is not installed: pip install -e '.[test]'")

from data.readme_hook import ReadmeHook, absolute_links

ROOT = Path(__file__).resolve().parents[2]


def test_files_and_pictures_have_addresses_of_the_repository():
    text = "[a](docs/a.md#b) ![p](docs/p.svg) [c](https://c.org) [d](#d)"
    assert absolute_links(text, "https://r.org/x") == (
        "[a](https://r.org/x/blob/main/docs/a.md#b) ![p](https://r.org/x/raw/main/docs/p.svg)"
        " [c](https://c.org) [d](#d)"
    )


def test_the_readme_of_the_metadata_has_no_relative_link():
    metadata = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ReadmeHook(str(ROOT), {}).update(metadata)
    links = re.findall(r"\]\(([^)]+)\)", metadata["readme"]["text"])
    assert len(links) > 20
    assert [link for link in links if not link.startswith("https://")] == []


def test_metadata_names_source_issues_documentation_and_changelog():
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    assert {"Source", "Issues", "Documentation", "Changelog"} <= set(urls)
