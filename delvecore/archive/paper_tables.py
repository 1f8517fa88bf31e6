"""The table of a paper from whatever an archive holds: results, scores of several folds, or single scores."""

from dataclasses import replace
from functools import partial

import pyarrow.compute as pc

from delvecore.archive import Archive
from delvecore.archive.score_tables import scored_table, usual_loss
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.source import archive_paper_table, score_paper_table
from delvecore.report.paper.table import PaperTable
from delvecore.report.published import published_on

__all__ = ["paper_table"]


def paper_table(archive: Archive, request: PaperRequest) -> PaperTable:
    """Return the table that is asked for: of losses with their errors; of scores of which no method has
    several on a dataset, of the scores themselves. Raises DelveError where there is nothing to show."""
    several = pc.max(archive.results["instances"]).as_py() if archive.results.num_rows else 0
    if archive.paths or request.by or (several or 0) > 1:
        return archive_paper_table(archive, request, published=partial(published_on, archive))
    places = [tuple(filter(None, path.split("/"))) for path in request.paths if path.strip("/")]
    table = scored_table(archive, places, loss=request.loss or usual_loss(archive)).table
    return score_paper_table(table, replace(request, higher_is_better=table.higher_is_better))
