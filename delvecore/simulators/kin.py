"""The kin family: how far is the end of an eight-link robot arm from a fixed point?

The arm is an open chain of revolute joints. Link after link, by the parameters of Denavit and Hartenberg
(1955): a joint turns about the z axis of its frame by its angle; the next frame is shifted along that axis by
the offset, then along the turned x axis by the length, and twisted about that axis. Lengths are in meters,
angles in radians."""

import math

import numpy as np

from delvecore.simulators.random_numbers import Draws, Input, Member, symmetric_inputs


def end_point(angles: np.ndarray, lengths: np.ndarray, offsets: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """Return the end of each chain in the frame of its base, shape (cases, 3). All arguments: shape (cases,
    joints), or one that broadcasts to it."""
    shape = np.broadcast_shapes(*map(np.shape, (angles, lengths, offsets, twists)))
    angles, lengths, offsets, twists = (
        np.broadcast_to(one, shape) for one in (angles, lengths, offsets, twists)
    )
    x = y = z = np.zeros(shape[0])
    for joint in reversed(range(shape[1])):
        twist, turn = twists[:, joint], angles[:, joint]
        y, z = y * np.cos(twist) - z * np.sin(twist), y * np.sin(twist) + z * np.cos(twist)
        x, z = x + lengths[:, joint], z + offsets[:, joint]
        x, y = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
    return np.column_stack([x, y, z])


JOINTS = 8
LENGTHS = (0.33, 0.14, 0.04, 0.08, 0.08, 0.31, 0.37, 0.11)
OFFSETS = (0.0,) * JOINTS
TWISTS_DEGREES = (-45.0, 15.0, -45.0, 45.0, -45.0, -105.0, -60.0, 0.0)
HOME_DEGREES = (10.0, 85.0, -35.0, 35.0, -55.0, 5.0, 35.0, 100.0)
POINT = (0.06, -0.06, -0.38)
"""The arm without variations, in meters and degrees; POINT is in the frame of the base."""

TARGET = Input("distance", 0.0, math.inf, "Distance of the end effector from the fixed point (meters)")
TARGET_DECIMALS = 6


def target(member: Member, inputs: np.ndarray, draws: Draws) -> np.ndarray:
    """Return the distances from the point (meters). The inputs do not record the error of each joint's angle:
    a normal variable with the standard deviation `noise`, as a share of half the range of its angle."""
    half_ranges = np.array([one.high for one in member.inputs if one.name.startswith("theta")])
    missed = member.noise * half_ranges * draws.normal(len(inputs), JOINTS)
    ends = end_point(
        np.radians(HOME_DEGREES) + member.columns(inputs, "theta{}", (0.0,) * JOINTS) + missed,
        member.columns(inputs, "length{}", LENGTHS),
        member.columns(inputs, "offset{}", OFFSETS),
        np.radians(TWISTS_DEGREES) + member.columns(inputs, "twist{}", (0.0,) * JOINTS),
    )
    distances: np.ndarray = np.sqrt(np.square(ends - POINT).sum(axis=1))
    return distances


def _angles(half_range: float) -> tuple[Input, ...]:
    description = "Angle asked of joint {} (radians from home)"
    return tuple(symmetric_inputs("theta{}", JOINTS, half_range, description))


def _links(share: float, offset: float, twist: float) -> tuple[Input, ...]:
    """Return inputs for differences between links: shares of lengths, offsets (meters), twists (radians)."""
    lengths = [
        Input(
            f"length{joint}", (1 - share) * nominal, (1 + share) * nominal, f"Length of link {joint} (meters)"
        )
        for joint, nominal in enumerate(LENGTHS, start=1)
    ]
    offsets = symmetric_inputs("offset{}", JOINTS, offset, "Offset of link {} (meters)")
    twists = symmetric_inputs("twist{}", JOINTS, twist, "Twist of link {} (radians from nominal)")
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
