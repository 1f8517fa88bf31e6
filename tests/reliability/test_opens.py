"""A damaged archive opens, any command ends properly on it, and whatever a visitor sends is taken or refused
in a line."""

import io
import random
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import delvecore
from dashboard.server import uploads
from dashboard.server.uploads import Own
from delvecore.errors import ParseError
from delvecore.readers.files import text_of
from delvecore.readers.results import parse_losses
from tests.archives import feature_archive, small_archive
from tests.properties.mangling import whole_archive
from tests.properties.test_no_traceback import run
from tests.reliability.fuzzing import damaged, files_below, limited, times

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["small", "features"])
def archive(request, tmp_path_factory) -> Iterator[Path]:
    parent = tmp_path_factory.mktemp("opened")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DELVE_PATH", "")
        yield whole_archive(parent, patch) if request.param == "small" else feature_archive(parent)


def losses_of(opened: delvecore.Archive) -> Iterator[tuple[str, list[float]]]:
    for row in opened.losses.to_pylist():
        place = f"methods/{row['method']}/{row['dataset']}/{row['prototask']}/{row['task']}"
        yield f"{place}/loss.{row['loss']}.{row['instance']}", row["values"]


def spoil_one(root: Path, files: list[Path], chance: random.Random) -> tuple[Path, bytes]:
    """Damage a file, take it away, or put another's content in its place; return it and what it held."""
    path = chance.choice(files)
    content = path.read_bytes()
    act = chance.random()
    if act < 0.05:
        path.unlink()
    elif act < 0.1:
        path.write_bytes(chance.choice(files).read_bytes())
    else:
        path.write_bytes(damaged(content, chance))
    return path, content


def test_a_damaged_archive_opens_and_has_no_loss_that_no_file_holds(archive):
    files = files_below(archive)
    for case in times(50_000):
        open_damaged(archive, files, case)


def open_damaged(archive: Path, files: list[Path], case: int) -> None:
    """Try one case, and make good what it damaged."""
    chance, spoiled = random.Random(case), []
    for _ in range(chance.randint(1, 2)):
        spoiled.append(spoil_one(archive, list(filter(Path.exists, files)), chance))
    with limited(f"case {case}: {spoiled[0][0]}"):
        opened = delvecore.open(archive, cache=False)
    messages = opened.problems["message"].to_pylist()
    assert all(message.isprintable() for message in messages), f"case {case}: {messages}"
    for name, values in losses_of(opened):
        path = archive / name
        if path.exists():
            assert values == carefully(path), f"case {case}: {path}"
    for path, content in reversed(spoiled):
        path.write_bytes(content)


def carefully(path: Path) -> list[float] | None:
    try:
        return parse_losses(
            text_of(path.read_bytes(), str(path)), str(path), loss=path.name[5:].rsplit(".", 1)[0]
        )
    except ParseError:
        return None


SMALL = (
    *("dinfo -a /demo", "dinfo -a /demo/age", "dinfo -t /demo/shade/std.4", "dcheck /demo", "dcheck -q /"),
    *(
        "mcheck -q /one",
        "mcheck /two",
        "mstats /one",
        "mstats -c two /one",
        "mstats -l S /one/demo/age/std.8",
    ),
    *(
        "minfo /one/demo/age/std.8",
        "minfo -a /one/demo",
        "mtable /demo",
        "mtable -l S",
        "mls /one",
        "dls /demo/age",
    ),
    *("mloss -q demo", "mgendata -q demo/age/std.8", "mgendir /demo", "dgenproto -q ../../data/demo/shade"),
    *("delve table", "delve rank", "delve classes /demo/shade", "delve check", "delve run --list"),
)
FEATURES = (
    *("dinfo -a /speech", "dcheck /river", "dcheck /", "mcheck -q /bold", "mstats /bold", "mtable /shapes"),
    *("mgendata -q bold/speech/word/std.4", "mloss -q bold/river", "mloss -q -l Z0.2N bold/shapes"),
    *("minfo /bold/river/flow/std.15", "mstats -c careful /bold", "delve table", "delve rank"),
)


