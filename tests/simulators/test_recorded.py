"""What slow simulators made lies beside them, and is what they make."""

import hashlib
from pathlib import Path

import pytest

from delvecore.locations import default_directories
from delvecore.readers.dataset import parse_generator
from delvecore.simulators import FAMILIES, SIMULATORS, record_path, simulated_text

SOME = ("bank-8nh", "bank-32fm")
"""Members that are always simulated anew; all others by `pytest --wide`."""
RECORDED = [name for name in SIMULATORS if Path(record_path(name)).is_file()]


def test_the_bank_family_is_recorded_and_no_other():
    assert [name for name in SIMULATORS if SIMULATORS[name] == FAMILIES[-1] == "bank"] == RECORDED


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_targets_make_the_cases_that_the_archive_names(name: str):
    path = Path(default_directories()[0]) / "data" / name / "Dataset.generator"
    generator = parse_generator(path.read_text(), str(path))
    assert hashlib.sha256(simulated_text(name)).hexdigest() == generator.checksum


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name if name in SOME else pytest.param(name, marks=pytest.mark.wide) for name in RECORDED]
)
def test_recorded_targets_are_what_is_simulated(name: str):
    assert simulated_text(name, anew=True) == simulated_text(name)
