"""`delve publish`: a static site whose links resolve, which asks no other host, and escapes every name."""

import json
import os
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

from delvecore.answers.answer import Answer, Column, Table
from delvecore.cli import delve
from delvecore.library.site.files import MARK, Names, Page, Part, Site, site_files, write_site
from delvecore.render.answers import answer_text
from tests.hostile_names import HOSTILE_NAMES
from tests.library.frames import long_frame, wide_frame


class Reader(HTMLParser):
    """Links, sources, headings, texts and elements of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.elements: list[str] = []
        self.ids: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.elements.append(tag)
        self.links += [values[name] for name in ("href", "src") if values.get(name)]
        self.ids.add(values.get("id") or "")
        assert not [name for name in values if name.startswith("on")]

    def handle_data(self, data):
        self.texts.append(data)


def pages_of(site: Path) -> dict[str, Reader]:
    files = sorted(site.rglob("*.html"))
    return {path.relative_to(site).as_posix(): Reader(path.read_text("utf-8")) for path in files}


def missing_links(site: Path) -> list[tuple[str, str]]:
    """Links of pages to files that are not there, or to another host."""
    missing_links = []
    for name, page in pages_of(site).items():
        for link in page.links:
            path, _, mark = link.partition("#")
            target = (site / name).parent / path if path else site / name
            if link != "data:," and not (target.is_file() and (not mark or mark in page.ids)):
                missing_links.append((name, link))
    return missing_links


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """The site of accuracies of three methods on twelve datasets with five folds."""
    place = tmp_path_factory.mktemp("scored")
    long_frame().to_csv(place / "scores.csv", index=False)
    assert delve.main(["publish", str(place / "site"), str(place / "scores.csv")]) == 0
    return place / "site"


def test_all_links_of_a_site_lead_to_its_own_files(scored):
    assert missing_links(scored) == []


def test_pages_name_no_other_host(scored):
    for path in scored.rglob("*.html"):
        text = path.read_text("utf-8")
        assert re.findall(r"""(?:src|href|action)=["']?(?:https?:)?//""", text) == []
    style = (scored / "assets" / "site.css").read_text("utf-8")
    assert "url(" not in style
    assert "@import" not in style


def test_the_library_for_figures_is_written_once(scored):
    assert [path.name for path in scored.rglob("plotly*.js")] == ["plotly.min.js"]


def test_a_site_of_scores_has_each_dataset_each_method_and_every_pair(scored):
    pages = pages_of(scored)
    assert {f"datasets/d{number}.html" for number in range(12)} <= pages.keys()
    assert {f"methods/{name}.html" for name in ("ada", "bagging", "cart")} <= pages.keys()
    rows = pd.read_csv(scored / "downloads" / "pairs" / "pairs.csv")
    pairs = {frozenset(pair) for pair in zip(rows["method_a"], rows["method_b"], strict=True)}
    assert pairs == {frozenset(pair) for pair in (("ada", "bagging"), ("ada", "cart"), ("bagging", "cart"))}
    of_dataset = pd.read_csv(scored / "downloads" / "datasets" / "d0" / "d0-pairs.csv")
    assert len(of_dataset) == 3


def test_the_ranking_page_has_the_places_and_the_methods_that_may_be_best(scored):
    text = " ".join(pages_of(scored)["ranking.html"].texts)
    assert "Which places may each method have?" in text
    assert "Which methods may be the best?" in text


def test_a_page_shows_the_answer_of_the_command_and_nothing_else(scored, run_command):
    outcome = run_command(
        delve.main, "rank", str(scored.parent / "scores.csv"), "--show", "regret", "--format", "json"
    )
    record = json.loads(outcome.out)
    page = pages_of(scored)["questions/regret.html"]
    assert record["answer"] in " ".join("".join(page.texts).split())
    csv = (scored / "downloads" / "questions" / "regret" / "regret.csv").read_text("utf-8")
    outcome = run_command(
        delve.main, "rank", str(scored.parent / "scores.csv"), "--show", "regret", "--format", "csv"
    )
    assert csv in outcome.out


def test_every_page_has_one_heading_a_skip_link_and_a_language(scored):
    for name, page in pages_of(scored).items():
        assert page.elements.count("h1") == 1, name
        assert "#main" in page.links
        assert "main" in page.ids
    assert '<html lang="en"' in (scored / "index.html").read_text("utf-8")


def test_headers_of_tables_have_a_scope_and_figures_an_alternative(scored):
    for path in scored.rglob("*.html"):
        text = path.read_text("utf-8")
        assert all("scope=" in cell for cell in re.findall(r"<th\b[^>]*>", text))
        plots = re.findall(r'<div class="plot"[^>]*>', text)
        assert all(re.search(r'aria-label="[^"]+"', plot) for plot in plots)


def test_the_search_index_names_all_pages(scored):
    text = (scored / "assets" / "search-index.js").read_text("utf-8")
    index = json.loads(re.search(r"window.SEARCH_INDEX = (.*);", text)[1])
    assert {entry["path"] for entry in index} == set(pages_of(scored))
    assert {"kind": "Method", "name": "ada", "path": "methods/ada.html", "text": "Method ada"} in index


def test_a_site_of_a_small_archive_has_its_datasets_with_priors(archive, run_command, tmp_path):
    outcome = run_command(delve.main, "publish", str(tmp_path / "site"))
    assert outcome.code == 0, outcome.err
    pages = pages_of(tmp_path / "site")
    (name,) = [path for path in pages if path.startswith("datasets/")]
    assert {"Attributes", "Priors of age"} <= set(pages[name].texts)
    assert missing_links(tmp_path / "site") == []


