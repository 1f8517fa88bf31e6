"""Datasets that an import writes: valid, complete or absent, and never in the place of another."""

import contextlib

import pytest

from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.errors import DelveError, Fault
from delvecore.importers.case_files import open_source
from delvecore.importers.dataset_writer import write_import
from delvecore.importers.plan import ImportOptions, cases_for_testing, plan_import, training_set_sizes
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset, read_prototask
from tests.importers.making import cars, delve_directory, imported, problems
from tests.reliability.killing import contents, killed_before


def cases_of(root, dataset, prototask):
    hierarchy = Hierarchy([str(root)])
    read = read_dataset(hierarchy, dataset)
    return prototask_cases(hierarchy, read, read_prototask(hierarchy, read, prototask))


def test_an_imported_dataset_is_valid_and_holds_the_words_of_the_file(tmp_path):
    root = delve_directory(tmp_path)
    imported(root, tmp_path / "cars.csv", cars(), targets=["price", "airbag", "doors,wheels"])
    assert problems(root, "cars") == []
    lines = (root / "data/cars/Dataset.data").read_text().splitlines()
    assert lines[0] == "maker_0 2 900.5 0 diesel 4 1000"
    assert lines[7] == "maker_1 5 1159.5 1 natural_gas 4 ?"
    assert sorted(path.name for path in (root / "data/cars").iterdir()) == [
        *("Dataset.data", "Dataset.spec", "Source", "Summary", "airbag", "doors-wheels", "price")
    ]


def test_cases_without_a_target_are_in_no_task_that_predicts_it(tmp_path):
    root = delve_directory(tmp_path)
    imported(root, tmp_path / "cars.csv", cars(), targets=["price", "airbag"])
    cases = cases_of(root, "cars", "price")
    assert cases.count == 57
    assert not cases.columns[cases.prototask.targets[0]].missing.any()
    assert cases_of(root, "cars", "airbag").count == 60


def test_the_order_is_random_and_the_same_for_a_seed(tmp_path):
    orders = []
    for name, seed in (("one", 5), ("two", 5), ("three", 6)):
        root = delve_directory(tmp_path, f"delve-{name}")
        imported(root, tmp_path / "cars.csv", cars(), targets=["airbag"], seed=seed)
        orders.append((root / "data/cars/airbag/Random-order").read_text())
    assert orders[0] == orders[1] != orders[2]


def test_blanks_around_words_and_words_that_look_alike_stay_apart(tmp_path):
    root = delve_directory(tmp_path)
    rows = "".join(f" {n}.5 , {('a b', 'a_b', ' a b ')[n % 3]} ,{n}\n" for n in range(30))
    plan = imported(root, tmp_path / "a.csv", f"x,c,y\n{rows}", targets=["x"], types={"y": "integer"})
    assert plan.dataset.attributes[1].range.text == "a_b a_b_2"
    assert (root / "data/a/Dataset.data").read_text().startswith("0.5 a_b 0\n1.5 a_b_2 1\n2.5 a_b 2\n")
    assert problems(root, "a") == []


HOSTILE = (
    *("\\", "#", "?x", "@1", "[1,2]", "(3", ":4", "5:", "1..3", "a=b", "=a", "0..Inf", ",x;", "'", "|", "-1"),
    *("+1", "ß", "é", "\u202e", "a\nb", "tab\tx", " "),
)


def test_any_words_and_names_make_a_valid_dataset(tmp_path):
    import csv

    root, path = delve_directory(tmp_path), tmp_path / "hostile.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["y", "1_2", "#x", "a b", "a_b", "@x\n", "c:"])
        for n in range(80):
            writer.writerow(
                [f"{n}.25", *(HOSTILE[(n * step) % len(HOSTILE)] for step in (1, 3, 5, 7, 9, 11))]
            )
    imported(root, path, targets=["y"])
    assert problems(root, "hostile") == []
    assert cases_of(root, "hostile", "y").count == 80


def test_nothing_is_written_where_there_is_a_dataset_of_this_name(tmp_path):
    root = delve_directory(tmp_path)
    plan = imported(root, tmp_path / "cars.csv", cars(), targets=["price"])
    before = contents(root)
    with pytest.raises(Fault, match="expected no dataset of this name yet, found one"):
        write_import(plan, str(root))
    assert contents(root) == before


def test_a_fault_while_it_is_written_leaves_nothing(tmp_path):
    root = delve_directory(tmp_path)
    with pytest.raises(DelveError, match="expected at least 12 cases with known targets, found 11"):
        imported(root, tmp_path / "cars.csv", cars(11), targets=["airbag"])
    assert contents(root) == {}


def test_a_kill_leaves_all_or_nothing_and_the_next_import_clears_up(tmp_path):
    path = tmp_path / "cars.csv"
    path.write_text(cars())
    plan = plan_import(open_source(str(path)), ImportOptions(targets=["price"]))
    whole = delve_directory(tmp_path, "delve-whole")
    write_import(plan, str(whole))
    expected = contents(whole)
    number, made = 1, ["some"]
    while len(made) >= number - 1 and made:
        root = delve_directory(tmp_path, f"delve-{number}")
        with killed_before(number) as made:
            write_import(plan, str(root))
        data = {name: text for name, text in contents(root).items() if not name.startswith(".")}
        assert data in ({}, expected)
        with contextlib.suppress(Fault):  # that there is one: the second import has finished the first
            write_import(plan, str(root))
        assert contents(root) == expected
        if len(made) < number:
            break
        number += 1
    assert number > 5


SIZES = {
    12: (6, (3,)),
    150: (86, (16, 32)),
    506: (314, (16, 32, 64)),
    2048: (1024, (32, 64, 128, 256)),
    20000: (8192, (64, 128, 256, 512, 1024)),
}


@pytest.mark.parametrize("count", SIZES)
def test_half_of_the_cases_train_in_sizes_that_double(count):
    training = training_set_sizes(count)
    test = cases_for_testing(count, training[-1])
    assert (test, training) == SIZES[count]
    assert test + 2 * training[-1] <= count
