"""Generate the orchard dataset: invented apple trees of four varieties, one of them rare.

The model and all its constants are described in `Notes`.
"""

import numpy as np
from generators.files import (
    Attribute,
    Design,
    cases_text,
    dataset_text,
    order_text,
    prior_text,
    prototask_text,
)

from delvecore.simulators.random_numbers import Draws

TREES, SEED, ORDER_SEED, FOLDS = 1000, 1759, 1760, 5
MATURE = 6
VARIETIES, SHARES = ("common", "russet", "early", "wild"), (0.5, 0.28, 0.14, 0.08)
SKINS = ("yellow", "green", "red", "striped")
SKIN_SHARES = ((0.2, 0.2, 0.2, 0.4), (0.6, 0.25, 0.1, 0.05), (0.25, 0.05, 0.5, 0.2), (0.2, 0.6, 0.1, 0.1))

ATTRIBUTES = (
    Attribute("FERTILIZER", "0 20 40 80", "Nitrogen (kg/ha) that the plot of the tree gets", "c"),
    Attribute("SPACING", "3..6", "Distance between trees of the plot (m)", "c"),
    Attribute("AGE", "2..30", "Age of the tree in years"),
    Attribute("BLOSSOM", "1..365", "Day of the year on which half of its flowers were open"),
    Attribute("LEAF", "(0,Inf)", "Mean length of ten leaves (cm)"),
    Attribute("SKIN", " ".join(SKINS), "Color of the ripe fruit"),
    Attribute("FRUIT", "(0,Inf) ?bare ?stolen", "Mean weight of a fruit (g)"),
    Attribute("YIELD", "[0,Inf)", "Weight of the harvest (kg)"),
    Attribute("VARIETY", " ".join(VARIETIES), "Variety of the tree"),
)
TYPES = {
    1: "ordinal",
    2: "integer",
    3: "integer",
    4: "angular unit=365",
    5: "real",
    6: "nominal",
    7: "real",
    8: "real",
    9: "nominal",
}
COSTS = """# A guess a row, the true variety a column: common russet early wild
0 1 1 4
1 0 1 4
1 1 0 4
2 2 2 0
# no guess
0.5 0.5 0.5 1
"""


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    cases = _cases()
    files = {"Dataset.data": cases_text(cases), "Dataset.spec": _specification()}
    files |= {f"variety/{name}": text for name, text in _variety_files().items()}
    files |= {f"yield/{name}": text for name, text in _yield_files(cases).items()}
    return files


def _variety_files() -> dict[str, str]:
    """Which variety is it? Stratified, since whoever has to tell them apart gathers some of each."""
    inputs = [4, 5, 6, 7]
    specification = prototask_text(
        origin="artificial",
        order="Random-order",
        inputs=inputs,
        targets=[9],
        design=Design(test_size=160, training_sizes=(16, 32, 64), selection="common", instances=4),
        further=["Stratified: yes"],
    )
    prior = prior_text({number: TYPES[number] for number in (*inputs, 9)})
    order = order_text(Draws(ORDER_SEED).order(TREES))
    return {"Prototask.spec": specification, "std.prior": prior, "Random-order": order, "costs": COSTS}


def _yield_files(cases: list[tuple[str, ...]]) -> dict[str, str]:
    """How much does a grown tree bear? Cases are listed; one task is a cross-validation of its own."""
    inputs = [1, 2, 3, 4, 5, 9]
    mature = [number for number, case in enumerate(cases, start=1) if int(case[2]) >= MATURE]
    specification = prototask_text(
        origin="artificial",
        order="Random-order",
        inputs=inputs,
        targets=[8],
        design=Design(test_size=160, training_sizes=(32, 64, 128), selection="common", instances=4),
        cases="mature",
    )
    order = Draws(ORDER_SEED).order(len(mature))
    size, folds = _folds([mature[place - 1] for place in order])
    return {
        "Prototask.spec": specification,
        "std.prior": prior_text({number: TYPES[number] for number in (*inputs, 8)}),
        "mature": f"# Trees of {MATURE} years and more\n" + order_text(mature),
        "Random-order": order_text(order),
        f"std.{size}.instances": folds,
    }


