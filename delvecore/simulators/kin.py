"""The kin family: how far is the end of an eight-link robot arm from a fixed point?"""

import math
from collections.abc import Sequence

import numpy as np

from delvecore.simulators.arm import end_point
from delvecore.simulators.draws import Draws
from delvecore.simulators.member import Input, Member

__all__ = [
    "HOME_DEGREES",
    "LENGTHS",
    "MEMBERS",
    "OFFSETS",
    "POINT",
    "TARGET",
    "TARGET_DECIMALS",
    "TWISTS_DEGREES",
    "target",
]

JOINTS = 8
LENGTHS = (0.33, 0.14, 0.04, 0.08, 0.08, 0.31, 0.37, 0.11)
OFFSETS = (0.0,) * JOINTS
TWISTS_DEGREES = (-45.0, 15.0, -45.0, 45.0, -45.0, -105.0, -60.0, 0.0)
HOME_DEGREES = (10.0, 85.0, -35.0, 35.0, -55.0, 5.0, 35.0, 100.0)
POINT = (0.06, -0.06, -0.38)
"""The arm that is not varied: metres and degrees; POINT in the frame of the base."""

TARGET = Input("distance", 0.0, math.inf, "Distance of the end effector from the fixed point (metres)")
TARGET_DECIMALS = 6


def target(member: Member, inputs: np.ndarray, draws: Draws) -> np.ndarray:
    """Return the distances from the point (metres).

    What is not recorded is by how much each joint misses the angle that it was asked for: a normal variable
    with the standard deviation `noise`, as a share of half the range of its angle.
    """
    values, cases = member.values(inputs), len(inputs)

    def of_all(quantity: str, nominal: Sequence[float]) -> np.ndarray:
        found = (values.get(f"{quantity}{joint}") for joint in range(1, JOINTS + 1))
        pairs = zip(found, nominal, strict=True)
        return np.column_stack([np.full(cases, one) if value is None else value for value, one in pairs])

    half_ranges = np.array([one.high for one in member.inputs if one.name.startswith("theta")])
    missed = member.noise * half_ranges * draws.normal(cases, JOINTS)
    ends = end_point(
        np.radians(HOME_DEGREES) + of_all("theta", (0.0,) * JOINTS) + missed,
        of_all("length", LENGTHS),
        of_all("offset", OFFSETS),
        np.radians(TWISTS_DEGREES) + of_all("twist", (0.0,) * JOINTS),
    )
    return np.sqrt(np.square(ends - POINT).sum(axis=1))


def _angles(half_range: float) -> tuple[Input, ...]:
    return tuple(
        Input(f"theta{joint}", -half_range, half_range, f"Angle asked of joint {joint} (radians from home)")
        for joint in range(1, JOINTS + 1)
    )


def _links(length_share: float, offset: float, twist: float) -> tuple[Input, ...]:
    """Return inputs for what links differ in: lengths by a share, offsets in metres, twists in radians."""
    joints = range(1, JOINTS + 1)
    lengths = [
        Input(
            f"length{joint}",
            (1 - length_share) * nominal,
            (1 + length_share) * nominal,
            f"Length of link {joint} (metres)",
        )
        for joint, nominal in zip(joints, LENGTHS, strict=True)
    ]
    offsets = [
        Input(f"offset{joint}", -offset, offset, f"Offset of link {joint} (metres)") for joint in joints
    ]
    twists = [
        Input(f"twist{joint}", -twist, twist, f"Twist of link {joint} (radians from nominal)")
        for joint in joints
    ]
    return (*lengths, *offsets, *twists)


LINEAR, NON_LINEAR = math.pi / 13, math.pi / 2
"""Half the ranges of the angles: an arm that moves little moves almost linearly."""

MEMBERS = {
    "kin-8fm": Member(_angles(LINEAR), noise=0.1, seed=101),
    "kin-8fh": Member(_angles(LINEAR), noise=0.38, seed=102),
    "kin-8nm": Member(_angles(NON_LINEAR), noise=0.06, seed=103),
    "kin-8nh": Member(_angles(NON_LINEAR), noise=0.23, seed=104),
    "kin-32fm": Member((*_angles(LINEAR), *_links(0.1, 0.01, 0.05)), noise=0.1, seed=3201),
    "kin-32fh": Member((*_angles(LINEAR), *_links(0.1, 0.01, 0.05)), noise=0.4, seed=3202),
    "kin-32nm": Member((*_angles(NON_LINEAR), *_links(0.2, 0.02, 0.2)), noise=0.06, seed=3203),
    "kin-32nh": Member((*_angles(NON_LINEAR), *_links(0.2, 0.02, 0.2)), noise=0.23, seed=3204),
}
