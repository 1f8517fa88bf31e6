"""A damaged archive opens: no exception, no hang, and every loss that it has is a loss that its file holds."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import delvecore
from delvecore.errors import ParseError
from delvecore.readers.files import text_of
from delvecore.readers.results import parse_losses
from tests.archives import feature_archive
from tests.properties.mangling import whole_archive
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
