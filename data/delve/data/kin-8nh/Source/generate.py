"""Generate kin-8nh: the distance of a simulated arm's end effector from a fixed point."""

import math

from generators.arm import Member, arm_files

MEMBER = Member(half_range=math.pi / 2, noise=0.21, seed=104, character="non-linear, with high noise")


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    return arm_files(MEMBER)
