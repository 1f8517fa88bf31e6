"""Generate the harbour dataset: the level of the water in an invented harbour, every six hours of a year.

The model and all its constants are described in `Notes`.
"""

import numpy as np
from generators.files import Attribute, Design, cases_text, dataset_text, prior_text, prototask_text

from delvecore.simulators.random_numbers import Draws

READINGS, SEED = 1460, 1953
TIDE, SPRINGS = 12.42, 14.77
"""Hours from high water to high water, and days from spring tide to spring tide."""

ATTRIBUTES = (
    Attribute("CLOCK", f"[0,{TIDE})", "Hours since the moon last stood highest or lowest"),
    Attribute("MOON", f"[0,{SPRINGS})", "Days since the moon was last new or full"),
    Attribute("WIND", "[0,360) ?storm", "Where the wind comes from, in degrees from north"),
    Attribute("FORCE", "0..12", "Force of the wind (Beaufort)"),
    Attribute("PRESSURE", "(0,Inf) ?", "Pressure of the air (hPa)"),
    Attribute("LEVEL", "(-Inf,Inf)", "Level of the water above its mean (cm)"),
)
ANGLES = {
    1: f"angular unit={TIDE}",
    2: f"angular unit={SPRINGS}",
    3: "angular unit=360",
    4: "integer",
    5: "real",
    6: "real",
}
PLAIN = {1: "real", 2: "real", 3: "real", 4: "integer", 5: "real", 6: "real"}
RELEVANCE = {1: "MH", 2: "MH", 3: "LM", 4: "LM", 5: "LM", 6: "MH"}
PLAIN_TEXT = (
    "What somebody knows who has never seen a tide: the clock, the moon and the wind's bearing are numbers "
    "like any other, so that full hours are far from none and north far from 359 degrees. Results with it "
    "show how much that costs. Readings near each other are thought to depend little on each other."
)
DESIGN = Design(test_size=400, training_sizes=(64, 128, 256), selection="common", instances=4)
REACH = 24


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    inputs = [1, 2, 3, 4, 5]
    specification = prototask_text(
        origin="artificial",
        order="sequential",
        inputs=inputs,
        targets=[6],
        design=DESIGN,
        further=[f"Maximum-Dependency-Range: {REACH}"],
    )
    reach = f"Dependency-Range: {REACH}"
    return {
        "Dataset.data": cases_text(_cases()),
        "Dataset.spec": _specification(),
        "level/Prototask.spec": specification,
        "level/std.prior": prior_text(ANGLES, dependency=["Dependency-Strength: NLMH", reach]),
        "level/plain.prior": prior_text(
            PLAIN, levels=RELEVANCE, about=PLAIN_TEXT, dependency=["Dependency-Strength: NL", reach]
        ),
    }


def _cases() -> list[tuple[str, ...]]:
    """One reading after the other; the weather of each follows that of the one before."""
    draws = Draws(SEED)
    time = 6.4 * np.arange(READINGS) + 0.5 * draws.uniform(READINGS)
    clock, moon = time % TIDE, (time / 24) % SPRINGS
    weather = _remembered(draws, 0.9)
    pressure = 1013 - 9 * weather - 3 * draws.normal(READINGS)
    force = np.clip(np.round(3.5 + 2.2 * weather + draws.normal(READINGS)), 0, 12) + 0.0
    wind = (290 + 70 * _remembered(draws, 0.85)) % 360
    level = _tide(clock, moon) + _surge(wind, force) - (pressure - 1013) + 12 * _remembered(draws, 0.8)
    blind = draws.uniform(READINGS) < np.where(force >= 8, 0.6, 0.01)
    lost = draws.uniform(READINGS) < 0.02
    columns = (
        [_around(value, TIDE, 2) for value in clock],
        [_around(value, SPRINGS, 2) for value in moon],
        ["?storm" if gone else _around(value, 360, 0) for value, gone in zip(wind, blind, strict=True)],
        [f"{value:.0f}" for value in force],
        ["?" if gone else f"{value:.1f}" for value, gone in zip(pressure, lost, strict=True)],
        [f"{value:.0f}" for value in level],
    )
    return list(zip(*columns, strict=True))


def _remembered(draws: Draws, share: float) -> np.ndarray:
    """Normal values of variance one, each a share of the one before and something new."""
    new, found = draws.normal(READINGS), np.empty(READINGS)
    found[0] = new[0]
    for reading in range(1, READINGS):
        found[reading] = share * found[reading - 1] + np.sqrt(1 - share**2) * new[reading]
    return found


def _around(value: float, unit: float, decimals: int) -> str:
    """The text of a value of a circle, from 0 to below its unit."""
    return f"{round(value, decimals) % unit:.{decimals}f}"


def _tide(clock: np.ndarray, moon: np.ndarray) -> np.ndarray:
    """High water an hour after the moon passed, highest a day and a half after new and full moon."""
    height = 95 + 30 * np.cos(2 * np.pi * (moon - 1.5) / SPRINGS)
    return height * np.cos(2 * np.pi * (clock - 1) / TIDE)


def _surge(wind: np.ndarray, force: np.ndarray) -> np.ndarray:
    """What wind from the north-west drives in, and wind from the south-east out."""
    return 1.2 * force**1.5 * np.cos(np.radians(wind - 315))


def _specification() -> str:
    return dataset_text(
        title="Level of the water in an invented harbour, by clock, moon and weather",
        origin="artificial",
        usage="development",
        order="informative",
        attributes=ATTRIBUTES,
    )
