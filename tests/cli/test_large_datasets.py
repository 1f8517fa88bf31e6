"""Datasets that are larger than memory should hold: the same files, by way of the disk."""

import pytest

from delvecore.cli import dgenorder, dgenproto, mgendata
from delvecore.readers import stored_cases


@pytest.mark.parametrize("coding", ["", "AGE copy\nCOLOUR copy\nSIBLINGS nm-sqr\n"])
@pytest.mark.parametrize("kept", ["Dataset.data", "Prototask.data"])
def test_commands_make_the_same_files_of_large_datasets(
    small, run_command, monkeypatch, tmp_path, coding, kept
):
    specification = small / "data/demo/age/Prototask.spec"
    specification.write_text(specification.read_text().replace("retain", "Random-order"))
    (tmp_path / "coding").write_text(coding)
    task = small / "methods/mymethod/demo/age/std.4"
    task.mkdir(parents=True)
    assert run_command(dgenorder.main, "-s5", directory=small / "data/demo/age").code == 0

    def made():
        assert run_command(dgenproto.main, "-q", directory=small / "data/demo/age").code == 0
        data = small / "data/demo/Dataset.data"
        if kept == "Prototask.data":
            data.rename(tmp_path / "aside")
        outcome = run_command(mgendata.main, "-q", "-c", str(tmp_path / "coding"), directory=task)
        if kept == "Prototask.data":
            (tmp_path / "aside").rename(data)
        assert outcome == (0, "", "")
        files = [*task.iterdir(), small / "data/demo/age/Prototask.data"]
        return {path.name: path.read_bytes() for path in files}

    in_memory = made()
    monkeypatch.setattr(stored_cases, "LARGE", 1)
    monkeypatch.setattr("delvecore.readers.files.PIECE", 100)
    assert made() == in_memory
