"""What is found in a tar file without `tarfile` is what `tarfile` finds, whatever its bytes."""

import io
import random
import tarfile

import pytest

from delvecore.errors import ParseError
from delvecore.readers.archives import tar_index
from delvecore.readers.archives.tar_headers import plain_members
from delvecore.readers.archives.tar_index import Content, index_archive

FORMATS = {"posix": tarfile.PAX_FORMAT, "gnu": tarfile.GNU_FORMAT, "ustar": tarfile.USTAR_FORMAT}
MUTATIONS = 400


def made(form: str, *, long: bool = False) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=FORMATS[form]) as tar:
        for name in ("lin-1", "lin-1/demo", "lin-1/demo/" + "age" * (60 if long else 1)):
            directory = tarfile.TarInfo(name)
            directory.type = tarfile.DIRTYPE
            tar.addfile(directory)
        for name, size in {"lin-1/Summary": 700, "lin-1/demo/guess.0": 512, "lin-1/demo/empty": 0}.items():
            file = tarfile.TarInfo(name)
            file.size = size
            tar.addfile(file, io.BytesIO(b"x" * size))
    return stream.getvalue()


def outcome(data: bytes) -> object:
    content = Content()
    content.add(data)
    content.finish()
    try:
        return index_archive(content, "a.tar.gz")
    except ParseError as error:
        return str(error)


@pytest.mark.parametrize("form", FORMATS)
def test_plain_archives_need_no_tarfile(form, monkeypatch):
    data = made(form)
    assert plain_members(data) is not None
    quick = outcome(data)
    monkeypatch.setattr(tar_index, "plain_members", lambda data: None)
    assert outcome(data) == quick
    assert quick.files["demo/guess.0"][1] == 512


def test_headers_that_are_not_plain_are_left_to_tarfile():
    assert plain_members(made("gnu", long=True)) is None
    assert "demo/" + "age" * 60 in outcome(made("gnu", long=True)).folders


@pytest.mark.parametrize("form", FORMATS)
def test_damage_is_found_as_by_tarfile(form, monkeypatch):
    whole, chance = made(form), random.Random(5)
    cases = []
    for _ in range(MUTATIONS):
        data = bytearray(whole)
        for _ in range(chance.choice([1, 1, 2])):
            data[chance.randrange(4000)] = chance.choice([0, 32, 48, 53, 255, chance.randrange(256)])
        cases.append(bytes(data[: chance.choice([len(data), len(data), chance.randrange(len(data))])]))
    quick = [outcome(data) for data in cases]
    monkeypatch.setattr(tar_index, "plain_members", lambda data: None)
    assert quick == [outcome(data) for data in cases]
    assert len(set(map(str, quick))) > 3
