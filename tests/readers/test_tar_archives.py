"""Datasets, methods and whole delve directories in `.tar.gz` files, read where they lie: manual, appendix A."""

import gzip
import io
import mmap
import os
import shutil
import tarfile
import zipfile

import pytest

import delvecore
from delvecore.archive import sources
from delvecore.archive.snapshot import take_snapshot
from delvecore.cli.dinfo import main as dinfo
from delvecore.cli.support.archives import open_archive
from delvecore.errors import DelveError, Fault, ParseError
from delvecore.locations import cache_directory
from delvecore.readers import tar_archives
from delvecore.readers.files import read_pieces, read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import dataset_names
from delvecore.readers.tar_archives import Limits, index_archive, pieces_of, read_content, read_top
from delvecore.writers.files import write_atomically
from tests.archives import small_archive, write_tree
from tests.packed import pack_members, pack_special, pack_tree
from tests.remote.far import tables

SMALL = Limits(members=5, file_bytes=3000, total_bytes=100_000, free_bytes=20_000, ratio=10)


@pytest.fixture
def packed_archive(tmp_path):
    """The small archive with its dataset and its method `one` packed, and nothing of them unpacked."""
    root = small_archive(tmp_path)
    for part, name, file in (("data", "demo", "demo.tar.gz"), ("methods", "one", "one-all.tar.gz")):
        pack_tree(root / part / name, root / part / file)
        shutil.rmtree(root / part / name)
    return root


def test_the_tables_are_those_of_the_unpacked_files(packed_archive, tmp_path):
    unpacked = delvecore.open(small_archive(tmp_path / "plain"))
    archive = delvecore.open(packed_archive)
    assert archive.problems.num_rows == 0
    for name in ("results", "losses", "tasks", "attributes"):
        assert getattr(archive, name).equals(getattr(unpacked, name)), name
    assert archive.cases("demo").equals(unpacked.cases("demo"))
    assert archive.read_document("methods", "one", "Source", "one.txt") == "It guesses.\n"


def test_methods_may_be_packed_by_dataset_as_appendix_a_says(tmp_path):
    root = small_archive(tmp_path)
    method = root / "methods" / "one"
    source = [("Summary", "The first method.\n"), ("Source/one.txt", "It guesses.\n")]
    pack_members(root / "methods" / "one-Source.tar.gz", source, top="one/")
    results = [(str(p.relative_to(method)), p.read_bytes()) for p in sorted((method / "demo").rglob("*.*.*"))]
    pack_members(
        root / "methods" / "one-demo.tar.gz", [(n, d) for n, d in results if "Stats" not in n], top="one/"
    )
    before = delvecore.open(root, cache=False).results
    with_both = delvecore.open(root, cache=False).problems
    assert with_both.num_rows > 0  # everything lies in two places
    stats = [
        (f"demo/{task}/Test-set-stats", (method / f"demo/{task}/Test-set-stats").read_bytes())
        for task in ("age/std.8", "shade/std.4")
    ]
    shutil.rmtree(method)
    pack_members(root / "methods" / "one-stats.tar.gz", stats, top="one/")
    archive = delvecore.open(root, cache=False)
    assert archive.problems.num_rows == 0
    assert archive.results.num_rows == before.num_rows + 2


def test_a_file_in_an_archive_and_beside_it_is_two_copies(tmp_path):
    root = small_archive(tmp_path)
    pack_tree(root / "data" / "demo", root / "data" / "demo.tar.gz")
    with pytest.raises(
        ParseError, match=r"one copy of the file, found another at .*demo\.tar.gz/demo/Summary"
    ):
        Hierarchy([str(root)]).find("data", "demo", "Summary")
    assert "expected one copy of the file" in delvecore.open(root).problems["message"][0].as_py()


def test_compressed_files_in_an_archive_are_found_under_their_plain_names(tmp_path):
    root = write_tree(tmp_path / "delve-x", {"data/.keep": "", "methods/.keep": ""})
    packed_file = ("one/Summary.gz", gzip.compress(b"A method.\n"))
    pack_members(root / "methods" / "one-Source.tar.gz", [packed_file])
    path = Hierarchy([str(root)]).find("methods", "one", "Summary")
    assert read_text(path) == "A method.\n"


def test_the_state_changes_with_the_archive_s_size_time_or_mode(packed_archive):
    def state():
        return take_snapshot([str(packed_archive)], report=pytest.fail).datasets["demo"].state

    path, before = packed_archive / "data" / "demo.tar.gz", state()
    assert state() == before
    os.utime(path, (1, 1))
    later = state()
    path.chmod(0o600)
    assert len({before, later, state()}) == 3


