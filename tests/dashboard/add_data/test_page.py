"""The Add data page, and what it does with what visitors send."""

import asyncio
import gc
import io
import os
import tarfile
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dashboard.server import archive as opened
from dashboard.server import asgi, serve, uploads
from delvecore.errors import DelveError
from delvecore.packaging import staging
from delvecore.packaging.pack import pack_method
from delvecore.readers.hierarchy import Hierarchy
from tests.archives import losses, write_tree
from tests.dashboard.conftest import visit
from tests.dashboard.reading import codes, plain, texts
from tests.packed import pack_members

pytestmark = pytest.mark.slow

STATS = "L -3.44777265 undefined\nQ undefined\nA 7.28571429\nZ undefined\nS 57.8392857\n"
SPEC = "Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 A u 0 1\n2 B u 0 1\n"
TASK = "mine/demo/age/std.8"


class Upload(io.BytesIO):
    """What a page gets from the uploader."""

    def __init__(self, name: str, content: bytes):
        super().__init__(content)
        self.name, self.size = name, len(content)


@pytest.fixture
def method_file(tmp_path) -> bytes:
    """An archive file of a method `mine` with results on one task of the small archive."""
    members = [(f"{TASK}/loss.S.{n}", losses(n, 4, 0.5)) for n in range(2)]
    members += [(f"{TASK}/Test-set-stats", STATS), ("mine/Summary", "Mine.\n")]
    return pack_members(tmp_path / "mine.tar.gz", members).read_bytes()


@pytest.fixture
def dataset_file(tmp_path) -> bytes:
    members = [("other/Dataset.spec", SPEC), ("other/Dataset.data", "0 1\n1 0\n1 2\n")]
    return pack_members(tmp_path / "other.tar.gz", members).read_bytes()


@pytest.fixture
def own():
    return uploads.Own()


def send(app, *files: tuple[str, bytes]):
    app.file_uploader[0].set_value([(name, content, "application/gzip") for name, content in files])
    return app.run()


def roots() -> tuple[str, ...]:
    return opened.open_archive().archive.paths


def test_a_method_is_shown_beside_the_archive_on_all_pages_to_one_visitor_and_can_be_removed(
    small, run_page, method_file
):
    app = run_page("add_data")
    assert app.markdown[0].value.startswith("Drop a table of scores")
    assert "delve pack METHOD" in codes(app)
    assert app.file_uploader[0].accept_multiple_files
    assert app.session_state[uploads.KEY].base == ""  # who sends nothing has no directory
    send(app, ("mine.tar.gz", method_file))
    assert not app.exception
    assert (
        app.markdown[0].value
        == "The method **mine** is shown next to this archive on all pages, only to you. "
        "Yours is **mine**, with results on 1 task."
    )
    assert "A method: 4 files from mine.tar.gz; results on 1 task." in plain(app)
    # Installing for everybody must be allowed.
    assert [button.label for button in app.button][-3:] == ["Open", "Compare", "Remove"]
    (shown,) = (text for text in codes(app) if "delve dashboard" in text)
    install, start = shown.splitlines()
    assert install == "delve install --into delve-added mine.tar.gz"
    assert start == f"delve dashboard {small} delve-added --mine mine"
    visit(app, "leaderboard")
    assert "delve-small and delve-added" in texts(app)
    assert "mine" in methods_of(visit(app, "methods"))
    assert "mine" not in methods_of(run_page("methods"))
    assert "mine" not in os.listdir(small / "methods")
    visit(app, "add_data")
    app.button(key="compare-methods-mine").click().run()
    assert not app.exception
    assert "mine" in texts(app)
    visit(app, "add_data")
    app.button(key="remove-methods-mine").click().run()
    assert app.markdown[0].value.startswith("Drop a table of scores")
    assert "mine" not in methods_of(visit(app, "methods"))


def methods_of(app) -> list[str]:
    assert not app.exception
    return app.dataframe[0].value["method"].tolist()


def test_the_check_report_is_that_of_the_commands_and_a_bad_file_costs_itself_only(
    small, run_page, method_file, dataset_file, tmp_path
):
    bad = pack_members(tmp_path / "x.tar.gz", [("../evil", "x")]).read_bytes()
    sent = ("a.tar.gz", method_file), ("b.tar.gz", dataset_file), ("![x](http://a.b/c).gz", bad)
    app = send(run_page("add_data"), *sent)
    assert not app.exception
    (refused,) = app.error
    assert "\\!\\[x\\]\\(http" in refused.value
    assert "The method **mine** and the dataset **other** are shown" in app.markdown[0].value
    by_file = {table.value["file"][0].split("/")[0]: table.value for table in app.dataframe}
    of_method, of_dataset = by_file["mine"], by_file["other"]
    assert (
        "a description of the method in Source, a text file next to any programs"
        in of_method["expected"].tolist()
    )
    row = of_dataset[of_dataset["line"] == 3].iloc[0]
    assert (row["file"], row["expected"], row["found"]) == ("other/Dataset.data", "B within 0 1", "'2'")
    assert "1 problem, as dcheck finds them" in texts(app)


def test_parts_of_a_method_are_one_thing(small, own, method_file, tmp_path):
    source = pack_members(tmp_path / "s.tar.gz", [("mine/Source/mine.txt", "How.\n")]).read_bytes()
    own.take([Upload("mine-demo.tar.gz", method_file), Upload("mine-Source.tar.gz", source)], roots())
    (added,) = own.added.values()
    assert (added.files, added.uploads) == (5, ("mine-demo.tar.gz", "mine-Source.tar.gz"))
    own.remove(added)
    assert [names for _, _, names in os.walk(own.base) if names] == []


