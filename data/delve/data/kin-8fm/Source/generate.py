"""Generate kin-8fm: the distance of a simulated arm's end effector from a fixed point."""

import math

from generators.arm import Member, arm_files

MEMBER = Member(half_range=math.pi / 10, noise=0.09, seed=101, character="fairly linear, with medium noise")


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    return arm_files(MEMBER)