def test_a_replaced_archive_is_read_anew(packed_archive):
    path = packed_archive / "data" / "demo.tar.gz"
    hierarchy = Hierarchy([str(packed_archive)])
    assert "invented" in read_text(hierarchy.find("data", "demo", "Summary"))
    pack_members(path, [("demo/Summary", "New.\n")])
    assert read_text(hierarchy.find("data", "demo", "Summary")) == "New.\n"


def test_a_damaged_archive_costs_its_own_content_and_nothing_else(packed_archive):
    whole = (packed_archive / "data" / "demo.tar.gz").read_bytes()
    write_tree(packed_archive, {"data/half.tar.gz": whole[: len(whole) // 2], "data/none.tar.gz": b"none"})
    archive = delvecore.open(packed_archive)
    assert archive.datasets["dataset"].to_pylist() == ["demo"]
    assert archive.problems["found"].to_pylist() == ["it cut short", "something else"]
    assert Hierarchy([str(packed_archive)]).find("data", "demo", "Summary")


def test_a_damaged_archive_is_an_error_for_what_it_may_hold(packed_archive):
    write_tree(packed_archive, {"data/none.tar.gz": b"none"})
    hierarchy = Hierarchy([str(packed_archive)])
    with pytest.raises(ParseError, match=r"none.tar.gz: expected a tar file packed by gzip, found something"):
        hierarchy.find("data", "none", "Dataset.spec")
    with pytest.raises(ParseError, match="packed by gzip"):
        dataset_names(hierarchy)
    warned = []
    assert dataset_names(Hierarchy(hierarchy.roots, report=warned.append)) == ["demo"]
    assert len(warned) == 1


def link(to):
    def change(member):
        member.type, member.linkname = tarfile.SYMTYPE, to

    return change


def kind(of):
    def change(member):
        member.type = of

    return change


@pytest.mark.parametrize(
    ("change", "actual"),
    [
        (link("/etc/passwd"), "a symbolic link 'demo/evil'"),
        (link("Dataset.spec"), "a symbolic link 'demo/evil'"),
        (kind(tarfile.LNKTYPE), "a hard link 'demo/evil'"),
        (kind(tarfile.CHRTYPE), "a device 'demo/evil'"),
        (kind(tarfile.BLKTYPE), "a device 'demo/evil'"),
        (kind(tarfile.FIFOTYPE), "a device 'demo/evil'"),
    ],
)
def test_links_and_devices_refuse_the_whole_archive(change, actual, tmp_path):
    path = str(pack_special(tmp_path / "demo.tar.gz", change))
    with pytest.raises(ParseError) as error:
        index_archive(read_content(path), path)
    assert (error.value.problem.expected, error.value.problem.found) == (
        "plain files and directories only",
        actual,
    )


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../evil",
        "demo/../../evil",
        "demo/a\\b",
        "demo/a\nb",
        "demo/\x1b[2J",
        "demo/" + "a/" * 20,
    ],
)
def test_names_that_lead_elsewhere_refuse_the_whole_archive(name, tmp_path):
    path = str(pack_members(tmp_path / "demo.tar.gz", [("demo/Dataset.spec", "x"), (name, "evil")]))
    with pytest.raises(ParseError, match="expected names "):
        index_archive(read_content(path), path)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a/x", "b/x"], "one directory, named like the dataset or method"),
        (["a/x", "a/x"], "each name once"),
        (["a/x", "a/x/y"], "each name once"),
        (["a/.hidden"], "a directory with files"),
        ([], "a directory with files"),
    ],
)
def test_the_form_is_one_directory_with_each_name_once(names, expected, tmp_path):
    path = str(pack_members(tmp_path / "a.tar.gz", [(name, "x") for name in names]))
    with pytest.raises(ParseError) as error:
        index_archive(read_content(path), path)
    assert error.value.problem.expected == expected