@pytest.mark.parametrize(
    ("make", "calls"), [("small", SMALL), ("features", FEATURES)], ids=["small", "features"]
)
def test_no_traceback_and_no_hang(make, calls, tmp_path, monkeypatch):
    monkeypatch.setenv("DELVE_PATH", "")
    monkeypatch.setenv("PAGER", "cat")
    root: Path = whole_archive(tmp_path, monkeypatch) if make == "small" else feature_archive(tmp_path)
    monkeypatch.chdir(root / ("methods/one" if make == "small" else "methods"))
    files = files_below(root)
    held = {path: path.read_bytes() for path in files}
    for case in times(10_000):
        chance = random.Random(case)
        spoiled, _ = spoil_one(root, files, chance)
        call = chance.choice(calls).split()
        with limited(f"case {case}: {call} with {spoiled}"):
            outcome = run(call[0], call[1:])
        assert is_proper(*outcome), f"case {case}: {call} with {spoiled}: {outcome}"
        restore(root, held)


def is_proper(code: int, out: str, err: str) -> bool:
    """An exit code that the manual pages name, no traceback, nothing that a terminal would obey."""
    lines = [line for text in (out, err) for line in text.replace("\t", " ").split("\n")]
    return code in (0, 1, 2) and "Traceback" not in err and all(line.isprintable() for line in lines)


def restore(root: Path, held: dict[Path, bytes]) -> None:
    """Undo the damage and what the command made."""
    for path in files_below(root):
        if path not in held:
            path.unlink()
    for path, content in held.items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)


@dataclass
class Sent:
    name: str
    content: bytes

    @property
    def size(self) -> int:
        return len(self.content)

    def getbuffer(self) -> memoryview:
        return memoryview(self.content)


def packed(directory: Path, chance: random.Random) -> bytes:
    """An archive file of a dataset or method with some of its files damaged, absent or under odd names."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:" + chance.choice(("gz", "gz", "bz2", "xz", ""))) as archive:
        for path in files_below(directory):
            content = damaged(path.read_bytes(), chance) if chance.random() < 0.1 else path.read_bytes()
            name = f"{directory.name}/{path.relative_to(directory)}"
            if chance.random() < 0.02:
                name = chance.choice(
                    ("../" + name, "/" + name, name + "\n", name + "/x", name.upper(), "C:\\x", "\x1b[2J")
                )
            member = tarfile.TarInfo(name)
            member.size = len(content)
            if chance.random() < 0.01:
                member.type = chance.choice(
                    (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE)
                )
                member.linkname, member.size = "/etc/passwd", 0
            archive.addfile(member, io.BytesIO(content) if member.isreg() else None)
    return buffer.getvalue()


def test_uploads_are_taken_or_refused_in_a_line(tmp_path, monkeypatch):
    monkeypatch.setenv("DELVE_PATH", "")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    served = small_archive(tmp_path / "served")
    small, features = small_archive(tmp_path / "small"), feature_archive(tmp_path / "features")
    sources = [
        *(small / "methods").iterdir(),
        *(features / "data").iterdir(),
        *(features / "methods").iterdir(),
    ]
    in_process, case = uploads.read_in_process, 0

    def read(function, path, name, *, notify=None, **how):
        # A process for each would take hours: it reads one in twenty, and this one the others.
        return function(path, name, **how) if case % 20 else in_process(function, path, name, **how)

    monkeypatch.setattr(uploads, "read_in_process", read)
    for case in times(5_000):
        chance = random.Random(case)
        content = packed(chance.choice(sources), chance)
        if chance.random() < 0.3:
            content = damaged(content, chance)
        own = Own()
        with limited(f"case {case}"):
            own.take(
                [Sent(chance.choice(("x.tar.gz", "a\nb.zip", "<b>.csv", "scores.csv")), content)],
                [str(served)],
            )
        assert own.refused or own.added, f"case {case}: neither taken nor refused"
        assert all(text.isprintable() for text in own.refused), f"case {case}: {own.refused}"
        for added in list(own.added.values()):
            own.remove(added)
        assert not files_below(Path(own.root)), f"case {case}: files left"
        assert not [
            path
            for path in tmp_path.iterdir()
            if path.name not in ("served", "small", "features") and not path.name.startswith("delve-session-")
        ], f"case {case}"
