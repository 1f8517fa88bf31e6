"""Summary and Source that `delve run` writes beside the results of a registered method."""

from delvecore.methods import load_method
from delvecore.readers.files import UNFINISHED
from delvecore.runner.descriptions import describe_method
from delvecore.writers.files import write_mark


def test_a_mark_of_a_killed_process_goes_where_all_files_are_in_their_places(tmp_path):
    describe_method(load_method("lin-1"), str(tmp_path))
    source = tmp_path / "methods/lin-1/Source"
    written = {path.name: path.read_bytes() for path in source.iterdir()}
    write_mark(
        str(source / UNFINISHED), {"put": {name: f".{name}.1.delve-part" for name in written}, "remove": []}
    )
    describe_method(load_method("lin-1"), str(tmp_path))
    assert {path.name: path.read_bytes() for path in source.iterdir()} == written
