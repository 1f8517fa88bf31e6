"""From a task-array to the ranking of its tasks and back: the same loss, methods and confidence."""

from collections.abc import Collection

import streamlit as st

from dashboard.server import archive as opened
from dashboard.ui import selection
from delvecore.archive import Archive
from delvecore.report import words


def ranking_filter(archive: Archive, array: str) -> dict[str, list[str]]:
    """Return the parameters by which the page Ranking takes the tasks of an array: its family, or where some
    of its datasets are of another family, too, its datasets."""
    datasets = _datasets(archive)[array]
    families = archive.families
    if all(families.get(name) == array for name in datasets):
        return {"family": [array]}
    return {"data": sorted(datasets)}


def array_of_datasets(archive: Archive, datasets: Collection[str]) -> str | None:
    """Which array has just these of the datasets with results? None where none has."""
    done = {dataset for dataset, *_ in archive.index.tasks}
    wanted = set(datasets)
    found = (name for name, own in _datasets(archive).items() if own & done == wanted)
    return next(found, None) if wanted else None


@opened.cached
def _datasets(archive: Archive) -> dict[str, set[str]]:
    return {array.name: {member.dataset for member in array.members} for array in archive.arrays}


def offer_ranking(archive: Archive, array: str, loss: str) -> None:
    """Offer the way from an array to the ranking of its tasks."""
    if st.button("Ranking of these tasks", icon=":material/leaderboard:", key="to-ranking", type="tertiary"):
        selection.open_page("ranking", others=ranking_filter(archive, array), loss=loss)


def offer_array(archive: Archive, datasets: Collection[str], loss: str) -> None:
    """Offer the way from a ranking to the array whose tasks it ranks, if there is one."""
    name = array_of_datasets(archive, datasets)
    if name is not None and st.button(
        f"Task-array {words.escape(name)}", icon=":material/grid_view:", key="to-array", type="tertiary"
    ):
        selection.open_page("task_arrays", array=name, loss=loss)
