"""Small delve directories for tests, written from dictionaries."""

from collections.abc import Mapping
from pathlib import Path

import delvecore
from delvecore.tables import SCHEMAS
from tests.feature_files import feature_files
from tests.feature_predictions import make_losses, prediction_files

DATASET = """Title: A small example
Origin: artificial
Usage: development
Order: uninformative
Attributes:
 1 SEX   u male female      # Sex of the person
 2 AGE   u [0,Inf) ?        # Age in years
 3 KIDS  u 0..Inf           # Number of children
 4 HOUR  u [0,24]           # Hour of birth
 5 SHADE u pink blue red    # Favorite color
"""


def prototask_text(
    inputs: str,
    targets: str,
    test: int,
    sizes: str,
    most: int,
    *,
    order: str = "retain",
    selection: str = "common",
) -> str:
    """A `Prototask.spec` of all cases; most: instances."""
    cases = f"Cases: all\nOrigin: artificial\nOrder: {order}\nInputs: {inputs}\nTargets: {targets}\n"
    sets = f"Test-Set-Size: {test}\nTraining-Set-Sizes: {sizes}\nTest-Set-Selection: {selection}\n"
    return f"{cases}{sets}Maximum-Number-Of-Instances: {most}\n"


AGE = prototask_text("1 3 4 5", "2", 8, "4 8", 4, selection="hierarchical")
SHADE = prototask_text("SEX AGE KIDS", "SHADE", 6, "4", 4, order="Random-order")
AGE_PRIOR = (
    "1 NLMH binary\n3 NLMH integer\n4 NLMH angular unit=24\n5 NLMH nominal passive=pink\n2 NLMH real\n"
)
SHADE_PRIOR = "1 NLMH binary passive=male\n2 H real\n3 NLMH integer\n5 NLM ordinal\n"


def write_tree(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files given by their relative paths; parents are made."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def case_lines() -> str:
    """Twenty-four cases, all legal; SHADE goes round, so does SEX."""
    shades = ("pink", "blue", "red")
    lines = [
        f"{'male' if n % 2 else 'female'} {20 + (n * 7) % 23}.5 {n % 4} {(n * 5) % 24} {shades[n % 3]}"
        for n in range(24)
    ]
    return "\n".join(lines) + "\n"


def losses(instance: int, count: int, scale: float) -> str:
    """Losses of one instance: positive, different for each instance and case."""
    return "".join(f"{scale * (1 + instance) * (1 + case % 5):.6g}\n" for case in range(count))


def small_archive(parent: Path, name: str = "delve-small") -> Path:
    """A delve directory with a dataset `demo`, prototasks `age` and `shade`, and methods `one` and `two`."""
    files = {
        "data/demo/Dataset.spec": DATASET,
        "data/demo/Dataset.data": case_lines(),
        "data/demo/Summary": "Twenty-four invented people.\n",
        "data/demo/Source/Notes": "Made for tests.\n",
        "data/demo/age/Prototask.spec": AGE,
        "data/demo/age/std.prior": AGE_PRIOR,
        "data/demo/age/vague.prior": AGE_PRIOR,
        "data/demo/shade/Prototask.spec": SHADE,
        "data/demo/shade/std.prior": SHADE_PRIOR,
        "data/demo/shade/Random-order": "".join(f"{(n * 5) % 24 + 1}\n" for n in range(24)),
        "methods/one/Summary": "The first method.\n",
        "methods/one/Source/one.txt": "It guesses.\n",
        "methods/two/Summary": "The second method.\n",
    }
    for method, scale in (("one", 1.0), ("two", 1.5)):
        for instance in range(2):
            files[f"methods/{method}/demo/age/std.8/loss.S.{instance}"] = losses(instance, 4, scale)
        for instance in range(4):
            files[f"methods/{method}/demo/shade/std.4/loss.Z.{instance}"] = losses(instance, 6, scale / 100)
        files[f"methods/{method}/demo/age/std.8/Test-set-stats"] = (
            "L -3.44777265 undefined\nQ undefined\nA 7.28571429\nZ undefined\nS 57.8392857\n"
        )
        files[f"methods/{method}/demo/shade/std.4/Test-set-stats"] = (
            "L -1.09861229\nQ 0.666666667\nA undefined\nZ 0.666666667\nS undefined\n"
        )
    return write_tree(parent / name, files)


def feature_archive(parent: Path, name: str = "delve-features") -> Path:
    """A delve directory with the datasets of tests/feature_files.py and two methods, `bold` and `careful`."""
    root = write_tree(parent / name, feature_files() | prediction_files())
    make_losses(root)
    return root


def contents(archive: delvecore.Archive) -> dict[str, list[dict[str, object]]]:
    """The rows of all tables of an archive, by name."""
    return {name: getattr(archive, name).to_pylist() for name in SCHEMAS}
