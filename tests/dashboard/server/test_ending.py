"""The server ends when what is being installed into the archive is there."""

import tarfile
import threading
from pathlib import Path

import pytest

from dashboard.server import uploads
from dashboard.server.uploads import Added, Own
from tests.archives import small_archive, write_tree


@pytest.fixture
def added(tmp_path) -> tuple[Own, Added, Path]:
    """A session that has added the method `one`, and a delve directory without it."""
    archive, own = small_archive(tmp_path), Own()
    served = write_tree(tmp_path / "delve-served", {"methods/.keep": ""})
    (archive / "data").rename(served / "data")
    own._make_place()
    path = Path(own.base) / "1.tar.gz"
    with tarfile.open(path, "w:gz") as packed:
        packed.add(archive / "methods" / "one", "one")
    (installed,) = uploads.install_archives([str(path)], own.root, beside=[str(served)])
    return own, Added("methods", "one", (installed,), (str(path),)), served


def test_one_installation_after_the_other_and_the_end_after_them(added):
    own, one, served = added
    own.added["methods", "one"], place = one, Path(own.base)
    with uploads.INSTALLING:
        installs = threading.Thread(target=own.install, args=(one, str(served), [str(served)]))
        installs.start()
        installs.join(0.3)
        assert not (served / "methods" / "one").exists()
    installs.join(30)
    assert (own.refused, (served / "methods" / "one").is_dir()) == ([], True)
    with uploads.INSTALLING:
        ends = threading.Thread(target=uploads.remove_all)
        ends.start()
        ends.join(0.3)
        assert place.exists()
    ends.join(30)
    assert not place.exists()


def test_what_never_ends_does_not_keep_the_server_from_its_end(added, monkeypatch):
    monkeypatch.setattr(uploads, "ENDING", 0.05)
    place = Path(added[0].base)
    with uploads.INSTALLING:
        uploads.remove_all()
    assert not place.exists()
