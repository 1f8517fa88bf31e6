"""The arm's dynamics beside the figures printed for the same constants.

Source: Corke, Robotics, Vision and Control (Springer 2011), section 9.2, and the manual of his Robotics Toolbox:
gravity load and inertia of the Puma 560 in its nominal pose, `p560.gravload(qn)` and `p560.inertia(qn)`.
"""

import numpy as np
import pytest

from delvecore.simulators.pumadyn import PUMA_560, accelerations, torques

NOMINAL = np.array([[0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0]])
STILL = np.zeros((1, 6))


def test_gravity_load_in_the_nominal_pose_is_the_printed_one():
    load = torques(PUMA_560, NOMINAL, STILL, STILL)[0]
    assert load == pytest.approx([0.0, 31.6399, 6.0351, 0.0, 0.0283, 0.0], abs=5e-5)


def test_inertia_in_the_nominal_pose_is_the_printed_one():
    columns = [torques(PUMA_560, NOMINAL, STILL, STILL + unit, gravity=0.0)[0] for unit in np.eye(6)]
    inertia = np.column_stack(columns)
    assert inertia[:3, :3] == pytest.approx(
        np.array([[3.6594, -0.4044, 0.1006], [-0.4044, 4.4137, 0.3509], [0.1006, 0.3509, 0.9378]]), abs=5e-5
    )
    assert np.diag(inertia)[3:] == pytest.approx([0.1925, 0.1713, 0.1941], abs=5e-5)
    assert inertia == pytest.approx(inertia.T, abs=1e-12)


def test_accelerations_are_those_that_the_torques_would_need():
    angles, velocities, wanted = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 50, 6))
    needed = torques(PUMA_560, angles, velocities, wanted) + PUMA_560.friction * velocities
    assert accelerations(PUMA_560, angles, velocities, needed) == pytest.approx(wanted, abs=1e-9)