def test_a_leading_dot_slash_and_hidden_files_are_no_fault(tmp_path):
    members = [("./demo/Dataset.spec", "x"), ("./demo/._Dataset.spec", "y"), ("./.DS_Store", "z")]
    path = str(pack_members(tmp_path / "demo.tar.gz", members))
    index = index_archive(read_content(path), path)
    assert (index.top, list(index.files), index.hidden) == ("demo", ["Dataset.spec"], 2)
    assert read_top(path) == "demo"


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ([(f"demo/{n}", "x") for n in range(6)], "at most 5 files and directories"),
        ([("demo/a", os.urandom(4000))], "files of at most 3,000 bytes"),
        ([("demo/a", bytes(60_000))], "at most 20,000 bytes when unpacked"),
        ([("demo/a", os.urandom(200_000))], "at most 100,000 bytes when unpacked"),
    ],
)
def test_bombs_are_refused_before_they_are_unpacked(members, expected, tmp_path):
    path = str(pack_members(tmp_path / "demo.tar.gz", members))
    with pytest.raises(ParseError) as error:
        index_archive(read_content(path, SMALL), path, SMALL)
    assert error.value.problem.expected == expected


def test_a_header_that_claims_to_be_huge_is_refused(tmp_path):
    member = tarfile.TarInfo("demo/x")
    member.type, member.size = tarfile.XHDTYPE, 1 << 30
    data = member.tobuf(tarfile.USTAR_FORMAT) + bytes(1024)
    (tmp_path / "demo.tar.gz").write_bytes(gzip.compress(data))
    path = str(tmp_path / "demo.tar.gz")
    with pytest.raises(ParseError, match="headers of at most 1,048,576 bytes"):
        index_archive(read_content(path), path)
    with pytest.raises(ParseError, match="headers of at most"):
        read_top(path)


def test_damage_in_the_middle_is_no_end(tmp_path):
    path = str(pack_members(tmp_path / "demo.tar.gz", [(f"demo/{n}", "x" * 600) for n in range(3)]))
    data = bytearray(gzip.decompress((tmp_path / "demo.tar.gz").read_bytes()))
    data[1536:1540] = b"\xff\xff\xff\xff"  # inside the header of the second file
    (tmp_path / "demo.tar.gz").write_bytes(gzip.compress(bytes(data)))
    with pytest.raises(ParseError, match="damage at byte 1,536"):
        index_archive(read_content(path), path)


def test_large_archives_are_read_from_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("delvecore.readers.tar_archives.IN_MEMORY", 5000)
    data = os.urandom(3_000_000)
    path = str(pack_members(tmp_path / "demo.tar.gz", [("demo/a", data), ("demo/b", b"end")]))
    content = read_content(path)
    index = index_archive(content, path)
    assert isinstance(content, mmap.mmap)
    assert b"".join(pieces_of(content, *index.files["a"])) == data
    assert b"".join(pieces_of(content, *index.files["b"])) == b"end"


def test_large_members_are_read_piece_by_piece(tmp_path, monkeypatch):
    monkeypatch.setattr("delvecore.readers.files.PIECE", 1000)
    data = os.urandom(2500)
    path = pack_members(tmp_path / "demo.tar.gz", [("demo/a", data), ("demo/b.gz", gzip.compress(data))])
    pieces = list(read_pieces(f"{path}/demo/a"))
    assert [len(piece) for piece in pieces] == [1000, 1000, 500]
    assert b"".join(pieces) == b"".join(read_pieces(f"{path}/demo/b.gz")) == data
    for missing in (f"{path}/demo/c", f"{tmp_path}/nowhere"):
        with pytest.raises(ParseError, match="expected a file, found nothing"):
            list(read_pieces(missing))


def test_few_archives_are_kept_unpacked(tmp_path):
    for number in range(tar_archives.MOST_CONTENTS + 2):
        path = pack_members(tmp_path / f"{number}.tar.gz", [(f"{number}/x", str(number))])
        assert tar_archives.read_packed(f"{path}/{number}/x") == str(number).encode()
    assert tar_archives._content_of.cache_info().currsize == tar_archives.MOST_CONTENTS
    assert tar_archives.read_packed(f"{tmp_path}/0.tar.gz/0/x") == b"0"


def test_a_directory_may_have_an_archive_s_name(tmp_path):
    write_tree(tmp_path, {"code.tar.gz/x": "plain"})
    assert read_text(str(tmp_path / "code.tar.gz" / "x")) == "plain"


