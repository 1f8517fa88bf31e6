"""The simulated arm: distances worked by hand, and the likeness of its datasets to the original family."""

import math

import numpy as np
import pytest
from generators import arm

from tests.data_archive.archive import DATASETS, numeric_cases
from tests.shared import shared_path

FAMILY = ("fm", "fh", "nm", "nh")


@pytest.fixture
def plain_arm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight links of 0.1 metres, no twists, home along the x axis, the point at the base."""
    monkeypatch.setattr(arm, "LENGTHS", (0.1,) * 8)
    monkeypatch.setattr(arm, "TWISTS_DEGREES", (0.0,) * 8)
    monkeypatch.setattr(arm, "HOME_DEGREES", (0.0,) * 8)
    monkeypatch.setattr(arm, "POINT", (0.0, 0.0, 0.0))


def _angles(**turned: float) -> np.ndarray:
    """One case: all angles zero but those named, as joint5=1.2."""
    angles = np.zeros((1, 8))
    for joint, angle in turned.items():
        angles[0, int(joint.removeprefix("joint")) - 1] = angle
    return angles


@pytest.mark.usefixtures("plain_arm")
def test_a_straight_arm_reaches_as_far_as_its_links_together():
    assert arm.distances(_angles()) == pytest.approx([0.8])


@pytest.mark.usefixtures("plain_arm")
def test_an_elbow_makes_a_right_angled_triangle():
    # Joint 5 turned by 90 degrees: 0.4 along x, then 0.4 along y.
    assert arm.distances(_angles(joint5=math.pi / 2)) == pytest.approx([math.hypot(0.4, 0.4)])


@pytest.mark.usefixtures("plain_arm")
def test_the_first_joint_turns_the_whole_arm(monkeypatch: pytest.MonkeyPatch):
    # The arm along y ends at (0, 0.8, 0), which is 0.6 from (0.6, 0.8, 0).
    monkeypatch.setattr(arm, "POINT", (0.6, 0.8, 0.0))
    assert arm.distances(_angles(joint1=math.pi / 2)) == pytest.approx([0.6])


@pytest.mark.usefixtures("plain_arm")
def test_a_twist_takes_the_arm_out_of_the_plane(monkeypatch: pytest.MonkeyPatch):
    # Twisted by 90 degrees after link 1, joint 2 lifts the rest upwards: the end is at (0.1, 0, 0.7).
    monkeypatch.setattr(arm, "TWISTS_DEGREES", (90.0,) + (0.0,) * 7)
    monkeypatch.setattr(arm, "POINT", (0.1, 0.0, 1.0))
    assert arm.distances(_angles(joint2=math.pi / 2)) == pytest.approx([0.3])


@pytest.mark.usefixtures("plain_arm")
def test_the_home_position_is_added_to_the_angles(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(arm, "HOME_DEGREES", (0.0,) * 4 + (90.0,) + (0.0,) * 3)
    assert arm.distances(_angles(joint5=-math.pi / 2)) == pytest.approx([0.8])


@pytest.mark.parametrize("member", FAMILY)
def test_angles_are_uniform_over_their_range(member: str):
    # Uniform on (-r, r): mean 0, standard deviation r/sqrt(3); standard errors of 8192 draws 0.0064 r, 0.0029 r.
    half_range = math.pi / (10 if member[0] == "f" else 2)
    shares = numeric_cases(f"kin-8{member}")[:, :8] / half_range
    assert np.abs(shares).max() <= 1.00001
    assert np.abs(shares).max(axis=0).min() > 0.999
    assert shares.mean(axis=0) == pytest.approx(np.zeros(8), abs=0.024)
    assert shares.std(axis=0) == pytest.approx(np.full(8, 3**-0.5), abs=0.011)


@pytest.mark.parametrize("member", FAMILY)
def test_the_notes_give_the_constants_of_the_simulation(member: str):
    notes = (DATASETS / f"kin-8{member}" / "Source" / "Notes").read_text()
    for joint, (length, twist, home) in enumerate(
        zip(arm.LENGTHS, arm.TWISTS_DEGREES, arm.HOME_DEGREES, strict=True)
    ):
        assert f"{joint + 1} {length:.2f} {twist:g} {home:g}" in " ".join(notes.split())


@pytest.mark.parametrize("member", FAMILY)
def test_inputs_and_target_spread_like_the_originals(member: str):
    ours, original = numeric_cases(f"kin-8{member}"), _original(member)
    assert ours.shape == original.shape == (8192, 9)
    assert np.abs(ours[:, :8]).max() == pytest.approx(np.abs(original[:, :8]).max(), rel=0.001)
    assert ours[:, 8].mean() == pytest.approx(original[:, 8].mean(), abs=0.01)
    assert ours[:, 8].std() == pytest.approx(original[:, 8].std(), rel=0.05)
    shares = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
    assert np.quantile(ours[:, 8], shares) == pytest.approx(np.quantile(original[:, 8], shares), abs=0.03)


@pytest.mark.parametrize("member", FAMILY)
def test_linear_regression_gets_as_far_as_on_the_originals(member: str):
    ours, original = _linear_error(numeric_cases(f"kin-8{member}")), _linear_error(_original(member))
    assert ours == pytest.approx(original, rel=0.1)


@pytest.mark.parametrize("member", FAMILY)
def test_kernel_regression_gets_as_far_as_on_the_originals(member: str):
    ours, original = (
        _kernel_error(numeric_cases(f"kin-8{member}"), member),
        _kernel_error(_original(member), member),
    )
    assert ours == pytest.approx(original, rel=0.2)
    assert ours < 0.97 * _linear_error(numeric_cases(f"kin-8{member}"))


def _original(member: str) -> np.ndarray:
    return np.loadtxt(shared_path(f"data/delve/kin-8{member}.data.gz"))


def _split(cases: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Inputs and targets of 4096 test cases and of 1024 training cases, inputs of unit variance."""
    inputs, target = cases[:, :8] / cases[:, :8].std(axis=0), cases[:, 8]
    return inputs[:4096], target[:4096], inputs[4096:5120], target[4096:5120]


def _linear_error(cases: np.ndarray) -> float:
    """Standardized squared error of least squares from 1024 training cases."""
    test, truth, training, target = _split(cases)
    design = np.column_stack([np.ones(len(training)), training])
    weights = np.linalg.lstsq(design, target, rcond=None)[0]
    return float(((truth - weights[0] - test @ weights[1:]) ** 2).mean() / truth.var())


def _kernel_error(cases: np.ndarray, member: str) -> float:
    """Standardized squared error of kernel ridge regression from 1024 training cases, settings by member.

    The length scales and ridges are near the best for the originals.
    """
    length, ridge = {"fm": (6, 0.003), "fh": (6, 0.03), "nm": (2.5, 0.03), "nh": (2.5, 0.2)}[member]
    test, truth, training, target = _split(cases)
    weights = np.linalg.solve(
        _kernel(training, training, length) + ridge * np.eye(1024), target - target.mean()
    )
    guesses = target.mean() + _kernel(test, training, length) @ weights
    return float(((truth - guesses) ** 2).mean() / truth.var())


def _kernel(left: np.ndarray, right: np.ndarray, length: float) -> np.ndarray:
    squares = (left**2).sum(axis=1)[:, None] + (right**2).sum(axis=1) - 2 * left @ right.T
    return np.exp(-squares / (2 * length**2))
