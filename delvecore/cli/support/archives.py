"""Open the archives that commands read: files of scores, or delve directories."""

import argparse
import os
import sys
from collections.abc import Sequence

import delvecore
from delvecore.archive import Archive
from delvecore.archive.metrics import measured
from delvecore.archive.scores.opening import group_of, holds_scores
from delvecore.cli.support.context import active_hierarchy
from delvecore.cli.support.places import Names, datasets_of, places_of
from delvecore.cli.support.score_options import score_options
from delvecore.errors import DelveError
from delvecore.metrics.registry import known_name
from delvecore.model import place_names
from delvecore.readers.files import no_such_file
from delvecore.readers.hierarchy import find_directories
from delvecore.readers.tar_archives import local_path
from delvecore.score_tables.files import looks_like_scores
from delvecore.score_tables.options import Question, ScoreOptions

STANDARD_INPUT = "-"


Opened = tuple[Archive, list[Names]]
"""An archive and the chosen places in it, none for all."""


def open_scores(paths: Sequence[str], given: argparse.Namespace, *, loss: str | None = None) -> Opened | None:
    """Return the archive of the paths if one is a file of scores, or `-` for standard input; otherwise None.

    given: options of `add_scores` and `add_follow_links`; loss: the only one to read. Raises DelveError for a
    missing file, for ambiguous scores, and for options of scores if no path has scores."""
    paths, options = list(map(local_path, paths)), score_options(given)
    absent = [path for path in paths if looks_like_scores(path) and not os.path.lexists(path)]
    if absent:
        raise no_such_file(absent[0])
    of_scores = [path for path in paths if path == STANDARD_INPUT or holds_scores(path)]
    if not of_scores:
        if options != ScoreOptions():
            raise DelveError("expected a file of scores, since options for scores are used, found none")
        return None
    from delvecore.score_tables.reading import read_scores

    opened = [path for path in paths if path != STANDARD_INPUT and (path in of_scores or os.path.isdir(path))]
    try:
        archive = delvecore.open(opened, scores=options, follow_links=given.follow_links, loss=loss)
        if STANDARD_INPUT in of_scores:
            archive = archive.joined(group_of([read_scores(STANDARD_INPUT, options=options)]))
    except Question as question:
        raise question.in_command from None
    places = [path for path in paths if path not in opened and path not in of_scores]
    return archive, list(map(place_names, places))


def open_places(paths: Sequence[str], *, follow_links: bool) -> Opened:
    """Return the archive of the active delve directories with the datasets of these places."""
    hierarchy = active_hierarchy(os.getcwd(), follow_links=follow_links)
    places = places_of(hierarchy, paths, os.getcwd())
    datasets = datasets_of(places)
    return delvecore.open(hierarchy.roots, follow_links=follow_links, datasets=datasets), places


def open_archive(paths: Sequence[str], *, follow_links: bool) -> Opened:
    """Return the archive of the paths: delve directories, or places in the active delve directories."""
    paths = list(map(local_path, paths))
    if paths and all(os.path.isdir(path) for path in paths):
        try:
            return delvecore.open(find_directories(paths), follow_links=follow_links), []
        except DelveError:
            pass  # directories in a delve directory are places, too
    return open_places(paths, follow_links=follow_links)


def faults_of(archive: Archive) -> str | None:
    """Return the warning that faulty files are omitted; None without faults."""
    count = len(archive.faults)
    sentence = f"{count} faults in the files are left out; delve check lists them"
    return sentence if count else None


def with_loss(
    archive: Archive, loss: str | None, places: Sequence[Names] = (), *, command: str
) -> tuple[Archive, str | None]:
    """Return an archive with results under the loss, and the key of the loss. None means the default loss.

    places: tasks for which a metric is computed, empty for all. Reasons for missing values of a metric are
    printed on standard error."""
    if loss is None:
        return archive, None
    measured_archive = measured(archive, known_name(loss), places)
    for note in measured_archive.notes:
        print(f"{command}: {note}", file=sys.stderr)
    return measured_archive.archive, measured_archive.loss
