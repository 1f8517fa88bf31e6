"""Files of a site: HTML, downloads and search index. They are written completely or not at all."""

import json
import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib import resources
from math import floor, log10
from typing import TYPE_CHECKING, Any

from delvecore import __version__
from delvecore.answers.answer import Answer
from delvecore.atomic_io import scratch_directory
from delvecore.errors import Fault, words_of_system
from delvecore.library.bundle import bundle_zip
from delvecore.names import lines_shown
from delvecore.render.answers import answer_text
from delvecore.render.document import AGAIN
from delvecore.render.json import finite
from delvecore.render.markup import html_comment, html_escape
from delvecore.render.provenance import PROGRAM, latex_comment
from delvecore.render.spans import html, plain, spans
from delvecore.writers.files import uninterrupted

if TYPE_CHECKING:
    from delvecore.plots.figure import Figure

SCRATCH = ".delve-publish-"
MARK = ".delve-site"
"""File that lists the files of a published site."""
ENDINGS = {"csv": "csv", "json": "json", "latex": "tex"}
WORDS = {".csv": "CSV", ".json": "JSON", ".tex": "LaTeX"}
MOST_JSON = 300
"""Maximum number of rows in JSON. Longer tables have all numbers in CSV only, which takes half the bytes."""
MOST_BYTES = 20_000
"""If the files of a page have more bytes than this, they are combined into one archive file."""
MOST_ROWS = 20
"""Longer tables are collapsed if they have a figure or are not the first on the page."""
DIGITS = 6
SIGNS = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
STYLE = re.compile(r' style="([^"]*)"')
SAFE = re.compile(r"[^A-Za-z0-9._]+|(?<![A-Za-z0-9])[._]+")
LONGEST = 60


