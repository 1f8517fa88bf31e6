"""The table of a paper from whatever an archive holds: results, scores of several folds, or single scores."""

from dataclasses import replace
from functools import partial

import pyarrow.compute as pc

from delvecore.archive import Archive
from delvecore.archive.score_tables import scored_table, usual_loss, with_unranked
from delvecore.report.paper.source import archive_paper_table, archive_values, score_paper_table, score_values
from delvecore.report.paper.table import PaperRequest, PaperTable
from delvecore.report.paper.values import ArchiveValues, ScoreValues
from delvecore.report.published import published_on

Values = ArchiveValues | ScoreValues


def paper_values(archive: Archive, request: PaperRequest) -> Values:
    """Return what a table is made of, the same for all requests with the same `numbers`. Raises DelveError
    where there is nothing to show."""
    if _has_errors(archive, request):
        return archive_values(archive, request)
    loss, methods = request.loss or usual_loss(archive), request.methods or None
    found = scored_table(archive, request.places, loss=loss, methods=methods, keep=request.kept)
    return score_values(found.table, request)


def _has_errors(archive: Archive, request: PaperRequest) -> bool:
    several = pc.max(archive.results["instances"]).as_py() if archive.results.num_rows else 0
    return bool(archive.paths or request.by or archive.case_names or (several or 0) > 1)


def paper_table(archive: Archive, request: PaperRequest, *, values: Values | None = None) -> PaperTable:
    """Return the table that is asked for: of losses with their errors; of scores of which no method has
    several on a dataset, of the scores themselves. values: see `paper_values`, where they are at hand. Raises
    DelveError where there is nothing to show."""
    values = values or paper_values(archive, request)
    if isinstance(values, ScoreValues):
        table = score_paper_table(values, request)
    else:
        published = partial(published_on, archive)
        table = archive_paper_table(archive, request, values=values, published=published)
    return replace(table, readings=with_unranked(archive.readings, table.runs))
