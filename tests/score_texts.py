"""Tables of scores as their CSV text, read as a file of scores is."""

import csv
import io
from collections.abc import Iterator

from delvecore.archive.score_tables import measure_ranked, ranked_scores
from delvecore.library.input_tables import archive_of
from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.reading import read_scores
from delvecore.stats.ranking.score_table import ScoreTable


def table_of(text: str, *, higher_is_better: bool = False) -> ScoreTable:
    """The table that a text holds."""
    options = ScoreOptions(higher_is_better=higher_is_better)
    file = read_scores(io.BytesIO(text.encode()), name="t.csv", options=options)
    archive = archive_of(file)
    return ranked_scores(archive, measure_ranked(archive, None))


def csv_rows(text: str) -> Iterator[dict[str, str]]:
    """The rows of CSV below the comments that say how scores were read."""
    return csv.DictReader(line for line in io.StringIO(text, newline="") if not line.startswith("# "))
