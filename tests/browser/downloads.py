"""Does the content of a file that was downloaded fit its name?"""

import csv
import gzip
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import PurePath
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.parquet as pq

START_PAGE = re.compile(rb'<div id="root">|<title>Streamlit</title>')
"""Parts of the page with which Streamlit answers any address of a page."""


def _read_csv(content: bytes) -> None:
    lines = content.decode().splitlines(keepends=True)
    body = "".join(line for line in lines if not line.startswith("#"))
    widths = {len(row) for row in csv.reader(io.StringIO(body), strict=True)}
    if len(widths) != 1:
        raise ValueError(f"expected rows of one length, found lengths {sorted(widths)}")


def _read_svg(content: bytes) -> None:
    root = ElementTree.fromstring(content)
    if not root.tag.endswith("}svg"):
        raise ValueError(f"expected the element svg, found {root.tag}")


def _read_parquet(content: bytes) -> None:
    if not pq.read_table(io.BytesIO(content)).num_columns:
        raise ValueError("expected columns, found none")


def _read_tar(content: bytes) -> None:
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
        if not archive.getnames():
            raise ValueError("expected members, found none")


def _read_zip(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        faults = [fault for name in archive.namelist() if (fault := fault_of(name, archive.read(name)))]
    if faults:
        raise ValueError("; ".join(faults))


def _having(*patterns: bytes) -> Callable[[bytes], None]:
    """Return a check that content has a match of each pattern, in this order."""

    def read(content: bytes) -> None:
        if not re.search(rb".*".join(patterns), content, re.DOTALL | re.IGNORECASE | re.MULTILINE):
            raise ValueError(f"expected {b' ... '.join(patterns)!r}, found {content[:60]!r}")

    return read


READERS: dict[str, Callable[[bytes], None]] = {
    "arff": _having(rb"^@relation", rb"^@attribute", rb"^@data"),
    "bib": _having(rb"@\w+\{"),
    "csv": _read_csv,
    "gz": _read_tar,
    "html": _having(rb"<table", rb"</table>"),
    "json": json.loads,
    "md": _having(rb"\w"),
    "parquet": _read_parquet,
    "pdf": _having(rb"\A%PDF-", rb"%%EOF\s*\Z"),
    "png": _having(rb"\A\x89PNG\r\n\x1a\n", rb"IEND.{4}\Z"),
    "svg": _read_svg,
    "tex": _having(rb"\\begin\{(tabular|longtable|picture)", rb"\\end\{(tabular|longtable|picture)"),
    "txt": _having(rb"\w"),
    "typ": _having(rb"table\("),
    "zip": _read_zip,
}
"""Checks of content by the ending of a file's name. They raise one of ERRORS for content of another kind."""
ERRORS = (
    ValueError,
    SyntaxError,
    EOFError,
    csv.Error,
    gzip.BadGzipFile,
    pa.ArrowException,
    tarfile.TarError,
    zipfile.BadZipFile,
)


def fault_of(name: str, content: bytes) -> str:
    """Return what is wrong with the content of a file of this name; empty if nothing is."""
    reader = READERS.get(PurePath(name).suffix[1:])
    if START_PAGE.search(content):
        return f"{name}: expected a file, found the start page of Streamlit"
    if reader is None:
        return f"{name}: expected one of the endings {', '.join(READERS)}"
    try:
        reader(content)
    except ERRORS as error:
        return f"{name}: {error}"
    return ""
