"""Generate kin-8nm: the distance of a simulated arm's end effector from a fixed point."""

import math

from generators.arm import Member, arm_files

MEMBER = Member(half_range=math.pi / 2, noise=0.08, seed=103, character="non-linear, with medium noise")


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    return arm_files(MEMBER)
