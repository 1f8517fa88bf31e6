"""A delve directory with 10,000 loss files of 512 losses, written into a temporary directory."""

import os

import numpy as np

DATASETS = tuple(f"made-{number}" for number in range(4))
PROTOTASKS = tuple(f"target-{number}" for number in range(5))
METHODS = tuple(f"method-{number}" for number in range(10))
SIZES = (16, 32, 64, 128, 256)
INSTANCES, LOSSES_A_FILE = 5, 512
LETTERS = ("A", "S")
FILES = len(DATASETS) * len(PROTOTASKS) * len(METHODS) * len(SIZES) * INSTANCES * len(LETTERS)
CASES = INSTANCES * (LOSSES_A_FILE + max(SIZES))
SEED = 1996


def write_archive(parent: str, *, datasets=DATASETS, methods=METHODS) -> str:
    """Write the delve directory `delve-made` below parent and return its path."""
    root = os.path.join(parent, "delve-made")
    random = np.random.Generator(np.random.PCG64(SEED))
    for dataset in datasets:
        _write_dataset(os.path.join(root, "data", dataset), random)
    for method in methods:
        _write(os.path.join(root, "methods", method, "Summary"), "Losses drawn at random.\n")
        for dataset in datasets:
            for prototask in PROTOTASKS:
                for size in SIZES:
                    place = os.path.join(root, "methods", method, dataset, prototask, f"std.{size}")
                    _write_results(place, random)
    return root


def _write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _write_dataset(place, random):
    numbers = range(1, len(PROTOTASKS) + 4)
    attributes = [f"{number}  x{number}  u  [-Inf,Inf]  # a number" for number in numbers]
    heading = "Title: made data\nOrigin: artificial\nUsage: development\nOrder: uninformative\nAttributes:\n"
    _write(os.path.join(place, "Dataset.spec"), heading + "\n".join(attributes) + "\n")
    rows = random.normal(size=(CASES, len(attributes)))
    _write(
        os.path.join(place, "Dataset.data"), "".join(" ".join(f"{x:.6g}" for x in row) + "\n" for row in rows)
    )
    for number, prototask in enumerate(PROTOTASKS, start=4):
        _write_prototask(os.path.join(place, prototask), number)


def _write_prototask(place, target):
    lines = {
        "Cases": "all",
        "Origin": "artificial",
        "Order": "retain",
        "Inputs": "1 2 3",
        "Targets": target,
        "Test-Set-Size": INSTANCES * LOSSES_A_FILE,
        "Training-Set-Sizes": " ".join(map(str, SIZES)),
        "Test-Set-Selection": "hierarchical",
        "Maximum-Number-Of-Instances": INSTANCES,
    }
    _write(
        os.path.join(place, "Prototask.spec"), "".join(f"{key}: {value}\n" for key, value in lines.items())
    )
    _write(os.path.join(place, "std.prior"), "".join(f"{number} NLMH real\n" for number in (1, 2, 3, target)))


def _write_results(place, random):
    for letter in LETTERS:
        for instance in range(INSTANCES):
            values = random.gamma(1.0, 1.0, LOSSES_A_FILE)
            text = "".join(f"{value:.9g}\n" for value in values)
            _write(os.path.join(place, f"loss.{letter}.{instance}"), text)
    stats = "S 1.02 \nA 0.81 \nZ undefined \nQ undefined \nL -1.43 undefined \n"
    _write(os.path.join(place, "Test-set-stats"), stats)