def _folds(order: list[int]) -> tuple[int, str]:
    """Return the size of the smallest training set, and the file of a cross-validation."""
    tests = [sorted(order[fold::FOLDS]) for fold in range(FOLDS)]
    trained = [sorted(set(order) - set(test)) for test in tests]
    lines = [f"# {FOLDS}-fold cross-validation of all grown trees, in the random order of the prototask"]
    for fold, (training, test) in enumerate(zip(trained, tests, strict=True)):
        lines += [f"Instance: {fold}", f"Training: {_listed(training)}", f"Test: {_listed(test)}"]
    return min(map(len, trained)), "\n".join(lines) + "\n"


def _listed(cases: list[int]) -> str:
    """Case numbers, 24 a line."""
    rows = [" ".join(map(str, cases[start : start + 24])) for start in range(0, len(cases), 24)]
    return " \\\n  ".join(rows)


def _cases() -> list[tuple[str, ...]]:
    """One tree after the other; its variety decides how it looks, and partly what it bears."""
    draws = Draws(SEED)
    variety = _chosen(draws, np.tile(SHARES, (TREES, 1)))
    fertilizer = np.array((0, 20, 40, 80))[(draws.uniform(TREES) * 4).astype(int)]
    spacing = 3 + (draws.uniform(TREES) * 4).astype(int)
    age = 2 + np.minimum(draws.exponential(TREES) * 11, 28).astype(int)
    blossom = np.array([124, 128, 112, 118])[variety] + 5 * draws.normal(TREES)
    leaf = np.array([8.0, 9.0, 7.6, 5.6])[variety] + 0.008 * fertilizer + 0.8 * draws.normal(TREES)
    skin = _chosen(draws, np.array(SKIN_SHARES)[variety])
    fruit = np.array([150, 125, 110, 45])[variety] * np.exp(0.18 * draws.normal(TREES))
    grown = 1 - np.exp(-age / 7)
    bearing = np.array([60, 50, 42, 20])[variety] * grown * (0.7 + 0.1 * spacing)
    harvest = bearing * (1 + fertilizer / (fertilizer + 40) - fertilizer**2 / 12000)
    harvest = harvest * (1 - 0.02 * np.maximum(120 - blossom, 0)) * np.exp(0.2 * draws.normal(TREES))
    harvest = np.where(draws.uniform(TREES) < 0.4 * np.exp(-age / 3), 0.0, harvest)
    stolen = (draws.uniform(TREES) < 0.03) & (harvest > 0)
    columns = (
        fertilizer,
        spacing,
        age,
        [f"{day:.0f}" for day in blossom],
        [f"{length:.1f}" for length in np.maximum(leaf, 1)],
        np.array(SKINS)[skin],
        np.where(harvest == 0, "?bare", np.where(stolen, "?stolen", [f"{grams:.0f}" for grams in fruit])),
        [f"{kilos:.1f}" for kilos in np.maximum(harvest, 0)],
        np.array(VARIETIES)[variety],
    )
    return [tuple(map(str, case)) for case in zip(*columns, strict=True)]


def _chosen(draws: Draws, shares: np.ndarray) -> np.ndarray:
    """Draw the number of a column for each row, in proportion to its shares."""
    bounds = np.cumsum(shares, axis=1)[:, :-1]
    return (draws.uniform(len(shares))[:, None] >= bounds).sum(axis=1)


def _specification() -> str:
    return dataset_text(
        title="Apple trees of an invented orchard: their variety and their yield",
        origin="artificial",
        usage="development",
        order="uninformative",
        attributes=ATTRIBUTES,
    )
