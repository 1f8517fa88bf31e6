"""Pictures for papers: their size, and where they are from. Drawn ones need a Chromium."""

import re
import shutil
import struct
import subprocess
import zlib

import pytest

from delvecore.plots import pictures, theme
from delvecore.plots.pictures import figure_file, with_provenance
from delvecore.render.picture_metadata import picture_metadata

ABOUT = ["DELVE for the browser: a --b & <c> ±", "Archive: delve, state 0123"]
PIXEL = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489")
END_OF_PNG = bytes.fromhex("0000000049454e44ae426082")
PDF = b"""%PDF-1.4
1 0 obj
<</CreationDate (D:20260101000000+00'00')>>
endobj
xref
0 2
0000000000 65535 f 
0000000009 00000 n 
trailer
<</Size 2
/Root 1 0 R
/Info 1 0 R>>
startxref
69
%%EOF
"""


@pytest.fixture
def figure():
    if not pictures.can_draw():
        pytest.skip("no Chromium was found; install it with `apt-get install chromium`")
    drawn = theme.new_figure(height=300)
    drawn.add_trace(theme.trace("markers", [1, 2], [3, 4]))
    return drawn.plotly()


def test_svg_has_its_provenance_as_metadata():
    decoded = with_provenance(b'<svg width="1" height="1"><g/></svg>', "svg", ABOUT).decode()
    assert "<metadata>DELVE for the browser: a --b &amp; &lt;c&gt; ±\nArchive" in decoded
    assert decoded.endswith("<g/></svg>")


def test_png_has_its_provenance_as_a_chunk_with_a_right_sum():
    picture = with_provenance(PIXEL + b"rest", "png", ABOUT)
    length = struct.unpack(">I", picture[33:37])[0]
    chunk, total = picture[37 : 41 + length], picture[41 + length : 45 + length]
    assert chunk.startswith(b"iTXtDescription\0")
    assert "\n".join(ABOUT) in chunk.decode("utf-8")
    assert struct.unpack(">I", total)[0] == zlib.crc32(chunk)
    assert picture.endswith(b"rest")


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b'<svg width="1" height="1"><g/></svg>', "svg"), (PIXEL + END_OF_PNG, "png"), (PDF, "pdf")],
    ids=["svg", "png", "pdf"],
)
def test_a_picture_is_read_back_with_its_provenance_and_its_checksum(content, kind):
    written = with_provenance(content, kind, ABOUT)
    text, is_edited = picture_metadata(written, f"a.{kind}")
    assert text.startswith("\n".join(ABOUT))
    assert is_edited is False
    other = written.replace(b"<g/>", b"<b/>").replace(b"IHDR\0\0\0\1", b"IHDR\0\0\0\2")
    other = other.replace(b"%PDF-1.4", b"%PDF-1.5")
    assert other != written
    assert picture_metadata(other, f"a.{kind}")[1] is True


def test_pdf_is_updated_at_its_end_and_has_no_date():
    picture = with_provenance(PDF, "pdf", ABOUT)
    assert b"CreationDate" not in picture
    place = int(re.findall(rb"startxref\n(\d+)", picture)[-1])
    assert picture[place:].startswith(b"xref\n2 1\n")
    offset = int(picture[place:].splitlines()[2].split()[0])
    assert picture[offset:].startswith(b"2 0 obj")
    text = bytes.fromhex(re.search(rb"/Subject <([0-9A-F]+)>", picture)[1].decode()).decode("utf-16")
    assert text.splitlines()[:-1] == ABOUT


@pytest.mark.slow
def test_a_picture_for_a_column_is_as_wide_as_the_column(figure):
    assert b'width="85mm"' in figure_file(figure, "svg", width=85, about=ABOUT)
    width, height = struct.unpack(">II", figure_file(figure, "png", width=85, about=ABOUT)[16:24])
    assert width == pytest.approx(85 / 25.4 * 300, abs=3)
    assert height > 300


@pytest.mark.slow
def test_a_pdf_for_a_column_has_its_size_its_font_and_its_provenance(figure, tmp_path):
    content = figure_file(figure, "pdf", width=85, about=ABOUT)
    box = [float(part) for part in re.search(rb"MediaBox \[([^]]*)\]", content)[1].split()]
    assert box[2] == pytest.approx(85 / 25.4 * 72, abs=1)
    assert figure_file(figure, "pdf", width=85, about=ABOUT) == content
    assert b"/Type3" not in content
    if shutil.which("pdfinfo") is None:
        pytest.skip("pdfinfo is not installed: `apt-get install poppler-utils`")
    (tmp_path / "x.pdf").write_bytes(content)
    run = subprocess.run(["pdfinfo", tmp_path / "x.pdf"], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    assert "a --b & <c> ±" in run.stdout


@pytest.mark.slow
def test_as_shown_keeps_the_width_of_the_page(figure):
    assert b'width="1000"' in figure_file(figure, "svg")
