"""`delve install`: archive files, fetched from the web too, put into a delve directory, all of them or
nothing, also if it is killed. Manual, appendix A."""

import fcntl
import gzip
import itertools
import os
import tarfile
from pathlib import Path

import pytest

import delvecore
from delvecore.errors import DelveError, ParseError
from delvecore.packaging import staging
from delvecore.packaging.install import Installed, fetch, has_scheme, install_archives
from delvecore.packaging.pack import pack_dataset, pack_method
from delvecore.readers.hierarchy import MOVES, Hierarchy
from delvecore.readers.tar_archives import Limits
from tests.archives import small_archive, write_tree
from tests.packed import PACKED, pack_members, pack_special
from tests.reliability.killing import GONE, contents, killed_before
from tests.remote.conftest import Web, free_port, serving

SPEC = ("demo/Dataset.spec", "x")
SMALL = Limits(members=100, file_bytes=50_000, total_bytes=100_000, free_bytes=20_000, ratio=10)


@pytest.fixture
def archives(tmp_path):
    """The archive files of the small archive's dataset and method `one`."""
    root, out = small_archive(tmp_path / "made"), tmp_path / "out"
    out.mkdir()
    pack_dataset(Hierarchy([str(root)]), "demo", str(out))
    pack_method(Hierarchy([str(root)]), "one", str(out))
    return out


@pytest.fixture
def target(tmp_path):
    return write_tree(tmp_path / "delve-mine", {"data/.keep": "", "methods/.keep": ""})