@dataclass(frozen=True)
class Part:
    """Part of a page.

    Attributes
    ----------
    title : str
        Heading, without marks.
    answer : Answer, optional
        Its headline is shown unless it is the heading of the page.
    figure : Figure, optional
        Drawing of the answer.
    name : str
        Name of its files, unique on the page.
    text : str
        Paragraph, marked.
    lines : str
        Plain text whose line breaks are kept.
    table : str
        Table in HTML, as a renderer wrote it.
    links : tuple of (str, str)
        Names and paths of pages.
    files : mapping of str to bytes
        Further downloads, by their names.
    is_listed : bool
        Is the table also on the page, not only in files?
    """

    title: str = ""
    answer: Answer | None = None
    figure: "Figure | None" = None
    name: str = ""
    text: str = ""
    lines: str = ""
    table: str = ""
    links: tuple[tuple[str, str], ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    is_listed: bool = True


@dataclass(frozen=True)
class Page:
    """Page of a site.

    Attributes
    ----------
    path : str
        From the root of the site, such as `datasets/demo.html`.
    kind, name : str
        Entry in the search box, such as `Dataset` and `demo`.
    finding : str
        Marked sentences. The first is the heading.
    view : str
        Address of the same view in a dashboard, relative to its root.
    terms : tuple of str
        Further texts that the search box finds.
    """

    path: str
    kind: str
    name: str
    finding: str
    parts: tuple[Part, ...] = ()
    view: str = ""
    terms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Site:
    """Pages, in the order of the search box.

    Attributes
    ----------
    title : str
        Text in the titles of all pages.
    main : tuple of (str, str)
        Names and paths of the pages to which each page has a link.
    command : str
        Command that makes the site again.
    provenance : tuple of str
        Lines on the origin of the numbers.
    dashboard : str
        Address of a dashboard; empty without one.
    """

    title: str
    pages: tuple[Page, ...]
    main: tuple[tuple[str, str], ...]
    command: str
    provenance: tuple[str, ...] = ()
    dashboard: str = ""


class Names:
    """File names for methods and datasets, which are safe and differ even if case is ignored."""

    def __init__(self, folder: str) -> None:
        self.folder, self._taken = folder, set[str]()
        self._paths: dict[str, str] = {}

    def path(self, name: str) -> str:
        """Return the path of the page of a name. The same name always has the same path."""
        if name not in self._paths:
            stem = safe_name(name)
            numbers = iter(range(2, len(self._taken) + 3))
            chosen = stem
            while chosen.casefold() in self._taken:
                chosen = f"{stem}-{next(numbers)}"
            self._taken.add(chosen.casefold())
            self._paths[name] = f"{self.folder}/{chosen}.html"
        return self._paths[name]


def safe_name(name: str) -> str:
    """Return a name of letters, digits, dots and hyphens for a file or an address.

    Examples
    --------
    >>> safe_name("/demo/age/std.128"), safe_name("../<x>")
    ('demo-age-std.128', 'x')
    """
    return SAFE.sub("-", name).strip("-.")[:LONGEST].strip("-.") or "page"


def site_files(site: Site) -> dict[str, bytes]:
    """Return the files of a site by their paths."""
    from delvecore.plots.theme import TEMPLATE

    styles: dict[str, str] = {}
    files: dict[str, bytes] = {}
    for page in site.pages:
        downloads = [_downloads(page, part, site.provenance) for part in page.parts]
        own = {path: content for one in downloads for path, content in one.items()}
        names = list(map(list, downloads))
        if sum(map(len, own.values())) > MOST_BYTES:
            names = [[] for _ in names]
            texts = {path.removeprefix(f"{_folder(page)}/"): content for path, content in own.items()}
            own = {f"{_folder(page)}.zip": bundle_zip(texts)}
            names[-1] = [*own]
        files |= own
        files[page.path] = _page(site, page, names, styles).encode("utf-8", "surrogateescape")
    asset = resources.files("delvecore.library.site")
    classes = "".join(f".{name} {{ {style} }}\n" for style, name in styles.items())
    index = [
        {
            "kind": one.kind,
            "name": one.name,
            "path": one.path,
            "text": " ".join([one.kind, one.name, *one.terms]),
        }
        for one in site.pages
    ]
    files["assets/site.css"] = (asset.joinpath("site.css").read_text("utf-8") + classes).encode()
    files["assets/site.js"] = asset.joinpath("site.js").read_bytes()
    shared = {"SEARCH_INDEX": index, "TEMPLATE": TEMPLATE}
    scripts = (f"window.{name} = {_json(value)};\n" for name, value in shared.items())
    files["assets/search-index.js"] = "".join(scripts).encode("utf-8", "backslashreplace")
    plotly = resources.files("plotly").joinpath("package_data", "plotly.min.js")
    if any(part.figure is not None for page in site.pages for part in page.parts):
        files["assets/plotly.min.js"] = plotly.read_bytes()
    # GitHub Pages leaves out files that Jekyll does not know, unless it finds this file.
    files[".nojekyll"] = b""
    return files


def _json(value: object) -> str:
    """Return JSON that is safe inside HTML. Numbers have six digits, which suffice for figures."""
    text = json.dumps(_rounded(finite(value)), allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    for sign, code in SIGNS.items():
        text = text.replace(sign, code)
    return text


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS - 1 - floor(log10(abs(value)))) if value else 0.0
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value


# Downloads.


def _folder(page: Page) -> str:
    return f"downloads/{page.path.removesuffix('.html')}"


def _downloads(page: Page, part: Part, provenance: Sequence[str]) -> dict[str, bytes]:
    """Return the files of a part: its table as CSV, JSON and LaTeX, and its own files."""
    files = {f"{_folder(page)}/{name}": content for name, content in part.files.items()}
    if part.answer is None or not part.name:
        return files
    label = f"tab:{part.name}"
    forms = [*ENDINGS] if part.is_listed else ["csv"]
    if len(part.answer.table) > MOST_JSON:
        forms = [form for form in forms if form != "json"]
    texts = {form: answer_text(part.answer, form, label=label) for form in forms}
    if "latex" in texts:
        texts["latex"] = latex_comment(provenance) + texts["latex"]
    tables = {
        f"{part.name}.{ENDINGS[form]}": text.encode("utf-8", "surrogateescape")
        for form, text in texts.items()
    }
    return files | {f"{_folder(page)}/{name}": content for name, content in tables.items()}


# HTML.


def _page(site: Site, page: Page, downloads: Sequence[Sequence[str]], styles: dict[str, str]) -> str:
    head, rest = first_and_rest(page.finding)
    title = html_escape(f"{page.name} - {site.title}")
    root = _relative(page.path, ".")
    lines = ["<!DOCTYPE html>", f'<html lang="en" data-root="{"" if root == "." else root + "/"}">', "<head>"]
    lines += [
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ]
    lines += [f"<title>{title}</title>", '<link rel="icon" href="data:,">']
    lines += [f'<link rel="stylesheet" href="{_relative(page.path, "assets/site.css")}">']
    lines += [*map(html_comment, site.provenance), "</head>", "<body>"]
    lines += ['<a class="skip" href="#main">Skip to the content</a>', *_header(site, page)]
    lines += ['<main id="main">', f"<h1>{head}</h1>"]
    lines += [f"<p>{rest}</p>"] if rest else []
    if site.dashboard and page.view:
        address = html_escape(f"{site.dashboard.rstrip('/')}/{page.view}")
        lines += [f'<p><a href="{address}">Open in a dashboard</a></p>']
    for number, (part, names) in enumerate(zip(page.parts, downloads, strict=True)):
        lines += _part(page, part, number, styles)
        lines += [_links(page, [_download(part, name) for name in names], "files")] if names else []
    lines += ["</main>", *_footer(site)]
    if any(part.figure is not None for part in page.parts):
        lines += [f'<script src="{_relative(page.path, "assets/plotly.min.js")}"></script>']
    for name in ("search-index.js", "site.js"):
        lines += [f'<script src="{_relative(page.path, f"assets/{name}")}"></script>']
    return "\n".join([*lines, "</body>", "</html>", ""])


def _header(site: Site, page: Page) -> Iterator[str]:
    yield f'<header>\n<nav aria-label="Main pages">\n{_links(page, site.main, "")}\n</nav>'
    yield '<form class="search" role="search" hidden>'
    yield '<label>Search <input type="search" autocomplete="off"></label> <output></output><ul></ul>'
    yield "</form>\n</header>"


def _footer(site: Site) -> Iterator[str]:
    yield "<footer>"
    yield f"<p>{AGAIN}:</p>\n<pre>{html_escape(site.command)}</pre>"
    provenance = "\n".join(map(html_escape, site.provenance))
    yield f'<details><summary>Where the numbers come from</summary><pre id="provenance">{provenance}</pre>'
    yield f"</details>\n<p>Written by {PROGRAM} {__version__}.</p>\n</footer>"


def _part(page: Page, part: Part, number: int, styles: dict[str, str]) -> Iterator[str]:
    if part.title:
        yield f"<h2>{html_escape(part.title)}</h2>"
    if part.text:
        yield f"<p>{html(part.text)}</p>"
    if part.lines:
        yield f"<pre>{escape(lines_shown(part.lines))}</pre>"
    if part.links:
        yield _links(page, part.links, "listed")
    answer = part.answer
    if answer is not None and part.is_listed and answer.headline not in page.finding:
        yield f"<p>{html(answer.headline)}</p>"
    if part.figure is not None and answer is not None:
        yield from _figure(page, part, part.figure, answer, number)
    if part.table:
        yield _scrolled(part.title, _with_classes(part.table, styles))
    if answer is not None and part.name and part.is_listed:
        yield from _table(part, answer, styles, is_first=number == 0)


def _figure(page: Page, part: Part, figure: "Figure", answer: Answer, number: int) -> Iterator[str]:
    from delvecore.plots.site_figures import page_data
    from delvecore.plots.theme import least_width

    key, alt = f"figure-{number}", html_escape(plain(answer.alt or answer.headline))
    width = f' data-width="{least}"' if (least := least_width(figure)) else ""
    name = f"{safe_name(page.name)}-{part.name}.svg"
    yield f'<figure>\n<div class="scroll" tabindex="0" role="group" aria-label="{html_escape(part.title)}">'
    data = f'data-figure="{key}-data"{width}'
    yield f'<div class="plot" id="{key}" role="img" aria-label="{alt}" {data}></div></div>'
    yield f'<noscript><p>{alt}</p></noscript>\n<button hidden data-plot="{key}" data-name="{name}">'
    yield "Download the figure as SVG</button>\n</figure>"
    drawn = _json(page_data(figure))
    yield f'<script type="application/json" id="{key}-data">{drawn}</script>'


def _table(part: Part, answer: Answer, styles: dict[str, str], *, is_first: bool) -> Iterator[str]:
    title = part.title or "Numbers"
    table = _with_classes(answer_text(replace(answer, headline=title), "html"), styles)
    shown = _scrolled(title, table)
    is_long = len(answer.table if answer.shown is None else answer.shown) > MOST_ROWS
    if is_long and not (is_first and part.figure is None):
        shown = f"<details><summary>Show the numbers</summary>\n{shown}</details>"
    yield shown


def _scrolled(title: str, table: str) -> str:
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{html_escape(title)}">\n{table}</div>'


def _with_classes(table: str, styles: dict[str, str]) -> str:
    """Return a table with CSS classes instead of styles, which is a fifth as large."""

    def named(match: re.Match[str]) -> str:
        return f' class="{styles.setdefault(match[1], f"s{len(styles)}")}"'

    return STYLE.sub(named, table)


def _download(part: Part, path: str) -> tuple[str, str]:
    """Return the words of a link to a file, and its path."""
    stem, ending = os.path.splitext(posixpath.basename(path))
    if ending == ".zip":
        return "Download all tables of this page (zip)", path
    if stem != part.name:
        return f"Download {stem}{ending}", path
    return f"Download {'' if part.is_listed else f'{stem} as '}{WORDS[ending]}", path


def _links(page: Page, links: Iterable[tuple[str, str]], kind: str) -> str:
    rows = []
    for name, path in links:
        current = ' aria-current="page"' if path == page.path else ""
        rows.append(f'<li><a href="{_relative(page.path, path)}"{current}>{html_escape(name)}</a></li>')
    return f"<ul{f' class={kind}' if kind else ''}>{''.join(rows)}</ul>"


def _relative(page: str, path: str) -> str:
    """Return the relative address of a file for a link on a page."""
    return posixpath.relpath(path, posixpath.dirname(page) or ".")


def first_and_rest(text: str) -> tuple[str, str]:
    """Return the first sentence of a marked text, and the rest, as HTML.

    Examples
    --------
    >>> first_and_rest("One is best. It is fast.")
    ('One is best.', 'It is fast.')
    """
    first: list[str] = []
    rest: list[str] = []
    for part, is_name, is_strong in spans(text):
        place = -1 if is_name or rest else part.find(". ")
        pieces = [part[: place + 1], part[place + 2 :]] if place >= 0 else [part]
        form = "<strong>{}</strong>" if is_strong else "{}"
        shown = [form.format(html_escape(piece)) if piece else "" for piece in pieces]
        (rest or first).append(shown[0])
        rest += shown[1:]
    return "".join(first), "".join(rest)


# The directory.


def write_site(directory: str, files: dict[str, bytes]) -> None:
    """Write the files of a site to a temporary directory, and move them to their place when complete.

    Raises DelveError for a directory with files that do not belong to a published site."""
    place = os.path.realpath(directory)
    check_directory(directory)
    try:
        with scratch_directory(SCRATCH, os.path.dirname(place)) as scratch:
            new, old = os.path.join(scratch, "new"), os.path.join(scratch, "old")
            _write_all(new, files)
            with uninterrupted():
                if os.path.isdir(place):
                    os.rename(place, old)
                os.rename(new, place)
    except OSError as error:
        raise Fault(directory, "to write a site into it", words_of_system(error)) from None


def check_directory(directory: str) -> None:
    """Raise DelveError if a directory contains files that do not belong to a published site."""
    place = os.path.realpath(directory)
    remedy = "name a new directory, or an empty one"
    if os.path.lexists(place) and not os.path.isdir(place):
        raise Fault(directory, "a directory", "a file", remedy)
    if not os.path.isdir(os.path.dirname(place)):
        raise Fault(os.path.dirname(place), "a directory", "none", "make it first")
    if not os.path.isdir(place) or not os.listdir(place):
        return
    there = sorted(
        os.path.relpath(os.path.join(folder, name), place)
        for folder, _, names in os.walk(place)
        for name in names
    )
    if MARK not in there:
        raise Fault(directory, "an empty directory or a published site", "other files", remedy)
    with open(os.path.join(place, MARK), encoding="utf-8") as file:
        known = {MARK, *file.read().splitlines()}
    if others := [name for name in there if name not in known]:
        raise Fault(directory, "only files of the published site", repr(others[0]), f"move it, or {remedy}")


def _write_all(directory: str, files: dict[str, bytes]) -> None:
    listed = "".join(f"{name}\n" for name in sorted(files))
    for name, content in (files | {MARK: listed.encode()}).items():
        path = os.path.join(directory, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