def test_no_bytes_make_the_index_fail_in_another_way(tmp_path):
    # Every single byte of the headers of a sound archive set to something else.
    sound = io.BytesIO()
    with tarfile.open(fileobj=sound, mode="w") as tar:
        member = tarfile.TarInfo("demo/" + "long" * 40)
        member.size, member.pax_headers = 3, {"comment": "x" * 30}
        tar.addfile(member, io.BytesIO(b"abc"))
    data = sound.getvalue()
    for position in range(0, 2600, 7):
        broken = bytearray(data)
        broken[position] ^= 0x5A
        path = tmp_path / "demo.tar.gz"
        path.write_bytes(gzip.compress(bytes(broken), 1))
        try:
            index_archive(read_content(str(path)), str(path))
        except ParseError:
            continue


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT])
def test_every_format_of_tar_is_read_long_names_too(form, tmp_path):
    long = "lin-1/demo/" + "/".join(["age" * 15] * 3) + "/guess.0"
    path = tmp_path / "lin-1.tar.gz"
    with tarfile.open(path, "w:gz", format=form) as tar:
        for name, size in {"lin-1/Summary": 700, long: 512, "lin-1/demo/empty": 0}.items():
            member = tarfile.TarInfo(name)
            member.size = size
            tar.addfile(member, io.BytesIO(b"x" * size))
    content = read_content(str(path))
    index = index_archive(content, str(path))
    sizes = {name: len(b"".join(pieces_of(content, *place))) for name, place in index.files.items()}
    assert sizes == {"Summary": 700, long.removeprefix("lin-1/"): 512, "demo/empty": 0}


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return small_archive(tmp_path / "small")


@pytest.fixture
def packed(tmp_path, root):
    return pack(tmp_path / "mine.tar.gz", {root.name: root})


def pack(path, directories):
    with tarfile.open(path, "w:gz") as archive:
        for name, directory in directories.items():
            archive.add(directory, arcname=name)
    return path


def test_an_archive_file_has_the_tables_of_the_directory_in_it(packed, root, monkeypatch):
    far, near = delvecore.open(packed), delvecore.open(root)
    assert tables(far) == tables(near)
    monkeypatch.setattr(tar_archives, "read_content", lambda path: pytest.fail("unpacked again"))
    assert delvecore.open(packed).state == far.state


def test_a_changed_archive_file_is_another_and_nothing_of_the_old_one_stays(packed, root):
    (before,), _ = sources([packed])
    shutil.rmtree(root / "methods" / "two")
    pack(packed, {root.name: root})
    assert delvecore.open(packed).methods["method"].to_pylist() == ["one"]
    assert not os.path.exists(before)
    assert len(os.listdir(os.path.dirname(os.path.dirname(before)))) == 1


@pytest.mark.parametrize("name", ["archive-1.0", "all/delve-small"])
def test_the_directory_may_be_called_otherwise_or_hold_delve_directories(tmp_path, root, name):
    packed = pack(tmp_path / "other.tgz", {name: root})
    assert delvecore.open(packed).methods["method"].to_pylist() == ["one", "two"]


@pytest.mark.parametrize(
    ("content", "actual"),
    [
        (
            {"demo": "data/demo"},
            "expected a delve directory in it, .*found 'demo', which is not one; .*delve install",
        ),
        ({"delve/../out": "data"}, "expected"),
    ],
)
def test_an_archive_file_of_something_else_is_one_clear_line(tmp_path, root, content, actual):
    packed = pack(tmp_path / "other.tar.gz", {name: root / part for name, part in content.items()})
    with pytest.raises(DelveError, match=rf"^{packed}: {actual}"):
        delvecore.open(packed)
    assert not list((tmp_path / "cache").rglob("Dataset.spec"))


def test_an_archive_of_another_kind_and_a_damaged_one_are_one_clear_line(tmp_path, packed, root):
    other = tmp_path / "mine.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.write(root / "data" / "demo" / "Dataset.spec", "delve/data/demo/Dataset.spec")
    with pytest.raises(
        Fault, match="found another archive; give the directory itself, or pack it as tar -czf"
    ):
        delvecore.open(other)
    packed.write_bytes(packed.read_bytes()[:-100])
    with pytest.raises(DelveError, match=f"^{packed}: expected a whole archive, found it cut short"):
        delvecore.open(packed)


def test_nothing_is_written_into_what_an_archive_file_holds(packed):
    (place,), _ = sources([packed])
    assert place.startswith(cache_directory())
    with pytest.raises(Fault, match="found a store or an archive file, which is only read"):
        write_atomically(os.path.join(place, "data", "new"), "text")


def test_commands_take_archive_files(packed, root, monkeypatch, run_command):
    monkeypatch.setenv("DELVE_PATH", str(packed))
    assert "age" in run_command(dinfo, "/demo").out
    archive, places = open_archive([str(packed)], follow_links=False)
    assert tables(archive) == tables(delvecore.open(root))
    assert not places
