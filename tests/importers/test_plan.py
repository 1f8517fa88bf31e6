"""The plan of an import: the order of cases, sizes of training sets, rare classes."""

import pytest

from delvecore.errors import DelveError, Fault
from delvecore.importers.import_messages import order_lines, rare_line
from delvecore.importers.plan import parse_sizes
from delvecore.model import RETAIN
from tests.importers.making import delve_directory, imported, planned, problems

TEXT = "when,x,y\n" + "".join(f"case {n:02},{n * 7 % 40},{n * 13 % 40}.5\n" for n in range(40))


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("random", ("random order, seed 1, as requested", "")),
        ("retain", ("order of the file retained, as requested", "")),
        (None, ("random order, seed 1", "--order retain keeps the order of the file")),
    ],
)
def test_the_order_is_random_unless_that_of_the_file_is_asked_for(order, said, tmp_path):
    root = delve_directory(tmp_path)
    plan = imported(root, tmp_path / "a.csv", TEXT, targets=["y"], order=order)
    assert next(order_lines(plan)) == said
    is_retained = order == RETAIN
    assert ("Order: retain\n" in (root / "data/a/y/Prototask.spec").read_text()) == is_retained
    assert (root / "data/a/y/Random-order").exists() != is_retained
    note = "Order of the file retained, as requested." if is_retained else "Random order"
    assert f"Prototask y. {note}" in (root / "data/a/Source/Notes").read_text()
    assert problems(root, "a") == []


def test_sizes_of_training_sets_are_as_asked(tmp_path):
    root = delve_directory(tmp_path)
    imported(root, tmp_path / "a.csv", TEXT, targets=["y"], sizes=(25, 5))
    text = (root / "data/a/y/Prototask.spec").read_text()
    # One training set of 25 cases is more than half of the 40; the other 15 test.
    assert "Test-Set-Size: 15\nTraining-Set-Sizes: 5 25\n" in text
    assert problems(root, "a") == []


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((40,), "sizes: expected sizes below 40, the number of cases with known targets, found 40"),
        ((5, 5), "sizes: expected whole numbers of at least 1, each once, found 5, 5"),
    ],
)
def test_sizes_that_the_cases_do_not_allow_are_refused_before_anything_is_written(sizes, message, tmp_path):
    with pytest.raises(DelveError) as caught:
        planned(tmp_path / "a.csv", TEXT, targets=["y"], sizes=sizes)
    assert str(caught.value) == message


def test_sizes_are_written_with_commas_or_blanks():
    assert parse_sizes("64,128") == parse_sizes(" 64 128 ") == (64, 128)
    assert parse_sizes("") == ()
    with pytest.raises(Fault, match=r"sizes: expected whole numbers .*, found '64,many'"):
        parse_sizes("64,many")


def classes(counts: dict[str, int]) -> str:
    words = [word for word, count in counts.items() for _ in range(count)]
    return "x,kind\n" + "".join(f"{n * 7 % 101},{word}\n" for n, word in enumerate(words))


def test_classes_with_fewer_than_two_cases_a_training_set_are_told(tmp_path):
    # 150 cases train in sets of 16 and 32. Of 32, "a" has 0.85, "b" exactly 2.13; of 16, "b" has 1.07.
    text = classes({"a": 4, "b": 10, "c": 136})
    assert rare_line(planned(tmp_path / "a.csv", text, targets=["kind"])) == (
        "rare classes, fewer than two cases a training set on average: 'a' of kind up to size 32 (4 of 150 cases), "
        "'b' of kind up to size 16 (10 of 150 cases)"
    )
    # With 75 of 150 cases trained on, "a" has exactly two.
    assert rare_line(planned(tmp_path / "b.csv", text, targets=["kind"], sizes=(75,))) == ""
