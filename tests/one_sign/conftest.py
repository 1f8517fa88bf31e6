"""The cases: nine column names in both directions, mirrored numbers, and the standard losses."""

from collections.abc import Callable
from pathlib import Path

import pytest

from delvecore.losses.standard_losses import LOSS_SPECS
from tests.dashboard.conftest import (  # noqa: F401
    checked_figures,
    one_search_for_components,
    patient_pages,
    run_page,
)
from tests.one_sign.loss_archive import loss_case, write_archive
from tests.one_sign.tables import NAMES, Case, table_case

Cases = Callable[..., Case]
TABLES = [(name, higher) for name in NAMES for higher in (True, False)]


def words_of(table: tuple[str, bool]) -> str:
    return f"{table[0]}, {'higher' if table[1] else 'lower'}"


@pytest.fixture(scope="session")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Cases:
    """Return a case by name, direction and mirror; it is made once for all tests."""
    made: dict[tuple[str, bool, str], Case] = {}

    def case(name: str, higher_is_better: bool, mirror: str = "as it is") -> Case:
        asked = (name, higher_is_better, mirror)
        if asked not in made:
            directory: Path = tmp_path_factory.mktemp("tables") / "of"
            made[asked] = table_case(directory, *asked)
        return made[asked]

    return case


@pytest.fixture(scope="session", params=TABLES, ids=words_of)
def table(request: pytest.FixtureRequest, cases: Cases) -> Case:
    """One column name in one direction."""
    return cases(*request.param)


@pytest.fixture(scope="session")
def losses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    """The standard losses of one small archive, by letter."""
    archive = write_archive(tmp_path_factory.mktemp("losses"))
    return {letter: loss_case(archive, letter) for letter in LOSS_SPECS}


@pytest.fixture(scope="session", params=list(LOSS_SPECS))
def loss(request: pytest.FixtureRequest, losses: dict[str, Case]) -> Case:
    """One standard loss."""
    return losses[request.param]
