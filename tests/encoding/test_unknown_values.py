"""Missing and censored values in codings: section 3.3 of the manual, and the options of this program."""

import numpy as np
import pytest

from delvecore.encoding.codings import check_coding, code_of, column_names, task_codings
from delvecore.errors import DelveError
from delvecore.model import Attribute, Coding, PriorLine
from delvecore.readers.cases import make_column
from delvecore.readers.dataset import parse_range
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task
from tests.archives import small_archive, write_tree
from tests.encoded import constants_of, encoded_task
from tests.encoding.test_codings import CONSTANTS, coding

AGE = Attribute(1, "AGE", "u", parse_range("[0,Inf) ?"), "")
SEX = Attribute(2, "SEX", "u", parse_range("male female ?"), "")
SHADE = Attribute(3, "SHADE", "u", parse_range("pink blue red grey ?"), "")


def rows(attribute, words, name, training=(), **options):
    """The code of each word, as the line of a file shows it."""
    column, cases = make_column(words.split()), np.arange(1, len(words.split()) + 1)
    columns = code_of(attribute, coding(attribute, name, **options)).encode(
        column, CONSTANTS, cases, training=lambda: make_column(training.split())
    )
    return [" ".join(row) for row in zip(*columns, strict=True)]


def test_an_indicator_is_a_further_column_that_is_1_where_the_value_is_missing():
    one = coding(AGE, "nm-abs", missing="indicator")
    assert column_names(AGE, one) == ["AGE", "AGE:missing"]
    assert rows(AGE, "3 ? ?refused 2", "nm-abs", missing="indicator") == ["1.0 0", "0.0 1", "0.0 1", "-1.0 0"]


def test_copied_numbers_keep_their_words_and_the_median_stands_for_missing_ones():
    assert rows(AGE, "3 ? 2.50", "copy", "1 4 ? 7", missing="indicator") == ["3 0", "4.0 1", "2.50 0"]
    assert rows(AGE, "3 ?", "copy", "? ?", missing="indicator") == ["3 0", "0 1"]
    assert rows(AGE, "3 ?", "copy", "1 4 7 8", missing="mean") == ["3", "5.0"]


@pytest.mark.parametrize(
    ("attribute", "name", "options", "center"),
    [
        (AGE, "nm-abs", {}, "0.0"),
        (AGE, "nm-sqr", {"center": "5"}, "5.0"),
        (AGE, "rectan", {"unit": "24"}, "0.0 0.0"),
        (SEX, "-1/+1", {}, "0.0"),
        (SHADE, "0-up", {}, "1.5"),
        (SHADE, "1-of-n", {}, "0 0 0 0"),
        (SHADE, "therm", {}, "0.0 0.0 0.0"),
    ],
)
def test_with_an_indicator_a_missing_value_is_at_the_center_of_its_coding(attribute, name, options, center):
    assert rows(attribute, "?", name, missing="indicator", **options) == [f"{center} 1"]


def test_missing_numbers_are_replaced_by_mean_median_or_mode_of_the_training_set():
    # nm-abs: (x - 2.5) / 0.5, mean 3, median 2.5; the commonest of the training values is 2.
    training = "2 2 9 ? 7: 7: 7:"
    encoded = [
        rows(AGE, "4 ?", "nm-abs", training, missing=method)[1] for method in ("mean", "median", "mode")
    ]
    assert encoded == ["1.0", "0.0", "-1.0"]


def test_missing_categories_are_replaced_by_mean_median_or_mode_of_their_codes_in_the_training_set():
    # Places 0 0 1 3 3 of 0-up: mean 7 / 5, median 1; pink and grey are commonest, pink comes first.
    training = "grey pink blue ? pink grey"
    encoded = [
        rows(SHADE, "red ?", "0-up", training, missing=method)[1] for method in ("mean", "median", "mode")
    ]
    assert encoded == ["1.4", "1.0", "0"]
    assert rows(SHADE, "red ?", "1-of-n", training, missing="mean") == ["0 0 1 0", "0.4 0.2 0.0 0.4"]
    assert rows(SHADE, "red ?", "1-of-n", training, missing="mode")[1] == "1 0 0 0"


def test_missing_angles_are_replaced_by_the_mean_of_sines_and_cosines():
    assert rows(AGE, "? 6", "rectan", "0 6", unit="24", missing="mean")[0] == "0.5 0.5"


def test_a_training_set_without_known_values_has_no_mean():
    with pytest.raises(DelveError, match="AGE: expected a known value in the training set for missing=mean"):
        rows(AGE, "4 ?", "nm-abs", "? ?", missing="mean")


def test_a_censored_value_is_encoded_by_its_bound_only_where_the_coding_says_so():
    assert rows(AGE, "3: :2 3", "nm-abs", censored="bound") == ["1.0", "-1.0", "1.0"]
    with pytest.raises(DelveError, match="found '3:'; use censored=mark"):
        rows(AGE, "3:", "nm-abs", missing="mean")


def test_a_marked_censored_value_keeps_its_colon():
    listed_rows = rows(AGE, "3: :2 3 ?", "nm-abs", censored="mark", missing="indicator")
    assert listed_rows == ["1.0: 0", ":-1.0 0", "1.0 0", "0.0 1"]


@pytest.mark.parametrize(
    ("attribute", "kind", "way", "message"),
    [
        (AGE, "real", "mode", "missing=indicator, mean or median with copy"),
        (SEX, "binary", "mean", "missing= only where numbers are copied"),
    ],
)
def test_copied_values_take_some_ways_with_missing_ones_only(attribute, kind, way, message):
    line = PriorLine(attribute.number, "NLMH", kind, ())
    with pytest.raises(ValueError, match=message):
        check_coding(coding(attribute, "copy", missing=way), attribute, line)


def encoded(root, codings):
    hierarchy = Hierarchy([str(root)])
    dataset, prototask, prior, task = read_task(hierarchy, "demo", "shade", "std.4")
    return encoded_task(hierarchy, dataset, prototask, prior, task.training_size, codings=codings)


def test_missing_inputs_of_a_task_are_encoded_with_the_constants_of_known_values_only(tmp_path):
    root = small_archive(tmp_path)
    data = root / "data/demo/Dataset.data"
    lines = data.read_text().splitlines()
    order = [int(line) for line in (root / "data/demo/shade/Random-order").read_text().split()]
    first = order[6]  # the first training case of instance 0
    lines[first - 1] = " ".join(["male", "?refused", *lines[first - 1].split()[2:]])
    write_tree(root, {"data/demo/Dataset.data": "\n".join(lines)})
    task = encoded(root, {2: Coding("AGE", "nm-sqr", (("missing", "indicator"),))})
    assert task.input_names == ("SEX", "AGE", "AGE:missing", "KIDS")
    instance = task.instances[0]
    assert instance.train_inputs[0, 1:3].tolist() == [0, 1]
    assert instance.train_inputs[1:, 2].tolist() == [0, 0, 0]
    known = [float(lines[case - 1].split()[1]) for case in order[7:10]]
    assert constants_of(instance)[2].mean == pytest.approx(np.mean(known))
    assert constants_of(instance)[2].standard_deviation == pytest.approx(np.std(known, ddof=1))


def test_true_targets_are_not_made_up(tmp_path):
    dataset, prototask, prior, _ = read_task(
        Hierarchy([str(small_archive(tmp_path))]), "demo", "age", "std.8"
    )
    for option, value in (("missing", "mean"), ("censored", "bound")):
        with pytest.raises(ValueError, match=f"{option} to be error"):
            task_codings(dataset, prototask, prior, {2: Coding("AGE", "nm-abs", ((option, value),))})
