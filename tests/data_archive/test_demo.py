"""The demo dataset follows the manual's figures and the model that its notes describe."""

import math

import numpy as np
import pytest

from tests.data_archive.archive import DATASETS, rows_of

# Manual, Figure 3.3; the figure sets its columns by hand.
FIGURE_3_3 = """
 1 SEX u male female # Sex of the person
 2 AGE u [0,Inf) # Age of the person in years
 3 SIBLINGS u 0..Inf # Number of siblings the person has
 4 INCOME u [0,Inf) # The person's annual income (dollars)
 5 COLOUR u pink blue red green purple # The person's favourite colour
"""
# Manual, Figure 4.4.
FIGURE_4_4_PROTOTASK = """Cases: all
Inputs: 1 3 4 5
Order: retain
Origin: artificial
Targets: 2
Test-Set-Size: 1024
Training-Set-Sizes: 32 64 128 256 512
Test-Set-Selection: hierarchical
Maximum-Number-Of-Instances: 8
"""
FIGURE_4_4_PRIOR = "1 NLMH binary\n3 NLMH integer\n4 NLMH real\n5 NLMH nominal\n2 NLMH real\n"


@pytest.fixture(scope="module")
def people():
    sex, age, siblings, income, colour = zip(*rows_of("demo"), strict=True)
    numbers = {"age": age, "siblings": siblings, "income": income}
    arrays = {name: np.array(values, dtype=float) for name, values in numbers.items()}
    return arrays | {"female": np.array(sex) == "female", "colour": np.array(colour)}


def test_specifications_are_those_of_the_manual():
    attributes = (DATASETS / "demo" / "Dataset.spec").read_text().split("Attributes:")[1]
    assert attributes.split() == FIGURE_3_3.split()
    assert (DATASETS / "demo" / "age" / "Prototask.spec").read_text() == FIGURE_4_4_PROTOTASK
    assert (DATASETS / "demo" / "age" / "std.prior").read_text() == FIGURE_4_4_PRIOR


def test_numbers_are_in_their_ranges_and_recorded_as_the_notes_say():
    _, age, siblings, income, _ = zip(*rows_of("demo"), strict=True)
    assert all(len(value.split(".")[1]) == 1 and float(value) >= 0 for value in age)
    assert all(value.isdecimal() for value in siblings)
    assert all(len(value.split(".")[1]) == 2 and float(value) >= 0 for value in income)


def test_half_and_a_bit_are_female(people: dict[str, np.ndarray]):
    # 2048 draws with probability 0.53: 1085 expected, standard deviation 22.6.
    assert people["female"].sum() == pytest.approx(2048 * 0.53, abs=3 * 22.6)


@pytest.mark.parametrize(("female", "scale"), [(True, 40.0), (False, 30.0)])
def test_ages_are_half_normal(people: dict[str, np.ndarray], female: bool, scale: float):
    # |N(0, s)| has mean s sqrt(2/pi) and mean square s^2 (variance of the square 2 s^4).
    age = people["age"][people["female"] == female]
    spread = scale * math.sqrt(1 - 2 / math.pi) / math.sqrt(len(age))
    assert age.mean() == pytest.approx(scale * math.sqrt(2 / math.pi), abs=3 * spread)
    assert (age**2).mean() == pytest.approx(scale**2, abs=3 * scale**2 * math.sqrt(2 / len(age)))


def test_the_spread_of_ages_is_near_that_of_the_manuals_demo(people: dict[str, np.ndarray]):
    # Section 1.3: raw 520.43 is 1.06461 standardized, so the variance of its 1024 test ages was 488.8.
    # Section 8.3: raw 15.0988 is 0.893246 standardized, so their absolute deviation was 16.9.
    age = people["age"][:1024]
    assert age.var(ddof=1) == pytest.approx(488.8, rel=0.15)
    assert np.abs(age - np.median(age)).sum() / 1023 == pytest.approx(16.9, rel=0.1)


def test_siblings_are_cut_exponentials(people: dict[str, np.ndarray]):
    # The whole part of an exponential of mean m is geometric: mean g = 1/(e^(1/m) - 1), variance g + g^2.
    mean = 3 * (1 + people["age"]) / (3 + people["age"])
    expected = 1 / np.expm1(1 / mean)
    spread = math.sqrt((expected + expected**2).sum())
    assert people["siblings"].sum() == pytest.approx(expected.sum(), abs=3 * spread)


def test_incomes_are_wages_of_those_who_work_and_other_income(people: dict[str, np.ndarray]):
    # A mixture: p of 30000 (second moment 2 * 30000^2), and 50 age (variance (50 age)^2).
    age, female = people["age"], people["female"]
    retires = 1 + np.exp((age - np.where(female, 65, 60)) / 5)
    works = np.where(female, 0.8, 0.9) / ((1 + np.exp(20 - age)) * retires)
    expected = works * 30000 + 50 * age
    variance = works * 2 * 30000**2 - (works * 30000) ** 2 + (50 * age) ** 2
    assert people["income"].sum() == pytest.approx(expected.sum(), abs=3 * math.sqrt(variance.sum()))


def test_colours_follow_their_weights(people):
    age, female = people["age"], people["female"]
    youth = np.exp(-age / 15)
    weights = {
        "pink": np.where(female, 1 + 6 * youth, 1),
        "blue": np.where(female, 2, 5),
        "red": 1 + 4 * youth,
        "green": 1 + age / 30,
        "purple": np.where(female, 0.5 + 2 * (1 - youth), 0.5),
    }
    total = sum(weights.values())
    assert set(people["colour"]) == set(weights)
    for colour, weight in weights.items():
        for group in (female, ~female):
            share = (weight / total)[group]
            count = (people["colour"][group] == colour).sum()
            assert count == pytest.approx(share.sum(), abs=3.5 * math.sqrt((share * (1 - share)).sum()))
