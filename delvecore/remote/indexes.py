"""What a web server's page of a directory lists: nginx, Apache, Python's own and others that give links.

Only what lies directly in the directory counts: no link to another host, upwards, or deeper is followed."""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

__all__ = ["names_in"]


def names_in(page: str, address: str) -> list[str]:
    """Return the names in a directory, those of directories with a slash behind, each once. page: what the
    server gives for its address, which ends with a slash."""
    return list(dict.fromkeys(_of_json(page) if page.lstrip().startswith("[") else _of_links(page, address)))


def _of_json(page: str) -> Iterator[str]:
    """Yield the names in an index as nginx writes it with `autoindex_format json`."""
    try:
        entries = json.loads(page)
    except ValueError:
        return
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and _is_plain(name):
            yield name + "/" * (entry.get("type") == "directory")


def _of_links(page: str, address: str) -> Iterator[str]:
    links = _Links()
    links.feed(page)
    here = urlsplit(address)
    for link in links.found:
        try:
            there = urlsplit(urljoin(address, link))
        except ValueError:
            continue
        is_below = there[:2] == here[:2] and there.path.startswith(here.path)
        name = unquote(there.path[len(here.path) :], errors="surrogateescape")
        if is_below and not there.query and not there.fragment and _is_plain(name.removesuffix("/")):
            yield name


def _is_plain(name: str) -> bool:
    """Is this a name, and no way to somewhere else?"""
    return name not in ("", ".", "..") and "/" not in name and "\0" not in name


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found += [value for name, value in attrs if name == "href" and value]
