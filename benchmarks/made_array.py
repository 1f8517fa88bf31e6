"""A delve directory with a task-array: eight prototasks of five sizes, and methods with losses on all."""

import os

import numpy as np

ARRAY = "made"
SIZES, CASES, TEST_CASES, MOST_INSTANCES = (64, 128, 256, 512, 1024), 8192, 4096, 8
LEVELS = tuple((inputs, curve, noise) for inputs in ("8", "32") for curve in "fn" for noise in "mh")
SEED = 1996
_SPECIFICATION = """Title: A made array
Factors:
  inputs         8: 8 inputs | 32: 32 inputs
  non-linearity  f: fairly linear | n: non-linear
  noise          m: medium noise | h: high noise
Members:
"""
_DATASET = """Title: made for benchmarks
Origin: artificial
Usage: development
Order: uninformative
Attributes:
 1 x u (-Inf,Inf)
 2 y u (-Inf,Inf)
"""
_PROTOTASK = f"""Cases: all
Origin: artificial
Order: retain
Inputs: 1
Targets: 2
Test-Set-Size: {TEST_CASES}
Training-Set-Sizes: {" ".join(map(str, SIZES))}
Test-Set-Selection: hierarchical
Maximum-Number-Of-Instances: {MOST_INSTANCES}
"""


def write_array(parent: str, *, methods: int) -> str:
    """Write the delve directory `delve-array` below parent, with so many methods, and return its path."""
    root = os.path.join(parent, "delve-array")
    random = np.random.default_rng(SEED)
    members = [f"  {_dataset(levels)}/out/std  {' '.join(levels)}\n" for levels in LEVELS]
    _write(os.path.join(root, "data", ARRAY, "Array.spec"), _SPECIFICATION + "".join(members))
    for levels in LEVELS:
        _write_dataset(os.path.join(root, "data", _dataset(levels)), random)
    for number in range(methods):
        method = os.path.join(root, "methods", f"method-{number:02d}")
        _write(os.path.join(method, "Summary"), "Losses drawn at random.\n")
        for place, levels in enumerate(LEVELS):
            for size in SIZES:
                level = 0.1 + 0.1 * place + (0.02 + 0.005 * (number % 5)) * number * (64 / size) ** 0.3
                task = os.path.join(method, _dataset(levels), "out", f"std.{size}")
                _write_results(task, size, level, random)
    return root


def _dataset(levels):
    return f"made-{''.join(levels)}"


def _write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _write_dataset(place, random):
    rows = random.normal(size=(CASES, 2)).tolist()
    _write(os.path.join(place, "Dataset.spec"), _DATASET)
    _write(os.path.join(place, "Dataset.data"), "".join(f"{x:.6g} {y:.6g}\n" for x, y in rows))
    _write(os.path.join(place, "out", "Prototask.spec"), _PROTOTASK)
    _write(os.path.join(place, "out", "std.prior"), "1 NLMH real\n2 NLMH real\n")


def _write_results(place, size, level, random):
    instances = min(MOST_INSTANCES, (CASES - TEST_CASES) // size)
    for instance in range(instances):
        losses = random.gamma(1.0, level * random.normal(1, 0.05), TEST_CASES // instances)
        _write(
            os.path.join(place, f"loss.S.{instance}"), "".join(f"{value:.6g}\n" for value in losses.tolist())
        )
    seconds = random.gamma(4, 0.01 * size / 64, instances).tolist()
    lines = [f"{instance} {value:.4f} 90\n" for instance, value in enumerate(seconds)]
    _write(os.path.join(place, "Costs"), "# instance seconds megabytes\n" + "".join(lines))
    _write(
        os.path.join(place, "Test-set-stats"), "S 1.0\nA undefined\nZ undefined\nQ undefined\nL undefined\n"
    )
