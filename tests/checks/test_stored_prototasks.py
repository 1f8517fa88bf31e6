"""Datasets of which only the cases of prototasks are kept: they are complete."""

import shutil

import pytest

import delvecore
from delvecore.checks.datasets import dataset_problems
from delvecore.cli.delve import main
from delvecore.cli.dgenproto import main as dgenproto
from delvecore.readers.hierarchy import Hierarchy
from tests.archives import prototask_text, small_archive, write_tree
from tests.shared import shared_path

PRICE = prototask_text(" ".join(map(str, range(1, 14))), "14", 250, "32 64 128", 8, order="Random-order")


def specification(count: int) -> str:
    lines = "".join(f"{number} x{number} u (-Inf,Inf)\n" for number in range(1, count + 1))
    return f"Origin: natural\nUsage: assessment\nOrder: uninformative\nAttributes:\n{lines}"


def prior(count: int) -> str:
    return "".join(f"{number} NLMH real\n" for number in range(1, count + 1))


@pytest.fixture
def stored(tmp_path, run_command):
    """A small archive whose dataset has the cases of its prototasks only."""
    root = small_archive(tmp_path)
    shutil.rmtree(root / "methods/one")
    shutil.rmtree(root / "methods/two")
    assert run_command(dgenproto, "-q", str(root / "data/demo"), path=root).code == 0
    (root / "data/demo/Dataset.data").unlink()
    return root


def problems(root, *names, local=False):
    return [one.message for one in dataset_problems(Hierarchy([str(root)]), *names, local=local)]


@pytest.mark.parametrize("local", [False, True])
def test_nothing_is_missing_where_every_prototask_has_its_cases(stored, local):
    assert problems(stored, "demo", local=local) == []
    (stored / "data/demo/shade/Random-order").unlink()
    assert problems(stored, "demo", local=local) == []


def test_cases_are_missing_where_a_prototask_has_none(stored):
    (stored / "data/demo/shade/Prototask.data").unlink()
    place = stored / "data/demo"
    assert problems(stored, "demo")[0].startswith(f"{place}: expected a file Dataset.data, found none")


@pytest.mark.slow
def test_it_opens_without_a_problem_and_methods_run_on_it(stored, run_command):
    ran = run_command(main, "run", "base-1", "/demo", "-q", "--workers", "1", path=stored)
    assert (ran.code, ran.err) == (0, "")
    archive = delvecore.open(stored)
    assert archive.problems.num_rows == 0
    assert archive.losses.num_rows > 0


@pytest.mark.shared
@pytest.mark.parametrize(
    ("dataset", "prototask", "width"),
    [("boston", "price", 14), pytest.param("comp-activ", "cpu", 27, marks=pytest.mark.slow)],
)
def test_natural_data_are_complete_without_the_file_of_their_dataset(
    dataset, prototask, width, tmp_path, run_command
):
    folder = shared_path(f"data/natural/{dataset}/{prototask}")
    (cases,) = folder.glob("Prototask.data*")
    files = {
        "Dataset.spec": specification(width),
        f"{prototask}/Prototask.spec": PRICE
        if dataset == "boston"
        else (folder / "Prototask.spec").read_bytes(),
        f"{prototask}/{cases.name}": cases.read_bytes(),
        f"{prototask}/std.prior": prior(width),
    }
    root = tmp_path / "delve-natural"
    write_tree(root, {f"data/{dataset}/{name}": text for name, text in files.items()})
    (root / "methods").mkdir()
    assert problems(root, dataset) == []
    ran = run_command(
        main, "run", "lin-1", f"/{dataset}/{prototask}/std.64", "-q", "--workers", "1", path=root
    )
    assert (ran.code, ran.err) == (0, "")
