"""A task-array that a user made: two factors with three and two levels, holes, methods with drawn losses."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from delvecore.archive import Archive
from tests.archives import write_tree
from tests.dashboard.reading import opened_archive

__all__ = ["ARRAY", "METHODS", "SIZES", "array_archive", "array_files", "opened_array"]

ARRAY = "garden"
METHODS = ("apple", "pear", "quince")
SIZES, INSTANCES, TEST_CASES = (8, 16), 4, 8
BEDS, SUNS = {"1": "one bed", "2": "two beds", "3": "three beds"}, {"s": "sunny", "d": "dark"}
ABSENT, EMPTY = ("3", "d"), ("2", "d")
"""Levels without a member, and levels on whose tasks no method has results."""
SPECIFICATION = """Title: Plots of a garden
Factors:
  beds   1: one bed | 2: two beds | 3: three beds
  light  s: sunny | d: dark
Members:
"""
DATASET = """Title: A plot
Origin: artificial
Usage: development
Order: uninformative
Attributes:
 1 X u (-Inf,Inf)
 2 Y u (-Inf,Inf)
"""
PROTOTASK = f"""Cases: all
Origin: artificial
Order: retain
Inputs: 1
Targets: 2
Test-Set-Size: {INSTANCES * TEST_CASES}
Training-Set-Sizes: {" ".join(map(str, SIZES))}
Test-Set-Selection: hierarchical
Maximum-Number-Of-Instances: {INSTANCES}
"""
BASELINE = "L undefined\nQ undefined\nA undefined\nZ undefined\nS 10.0\n"


def array_files(methods: Sequence[str] = METHODS) -> dict[str, str]:
    """The files of a delve directory with the array; the last method lacks one task, and its costs.

    Every method is better with more cases, worse in the dark; the later ones are worse than the earlier.
    """
    random = np.random.default_rng(1996)
    files = {f"methods/{method}/Summary": "It was drawn at random.\n" for method in methods}
    members = [(bed, sun) for bed in BEDS for sun in SUNS if (bed, sun) != ABSENT]
    lines = [f"  plot-{bed}{sun}/yield/std  {bed} {sun}\n" for bed, sun in members]
    files[f"data/{ARRAY}/Array.spec"] = SPECIFICATION + "".join(lines)
    for bed, sun in members:
        files |= _dataset_files(f"data/plot-{bed}{sun}", random)
    for number, method in enumerate(methods):
        for bed, sun in members:
            for size in SIZES:
                lacks = method == methods[-1] and (bed, sun, size) == ("1", "s", SIZES[0])
                if (bed, sun) != EMPTY and not lacks:
                    level = 2 + number + int(bed) + 2 * (sun == "d") - (size == SIZES[1])
                    place = f"methods/{method}/plot-{bed}{sun}/yield/std.{size}"
                    files |= _task_files(place, random, level, costs=method != methods[-1])
    return files


def _dataset_files(place, random):
    cases = random.normal(size=(INSTANCES * (TEST_CASES + SIZES[-1]), 2))
    return {
        f"{place}/Dataset.spec": DATASET,
        f"{place}/Dataset.data": "".join(f"{x:.6g} {y:.6g}\n" for x, y in cases),
        f"{place}/Summary": "Numbers of the tests.\n",
        f"{place}/yield/Prototask.spec": PROTOTASK,
        f"{place}/yield/std.prior": "1 NLMH real\n2 NLMH real\n",
    }


def _task_files(place, random, level, *, costs):
    files = {f"{place}/Test-set-stats": BASELINE}
    for instance in range(INSTANCES):
        values = level + random.normal(0, 0.2, TEST_CASES)
        files[f"{place}/loss.S.{instance}"] = "".join(f"{value:.9g}\n" for value in values)
    if costs:
        seconds = random.gamma(9, 0.01 * level, INSTANCES)
        lines = [f"{instance} {value:.4f} {80 + instance}\n" for instance, value in enumerate(seconds)]
        files[f"{place}/Costs"] = "# instance seconds megabytes\n" + "".join(lines)
    return files


def array_archive(parent: Path, methods: Sequence[str] = METHODS) -> Path:
    """Write the delve directory with the array."""
    return write_tree(parent / "delve-garden", array_files(methods))


def opened_array(parent: Path, methods: Sequence[str] = METHODS) -> tuple[Path, Archive]:
    """The delve directory with the array, opened by the dashboard: (path, archive)."""
    path = array_archive(parent, methods)
    return path, opened_archive(path)
