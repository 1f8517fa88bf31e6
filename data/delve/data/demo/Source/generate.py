"""Generate the demo dataset: people by sex, age, number of siblings, income and favourite colour.

The model and all its constants are described in `Notes`; they are stereotypes, not findings.
"""

import numpy as np
from generators.files import Attribute, Design, cases_text, dataset_text, prior_text, prototask_text

from delvecore.simulators.random_numbers import Draws

CASES = 2048
SEED = 1996

ATTRIBUTES = (
    Attribute("SEX", "male female", "Sex of the person"),
    Attribute("AGE", "[0,Inf)", "Age of the person in years"),
    Attribute("SIBLINGS", "0..Inf", "Number of siblings the person has"),
    Attribute("INCOME", "[0,Inf)", "The person's annual income (dollars)"),
    Attribute("COLOUR", "pink blue red green purple", "The person's favourite colour"),
)
TYPES = {1: "binary", 2: "real", 3: "integer", 4: "real", 5: "nominal"}
TARGETS = {"sex": 1, "age": 2, "siblings": 3, "income": 4, "colour": 5}
DESIGN = Design(test_size=1024, training_sizes=(32, 64, 128, 256, 512), selection="hierarchical", instances=8)


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    files = {"Dataset.data": cases_text(_cases()), "Dataset.spec": _specification()}
    for prototask, target in TARGETS.items():
        files |= _prototask_files(prototask, target)
    return files


def _cases() -> list[tuple[str, ...]]:
    """Draw all people, attribute by attribute; each attribute depends on those before it."""
    draws = Draws(SEED)
    female = draws.uniform(CASES) < 0.53
    age = np.abs(draws.normal(CASES)) * np.where(female, 40.0, 30.0)
    siblings = draws.exponential(CASES) * 3.0 * (1.0 + age) / (3.0 + age)
    income = _income(draws, female, age)
    colour = _colour(draws, female, age)
    sexes = np.where(female, "female", "male")
    people = zip(sexes, age, siblings, income, colour, strict=True)
    return [(str(s), f"{a:.1f}", f"{int(n)}", f"{i:.2f}", c) for s, a, n, i, c in people]


def _income(draws: Draws, female: np.ndarray, age: np.ndarray) -> np.ndarray:
    """Dollars a year: from work, for those who work, and from elsewhere, more of it with age."""
    starts = 1.0 + np.exp(-(age - 20.0))
    retires = 1.0 + np.exp((age - np.where(female, 65.0, 60.0)) / 5.0)
    works = draws.uniform(CASES) < np.where(female, 0.8, 0.9) / (starts * retires)
    wages = 30000.0 * draws.exponential(CASES)
    return np.where(works, wages, 0.0) + 50.0 * age * draws.exponential(CASES)


def _colour(draws: Draws, female: np.ndarray, age: np.ndarray) -> list[str]:
    """Favourite colours: chosen in proportion to weights that depend on sex and on youth."""
    youth = np.exp(-age / 15.0)
    weights = np.stack(
        [
            1.0 + 6.0 * female * youth,
            2.0 + 3.0 * ~female,
            1.0 + 4.0 * youth,
            1.0 + age / 30.0,
            0.5 + 2.0 * female * (1.0 - youth),
        ]
    )
    bounds = np.cumsum(weights, axis=0)
    chosen = (draws.uniform(CASES) * bounds[-1] >= bounds).sum(axis=0)
    names = ATTRIBUTES[4].range.split()
    return [names[index] for index in chosen]


def _specification() -> str:
    return dataset_text(
        title="Sex, age, siblings, income and favourite colour of invented people",
        origin="artificial",
        usage="development",
        order="uninformative",
        attributes=ATTRIBUTES,
    )


def _prototask_files(prototask: str, target: int) -> dict[str, str]:
    """Specification and standard prior of the prototask that predicts one attribute from the others."""
    inputs = [number for number in TYPES if number != target]
    types = {number: TYPES[number] for number in [*inputs, target]}
    specification = prototask_text(
        origin="artificial", order="retain", inputs=inputs, targets=[target], design=DESIGN
    )
    return {f"{prototask}/Prototask.spec": specification, f"{prototask}/std.prior": prior_text(types)}
