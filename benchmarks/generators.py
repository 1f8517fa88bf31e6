"""How fast are cases simulated, beside one case at a time, and beside reading them from a file?"""

import io

import numpy as np

from benchmarks.results import Finding
from benchmarks.timing import in_turns
from delvecore.simulators import CASES, simulated_cases, simulated_text

MEMBERS = ("kin-8nm", "kin-32nm", "pumadyn-8nm", "pumadyn-32nm", "bank-8nm", "bank-32nm")
SINGLE = {"kin": 200, "pumadyn": 100, "bank": 2}
"""How many cases are made one at a time, by family."""
_NOTE = (
    "All 8192 cases of a member, medians of {rounds} turns. Beside it: the same code asked for one case at a "
    "time, and `numpy.loadtxt` of the text with all cases."
)


def measure(*, rounds: int = 3) -> list[Finding]:
    """Time one non-linear member of each family and number of inputs."""
    return [found for name in MEMBERS for found in _findings(name, rounds)]


def _findings(name, rounds):
    text, single = simulated_text(name).decode(), SINGLE[name.partition("-")[0]]
    works = {
        "made": lambda: simulated_cases(name, anew=True),
        "single": lambda: [simulated_cases(name, 1) for _ in range(single)],
        "read": lambda: np.loadtxt(io.StringIO(text)),
    }
    taken = in_turns(works, rounds=rounds)
    made, one, read = CASES / taken["made"], single / taken["single"], CASES / taken["read"]
    note, measured = _NOTE.format(rounds=rounds), f"{made:,.0f} cases/s"
    return [
        Finding(
            f"{name} simulated", measured, f"one at a time {one:,.0f} cases/s", _ratio(made / one), note=note
        ),
        Finding(
            f"{name} simulated",
            measured,
            f"`numpy.loadtxt` {read:,.0f} cases/s",
            _ratio(made / read),
            note=note,
        ),
    ]


def _ratio(value):
    return f"{value:,.0f}x as fast" if value >= 10 else f"{value:.2g}x as fast"
