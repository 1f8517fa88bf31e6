"""`dgenorder` makes a random order for a prototask."""

from itertools import groupby

import pytest

from delvecore.cli import dgenorder, mgendata


@pytest.fixture
def prototask(small):
    """The directory of a prototask that asks for a random order."""
    directory = small / "data/demo/age"
    specification = directory / "Prototask.spec"
    specification.write_text(specification.read_text().replace("retain", "Random-order"))
    return directory


def order_of(directory):
    return [int(line) for line in (directory / "Random-order").read_text().splitlines()]


def test_file_has_one_line_for_each_case_used_by_the_prototask(prototask, run_command):
    assert run_command(dgenorder.main, directory=prototask).code == 0
    assert sorted(order_of(prototask)) == list(range(1, 25))


def test_numbers_go_up_to_the_number_of_cases_used_not_those_of_the_dataset(prototask, run_command):
    specification = prototask / "Prototask.spec"
    specification.write_text(specification.read_text().replace("Cases: all", "Cases: chosen"))
    (prototask / "chosen").write_text("3\n20\n7\n")
    assert run_command(dgenorder.main, directory=prototask).code == 0
    assert sorted(order_of(prototask)) == [1, 2, 3]


def test_without_a_seed_one_is_drawn_and_said(prototask, run_command):
    run_command(dgenorder.main, directory=prototask)
    first = order_of(prototask)
    said = run_command(dgenorder.main, directory=prototask).err
    second = order_of(prototask)
    assert first != second
    run_command(dgenorder.main, "-s", said.split()[2].rstrip(";"), directory=prototask)
    assert order_of(prototask) == second


def test_file_serves_as_the_order_of_the_prototask(prototask, small, run_command):
    task = small / "methods/mymethod/demo/age/std.4"
    task.mkdir(parents=True)
    missing = run_command(mgendata.main, "-q", directory=task)
    assert missing.code == 1
    # Some orders put equal values into a whole training set, which cannot be normalized then.
    assert run_command(dgenorder.main, "-s", "1", directory=prototask).code == 0
    assert run_command(mgendata.main, "-q", directory=task) == (0, "", "")


def test_cases_with_one_commonality_index_stay_together(prototask, small, run_command):
    specification, data = small / "data/demo/Dataset.spec", small / "data/demo/Dataset.data"
    marker = "Commonality indexes are present\nAttributes:"
    specification.write_text(specification.read_text().replace("Attributes:", marker))
    lines = data.read_text().splitlines()
    # Cases 1 to 20 have the indexes 0 to 4 in turn, the last four have none.
    marked = [f"{line} @{place % 5}" if place < 20 else line for place, line in enumerate(lines)]
    data.write_text("\n".join(marked) + "\n")
    orders = set()
    for seed in range(5):
        assert run_command(dgenorder.main, "-s", str(seed), directory=prototask).code == 0
        numbers = order_of(prototask)
        groups = [(number - 1) % 5 if number <= 20 else -number for number in numbers]
        assert len(list(groupby(groups))) == 9
        orders.add(tuple(numbers))
    assert len(orders) == 5


@pytest.mark.slow
def test_a_specification_that_names_another_order_is_a_warning(small, run_command):
    outcome = run_command(dgenorder.main, "-s", "1", directory=small / "data/demo/age")
    warning = "dgenorder: warning: /demo/age: its order is 'retain'; write 'Order: Random-order' to use the new one\n"
    assert outcome == (0, "", warning)
    assert (small / "data/demo/age/Random-order").exists()


@pytest.mark.parametrize("seed", ["-1", str(2**64), "٣"])
def test_seed_that_is_no_whole_number_is_an_error(prototask, run_command, seed):
    outcome = run_command(dgenorder.main, "-s", seed, directory=prototask)
    expected = f"dgenorder: -s: expected a whole number from 0 to 18446744073709551615, found {seed!r}\n"
    assert outcome == (1, "", expected)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("data", ".: expected the directory of a prototask, found another"),
        ("methods", ".: expected the true path of a directory at or below the data directory"),
    ],
)
def test_a_directory_that_is_no_prototask_is_an_error(small, run_command, place, message):
    outcome = run_command(dgenorder.main, directory=small / place)
    assert outcome.code == 1
    assert outcome.err.startswith(f"dgenorder: {message}")


def test_sequential_prototask_keeps_its_order(prototask, small, run_command):
    data = small / "data/demo/Dataset.spec"
    data.write_text(data.read_text().replace("uninformative", "informative"))
    specification = prototask / "Prototask.spec"
    text = specification.read_text().replace("Random-order", "sequential")
    specification.write_text(text + "Maximum-Dependency-Range: 2\n")
    outcome = run_command(dgenorder.main, directory=prototask)
    assert outcome.code == 1
    assert "expected a prototask that is not sequential" in outcome.err
    assert not (prototask / "Random-order").exists()
