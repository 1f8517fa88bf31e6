"""A small archive with results under each of the standard losses, on four datasets of one kind each."""

import random
from functools import cache
from pathlib import Path

import pandas as pd

from delvecore.losses.standard_losses import LOSS_SPECS
from tests.archives import AGE, AGE_PRIOR, DATASET, SHADE, SHADE_PRIOR, case_lines, write_tree
from tests.one_sign.tables import METHODS, SECONDS, SHIFTS, Case, Expected

DATASETS = ("north", "east", "south", "west", "center", "edge")
TASKS = {"age": "std.8", "shade": "std.4"}
STATISTICS = {"S": 57.8392857, "A": 7.28571429, "Z": 0.666666667, "Q": 0.666666667, "L": -1.09861229}
"""In `Test-set-stats`, made of the targets: a loss is divided by it; to a log probability it is added."""
STATS = {
    "age": "L -3.44777265 undefined\nQ undefined\nA 7.28571429\nZ undefined\nS 57.8392857\n",
    "shade": "L -1.09861229\nQ 0.666666667\nA undefined\nZ 0.666666667\nS undefined\n",
}
PLACES = {letter: "shade" if spec.allows(("nominal",)) else "age" for letter, spec in LOSS_SPECS.items()}
SIZES = {"age": (2, 4), "shade": (4, 6)}
"""Instances, and test cases of each."""
SCALES = {"S": 4, "A": 16, "L": 64, "Q": 128}


def loss_of_case(letter: str, method: str, drawn: random.Random, task: int) -> float:
    """Return a loss in multiples of 1/64 that tells methods apart; 0-1 losses are 0 or 1."""
    level = 96 - SHIFTS[method] + 4 * task + drawn.randint(-16, 16)
    if letter == "Z":
        return float(drawn.randint(0, 180) < level)
    return (level - (160 if letter == "L" else 0)) / SCALES.get(letter, 64)


def costs(method: str, instances: int) -> str:
    lines = [f"{instance} {SECONDS[method] + instance / 16} 100.0 0.01\n" for instance in range(instances)]
    return "# instance seconds megabytes testing-seconds\n" + "".join(lines)


@cache
def losses() -> pd.DataFrame:
    """Return all losses: letter, dataset, method, instance, losses of its test cases."""
    drawn, rows = random.Random(7), []
    for letter in LOSS_SPECS:
        for task, dataset in enumerate(DATASETS):
            for method in METHODS:
                instances, cases = SIZES[PLACES[letter]]
                for instance in range(instances):
                    values = [loss_of_case(letter, method, drawn, task) for _ in range(cases)]
                    rows.append((letter, dataset, method, instance, values))
    return pd.DataFrame(rows, columns=["letter", "dataset", "method", "run", "values"])


def write_archive(parent: Path) -> Path:
    """Write the archive and return its directory."""
    files: dict[str, str | bytes] = {}
    for dataset in DATASETS:
        place = f"data/{dataset}"
        files |= {f"{place}/Dataset.spec": DATASET, f"{place}/Dataset.data": case_lines()}
        files |= {f"{place}/age/Prototask.spec": AGE, f"{place}/age/std.prior": AGE_PRIOR}
        files |= {f"{place}/shade/Prototask.spec": SHADE, f"{place}/shade/std.prior": SHADE_PRIOR}
        files[f"{place}/shade/Random-order"] = "".join(f"{(n * 5) % 24 + 1}\n" for n in range(24))
    for method in METHODS:
        for dataset in DATASETS:
            for prototask, task in TASKS.items():
                files[f"methods/{method}/{dataset}/{prototask}/{task}/Test-set-stats"] = STATS[prototask]
                files[f"methods/{method}/{dataset}/{prototask}/{task}/Costs"] = costs(
                    method, SIZES[prototask][0]
                )
    for row in losses().itertuples():
        prototask = PLACES[row.letter]
        place = f"methods/{row.method}/{row.dataset}/{prototask}/{TASKS[prototask]}"
        files[f"{place}/loss.{row.letter}.{row.run}"] = "".join(f"{value}\n" for value in row.values)
    return write_tree(parent / "delve-losses", files)


def loss_case(directory: Path, letter: str) -> Case:
    """Return the case of a loss of the archive."""
    known = losses().query("letter == @letter").copy()
    prototask, statistic = PLACES[letter], STATISTICS[letter]
    known["path"] = "/" + known["dataset"] + f"/{prototask}/{TASKS[prototask]}"
    known["raw"] = known["values"].map(lambda values: sum(values) / len(values))
    is_added = LOSS_SPECS[letter].is_logarithmic
    known["value"] = known["raw"] + statistic if is_added else known["raw"] / statistic
    return Case(letter, False, Expected(known, False), directory, is_loss=True)
