"""The pumadyn family: with which acceleration does a joint of a Puma 560 arm answer?"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from delvecore.simulators.draws import Draws
from delvecore.simulators.member import Input, Member
from delvecore.simulators.puma import JOINTS, PUMA_560, Arm, accelerations

__all__ = ["ELBOW", "MEMBERS", "TARGET", "TARGET_DECIMALS", "target"]

ELBOW = 3
"""The joint whose acceleration is the target, counted from 1."""

TARGET = Input(f"thetadd{ELBOW}", -math.inf, math.inf, f"Acceleration of joint {ELBOW} (rad/s^2)")
TARGET_DECIMALS = 4


def target(member: Member, inputs: np.ndarray, draws: Draws) -> np.ndarray:
    """Return the accelerations of the elbow (rad/s^2).

    What is not recorded is by how much each motor misses its torque: a normal variable with the standard
    deviation `noise` (N m). What a member does not vary is zero: angles, velocities and torques of the other
    joints, and the changes of masses, lengths and frictions.
    """
    values, cases = member.values(inputs), len(inputs)

    def of_joints(quantity: str) -> np.ndarray:
        found = (values.get(f"{quantity}{joint}") for joint in range(1, JOINTS + 1))
        return np.column_stack([np.zeros(cases) if value is None else value for value in found])

    missed = member.noise * draws.normal(cases, JOINTS)
    answer = accelerations(
        _changed(of_joints), of_joints("theta"), of_joints("thetad"), of_joints("tau") + missed
    )
    return answer[:, ELBOW - 1]


def _changed(of_joints: Callable[[str], np.ndarray]) -> Arm:
    """Return the arm with the changes of each case: masses and frictions by a share, lengths in metres."""
    a2, a3, d3, d4, d6 = of_joints("da").T[:5]
    length, offset = np.zeros((2, len(a2), JOINTS))
    length[:, 1], length[:, 2] = a2, a3
    offset[:, 2], offset[:, 3], offset[:, 5] = d3, d4, d6
    dm = of_joints("dm")
    return replace(
        PUMA_560,
        mass=PUMA_560.mass * (1.0 + np.column_stack([np.zeros(len(dm)), dm[:, :5]])),
        friction=PUMA_560.friction * (1.0 + of_joints("db")),
        length=PUMA_560.length + length,
        offset=PUMA_560.offset + offset,
    )


def _motion(joints: int, angle: float, velocity: float) -> tuple[Input, ...]:
    angles = [Input(f"theta{n}", -angle, angle, f"Angle of joint {n} (rad)") for n in range(1, joints + 1)]
    velocities = [
        Input(f"thetad{n}", -velocity, velocity, f"Velocity of joint {n} (rad/s)")
        for n in range(1, joints + 1)
    ]
    return (*angles, *velocities)


def _torques(joints: int, torque: float) -> tuple[Input, ...]:
    return tuple(
        Input(f"tau{n}", -torque, torque, f"Torque of joint {n} (N m)") for n in range(1, joints + 1)
    )


_LENGTHS = ("a2", "a3", "d3", "d4", "d6")
"""Which lengths and offsets of the arm change, in the order of the inputs da1 to da5."""


def _changes(share: float, length: float) -> tuple[Input, ...]:
    numbers = range(1, 6)
    masses = [
        Input(f"dm{n}", -share, share, f"Change of the mass of link {n + 1} (share of it)") for n in numbers
    ]
    lengths = [
        Input(f"da{n}", -length, length, f"Change of the length {name} (metres)")
        for n, name in zip(numbers, _LENGTHS, strict=True)
    ]
    frictions = [
        Input(f"db{n}", -share, share, f"Change of the friction of joint {n} (share of it)") for n in numbers
    ]
    return (*masses, *lengths, *frictions)


def _eight(angle: float, velocity: float, torque: float) -> tuple[Input, ...]:
    return (*_motion(3, angle, velocity), *_torques(2, torque))


def _thirty_two(
    angle: float, velocity: float, torque: float, share: float, length: float
) -> tuple[Input, ...]:
    return (*_motion(6, angle, velocity), *_torques(5, torque), *_changes(share, length))


LINEAR_8, LINEAR_32 = _eight(0.9, 0.6, 10.0), _thirty_two(0.9, 0.6, 2.0, 0.1, 0.02)
NON_LINEAR_8, NON_LINEAR_32 = _eight(2.2, 1.2, 10.0), _thirty_two(2.2, 1.2, 2.0, 0.3, 0.05)

MEMBERS = {
    "pumadyn-8fm": Member(LINEAR_8, noise=0.7, seed=1081),
    "pumadyn-8fh": Member(LINEAR_8, noise=3.0, seed=1082),
    "pumadyn-8nm": Member(NON_LINEAR_8, noise=0.9, seed=1083),
    "pumadyn-8nh": Member(NON_LINEAR_8, noise=4.0, seed=1084),
    "pumadyn-32fm": Member(LINEAR_32, noise=0.7, seed=1321),
    "pumadyn-32fh": Member(LINEAR_32, noise=3.0, seed=1322),
    "pumadyn-32nm": Member(NON_LINEAR_32, noise=0.9, seed=1323),
    "pumadyn-32nh": Member(NON_LINEAR_32, noise=4.0, seed=1324),
}
