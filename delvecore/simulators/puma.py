"""Forward dynamics of a Puma 560 robot arm: which accelerations of its joints do torques bring about?

The torques that given accelerations need follow from the recursive Newton-Euler equations (Luh, Walker and
Paul 1980), link by link outward for velocities and accelerations, and back inward for forces. They are linear
in the accelerations: torque = M(q) a + h(q, v). So six calls with unit accelerations give the columns of M,
one with none gives h, and M a = torque - h - friction is solved for a: the first method of Walker and Orin
(1982).

The constants are those of Armstrong, Khatib and Burdick, "The explicit dynamic model and inertial parameters
of the PUMA 560 arm", IEEE Conf. Robotics and Automation 1986, as compiled by Corke and Armstrong-Helouvry, "A
search for consensus among model parameters reported for the PUMA 560 robot", ibid. 1994, in frames by the
convention of Denavit and Hartenberg. Units: metres, kilograms, radians, seconds, newton metres.
"""

from dataclasses import dataclass

import numpy as np

__all__ = ["JOINTS", "PUMA_560", "Arm", "accelerations", "torques"]

JOINTS = 6
GRAVITY = 9.81


@dataclass(frozen=True)
class Arm:
    """Constants of six links: shape (6,), or (cases, 6) where they differ from case to case.

    twist, length, offset: of Denavit and Hartenberg; mass; centre: of mass in the link's frame, shape (6, 3);
    inertia: about the centre of mass, diagonal, (6, 3); rotor: inertia of the motor as felt at the joint;
    friction: viscous, as felt at the joint (N m s).
    """

    twist: np.ndarray
    length: np.ndarray
    offset: np.ndarray
    mass: np.ndarray
    centre: np.ndarray
    inertia: np.ndarray
    rotor: np.ndarray
    friction: np.ndarray


_GEAR = np.array([-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686])
PUMA_560 = Arm(
    twist=np.array([np.pi / 2, 0.0, -np.pi / 2, np.pi / 2, -np.pi / 2, 0.0]),
    length=np.array([0.0, 0.4318, 0.0203, 0.0, 0.0, 0.0]),
    offset=np.array([0.0, 0.0, 0.15005, 0.4318, 0.0, 0.0]),
    mass=np.array([0.0, 17.4, 4.8, 0.82, 0.34, 0.09]),
    centre=np.array(
        [
            [0.0, 0.0, 0.0],
            [-0.3638, 0.006, 0.2275],
            [-0.0203, -0.0141, 0.07],
            [0.0, 0.019, 0.0],
            [0.0, 0.0, 0.0],
            [0.0, 0.0, 0.032],
        ]
    ),
    inertia=np.array(
        [
            [0.0, 0.35, 0.0],
            [0.13, 0.524, 0.539],
            [0.066, 0.086, 0.0125],
            [1.8e-3, 1.3e-3, 1.8e-3],
            [0.3e-3, 0.4e-3, 0.3e-3],
            [0.15e-3, 0.15e-3, 0.04e-3],
        ]
    ),
    rotor=np.array([200e-6, 200e-6, 200e-6, 33e-6, 33e-6, 33e-6]) * _GEAR**2,
    friction=np.array([1.48e-3, 0.817e-3, 1.38e-3, 71.2e-6, 82.6e-6, 36.7e-6]) * _GEAR**2,
)


def accelerations(arm: Arm, angles: np.ndarray, velocities: np.ndarray, applied: np.ndarray) -> np.ndarray:
    """Return the accelerations of the joints under applied torques; all of shape (cases, 6)."""
    still = np.zeros_like(angles)
    bias = torques(arm, angles, velocities, still) + arm.friction * velocities
    columns = [torques(arm, angles, still, still + unit, gravity=0.0) for unit in np.eye(JOINTS)]
    return np.linalg.solve(np.stack(columns, axis=2), (applied - bias)[:, :, np.newaxis])[:, :, 0]


