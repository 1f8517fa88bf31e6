"""The pumadyn family: what acceleration do torques give to a joint of a Puma 560 robot arm?

The torques that given accelerations need follow from the recursive Newton-Euler equations (Luh, Walker and
Paul 1980), link by link outward for velocities and accelerations, and back inward for forces. They are linear
in the accelerations: torque = M(q) a + h(q, v). So six calls with unit accelerations give the columns of M,
one with none gives h, and M a = torque - h - friction is solved for a: the first method of Walker and Orin
(1982).

The constants are those of Armstrong, Khatib and Burdick, "The explicit dynamic model and inertial parameters
of the PUMA 560 arm", IEEE Conf. Robotics and Automation 1986, as compiled by Corke and Armstrong-Helouvry, "A
search for consensus among model parameters reported for the PUMA 560 robot", ibid. 1994, in frames by the
convention of Denavit and Hartenberg. Units: meters, kilograms, radians, seconds, newton meters."""

import math

import numpy as np

from delvecore.simulators.random_numbers import Draws, Input, Member, symmetric_inputs

JOINTS = 6
GRAVITY = 9.81


_GEAR = np.array([-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686])
# Denavit and Hartenberg's parameters of the six links, and their masses.
TWIST = np.array([np.pi / 2, 0.0, -np.pi / 2, np.pi / 2, -np.pi / 2, 0.0])
LENGTH = np.array([0.0, 0.4318, 0.0203, 0.0, 0.0, 0.0])
OFFSET = np.array([0.0, 0.0, 0.15005, 0.4318, 0.0, 0.0])
MASS = np.array([0.0, 17.4, 4.8, 0.82, 0.34, 0.09])
CENTER = np.array(
    [
        *([0.0, 0.0, 0.0], [-0.3638, 0.006, 0.2275], [-0.0203, -0.0141, 0.07]),
        *([0.0, 0.019, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.032]),
    ]
)
"""Center of mass of each link, in the frame of the link."""
INERTIA = np.array(
    [
        *([0.0, 0.35, 0.0], [0.13, 0.524, 0.539], [0.066, 0.086, 0.0125]),
        *([1.8e-3, 1.3e-3, 1.8e-3], [0.3e-3, 0.4e-3, 0.3e-3], [0.15e-3, 0.15e-3, 0.04e-3]),
    ]
)
"""Diagonal of each link's inertia about its center of mass."""
ROTOR = np.array([200e-6, 200e-6, 200e-6, 33e-6, 33e-6, 33e-6]) * _GEAR**2
"""Inertia of each motor as felt at its joint."""
FRICTION = np.array([1.48e-3, 0.817e-3, 1.38e-3, 71.2e-6, 82.6e-6, 36.7e-6]) * _GEAR**2
"""Viscous friction as felt at each joint (N m s)."""


def accelerations(
    angles: np.ndarray,
    velocities: np.ndarray,
    applied: np.ndarray,
    *,
    friction: np.ndarray = FRICTION,
    **links: np.ndarray,
) -> np.ndarray:
    """Return the accelerations of the joints under applied torques; all of shape (cases, 6). links: masses,
    lengths and offsets, see `torques`."""
    still = np.zeros_like(angles)
    bias = torques(angles, velocities, still, gravity=GRAVITY, **links) + friction * velocities
    units = np.eye(JOINTS)
    columns = [torques(angles, still, still + unit, gravity=0.0, **links) for unit in units]
    return np.linalg.solve(np.stack(columns, axis=2), (applied - bias)[:, :, np.newaxis])[:, :, 0]


