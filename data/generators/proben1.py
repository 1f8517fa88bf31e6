"""A made problem in the form of PROBEN1's data files: the state of pumps, in three permutations.

    python -m generators.proben1        # in data: write data/proben1/pump/pump1.dt to pump3.dt again

Whether a pump is sound, worn or broken follows from how hot it runs, how it shakes, its load and its age, not
linearly, with noise. The maker is one of three, told by three columns; where the vibration was not measured,
its column is 0 and a further column is 1."""

from pathlib import Path

import numpy as np

from delvecore.simulators.random_numbers import Draws

PROBLEM = Path(__file__).parents[1] / "proben1" / "pump"
SIZES = {"training": 160, "validation": 80, "test": 80}
SEED = 1994
INPUTS, CLASSES = 9, 3
MISSING = 0.06
NOISE = 0.15
"""Standard deviation of what is not told by the inputs, as a share of that of the wear."""
SHARES = (0.5, 0.8)
"""Which share of the pumps is sound, and which is sound or worn."""


def pump_files() -> dict[str, str]:
    """Return the texts of the files by name."""
    draws, count = Draws(SEED), sum(SIZES.values())
    lines = [" ".join(words) for words in _examples(draws, count)]
    orders = [list(range(1, count + 1)), *(draws.order(count) for _ in range(2))]
    return {
        f"pump{number}.dt": _header() + "".join(f"{lines[place - 1]}\n" for place in order)
        for number, order in enumerate(orders, start=1)
    }


def _header() -> str:
    counts = {"bool_in": 0, "real_in": INPUTS, "bool_out": CLASSES, "real_out": 0}
    counts |= {f"{name}_examples": size for name, size in SIZES.items()}
    return "".join(f"{name}={count}\n" for name, count in counts.items())


def _examples(draws: Draws, count: int) -> list[list[str]]:
    heat, shaking, load, age, spare = (np.round(draws.uniform(count), 4) for _ in range(5))
    maker = np.floor(3 * draws.uniform(count)).astype(int)
    hidden = draws.uniform(count) < MISSING
    wear = 2 * heat + 1.5 * shaking * load + 3 * (age - 0.5) ** 2 + 0.6 * (maker == 1)
    wear += NOISE * wear.std() * draws.normal(count)
    state = np.searchsorted(np.quantile(wear, SHARES), wear)
    shown = np.where(hidden, 0.0, shaking)
    return [
        [
            *(f"{value:.6g}" for value in (heat[n], shown[n])),
            str(int(hidden[n])),
            *(f"{value:.6g}" for value in (load[n], age[n], spare[n])),
            *(str(int(maker[n] == one)) for one in range(3)),
            *(str(int(state[n] == one)) for one in range(CLASSES)),
        ]
        for n in range(count)
    ]


if __name__ == "__main__":
    PROBLEM.mkdir(parents=True, exist_ok=True)
    for name, text in pump_files().items():
        (PROBLEM / name).write_text(text, encoding="ascii")