def test_a_published_site_is_written_again_without_old_files(scored, tmp_path):
    write_site(str(tmp_path / "site"), {"index.html": b"1", "old/a.html": b"2"})
    write_site(str(tmp_path / "site"), {"index.html": b"3"})
    names = {path.name for path in (tmp_path / "site").rglob("*")}
    assert names == {"index.html", MARK}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("name", ["notes.txt", ".git/config"])
def test_a_directory_with_other_files_is_refused_and_stays(tmp_path, run_command, name):
    wide_frame().to_csv(tmp_path / "scores.csv")
    other = tmp_path / "site" / name
    other.parent.mkdir(parents=True)
    other.write_text("mine")
    outcome = run_command(
        delve.main, "publish", str(tmp_path / "site"), str(tmp_path / "scores.csv"), "--higher-is-better"
    )
    assert outcome.code == 1
    assert "expected an empty directory or a published site, found other files" in outcome.err
    assert other.read_text() == "mine"


def test_a_file_beside_those_of_a_published_site_is_kept(tmp_path):
    write_site(str(tmp_path / "site"), {"index.html": b"1"})
    (tmp_path / "site" / "CNAME").write_text("example.org")
    with pytest.raises(Exception, match="expected only files of the published site, found 'CNAME'"):
        write_site(str(tmp_path / "site"), {"index.html": b"2"})
    assert (tmp_path / "site" / "index.html").read_bytes() == b"1"


def test_a_site_that_cannot_be_written_leaves_the_old_one(tmp_path):
    write_site(str(tmp_path / "site"), {"index.html": b"1"})
    with pytest.raises(Exception, match="expected to write a site into it"):
        write_site(str(tmp_path / "site"), {"index.html": b"2", "index.html/below": b"3"})
    assert (tmp_path / "site" / "index.html").read_bytes() == b"1"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_an_address_of_a_dashboard_is_a_web_address(tmp_path, run_command):
    wide_frame().to_csv(tmp_path / "scores.csv")
    words = ("publish", str(tmp_path / "site"), str(tmp_path / "scores.csv"), "--higher-is-better")
    outcome = run_command(delve.main, *words, "--dashboard", "javascript:alert(1)")
    assert outcome.code == 1
    assert "expected an address that begins with http:// or https://" in outcome.err
    outcome = run_command(delve.main, *words, "--dashboard", "https://delve.example.org/")
    assert outcome.code == 0, outcome.err
    text = (tmp_path / "site" / "methods" / "ada.html").read_text("utf-8")
    assert '<a href="https://delve.example.org/methods?method=ada">Open in a dashboard</a>' in text


def test_hostile_names_become_no_markup_and_no_path(tmp_path):
    names = Names("methods")
    pages = []
    for name in HOSTILE_NAMES:
        table = Table((Column("method", name, "name", [name]),))
        answer = Answer("hostile", name, table, (name,), alt=name)
        part = Part(name, answer, None, "table", lines=name, links=((name, names.path(name)),))
        pages.append(Page(names.path(name), "Method", name, name, (part,), terms=(name,)))
    site = Site("A title", tuple(pages), (), "delve publish site", ("A line",))
    write_site(str(tmp_path / "site"), site_files(site))
    read = pages_of(tmp_path / "site")
    assert len(read) == len(set(HOSTILE_NAMES))
    assert len({name.casefold() for name in read}) == len(read)
    plain = site_files(Site("A title", (Page("a.html", "Method", "a", "a", pages[0].parts),), (), "x"))
    allowed = set(Reader(plain["a.html"].decode()).elements)
    for page in read.values():
        assert set(page.elements) <= allowed
        assert page.elements.count("script") == 2
    assert missing_links(tmp_path / "site") == []
    assert all(re.fullmatch(r"methods/[A-Za-z0-9._-]+\.html", name) for name in read)


def test_a_table_with_groups_of_columns_is_written_as_html():
    # A mean of 1 with its error, both below the heading "Raw".
    columns = (
        Column("method", "method", "name", ["a"]),
        Column("mean", "Loss", "number", [1.0], "Raw"),
        Column("error", "SE", "number", [0.5], "Raw"),
    )
    text = answer_text(Answer("estimates", "Losses", Table(columns)), "html")
    assert 'colspan="2"' in text
    assert ">Raw</th>" in text


@pytest.mark.wide
def test_the_site_of_the_shipped_archive_is_small_and_whole(whole_archive, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    assert delve.main(["publish", str(tmp_path / "site")]) == 0
    size = sum(os.path.getsize(path) for path in (tmp_path / "site").rglob("*") if path.is_file())
    assert size < 10e6
    pages = pages_of(tmp_path / "site")
    assert {f"arrays/{name}.html" for name in ("bank", "kin", "pumadyn")} <= pages.keys()
    assert {f"datasets/{name}.html" for name in ("demo", "wine", "kin-8fm")} <= pages.keys()
    assert "Priors of age" in pages["datasets/demo.html"].texts
    assert missing_links(tmp_path / "site") == []
    with zipfile.ZipFile(tmp_path / "site" / "downloads" / "arrays" / "kin.zip") as archive:
        assert {"winners.csv", "winners.json", "winners.tex"} <= set(archive.namelist())
