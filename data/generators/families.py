"""The files of the simulated families kin, pumadyn and bank: everything but the cases.

The cases are built when they are first needed, by `delvecore.simulators`; git holds their checksum.
"""

import hashlib
import math
import re
from importlib import import_module
from pathlib import Path

from delvecore.simulators import CASES, SIMULATORS, simulated_text
from generators.character import HIGH_NOISE, LINEAR, LOW_NOISE, MODERATE_NOISE, NON_LINEAR
from generators.families_constants import CONSTANTS
from generators.files import Attribute, Design, dataset_text, prior_text, prototask_text

HERE = Path(__file__).parent
REPORT = HERE.parents[1] / "docs" / "task-arrays.md"
"""Written by `prove_families.py`."""
ROW = re.compile(r"\| `(\S+)` \| (\S+) ± (\S+) \| (\S+) ± (\S+) \| (\S+) \| (\S+) \|")
DESIGN = Design(
    test_size=4096, training_sizes=(64, 128, 256, 512, 1024), selection="hierarchical", instances=8
)
PROTOTASKS = {"kin": "dist", "pumadyn": "accel", "bank": "rej"}
TITLES = {
    "kin": "Distance of a simulated eight-link arm from a point",
    "pumadyn": "Acceleration of a joint of a simulated Puma 560 arm",
    "bank": "Share of customers turned away in a simulated town",
}
ARRAYS = {
    "kin": "Forward kinematics of an eight-link arm",
    "pumadyn": "Forward dynamics of a Puma 560 arm",
    "bank": "Queues in the banks of a town",
}
LINEARITY = {"f": "fairly linear", "n": "non-linear"}
NOISE = {"l": "low noise", "m": "medium noise", "h": "high noise"}
MEANINGS = {
    "noise": {
        "l": f"below {100 * LOW_NOISE:g} % of the target's variance, which no method could explain",
        "m": f"between {100 * MODERATE_NOISE[0]:g} % and {100 * MODERATE_NOISE[1]:g} % of it",
        "h": f"above {100 * HIGH_NOISE:g} % of it",
    },
    "non-linearity": {
        "f": f"a linear model leaves less than {100 * LINEAR:g} % of the variance that could be explained",
        "n": f"it leaves more than {100 * NON_LINEAR:g} % of that",
    },
}
"""What defines the levels of factors that are measured."""


def family_files(name: str) -> dict[str, str]:
    """Return the texts of all files of one dataset by name; its cases are made to take their checksum."""
    return {"Dataset.generator": _generator(name), **described_files(name)}


def described_files(name: str) -> dict[str, str]:
    """Return the texts of the files that describe a dataset by name: all but `Dataset.generator`."""
    family = SIMULATORS[name]
    module = import_module(f"delvecore.simulators.{family}")
    member, count = module.MEMBERS[name], len(module.MEMBERS[name].inputs)
    facts = {
        "name": name,
        "inputs": str(count),
        "character": f"{LINEARITY[name[-2]]}, with {NOISE[name[-1]]}",
        "seed": str(member.seed),
        "noise": f"{member.noise:g}",
        "drawn": _drawn(member.inputs),
        **CONSTANTS[family](name),
    }
    prototask = PROTOTASKS[family]
    return {
        "Dataset.spec": _specification(family, facts, [*member.inputs, module.TARGET]),
        "Source/Notes": _filled(f"{family}_notes.txt", facts),
        "Summary": _filled(f"{family}_summary.txt", facts),
        f"{prototask}/Prototask.spec": prototask_text(
            origin="simulated", order="retain", inputs=range(1, count + 1), targets=[count + 1], design=DESIGN
        ),
        f"{prototask}/std.prior": _prior([*member.inputs, module.TARGET]),
    }


def reported() -> dict[str, tuple[str, ...]]:
    """Return the figures of each member as the report prints them: noise, its error, non-linearity, its
    error, mean and deviation of the target."""
    rows = (match.groups() for match in ROW.finditer(REPORT.read_text(encoding="utf-8")))
    return {name: tuple(figures) for name, *figures in rows}


def array_text(family: str) -> str:
    """Return `Array.spec` of a family, with the shares that the report proves."""
    lines = [
        f"Title: {ARRAYS[family]}",
        "Factors:",
        "  inputs         8: 8 inputs | 32: 32 inputs",
        "  non-linearity  f: fairly linear | n: non-linear",
        "  noise          l: low noise | m: medium noise | h: high noise",
        "Defined:",
        *(f"  {factor} {level} {text}" for factor, by in MEANINGS.items() for level, text in by.items()),
    ]
    proven, members, measured = reported(), [], []
    width = max(len(name) for name in SIMULATORS if SIMULATORS[name] == family)
    for name in (name for name in SIMULATORS if SIMULATORS[name] == family):
        levels = (name.split("-")[1][:-2], name[-2], name[-1])
        path = f"{name}/{PROTOTASKS[family]}/std"
        members.append(f"  {path:{width + len(PROTOTASKS[family]) + 5}}  {' '.join(levels)}")
        noise, noise_error, left, left_error, *_ = proven[name]
        measured.append(f"  {path}  noise {noise} {noise_error}  non-linearity {left} {left_error}")
    lines += ["Members:", *members, "Measured: # percent and its standard error", *measured]
    return "\n".join(lines) + "\n"


def _generator(name):
    checksum = hashlib.sha256(simulated_text(name, anew=True)).hexdigest()
    return f"Generator: {name}\nCases: {CASES}\nSHA-256: {checksum}\n"


def _filled(template, facts):
    return (HERE / template).read_text(encoding="ascii").format(**facts)


def _specification(family, facts, attributes):
    return dataset_text(
        title=f"{TITLES[family]}: {facts['inputs']} inputs, {facts['character']}",
        origin="simulated",
        usage="assessment",
        order="uninformative",
        attributes=[Attribute(one.name, _extent(one), one.description) for one in attributes],
    )


def _extent(one):
    """Return the range of an attribute as the specification writes it."""
    if one.whole:
        return f"{one.low:.0f}..{one.high:.0f}"
    low = "(-Inf" if math.isinf(one.low) else f"[{one.low:.7g}" if one.low == round(one.low, 6) else None
    high = "Inf)" if math.isinf(one.high) else f"{one.high:.7g}]" if one.high == round(one.high, 6) else None
    return f"{low or f'[{one.low:.6f}'},{high or f'{one.high:.6f}]'}"


def _prior(attributes):
    kinds = ["integer" if one.whole else "real" for one in attributes]
    return prior_text(dict(enumerate(kinds, start=1)))


def _drawn(inputs):
    """Return a table of what the inputs are drawn from."""
    width = max(len(one.name) for one in inputs)
    rows = [
        f"    {one.name:{width}}  {_number(one.low)} to {_number(one.high)}{', whole numbers' * one.whole}"
        for one in inputs
    ]
    return "\n".join(rows)


def _number(value):
    return f"{value:.6f}".rstrip("0").rstrip(".")
