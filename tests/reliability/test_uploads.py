"""Whatever a visitor sends: it is taken or refused in a line, in time, and leaves nothing behind."""

import io
import random
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from dashboard.server import uploads
from dashboard.server.uploads import Own
from tests.archives import feature_archive, small_archive
from tests.reliability.fuzzing import damaged, files_below, limited, times

pytestmark = pytest.mark.slow


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
    in_process, case = uploads.try_file, 0
    # A process for each would take hours: one in twenty has its own, the others are read by this one alone.
    monkeypatch.setattr(
        uploads, "try_file", lambda *what, **how: None if case % 20 else in_process(*what, **how)
    )
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
