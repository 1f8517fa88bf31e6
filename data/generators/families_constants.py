"""The constants of the simulators, as the notes of their datasets print them."""

import numpy as np

from delvecore.simulators import bank, kin, pumadyn
from delvecore.simulators.pumadyn import CENTER, GRAVITY, INERTIA, JOINTS


def _table(heads, rows):
    """Return lines of right-aligned columns."""
    cells = [heads, *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("    " + "  ".join(map(str.rjust, row, widths)) for row in cells)


def _kin(name):
    half = kin.MEMBERS[name].inputs[0].high
    rows = zip(range(1, 9), kin.LENGTHS, kin.OFFSETS, kin.TWISTS_DEGREES, kin.HOME_DEGREES, strict=True)
    frozen = "Lengths, offsets and twists are those of the table in every case."
    varied = (
        "Lengths, offsets and twists are inputs as well: the lengths themselves,\n"
        "the offsets, and by how much the twists differ from those of the table."
    )
    return {
        "links": _table(
            ["link", "length", "offset", "twist", "home"], [[f"{v:g}" for v in row] for row in rows]
        ),
        "point": "({:g}, {:g}, {:g})".format(*kin.POINT),
        "frozen": frozen if "-8" in name else varied,
        "noise_radians": f"{kin.MEMBERS[name].noise * half:.6f}",
    }


def _pumadyn(name):
    links = zip(
        range(1, JOINTS + 1),
        np.degrees(pumadyn.TWIST),
        pumadyn.LENGTH,
        pumadyn.OFFSET,
        pumadyn.MASS,
        pumadyn.ROTOR,
        pumadyn.FRICTION,
        strict=True,
    )
    bodies = ([n + 1, *CENTER[n], *INERTIA[n]] for n in range(JOINTS))
    frozen = (
        "Joints 4 to 6 stay at rest at angle 0, torques 3 to 6 are 0, and masses,\n"
        "lengths and frictions are those of the tables in every case."
    )
    varied = (
        "Torque 6 is 0. Inputs dm1 to dm5 change the masses of links 2 to 6 by a\n"
        "share of them, da1 to da5 the lengths a2 and a3 and the offsets d3, d4 and\n"
        "d6 by meters, db1 to db5 the frictions of joints 1 to 5 by a share of them."
    )
    return {
        "links": _table(
            ["link", "twist", "a", "d", "mass", "rotor", "friction"],
            [[f"{value:.5g}" for value in row] for row in links],
        ),
        "bodies": _table(
            ["link", "x", "y", "z", "Ixx", "Iyy", "Izz"], [[f"{value:g}" for value in row] for row in bodies]
        ),
        "gravity": f"{GRAVITY:g}",
        "joint": str(pumadyn.ELBOW),
        "frozen": frozen if "-8" in name else varied,
    }


def _bank(name):
    inputs = {one.name for one in bank.MEMBERS[name].inputs}
    rows = [[key, f"{value:g}"] for key, value in bank.NOMINAL.items() if key not in inputs]
    width = max((len(key) for key, _ in rows), default=0)
    frozen = "\n".join(f"    {key:{width}}  {value}" for key, value in rows)
    noise = bank.MEMBERS[name].noise
    demand = (
        "Nothing else is hidden: the same inputs give another day."
        if noise == 0
        else "Moreover the demand of the day is not recorded: all rates are multiplied\n"
        "by exp(d), where d is a normal variable with standard deviation\n"
        f"{noise:g} and mean {-noise * noise / 2:g}, so that the mean of the factor is 1."
    )
    return {
        "nominal": f"What this member does not vary:\n\n{frozen}"
        if rows
        else "This member varies all of these.",
        "demand": demand,
        "tellers": str(bank.OPEN_TELLERS),
    }


CONSTANTS = {"kin": _kin, "pumadyn": _pumadyn, "bank": _bank}
"""By family: from the name of a dataset to {word in the notes: text}."""
