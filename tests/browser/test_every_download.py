"""Every file that the pages offer is of the kind that its name says, and the check of it finds files that are not."""

import io
import zipfile

import pytest

from tests.archives import small_archive, write_tree
from tests.browser.conftest import served
from tests.browser.downloads import fault_of
from tests.browser.every_download import log_faults, save_every_download
from tests.dashboard.array_archive import array_files

START_PAGE = (
    b'<!doctype html><html><head><title>Streamlit</title></head><body><div id="root"></div></body></html>'
)


@pytest.mark.wide  # `.ci/run` does the same with the wheel and the shipped archive
def test_every_download_of_every_page_is_what_its_name_says(visit, tmp_path):
    archive = write_tree(small_archive(tmp_path), array_files())
    with served(tmp_path, archive) as address:
        saver = save_every_download(visit(), address, dataset="demo", method="one")
    (log,) = tmp_path.glob("server-*.log")
    assert (saver.faults, log_faults(log)) == ([], [])
    kinds = {name.rpartition(".")[2] for name in saver.saved}
    assert kinds >= {
        "html",
        "csv",
        "json",
        "tex",
        "svg",
        "png",
        "pdf",
        "zip",
        "gz",
        "parquet",
        "arff",
        "md",
        "typ",
        "txt",
    }


def zipped(name: str, content: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr(name, content)
    return written.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *(
            (f"table.{kind}", START_PAGE)
            for kind in ("html", "csv", "json", "svg", "png", "pdf", "tex", "md", "txt", "zip")
        ),
        ("table.csv", b"a,b\n1,2,3\n"),
        ("table.csv", b"a,b\n\xff,2\n"),
        ("table.html", b"<p>No table.</p>"),
        ("table.json", b"{'a': 1}"),
        ("table.parquet", b"PAR1"),
        ("table.tex", b"% nothing"),
        ("table.tar.gz", b"\x1f\x8bnothing"),
        ("figure.svg", b"<svg"),
        ("figure.svg", b"<html/>"),
        ("figure.pdf", b"\x89PNG\r\n\x1a\n"),
        ("figure.png", b"%PDF-1.4"),
        ("bundle.zip", zipped("figure.png", b"%PDF-1.4")),
        ("table.banana", b"content"),
    ],
)
def test_a_file_of_another_kind_than_its_name_is_a_fault(name, content):
    assert fault_of(name, content).startswith(f"{name}: ")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("table.csv", b"# Read: 2 methods\na,b\n1,2\n"),
        ("table.html", b"<table><tr><td>1</td></tr></table>"),
        ("table.json", b"[1]"),
        ("table.tex", b"\\begin{tabular}{l}1\\end{tabular}"),
        ("figure.tex", b"% DELVE\n\\begin{picture}(1,1)\\end{picture}"),
        ("cases.arff", b"% DELVE\n@relation demo\n\n@attribute SEX {m,f}\n\n@data\nm\n"),
        ("figure.svg", b'<svg xmlns="http://www.w3.org/2000/svg"/>'),
        ("bundle.zip", zipped("table.csv", b"a,b\n1,2\n")),
    ],
)
def test_a_file_of_the_kind_of_its_name_is_none(name, content):
    assert fault_of(name, content) == ""


def test_a_traceback_in_the_log_of_a_server_is_a_fault(tmp_path):
    log = tmp_path / "log"
    log.write_text("DELVE dashboard: http://127.0.0.1:8501\n")
    assert log_faults(log) == []
    log.write_text("Exception in thread preparation:\nTraceback (most recent call last):\n")
    assert "Exception in thread preparation" in log_faults(log)[0]