def test_names_of_uploads_are_no_paths(small, own, method_file, tmp_path):
    before = {path for path in tmp_path.rglob("*") if "delve-session" not in str(path)}
    names = ["../../evil.tar.gz", "/etc/evil.tar.gz", "a/../b.tar.gz", "\x00x.tar.gz", "..", ""]
    files = [pack_members(tmp_path / "n", [(f"m{n}/Summary", "x\n")]).read_bytes() for n in range(len(names))]
    own.take([Upload(name, content) for name, content in zip(names, files, strict=True)], roots())
    assert own.refused == []
    assert sorted(os.listdir(own.base)) == [*(f"{n}.tar.gz" for n in range(1, 7)), "delve-added"]
    assert {path for path in tmp_path.rglob("*") if path.suffix != ".arrow"} >= before
    assert not list(Path(own.base).parent.glob("evil*"))


def test_size_and_number_of_files_are_limited_whatever_the_browser_lets_through(
    small, own, monkeypatch, method_file, dataset_file
):
    with monkeypatch.context() as patch:
        patch.setattr(uploads, "MOST_BYTES", 100)
        own.take([Upload("big.tar.gz", method_file)], roots())
    assert own.refused[0].startswith("big.tar.gz: expected at most 0 MB, found 0.0")
    assert os.listdir(own.base) == ["delve-added"]
    monkeypatch.setattr(uploads, "MOST_FILES", 1)
    own.take([Upload("a.tar.gz", method_file), Upload("b.tar.gz", dataset_file)], roots())
    assert list(own.added) == [("methods", "mine")]
    assert own.refused == ["b.tar.gz: expected at most 1 files, found more; remove some"]


def bomb() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        member = tarfile.TarInfo("mine/Summary")
        member.size = 50 << 20
        tar.addfile(member, io.BytesIO(bytes(member.size)))
    return buffer.getvalue()


def test_bombs_what_differs_and_what_is_there_already_are_refused_without_telling_a_place(
    small, own, tmp_path
):
    other = pack_members(tmp_path / "one.tar.gz", [("one/Summary", "Not the first method.\n")]).read_bytes()
    pack_method(Hierarchy([str(small)]), "one", str(tmp_path))
    same = (tmp_path / "one-all.tar.gz").read_bytes()
    own.take([Upload("mine.gz", bomb()), Upload("other.gz", other), Upload("same.gz", same)], roots())
    assert own.added == {}
    big, differs, again = own.refused
    assert "expected at most 33,554,432 bytes when unpacked, found more" in big
    assert "the same as delve-small/methods/one/Summary, found a difference" in differs
    assert again == "same.gz: expected a new method or dataset, found all 10 files there already"
    assert str(tmp_path) not in "".join(own.refused)


def test_a_changed_archive_is_seen_beside_the_files_which_go_when_the_session_does(small, method_file):
    own = uploads.Own()
    own.take([Upload("mine.tar.gz", method_file)], roots())
    assert own.archive(opened.open_archive().archive) is own.archive(opened.open_archive().archive)
    write_tree(small, {"methods/three/Summary": "Third.\n"})
    base, archive = own.base, weakref.ref(own.archive(opened.open_archive(check=True).archive))
    assert archive().methods["method"].to_pylist() == ["mine", "one", "three", "two"]
    own.end()
    gc.collect()
    assert not os.path.exists(base)
    assert archive() is None


def test_the_files_go_when_the_server_ends(small, own, method_file):
    own.take([Upload("mine.tar.gz", method_file)], roots())
    assert os.path.isdir(own.base)

    async def serve_and_end():
        async with asgi.lifespan(None):
            assert os.path.isdir(own.base)

    # In a thread of its own: the browser tests' event loop runs in this one.
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(asyncio.run, serve_and_end()).result()
    assert not os.path.exists(own.base)


def test_a_server_that_allows_it_installs_for_everybody_what_does_not_differ_by_now(
    small, run_page, method_file
):
    opened.choose_paths([str(small)], install_into=str(small))
    app = send(run_page("add_data"), ("mine.tar.gz", method_file))
    write_tree(small, {"methods/mine/Summary": "Another.\n"})
    app.button(key="install-methods-mine").click().run()
    assert not app.exception
    assert "found a difference" in app.error[0].value
    assert (small / "methods/mine/Summary").read_text() == "Another.\n"
    (small / "methods/mine/Summary").write_text("Mine.\n")
    app.button(key="install-methods-mine").click().run()
    assert not app.exception
    assert (small / "methods/mine/demo").is_dir()
    assert app.markdown[0].value.startswith("Drop a table of scores")
    assert "mine" in run_page("methods").dataframe[0].value["method"].tolist()


def test_the_directory_to_install_into_is_the_first_that_can_be_written(small, tmp_path, monkeypatch):
    assert serve.install_target([str(small)], named=True) == str(small)
    assert serve.install_target([str(small)], named=False) == str(small)
    monkeypatch.setattr(staging, "default_directories", lambda: [str(small)])
    assert serve.install_target([str(small)], named=True) == str(small)
    for places in ([str(small)], []):
        with pytest.raises(DelveError, match="expected a writable delve directory, found none"):
            serve.install_target(places, named=False)