def tree(root: Path) -> dict[str, bytes | None]:
    """Everything below a directory, hidden or not, directories too."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in root.rglob("*")
    }


def install(target, *paths, **options):
    return install_archives([str(path) for path in paths], str(target), **options)


def test_what_was_packed_is_installed_file_by_file(archives, target, tmp_path):
    installed = install(target, archives / "demo.tar.gz", archives / "one-all.tar.gz")
    assert [(one.kind, one.name, one.added, one.present) for one in installed] == [
        ("dataset", "demo", 10, 0),
        ("method", "one", 10, 0),
    ]
    made = tmp_path / "made/delve-small"
    for place in ("data/demo", "methods/one"):
        assert tree(target / place) == tree(made / place)
    assert delvecore.open(target).problems.num_rows == 0
    assert sorted(os.listdir(target)) == ["data", "methods"]


def test_results_by_dataset_join_a_method_that_is_there(archives, target):
    install(target, archives / "one-Source.tar.gz")
    install(target, archives / "one-demo.tar.gz")
    assert sorted(os.listdir(target / "methods/one")) == ["Source", "Summary", "demo"]


def test_the_same_content_again_is_no_fault_compressed_or_not(archives, target):
    install(target, archives / "one-all.tar.gz")
    summary = target / "methods/one/Summary"
    write_tree(target, {"methods/one/Summary.gz": gzip.compress(summary.read_bytes())})
    summary.unlink()
    before = tree(target)
    (again,) = install(target, archives / "one-all.tar.gz")
    assert (again.added, again.present) == (0, 10)
    assert tree(target) == before


def test_a_different_file_is_never_replaced_and_nothing_is_installed(archives, target):
    write_tree(target, {"methods/one/demo/age/std.8/loss.S.0": "mine\n"})
    before = tree(target)
    with pytest.raises(DelveError, match="found a difference; nothing was installed"):
        install(target, archives / "demo.tar.gz", archives / "one-all.tar.gz")
    assert tree(target) == before


def test_files_of_delve_directories_beside_count_as_there(archives, target, tmp_path):
    other = write_tree(
        tmp_path / "delve-other", {"methods/one/Summary": "The first method.\n", "data/.keep": ""}
    )
    (one,) = install(target, archives / "one-Source.tar.gz", beside=[str(target), str(other)])
    assert (one.added, one.present) == (1, 1)
    assert not (target / "methods/one/Summary").exists()
    write_tree(other, {"methods/one/demo/age/std.8/loss.S.0": "9\n"})
    with pytest.raises(DelveError, match="found a difference"):
        install(target, archives / "one-demo.tar.gz", beside=[str(other)])


def test_files_of_an_archive_that_lies_there_packed_count_as_there(archives, target):
    (target / "methods/one-all.tar.gz").write_bytes((archives / "one-all.tar.gz").read_bytes())
    (one,) = install(target, archives / "one-demo.tar.gz")
    assert (one.added, one.present) == (0, 8)
    assert not (target / "methods/one").exists()


def test_archives_of_one_call_may_hold_the_same_file_but_no_two(archives, target, tmp_path):
    installed = install(target, archives / "one-all.tar.gz", archives / "one-demo.tar.gz")
    assert [(one.added, one.present) for one in installed] == [(10, 0), (0, 8)]
    other = pack_members(tmp_path / "one-x.tar.gz", [("two/Summary", "a")])
    clash = pack_members(tmp_path / "one-y.tar.gz", [("two/Summary", "b")])
    before = tree(target)
    with pytest.raises(
        DelveError, match="expected methods/two/Summary to be the same as in the previous archive"
    ):
        install(target, other, clash)
    assert tree(target) == before


def test_a_file_and_a_directory_of_one_name_clash(target, tmp_path):
    write_tree(target, {"methods/one/Source": "a file"})
    archive = pack_members(tmp_path / "one.tar.gz", [("one/Summary", "x"), ("one/Source/one.txt", "x")])
    before = tree(target)
    with pytest.raises(DelveError, match="Source: expected nothing there yet, found a file; move it away"):
        install(target, archive)
    assert tree(target) == before


@pytest.mark.parametrize("name", ["/evil", "../evil", "demo/../../../evil", "demo/x/../../../../evil"])
def test_no_path_leaves_the_delve_directory(name, target, tmp_path):
    archive = pack_members(tmp_path / "demo.tar.gz", [SPEC, (name, "evil")])
    before = tree(tmp_path)
    with pytest.raises(ParseError, match="expected names inside the archive's directory"):
        install(target, archive)
    assert tree(tmp_path) == before


@pytest.mark.parametrize("type_", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(type_, target, tmp_path):
    def change(member):
        member.type, member.linkname = type_, "../../../outside"

    before = tree(target)
    with pytest.raises(ParseError, match="expected plain files and directories only"):
        install(target, pack_special(tmp_path / "demo.tar.gz", change))
    assert tree(target) == before


def test_a_link_in_the_delve_directory_is_not_followed_out_of_it(archives, target, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (target / "methods/one").symlink_to(outside)
    with pytest.raises(DelveError, match=r"methods/one: expected a target inside .*, found a link"):
        install(target, archives / "one-all.tar.gz")
    assert os.listdir(outside) == []


@pytest.mark.parametrize("suffix", PACKED)
def test_a_bomb_inside_a_compressed_member_is_refused(suffix, target, tmp_path):
    bomb = PACKED[suffix](bytes(5_000_000))
    archive = pack_members(tmp_path / "demo.tar.gz", [SPEC, (f"demo/Dataset.data{suffix}", bomb)])
    before = tree(target)
    with pytest.raises(ParseError, match=f"found 'Dataset.data{suffix}', which unpacks to more"):
        install(target, archive, limits=SMALL)
    assert tree(target) == before
    install(target, archive)


def test_many_compressed_members_share_one_limit(target, tmp_path):
    members = [(f"demo/{n}.gz", gzip.compress(os.urandom(9000))) for n in range(9)]
    members += [("demo/last.gz", gzip.compress(bytes(19_999), 1))]
    archive = pack_members(tmp_path / "demo.tar.gz", [SPEC, *members])
    with pytest.raises(ParseError, match=r"'last.gz', which unpacks to more"):
        install(target, archive, limits=SMALL)


def test_neither_a_dataset_nor_a_method_is_refused(target, tmp_path):
    archive = pack_members(tmp_path / "stuff.tar.gz", [("stuff/readme.txt", "x")])
    with pytest.raises(ParseError, match=r"expected a dataset .* or a method .*, found neither in 'stuff'"):
        install(target, archive)


def test_a_further_prototask_is_data(target, tmp_path):
    archive = pack_members(tmp_path / "x.tar.gz", [("demo/age/Prototask.spec", "x")])
    assert install(target, archive)[0].part == "data"


@pytest.mark.parametrize("share", [0.2, 0.99])
def test_interrupted_means_untouched(share, archives, target):
    def interrupt(name, done):
        if done >= share:
            raise KeyboardInterrupt

    before = tree(target)
    with pytest.raises(KeyboardInterrupt):
        install(target, archives / "demo.tar.gz", archives / "one-all.tar.gz", notify=interrupt)
    assert tree(target) == before


def test_a_fault_while_moving_moves_everything_back(archives, target, monkeypatch):
    moved, rename = [], os.rename

    def fail_at_third(source, place):
        moved.append(place)
        if len(moved) == 3:
            raise OSError(28, "No space left on device")
        rename(source, place)

    monkeypatch.setattr(staging.os, "rename", fail_at_third)
    write_tree(target, {"methods/one/demo/age/.keep": "", "methods/one/demo/shade/.keep": ""})
    before = tree(target)
    with pytest.raises(
        DelveError, match="expected that it can be moved into place, found no space left on device"
    ):
        install(target, archives / "demo.tar.gz", archives / "one-all.tar.gz")
    assert len(moved) > 2
    assert tree(target) == before


def test_what_a_killed_run_left_behind_is_removed_and_a_running_one_is_left_alone(archives, target):
    dead, alive = target / ".delve-install-dead", target / ".delve-install-alive"
    for path in (dead, alive):
        write_tree(path, {"methods/x": ""})
        os.utime(path, (1, 1))
    lock = os.open(alive, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    install(target, archives / "demo.tar.gz")
    os.close(lock)
    assert (dead.exists(), alive.exists()) == (False, True)


def test_hidden_files_are_left_out_and_counted(target, tmp_path):
    archive = pack_members(tmp_path / "demo.tar.gz", [SPEC, ("demo/.DS_Store", "x")])
    assert install(target, archive, names=["it"]) == [Installed("it", "data", "demo", 1, 0, 1)]


def test_into_must_be_a_delve_directory_and_files_must_be_there(archives, tmp_path, target):
    with pytest.raises(DelveError, match="expected a delve directory, found none"):
        install(tmp_path / "out", archives / "demo.tar.gz")
    with pytest.raises(DelveError, match="expected a readable archive, found no such file or directory"):
        install(target, tmp_path / "none.tar.gz")
    with pytest.raises(DelveError, match="expected a regular file, found a directory"):
        install(target, tmp_path)


def test_installed_files_are_not_executable(target, tmp_path):
    def change(member):
        member.mode = 0o7777

    archive = pack_special(tmp_path / "demo.tar.gz", change)
    install(target, archive)
    assert (target / "data/demo/evil").stat().st_mode & 0o7111 == 0


KEPT = [f"{place}/.keep" for place in ("data", "methods", "methods/one/demo/age", "methods/one/demo/shade")]


def both(archives):
    return archives / "demo.tar.gz", archives / "one-all.tar.gz"


def moments(tmp_path, archives):
    """Delve directories in which an installation was killed, one for each step."""
    for number in itertools.count(1):
        root = write_tree(tmp_path / f"delve-{number}", dict.fromkeys(KEPT, ""))
        with killed_before(number) as made:
            install(root, *both(archives))
        yield root
        if len(made) < number:
            return


def visible(root):
    return {name: data for name, data in contents(root).items() if not name.startswith(".delve-install-")}


@pytest.mark.slow
def test_at_every_moment_it_is_nothing_or_all_or_told_and_the_next_installation_ends_it(tmp_path, archives):
    roots = list(moments(tmp_path, archives))
    nothing, everything, whole = visible(roots[0]), visible(roots[-1]), contents(roots[-1])
    assert len(nothing) < len(everything)
    told = 0
    for root in roots:
        messages = delvecore.open(root, cache=False).problems["message"].to_pylist()
        interrupted = [message for message in messages if "interrupted" in message]
        assert interrupted or visible(root) in (nothing, everything)
        told += len(interrupted)
        install(root, archives / "demo.tar.gz")
        install(root, *both(archives))
        assert contents(root) == whole
    assert told > 2


@pytest.mark.slow
def test_what_is_in_the_way_of_the_rest_is_told_and_nothing_is_lost(tmp_path, archives):
    roots = moments(tmp_path, archives)
    root = next(root for root in roots if list(root.glob(f".delve-install-*/{MOVES}")))
    staged = contents(next(root.glob(".delve-install-*")))
    write_tree(root, {"data/demo": "mine"})
    with pytest.raises(DelveError, match="expected to finish what was being installed"):
        install(root, *both(archives))
    assert contents(next(root.glob(".delve-install-*"))) == staged
    assert (root / "data/demo").read_text() == "mine"


@pytest.mark.parametrize("moves", ["", "[1]", "[" * 200_000, '["../x"]', '["data/../../x"]', '["moves"]'])
def test_a_list_of_other_moves_is_refused(tmp_path, archives, moves):
    root = write_tree(tmp_path / "delve-mine", dict.fromkeys(KEPT, ""))
    write_tree(root / f".delve-install-{GONE}-a", {MOVES: moves, "data/x": ""})
    with pytest.raises(DelveError, match="found a damaged list of moves; an installation was interrupted"):
        install(root, *both(archives))
    assert not (tmp_path / "x").exists()


CONTENT = bytes(range(256)) * 4000


MOVED = {
    "/far": "/further",
    "/further": "/moved",
    "/moved": "/whole",
    "/file": "file:///etc/passwd",
    "/ftp": "ftp://127.0.0.1/x",
    "/round": "/round",
}


@pytest.fixture
def web(tmp_path):
    (tmp_path / "served").mkdir()
    (tmp_path / "served/whole").write_bytes(CONTENT)
    with serving(Web(tmp_path / "served")) as server:
        server.moved = MOVED
        yield server


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")


def test_a_file_is_fetched_whole_with_progress(web, tmp_path):
    shares = []
    for place in ("whole", "moved", "far"):
        fetch(f"{web.address}/{place}", str(tmp_path / place), notify=shares.append)
        assert (tmp_path / place).read_bytes() == CONTENT
        assert shares[-1] == 1


@pytest.mark.parametrize(
    ("place", "facts", "said"),
    [
        ("whole", {}, "expected at most 5,000 bytes, found more; download it yourself"),
        ("whole", {"says_sizes": False}, "expected at most 5,000 bytes, found more; download it yourself"),
        ("whole", {"cut": len(CONTENT) - 1000}, "found 1,000: the connection was cut"),
        ("none", {}, "found the answer 404 File not found; check the address"),
    ],
)
def test_what_is_too_much_cut_or_not_there_is_no_file(place, facts, said, web, tmp_path):
    vars(web).update(facts)
    most = {} if "cut" in facts else {"most": 5000}
    with pytest.raises(DelveError, match=said):
        fetch(f"{web.address}/{place}", str(tmp_path / "a"), **most)


@pytest.mark.parametrize("address", ["ftp://host/x", "file:///etc/passwd"])
def test_other_schemes_are_refused(address, tmp_path):
    assert has_scheme(address)
    with pytest.raises(DelveError, match="expected an address with http or https, found"):
        fetch(address, str(tmp_path / "a"))


@pytest.mark.parametrize("place", ["file", "ftp", "round"])
def test_no_redirection_leads_to_another_scheme_or_in_a_circle(place, web, tmp_path):
    with pytest.raises(DelveError, match="expected an"):
        fetch(f"{web.address}/{place}", str(tmp_path / "a"))
    assert not (tmp_path / "a").exists()


def test_offline_says_what_to_do(tmp_path):
    with pytest.raises(DelveError) as error:
        fetch(f"http://127.0.0.1:{free_port()}/demo.tar.gz", str(tmp_path / "a"))
    assert "found no connection (" in str(error.value)
    assert str(error.value).endswith("or download the file and give its path")


@pytest.mark.parametrize("address", ["http://[x", "http://127.0.0.1:x/"])
def test_odd_addresses_are_one_line_errors(address, tmp_path):
    with pytest.raises(DelveError):
        fetch(address, str(tmp_path / "a"))
