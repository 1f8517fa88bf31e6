"""Files under their plain names, compressed in every way, and everything that can be wrong with a file."""

import bz2
import gzip
import io
import lzma
import os
import shutil
import subprocess
import zipfile

import pyarrow as pa
import pytest

from delvecore.errors import ParseError
from delvecore.readers.files import find_file, plain_name, read_bytes, read_document, read_text

TEXT = b"1 2 3\n" * 30_000


def zstd(data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def zipped(data):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("loss.S.0", data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [
        ("", bytes),
        (".gz", gzip.compress),
        (".z", gzip.compress),
        (".bz2", bz2.compress),
        (".xz", lzma.compress),
        (".zst", zstd),
        (".zip", zipped),
    ],
)
def test_a_compressed_file_is_found_under_its_plain_name(tmp_path, suffix, compress):
    (tmp_path / f"Dataset.data{suffix}").write_bytes(compress(TEXT))
    path = find_file(str(tmp_path / "Dataset.data"))
    assert plain_name(os.path.basename(path)) == "Dataset.data"
    assert read_bytes(path) == TEXT


@pytest.mark.skipif(shutil.which("compress") is None, reason="no program compress to make a .Z file")
def test_a_file_of_unix_compress_is_read(tmp_path):
    (tmp_path / "a").write_bytes(TEXT)
    subprocess.run(["compress", str(tmp_path / "a")], check=True)
    assert read_bytes(find_file(str(tmp_path / "a"))) == TEXT


def test_a_file_of_unix_compress_is_read_by_the_program_that_the_user_names(tmp_path, monkeypatch):
    (tmp_path / "a.Z").write_bytes(b"\x1f\x9d" + TEXT)
    monkeypatch.setenv("DELVE_UNCOMPRESS", "tail -c +3")
    assert read_bytes(str(tmp_path / "a.Z")) == TEXT


def test_a_missing_program_for_unix_compress_is_said(tmp_path, monkeypatch):
    (tmp_path / "a.Z").write_bytes(b"\x1f\x9d")
    monkeypatch.setenv("DELVE_UNCOMPRESS", "no-such-program")
    with pytest.raises(ParseError, match="no program no-such-program to read it; set DELVE_UNCOMPRESS"):
        read_bytes(str(tmp_path / "a.Z"))


def test_a_truncated_gzip_file_is_said_to_be_cut_short(tmp_path):
    path = tmp_path / "loss.S.0.gz"
    path.write_bytes(gzip.compress(os.urandom(5000))[:-100])
    with pytest.raises(ParseError, match="expected a whole compressed file, found it cut short"):
        read_text(str(path))


def test_a_damaged_gzip_file_is_said_to_be_damaged(tmp_path):
    data = bytearray(gzip.compress(TEXT))
    data[40] ^= 255
    path = tmp_path / "a.gz"
    path.write_bytes(bytes(data))
    with pytest.raises(ParseError, match="expected a whole compressed file, found damage"):
        read_bytes(str(path))


def test_a_file_named_like_a_compressed_one_that_is_none_is_refused(tmp_path):
    (tmp_path / "a.gz").write_text("plain\n")
    with pytest.raises(ParseError, match="expected a compressed file, found an unknown format"):
        read_bytes(str(tmp_path / "a.gz"))


def test_documentation_may_be_latin_1(tmp_path):
    (tmp_path / "Summary").write_bytes(b"caf\xe9\n")
    assert read_document(str(tmp_path / "Summary")) == "café\n"


def test_two_variants_of_one_file_are_an_error_that_names_both(tmp_path):
    (tmp_path / "a").write_text("1\n")
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"1\n"))
    with pytest.raises(ParseError) as error:
        find_file(str(tmp_path / "a"))
    first, second = tmp_path / "a", tmp_path / "a.gz"
    assert (
        str(error.value) == f"{first}: expected one copy of the file, found another at {second}; remove one"
    )
