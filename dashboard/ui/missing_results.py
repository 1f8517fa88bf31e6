"""Methods without results on a dataset, prototask or task, and why."""

from dashboard.server import archive as opened
from delvecore.archive import Archive
from delvecore.report import words
from delvecore.runner.choice import NOT_RUN, why_missing


@opened.cached
def without_results(archive: Archive, *place: str) -> str:
    """`Without results here: gp-1 (cannot: its target survived is binary).`; empty where no method with
    results elsewhere lacks them. place: names of dataset, prototask, task. Markdown."""
    start, groups = f"/{'/'.join(place)}/", dict[str, list[str]]()
    for method, paths in archive.index.tasks_done.items():
        if paths and not any(f"{path}/".startswith(start) for path in paths):
            why = why_missing(archive.hierarchy, method, *place) if archive.paths else NOT_RUN
            groups.setdefault(why, []).append(method)
    said = "; ".join(
        f"{words.and_list([*map(words.escape, names)])} ({words.escape(why)})"
        for why, names in groups.items()
    )
    return f"Without results here: {said}." if said else ""