def torques(
    arm: Arm, angles: np.ndarray, velocities: np.ndarray, wanted: np.ndarray, *, gravity: float = GRAVITY
) -> np.ndarray:
    """Return the torques, friction left out, that the wanted accelerations need; all of shape (cases, 6)."""
    turns, shifts = _frames(arm, angles)
    forces, moments = _outward(arm, turns, shifts, velocities, wanted, gravity=gravity)
    needed = _inward(arm, turns, shifts, forces, moments)
    return needed + arm.rotor * wanted


def _frames(arm: Arm, angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each link's rotation to the link before, (cases, 6, 3, 3), and the vector from the frame before
    to its own, in its own frame, (cases, 6, 3)."""
    cosine, sine = np.cos(angles), np.sin(angles)
    twist_cosine, twist_sine = (
        np.broadcast_to(part, angles.shape) for part in (np.cos(arm.twist), np.sin(arm.twist))
    )
    zero = np.zeros_like(angles)
    rows = [
        [cosine, -sine * twist_cosine, sine * twist_sine],
        [sine, cosine * twist_cosine, -cosine * twist_sine],
        [zero, twist_sine, twist_cosine],
    ]
    turns = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    shifts = np.stack(
        np.broadcast_arrays(arm.length + zero, arm.offset * twist_sine, arm.offset * twist_cosine), axis=-1
    )
    return turns, shifts


def _outward(
    arm: Arm,
    turns: np.ndarray,
    shifts: np.ndarray,
    velocities: np.ndarray,
    wanted: np.ndarray,
    *,
    gravity: float,
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the force on each link's centre of mass and the moment about it, each in the link's frame."""
    cases = len(velocities)
    spin, spin_rate = np.zeros((cases, 3)), np.zeros((cases, 3))
    acceleration = np.tile([0.0, 0.0, gravity], (cases, 1))  # a base that rises feels like gravity
    axis = np.array([0.0, 0.0, 1.0])
    forces, moments = [], []
    for joint in range(JOINTS):
        back, shift = turns[:, joint].transpose(0, 2, 1), shifts[:, joint]
        speed, gain = velocities[:, joint, np.newaxis] * axis, wanted[:, joint, np.newaxis] * axis
        spin_rate = _turned(back, spin_rate + gain + np.cross(spin, speed))
        spin = _turned(back, spin + speed)
        acceleration = _turned(back, acceleration) + _carried(spin, spin_rate, shift)
        of_centre = acceleration + _carried(spin, spin_rate, arm.centre[joint])
        inertia = arm.inertia[joint]
        forces.append(arm.mass[..., joint, np.newaxis] * of_centre)
        moments.append(inertia * spin_rate + np.cross(spin, inertia * spin))
    return forces, moments


def _inward(
    arm: Arm, turns: np.ndarray, shifts: np.ndarray, forces: list[np.ndarray], moments: list[np.ndarray]
) -> np.ndarray:
    """Return the torque about the axis of each joint that holds all links beyond it."""
    cases = len(forces[0])
    force, moment = np.zeros((cases, 3)), np.zeros((cases, 3))
    found = [force] * JOINTS
    for joint in reversed(range(JOINTS)):
        shift = shifts[:, joint]
        if joint + 1 < JOINTS:
            force = _turned(turns[:, joint + 1], force)
            moment = _turned(turns[:, joint + 1], moment)
        own = np.cross(shift + arm.centre[joint], forces[joint]) + moments[joint]
        moment = moment + np.cross(shift, force) + own
        force = force + forces[joint]
        found[joint] = _turned(turns[:, joint], moment)[:, 2]
    return np.column_stack(found)


def _turned(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    return np.einsum("nij,nj->ni", matrices, vectors)


def _carried(spin: np.ndarray, spin_rate: np.ndarray, arm_vector: np.ndarray) -> np.ndarray:
    """Return the acceleration that turning gives to a point at a vector from the frame's origin."""
    vector = np.broadcast_to(arm_vector, spin.shape)
    return np.cross(spin_rate, vector) + np.cross(spin, np.cross(spin, vector))
