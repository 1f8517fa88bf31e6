"""The bulk reader of loss files and the careful one agree on every file, whatever its neighbors hold."""

import random

import numpy as np
import pytest

from delvecore.errors import ParseError
from delvecore.losses.standard_losses import LOSSES
from delvecore.model import Prototask
from delvecore.readers.dataset import parse_dataset
from delvecore.readers.files import text_of
from delvecore.readers.prototask import parse_prototask
from delvecore.readers.results import parse_losses, read_loss_files
from tests.archives import DATASET, SHADE
from tests.reliability.fuzzing import damaged, times, with_damaged_line_ends
from tests.word_lists import listed

pytestmark = pytest.mark.slow


def carefully(
    data: bytes, path: str, loss: str = "S", prototask: Prototask | None = None
) -> list[float] | str:
    """What the careful reader makes of a file: its losses, or the line that refuses it."""
    try:
        return parse_losses(text_of(data, path), path, loss=loss, prototask=prototask)
    except ParseError as error:
        return str(error)


def in_bulk(paths: list[str], loss: str = "S", prototask: Prototask | None = None) -> list[list[float] | str]:
    faults: dict[str, str] = {}
    read = read_loss_files(
        paths,
        [loss] * len(paths),
        [prototask] * len(paths),
        report=lambda e: faults.setdefault(str(e).split(":")[0], str(e)),
    )
    return [
        faults.get(path, "no fault") if values is None else [float(value) for value in values]
        for path, values in zip(paths, read, strict=True)
    ]


def agree(losses: list[float] | str, expected: list[float] | str) -> bool:
    if isinstance(losses, str) or isinstance(expected, str):
        return losses == expected or (expected == [] and isinstance(losses, str))
    return np.array_equal(np.array(losses), np.array(expected))


def losses(chance: random.Random) -> bytes:
    return b"".join(b"%.9g\n" % chance.lognormvariate(0, 2) for _ in range(chance.randint(1, 12)))


@pytest.mark.parametrize("spoil", [with_damaged_line_ends, damaged])
def test_no_file_changes_what_is_read_of_another(spoil, tmp_path):
    for case in times(3_000, least=150):
        chance = random.Random(case)
        contents = [losses(chance) for _ in range(chance.randint(2, 8))]
        for place in chance.sample(range(len(contents)), chance.randint(1, 2)):
            contents[place] = spoil(contents[place], chance)
        paths = []
        for number, content in enumerate(contents):
            path = tmp_path / f"loss.S.{number}"
            path.write_bytes(content)
            paths.append(str(path))
        for path, content, read_losses in zip(paths, contents, in_bulk(paths), strict=True):
            expected = carefully(content, path)
            assert agree(read_losses, expected), f"case {case}, {path}: {content!r}"


def test_an_empty_line_and_a_carriage_return_do_not_cancel(tmp_path):
    contents = {"a": b"1\n2\r3\n", "b": b"4\n5\n", "c": b"6\n\n7\n"}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    paths = [str(tmp_path / name) for name in contents]
    assert in_bulk(paths) == [carefully(contents[name], str(tmp_path / name)) for name in contents]
    assert in_bulk(paths)[1] == [4.0, 5.0]


@pytest.mark.parametrize("loss", [*LOSSES, "Z0.2N", "S9N", "Mcosts"])
def test_both_readers_refuse_what_a_loss_cannot_be(loss, tmp_path):
    values = [
        *listed("""
        0  -0  0.5  1  1.0000000001  2  2.0000000001  2.1  7  -1e-9  -3  nan  inf  5e-324  1e308  -1e308
        9.1  18.1
    """)
    ]
    two_targets = parse_prototask(
        SHADE.replace("KIDS\n", "\n").replace("SHADE", "SHADE 3"),
        "shade",
        parse_dataset(DATASET, "demo", ""),
        "",
    )
    for case in times(3_000, least=50):
        chance = random.Random(case)
        contents = ["".join(f"{chance.choice(values)}\n" for _ in range(2)).encode() for _ in range(8)]
        paths = []
        for number, content in enumerate(contents):
            path = tmp_path / f"loss.{loss}.{number}"
            path.write_bytes(content)
            paths.append(str(path))
        for prototask in (None, two_targets):
            for path, content, read_losses in zip(
                paths, contents, in_bulk(paths, loss, prototask), strict=True
            ):
                expected = carefully(content, path, loss, prototask)
                assert agree(read_losses, expected), f"case {case}, {path}: {content!r}"
