"""Datasets of which only the cases of prototasks are kept: they are complete."""

import shutil

import pytest

import delvecore
from delvecore.checks.datasets import dataset_problems
from delvecore.cli.delve import main
from delvecore.cli.dgenproto import main as dgenproto
from delvecore.readers.hierarchy import Hierarchy
from tests.archives import small_archive, write_tree
from tests.shared import shared_path

PRICE = """Cases: all
Origin: natural
Order: Random-order
Inputs: 1 2 3 4 5 6 7 8 9 10 11 12 13
Targets: 14
Test-Set-Size: 250
Training-Set-Sizes: 32 64 128
Test-Set-Selection: common
Maximum-Number-Of-Instances: 8
"""


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
    assert problems(stored, "demo")[0].startswith(
        f"{stored / 'data/demo'}: expected a file Dataset.data, found none"
    )


@pytest.mark.slow
def test_it_opens_without_a_problem_and_methods_run_on_it(stored, run_command):
    ran = run_command(main, "run", "base-1", "/demo", "-q", "--workers", "1", path=stored)
    assert (ran.code, ran.err) == (0, "")
    archive = delvecore.open(stored)
    assert archive.problems.num_rows == 0
    assert archive.losses.num_rows > 0


@pytest.mark.shared
def test_prices_of_houses_are_complete_without_the_file_of_their_dataset(tmp_path, run_command):
    cases = shared_path("data/natural/boston/price/Prototask.data").read_bytes()
    width = len(cases.splitlines()[0].split())
    spec = PRICE.replace(" 13\n", f" {width - 1}\n") if width == 14 else PRICE
    files = {
        "Dataset.spec": specification(width),
        "price/Prototask.spec": spec,
        "price/Prototask.data": cases,
    }
    files["price/std.prior"] = prior(width)
    root = write_tree(
        tmp_path / "delve-boston", {f"data/boston/{name}": text for name, text in files.items()}
    )
    (root / "methods").mkdir()
    assert problems(root, "boston") == []
    ran = run_command(main, "run", "lin-1", "/boston/price/std.64", "-q", "--workers", "1", path=root)
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.slow
@pytest.mark.shared
def test_use_of_processors_is_complete_without_the_file_of_its_dataset(tmp_path, run_command):
    folder = shared_path("data/natural/comp-activ/cpu")
    files = {
        "Dataset.spec": specification(27),
        "cpu/Prototask.spec": (folder / "Prototask.spec").read_bytes(),
        "cpu/Prototask.data.gz": (folder / "Prototask.data.gz").read_bytes(),
        "cpu/std.prior": prior(27),
    }
    root = write_tree(
        tmp_path / "delve-cpu", {f"data/comp-activ/{name}": text for name, text in files.items()}
    )
    (root / "methods").mkdir()
    assert problems(root, "comp-activ") == []
    ran = run_command(main, "run", "lin-1", "/comp-activ/cpu/std.64", "-q", "--workers", "1", path=root)
    assert (ran.code, ran.err) == (0, "")
