"""An installation that is killed between any two steps is nothing, all, or told as interrupted; the next ends it."""

import itertools

import pytest

import delvecore
from delvecore.errors import DelveError
from delvecore.packaging.install import install_archives
from delvecore.packaging.pack import pack_dataset, pack_method
from delvecore.readers.hierarchy import MOVES, Hierarchy
from tests.archives import small_archive, write_tree
from tests.reliability.killing import GONE, contents, killed_before

KEPT = {
    "data/.keep": "",
    "methods/.keep": "",
    "methods/one/demo/age/.keep": "",
    "methods/one/demo/shade/.keep": "",
}


@pytest.fixture
def archives(tmp_path):
    root, out = small_archive(tmp_path / "made"), tmp_path / "out"
    out.mkdir()
    pack_dataset(Hierarchy([str(root)]), "demo", str(out))
    pack_method(Hierarchy([str(root)]), "one", str(out))
    return [str(out / "demo.tar.gz"), str(out / "one-all.tar.gz")]


def moments(tmp_path, archives):
    """Delve directories in which an installation was killed, one for each step."""
    for number in itertools.count(1):
        root = write_tree(tmp_path / f"delve-{number}", KEPT)
        with killed_before(number) as made:
            install_archives(archives, str(root))
        yield root
        if len(made) < number:
            return


def visible(root):
    return {name: data for name, data in contents(root).items() if not name.startswith(".delve-install-")}


@pytest.mark.slow
def test_at_every_moment_it_is_nothing_or_all_or_told(tmp_path, archives):
    roots = list(moments(tmp_path, archives))
    nothing, everything = visible(roots[0]), visible(roots[-1])
    assert len(nothing) < len(everything)
    told = 0
    for root in roots:
        messages = delvecore.open(root, cache=False).problems["message"].to_pylist()
        interrupted = [message for message in messages if "interrupted" in message]
        assert interrupted or visible(root) in (nothing, everything)
        told += len(interrupted)
    assert told > 2


@pytest.mark.slow
def test_the_next_installation_ends_it_and_leaves_no_litter(tmp_path, archives):
    roots = list(moments(tmp_path, archives))
    everything = contents(roots[-1])
    for root in roots[:-1]:
        install_archives(archives[:1], str(root))
        install_archives(archives, str(root))
        assert contents(root) == everything


def half_moved(tmp_path, archives):
    return next(root for root in moments(tmp_path, archives) if list(root.glob(f".delve-install-*/{MOVES}")))


@pytest.mark.slow
def test_what_is_in_the_way_of_the_rest_is_told_and_nothing_is_lost(tmp_path, archives):
    root = half_moved(tmp_path, archives)
    staged = contents(next(root.glob(".delve-install-*")))
    write_tree(root, {"data/demo": "mine"})
    with pytest.raises(DelveError, match="expected to finish what was being installed"):
        install_archives(archives, str(root))
    assert contents(next(root.glob(".delve-install-*"))) == staged
    assert (root / "data/demo").read_text() == "mine"


@pytest.mark.parametrize("moves", ["", "[1]", '["../x"]', '["data/../../x"]', '["moves"]'])
def test_a_list_of_other_moves_is_refused(tmp_path, archives, moves):
    root = write_tree(tmp_path / "delve-mine", KEPT)
    write_tree(root / f".delve-install-{GONE}-a", {MOVES: moves, "data/x": ""})
    with pytest.raises(DelveError, match="found a damaged list of moves; an installation was interrupted"):
        install_archives(archives, str(root))
    assert not (tmp_path / "x").exists()
