"""Search for inputs that break a parser: changes of an input that reach new lines of the program are changed on.
`corpus/` has a few small inputs that reached new lines before."""

import gzip
import io
import os
import random
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from urllib.parse import parse_qs

import delvecore
from dashboard.ui.choices import Choices
from dashboard.ui.selection import link, page_notices, resolve
from delvecore.errors import DelveError
from delvecore.readers.cases import read_case_blocks
from delvecore.readers.dataset import parse_dataset
from delvecore.readers.files import text_of
from delvecore.readers.prototask import parse_prototask
from delvecore.readers.tar_archives import index_archive, read_content
from delvecore.remote import stores
from delvecore.score_tables.reading import read_scores
from tests.archives import AGE, DATASET, SHADE, case_lines
from tests.reliability.fuzzing import damaged, limited

CORPUS = Path(__file__).parent / "corpus"
PROGRAM = os.path.dirname(os.path.dirname(delvecore.__file__))
Parse = Callable[[bytes], object]
Lines = set[tuple[CodeType, int]]
SMALL = parse_dataset(DATASET, "demo", "Dataset.spec")
CHOICES = Choices(("A", "S"), ("lin-1", "gp-1"), ("/demo/age/std.32",), ("demo",), ("/demo/age",))


def specification(data: bytes) -> None:
    text, report = text_of(data, "spec"), list[Exception]().append
    if "Attributes" in text:
        parse_dataset(text, "demo", "Dataset.spec", report=report)
    else:
        parse_prototask(text, "age", SMALL, "Prototask.spec", report=report)


def data(content: bytes) -> None:
    list(read_case_blocks([content], SMALL, "Dataset.data", report=list[Exception]().append))


def archive(content: bytes) -> None:
    """The input is the tar file, packed here: damage to gzip itself is found by its own check."""
    with tempfile.NamedTemporaryFile(suffix=".tar.gz") as file:
        file.write(gzip.compress(content, 1))
        file.flush()
        index_archive(read_content(file.name), file.name)


def scores(content: bytes) -> None:
    read_scores(io.BytesIO(content), name="scores")


def address(content: bytes) -> None:
    """An address of a page, and one of a store."""
    text = content.decode(errors="replace")
    asked = parse_qs(text.partition("?")[2], keep_blank_values=True)
    page_notices(asked)
    selection, _ = resolve(asked, CHOICES)
    link(selection, address="compare")
    stores._taken_apart(text)


def tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as made:
        for name, content in {"demo/Dataset.spec": b"x", "demo/äge/Prototask.spec": b"y" * 600}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


PARSERS: Mapping[str, tuple[Parse, tuple[bytes, ...]]] = {
    "specification": (specification, (DATASET.encode(), AGE.encode(), SHADE.encode())),
    "data": (data, (case_lines().encode(),)),
    "archive": (archive, (tar(),)),
    "scores": (
        scores,
        (
            b"dataset,method,fold,accuracy\na,A,0,0.5\na,B,0,1\n",
            b'[{"dataset": "a", "method": "A", "accuracy": 0.5}, {"dataset": "a", "method": "B", "accuracy": 1}]',
            b"method;d1;d2\nA;0,5;0,25\nB;1;0,75\n",
            b"\\begin{tabular}{lrr}\n & d1 & d2 \\\\ \\hline\nA & 0.5 & \\textbf{1.0} \\\\\nB & 1 & 2 \\\\\n\\end{tabular}\n",
            b"@relation r\n@attribute dataset {a,b}\n@attribute method string\n@attribute error numeric\n@data\na,m,1\nb,n,2\n",
        ),
    ),
    "address": (
        address,
        (
            b"https://host:80/compare?task=/demo/age/std.32&loss=S&methods=lin-1&methods=gp-1&level=0.9",
            b"s3://bucket/a/b.csv",
        ),
    ),
}


class Traced:
    """Lines of this program that run while it is asked to watch."""

    def __init__(self) -> None:
        self.lines: Lines = set()

    def run(self, parse: Parse, content: bytes) -> Exception | None:
        """Return the error that no parser may raise, None where there is none."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            parse(content)
        except DelveError:
            return None
        except Exception as error:
            return error
        finally:
            sys.settrace(before)
        return None

    def _enter(self, frame: FrameType, event: str, _argument: Any) -> Any:
        return self._line if frame.f_code.co_filename.startswith(PROGRAM) else None

    def _line(self, frame: FrameType, event: str, _argument: Any) -> Any:
        self.lines.add((frame.f_code, frame.f_lineno))
        return self._line


def kept(name: str) -> list[bytes]:
    """The inputs that earlier searches kept, after those to begin with."""
    return [*PARSERS[name][1], *(path.read_bytes() for path in sorted((CORPUS / name).glob("*")))]


def search(
    name: str, goes_on: Callable[[int], bool], *, seed: int = 0
) -> Iterator[tuple[bytes, Exception | None]]:
    """Yield inputs that reach new lines, and those with an error that no parser may raise, which come again
    for each place that raises it once only. goes_on: by the number of inputs that were tried."""
    parse, traced, chance = PARSERS[name][0], Traced(), random.Random(seed)
    pool, tried, seen = kept(name), 0, set[str]()
    first = list(pool)
    while first or goes_on(tried):
        content = first.pop() if first else damaged(chance.choice(pool), chance)
        count, tried = len(traced.lines), tried + 1
        with limited(f"{name}: {content[:200]!r}"):
            error = traced.run(parse, content)
        if error is not None:
            place = _place(error)
            if place not in seen:
                seen.add(place)
                yield content, error
        elif len(traced.lines) > count:
            pool.append(content)
            yield content, None


def _place(error: Exception) -> str:
    step = error.__traceback__
    while step and step.tb_next:
        step = step.tb_next
    return f"{type(error).__name__} {step.tb_frame.f_code.co_filename}:{step.tb_lineno}" if step else ""
