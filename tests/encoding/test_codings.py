"""Every coding of the manual's section 7.3, worked by hand, and back again; constants of training sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from delvecore.encoding.codings import (
    category_codes,
    center_and_scale,
    check_coding,
    code_of,
    decode_densities,
    default_coding,
    density_scale,
)
from delvecore.encoding.normalization import Constants, training_constants
from delvecore.errors import DelveError
from delvecore.model import Attribute, Coding, PriorLine
from delvecore.readers.cases import make_column
from delvecore.readers.dataset import parse_range

CONSTANTS = Constants(mean=3.0, standard_deviation=2.0, median=2.5, absolute_deviation=0.5)
SHADES = Attribute(5, "SHADE", "u", parse_range("pink blue red"), "")
SEX = Attribute(1, "SEX", "u", parse_range("male female"), "")
AGE = Attribute(2, "AGE", "u", parse_range("[0,Inf) ?"), "")


def coding(attribute, name, **options):
    return Coding(attribute.name, name, tuple(options.items()))


def encode(attribute, words, name, constants=CONSTANTS, **options):
    numbers = np.arange(1, len(words) + 1)
    code = code_of(attribute, coding(attribute, name, **options))
    return code.encode(make_column(words), constants, numbers)


def rows(attribute, words, name, **options):
    """The code of each word, as the line of a file shows it."""
    return [" ".join(row) for row in zip(*encode(attribute, words, name, **options), strict=True)]


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("1-of-n", {}, ["1 0 0", "0 1 0", "0 0 1"]),
        ("1-of-n", {"passive": "blue"}, ["1 0", "0 0", "0 1"]),
        ("0-up", {}, ["0", "1", "2"]),
        ("1-up", {}, ["1", "2", "3"]),
        ("therm", {}, ["-0.707106781 -0.707106781", "0.707106781 -0.707106781", "0.707106781 0.707106781"]),
        ("therm", {"scale": "linear"}, ["-0.5 -0.5", "0.5 -0.5", "0.5 0.5"]),
        ("therm", {"scale": "none"}, ["-1.0 -1.0", "1.0 -1.0", "1.0 1.0"]),
        ("copy", {}, ["pink", "blue", "red"]),
    ],
)
def test_codes_of_three_categories(name, options, expected):
    assert rows(SHADES, ["pink", "blue", "red"], name, **options) == expected


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("0/1", {"passive": "male"}, ["0", "1"]),
        ("0/1", {"passive": "female"}, ["1", "0"]),
        ("-1/+1", {}, ["-1", "1"]),
        ("copy", {}, ["male", "female"]),
    ],
)
def test_codes_of_two_categories(name, options, expected):
    assert rows(SEX, ["male", "female"], name, **options) == expected


def test_normalized_numbers_use_the_training_sets_constants():
    # nm-abs: (x - 2.5) / 0.5; nm-sqr: (x - 3) / 2; the center is added afterwards.
    assert rows(AGE, ["2.5", "3", "0"], "nm-abs") == ["0.0", "1.0", "-5.0"]
    assert rows(AGE, ["3", "4.0", "0"], "nm-sqr") == ["0.0", "0.5", "-1.5"]
    assert rows(AGE, ["2.5", "3"], "nm-abs", center="5") == ["5.0", "6.0"]


def test_angles_become_sine_and_cosine():
    # A quarter turn of a day of 24 hours is 6 hours; pi / 6 has sine 1/2.
    texts = encode(AGE, ["0", "6", "2"], "rectan", unit="24")
    assert [float(text) for text in texts[0]] == pytest.approx([0, 1, 0.5], abs=1e-9)
    assert [float(text) for text in texts[1]] == pytest.approx([1, 0, 3**0.5 / 2], abs=1e-9)


def test_ignored_attribute_has_no_columns():
    assert encode(AGE, ["1"], "ignore") == []


def test_copy_keeps_the_words_missing_values_too():
    assert encode(AGE, ["1.50", "?why"], "copy") == [["1.50", "?why"]]


def test_number_of_an_integer_range_is_its_category_however_written():
    digit = Attribute(1, "DIGIT", "u", parse_range("0..3"), "")
    assert rows(digit, ["3.0", "0"], "1-of-n") == ["0 0 0 1", "1 0 0 0"]


def test_word_that_is_no_value_is_an_error():
    with pytest.raises(DelveError, match="expected one of pink blue red, found 'grey'"):
        encode(SHADES, ["pink", "grey"], "therm")


def test_constants_divide_by_one_less_than_the_number_of_cases():
    # 1 2 3 6: mean 3, variance 14 / 3, median 2.5, deviations 1.5 0.5 0.5 3.5 sum to 6.
    constants = training_constants(np.array([1.0, 2.0, 3.0, 6.0]))
    assert constants == Constants(3.0, 2.16024690, 2.5, 2.0)


CATEGORICAL = [
    ("1-of-n", {}),
    ("1-of-n", {"passive": "red"}),
    ("0-up", {}),
    ("1-up", {}),
    *(("therm", {"scale": scale}) for scale in ("none", "linear", "sqrt")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), CATEGORICAL)
@given(words=st.lists(st.sampled_from(["pink", "blue", "red"]), min_size=1))
def test_categories_come_back_from_their_codes(name, options, words):
    one = coding(SHADES, name, **options)
    texts = code_of(SHADES, one).encode(make_column(words), None, np.arange(len(words)))
    assert code_of(SHADES, one).decode(np.array(texts, dtype=float).T, None) == words


@pytest.mark.parametrize(("name", "options"), [("0/1", {"passive": "male"}), ("-1/+1", {})])
def test_two_categories_come_back_from_their_codes(name, options):
    one = coding(SEX, name, **options)
    codes = np.array(list(category_codes(SEX, one).values()), dtype=float)
    assert code_of(SEX, one).decode(codes, None) == ["male", "female"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nm-abs", "nm-sqr"])
@given(values=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20), center=st.sampled_from([None, "2.5"]))
def test_numbers_come_back_from_their_codes(name, values, center):
    constants = training_constants(np.array(values))
    scale = center_and_scale(coding(AGE, name), constants)[1]
    if scale < 1e-3:
        return
    one = coding(AGE, name, **({"center": center} if center else {}))
    words = [repr(value) for value in values]
    texts = code_of(AGE, one).encode(make_column(words), constants, np.arange(len(values)))
    decoded = code_of(AGE, one).decode(np.array(texts, dtype=float).T, constants)
    largest = max(abs(value) for value in values) + 10 * scale
    assert [float(text) for text in decoded] == pytest.approx(values, abs=2e-8 * largest)


@given(st.floats(0, 23.999))
def test_angles_come_back_from_their_codes(hour):
    one = coding(AGE, "rectan", unit="24")
    texts = code_of(AGE, one).encode(make_column([repr(hour)]), None, np.array([1]))
    decoded = float(code_of(AGE, one).decode(np.array(texts, dtype=float).T, None)[0])
    assert min(abs(decoded - hour), 24 - abs(decoded - hour)) < 1e-6


@pytest.mark.parametrize(
    ("name", "options", "codes", "expected"),
    [
        ("1-of-n", {}, [[0.2, 0.5, 0.3], [0.4, 0.4, 0.2], [-3, -2, -2]], ["blue", "pink", "blue"]),
        ("1-of-n", {"passive": "red"}, [[0.4, 0.3], [0.6, 0.7], [0.5, 0.5]], ["red", "blue", "pink"]),
        ("therm", {}, [[0.9, -0.2], [0.1, 0.2], [-0.1, 0.05], [0, 0]], ["blue", "red", "pink", "pink"]),
        ("0-up", {}, [[1.4], [1.6], [9], [0.5]], ["blue", "red", "red", "pink"]),
    ],
)
def test_code_that_no_value_has_stands_for_the_nearest_the_first_of_equals(name, options, codes, expected):
    decoded = code_of(SHADES, coding(SHADES, name, **options)).decode(np.array(codes, dtype=float), None)
    assert decoded == expected


def test_densities_are_divided_by_the_product_of_the_scales():
    codings = [coding(AGE, "nm-abs"), coding(AGE, "nm-sqr")]
    scale = density_scale(codings, [CONSTANTS, CONSTANTS])
    assert scale == 0.5 * 2.0
    assert decode_densities(np.array([0.3]), 6.0) == pytest.approx([0.05])
    assert decode_densities(np.array([-1.0]), np.e, logarithms=True) == pytest.approx([-2.0])


@pytest.mark.parametrize(
    ("said", "expected"),
    [((), ("nm-abs", ())), ((("coding", "copy"),), ("copy", ())), ((("coding", "nm-sqr"),), ("nm-sqr", ()))],
)
def test_a_prior_may_say_which_coding_is_the_default(said, expected):
    line = PriorLine(AGE.number, "NLMH", "real", said)
    assert default_coding(AGE, line)[1:] == expected


# Section 7.3 describes codings of `categorical` and `numerical` attributes; DELVE 1.1 takes fewer types.
ONLY_IN_THE_MANUAL = [
    *(("binary", name) for name in ("1-of-n", "0-up", "1-up", "therm")),
    *(("angular", name) for name in ("nm-abs", "nm-sqr")),
    *((kind, "rectan") for kind in ("integer", "real")),
]


@pytest.mark.parametrize(("kind", "name"), ONLY_IN_THE_MANUAL)
def test_a_coding_that_only_the_manual_has_for_a_type_is_refused_by_strict_only(kind, name):
    attribute, line = SEX if kind == "binary" else AGE, PriorLine(1, "N", kind, ())
    one = coding(attribute, name, **({"unit": "24"} if name == "rectan" else {}))
    check_coding(one, attribute, line)
    with pytest.raises(ValueError, match=f"'{name}', which DELVE 1.1 refuses for {kind} attributes"):
        check_coding(one, attribute, line, strict=True)


@pytest.mark.parametrize(
    ("kind", "name"), [("real", "1-of-n"), ("angular", "therm"), ("nominal", "0/1"), ("binary", "rectan")]
)
def test_a_coding_that_the_manual_has_not_for_a_type_is_refused(kind, name):
    attribute = SHADES if kind == "nominal" else SEX if kind == "binary" else AGE
    with pytest.raises(ValueError, match=f"which is {kind}, one of"):
        check_coding(coding(attribute, name), attribute, PriorLine(1, "N", kind, ()))


@pytest.mark.parametrize(
    ("name", "options", "names", "expected"),
    [
        ("1-of-n", {}, ["SEX:male", "SEX:female"], ["1 0", "0 1"]),
        ("1-of-n", {"passive": "male"}, ["SEX:female"], ["0", "1"]),
        ("0-up", {}, ["SEX"], ["0", "1"]),
        ("1-up", {}, ["SEX"], ["1", "2"]),
        ("therm", {}, ["SEX:female"], ["-1.0", "1.0"]),
        ("therm", {"order": "female,male"}, ["SEX:male"], ["1.0", "-1.0"]),
    ],
)
def test_codes_of_categories_suit_two_values_too(name, options, names, expected):
    # n = 2: two numbers or, with a passive value, one; a thermometer of one number, +-1 in any scale.
    one = code_of(SEX, coding(SEX, name, **options))
    assert one.column_names() == names
    assert rows(SEX, ["male", "female"], name, **options) == expected
    codes = np.array([line.split() for line in expected], dtype=float)
    assert list(one.decode(codes, None)) == ["male", "female"]


def test_sums_are_exact() -> None:
    # 1e16 + 1 - 1e16: a plain sum loses the 1, the mean is 1/3.
    assert training_constants(np.array([1e16, 1.0, -1e16])).mean == 0.333333333
