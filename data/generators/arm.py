"""A simulated robot arm with eight revolute joints: how far is its end effector from a fixed point?

Link after link: a joint turns about the z axis of its frame by its angle, the link extends along the turned
x axis, and the next frame is twisted about that axis (the parameters theta, a and alpha of Denavit and
Hartenberg; their offsets d are zero). Lengths are in metres, angles in radians unless named degrees.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from generators.draws import Draws
from generators.files import Attribute, Design, cases_text, dataset_text, prior_text, prototask_text

__all__ = ["Member", "arm_files", "distances"]

LENGTHS = (0.33, 0.14, 0.04, 0.08, 0.08, 0.31, 0.37, 0.11)
TWISTS_DEGREES = (-45.0, 15.0, -45.0, 45.0, -45.0, -105.0, -60.0, 0.0)
HOME_DEGREES = (10.0, 85.0, -35.0, 35.0, -55.0, 5.0, 35.0, 100.0)
POINT = (0.06, -0.06, -0.38)

CASES = 8192
JOINTS = 8
TARGET = JOINTS + 1
DESIGN = Design(
    test_size=4096, training_sizes=(64, 128, 256, 512, 1024), selection="hierarchical", instances=8
)
NOTES = Path(__file__).with_name("arm_notes.txt")
SUMMARY = Path(__file__).with_name("arm_summary.txt")


@dataclass(frozen=True)
class Member:
    """One dataset of the family: how far the joints turn, and how badly they do as they are told.

    half_range: angles are asked for uniformly within this many radians of the home position.
    noise: standard deviation by which a joint misses the angle that was asked for, as a share of half_range.
    character: the two properties in words.
    """

    half_range: float
    noise: float
    seed: int
    character: str


def distances(angles: np.ndarray) -> np.ndarray:
    """Distances (metres) of the end effector from the point, for angles of shape (cases, joints)."""
    x = y = z = np.zeros(len(angles))
    for joint in reversed(range(JOINTS)):
        twist, turn = np.radians(TWISTS_DEGREES[joint]), np.radians(HOME_DEGREES[joint]) + angles[:, joint]
        y, z = y * np.cos(twist) - z * np.sin(twist), y * np.sin(twist) + z * np.cos(twist)
        x = x + LENGTHS[joint]
        x, y = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
    return np.sqrt((x - POINT[0]) ** 2 + (y - POINT[1]) ** 2 + (z - POINT[2]) ** 2)


def arm_files(member: Member) -> dict[str, str]:
    """Return the texts of all files of one dataset of the family by name."""
    types = dict.fromkeys(range(1, TARGET + 1), "real")
    inputs = range(1, TARGET)
    specification = prototask_text(
        origin="simulated", order="retain", inputs=inputs, targets=[TARGET], design=DESIGN
    )
    return {
        "Dataset.data": cases_text(_cases(member)),
        "Dataset.spec": _specification(member),
        "Source/Notes": NOTES.read_text(encoding="ascii").format(**_constants(member)),
        "Summary": SUMMARY.read_text(encoding="ascii").format(character=member.character),
        "dist/Prototask.spec": specification,
        "dist/std.prior": prior_text(types),
    }


def _cases(member: Member) -> list[list[str]]:
    """The angles asked for, and the distance that came of them, to six decimals."""
    draws = Draws(member.seed)
    asked = member.half_range * (2.0 * draws.uniform(CASES, JOINTS) - 1.0)
    reached = asked + member.noise * member.half_range * draws.normal(CASES, JOINTS)
    rows = np.column_stack([asked, distances(reached)])
    return [[f"{value:.6f}" for value in row] for row in rows]


def _specification(member: Member) -> str:
    extent = f"[-{member.half_range:.6f},{member.half_range:.6f}]"
    angles = [
        Attribute(f"theta{joint}", extent, f"Angle asked of joint {joint} (radians)")
        for joint in range(1, JOINTS + 1)
    ]
    return dataset_text(
        title=f"Distance of a simulated eight-link arm from a point: {member.character}",
        origin="simulated",
        usage="assessment",
        order="uninformative",
        attributes=[*angles, Attribute("distance", "[0,Inf)", "Distance of the end effector (metres)")],
    )


def _constants(member: Member) -> dict[str, str]:
    """The constants of the simulation as the notes print them."""
    links = zip(LENGTHS, TWISTS_DEGREES, HOME_DEGREES, strict=True)
    table = "\n".join(
        f"    {joint}  {length:5.2f}  {twist:5.0f}  {home:5.0f}"
        for joint, (length, twist, home) in enumerate(links, start=1)
    )
    return {
        "character": member.character,
        "half_range": f"{member.half_range:.6f}",
        "noise": f"{member.noise:g}",
        "noise_radians": f"{member.noise * member.half_range:.6f}",
        "seed": str(member.seed),
        "links": table,
        "point": "({:g}, {:g}, {:g})".format(*POINT),
    }