def torques(
    angles: np.ndarray,
    velocities: np.ndarray,
    desired: np.ndarray,
    *,
    gravity: float = GRAVITY,
    mass: np.ndarray = MASS,
    length: np.ndarray = LENGTH,
    offset: np.ndarray = OFFSET,
) -> np.ndarray:
    """Return the torques, without friction, that the desired accelerations need; all of shape (cases, 6).
    mass, length, offset: of the links, shape (6,), or (cases, 6) if they vary."""
    zero, shape = np.zeros_like(angles), (len(angles), 3)
    cosine, sine, twist_cosine, twist_sine = np.cos(angles), np.sin(angles), np.cos(TWIST), np.sin(TWIST)
    twist_cosine, twist_sine = twist_cosine + zero, twist_sine + zero
    rows = [
        [cosine, -sine * twist_cosine, sine * twist_sine],
        [sine, cosine * twist_cosine, -cosine * twist_sine],
        [zero, twist_sine, twist_cosine],
    ]
    # Each link's rotation to the link before, and the vector from the frame before to its own.
    turns = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    shifts = np.stack([length + zero, offset * twist_sine, offset * twist_cosine], axis=-1)
    # Outward: the force on each link's center of mass, and the moment about it, in the link's frame.
    spin, spin_rate = np.zeros(shape), np.zeros(shape)
    acceleration = np.tile([0.0, 0.0, gravity], (len(angles), 1))  # a base that rises feels like gravity
    axis = np.array([0.0, 0.0, 1.0])
    forces, moments = [], []
    for joint in range(JOINTS):
        back, shift = turns[:, joint].transpose(0, 2, 1), shifts[:, joint]
        speed, gain = velocities[:, joint, np.newaxis] * axis, desired[:, joint, np.newaxis] * axis
        spin_rate = _turned(back, spin_rate + gain + np.cross(spin, speed))
        spin = _turned(back, spin + speed)
        acceleration = _turned(back, acceleration) + _carried(spin, spin_rate, shift)
        of_center = acceleration + _carried(spin, spin_rate, CENTER[joint])
        forces.append(mass[..., joint, np.newaxis] * of_center)
        moments.append(INERTIA[joint] * spin_rate + np.cross(spin, INERTIA[joint] * spin))
    # Inward: the torque about the axis of each joint that holds all links beyond it.
    force, moment = np.zeros(shape), np.zeros(shape)
    torque: np.ndarray = ROTOR * desired
    for joint in reversed(range(JOINTS)):
        if joint + 1 < JOINTS:
            force, moment = (_turned(turns[:, joint + 1], one) for one in (force, moment))
        of_link = np.cross(shifts[:, joint] + CENTER[joint], forces[joint]) + moments[joint]
        moment = moment + np.cross(shifts[:, joint], force) + of_link
        force = force + forces[joint]
        torque[:, joint] += _turned(turns[:, joint], moment)[:, 2]
    return torque


def _turned(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    turned_vectors: np.ndarray = np.einsum("nij,nj->ni", matrices, vectors)
    return turned_vectors


def _carried(spin: np.ndarray, spin_rate: np.ndarray, arm_vector: np.ndarray) -> np.ndarray:
    """Return the acceleration that turning gives to a point at a vector from the frame's origin."""
    vector = np.broadcast_to(arm_vector, spin.shape)
    return np.cross(spin_rate, vector) + np.cross(spin, np.cross(spin, vector))


ELBOW = 3
"""The joint whose acceleration is the target, counted from 1."""

TARGET = Input(f"thetadd{ELBOW}", -math.inf, math.inf, f"Acceleration of joint {ELBOW} (rad/s^2)")
TARGET_DECIMALS = 4


def target(member: Member, inputs: np.ndarray, draws: Draws) -> np.ndarray:
    """Return the accelerations of the elbow (rad/s^2).

    The inputs do not record the error of each motor's torque: a normal variable with the standard deviation
    `noise` (N m). Quantities that a member does not vary are zero: angles, velocities and torques of the
    other joints, and the changes (shares for masses and frictions, meters for lengths)."""

    def of_joints(name: str) -> np.ndarray:
        return member.columns(inputs, name, (0.0,) * JOINTS)

    missed = member.noise * draws.normal(len(inputs), JOINTS)
    length, offset = np.zeros((2, len(inputs), JOINTS))
    length[:, 1], length[:, 2], offset[:, 2], offset[:, 3], offset[:, 5] = of_joints("da{}").T[:5]
    return accelerations(
        of_joints("theta{}"),
        of_joints("thetad{}"),
        of_joints("tau{}") + missed,
        friction=FRICTION * (1.0 + of_joints("db{}")),
        mass=MASS * (1.0 + np.roll(of_joints("dm{}"), 1, axis=1)),  # the first link has no dm
        length=LENGTH + length,
        offset=OFFSET + offset,
    )[:, ELBOW - 1]


def _motion(joints: int, angle: float, velocity: float, torque: float) -> tuple[Input, ...]:
    return (
        *symmetric_inputs("theta{}", joints, angle, "Angle of joint {} (rad)"),
        *symmetric_inputs("thetad{}", joints, velocity, "Velocity of joint {} (rad/s)"),
        *symmetric_inputs("tau{}", joints - 1, torque, "Torque of joint {} (N m)"),
    )


_LENGTHS = ("a2", "a3", "d3", "d4", "d6")
"""Lengths and offsets of the arm that change, in the order of the inputs da1 to da5."""


def _changes(share: float, length: float) -> tuple[Input, ...]:
    masses = [
        Input(f"dm{link - 1}", -share, share, f"Change of the mass of link {link} (share of it)")
        for link in range(2, 7)
    ]
    lengths = [
        Input(f"da{number}", -length, length, f"Change of the length {name} (meters)")
        for number, name in enumerate(_LENGTHS, start=1)
    ]
    frictions = symmetric_inputs("db{}", 5, share, "Change of the friction of joint {} (share of it)")
    return (*masses, *lengths, *frictions)


LINEAR_8, LINEAR_32 = _motion(3, 0.9, 0.6, 10.0), (*_motion(6, 0.9, 0.6, 2.0), *_changes(0.1, 0.02))
NON_LINEAR_8, NON_LINEAR_32 = _motion(3, 2.2, 1.2, 10.0), (*_motion(6, 2.2, 1.2, 2.0), *_changes(0.3, 0.05))

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
