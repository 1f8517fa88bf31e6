"""Small tables of scores, and what is read from them."""

import io

from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.reading import read_scores


def scores(text, name="table.csv", **options):
    """What is read from a text or from bytes, with these options."""
    data = text if isinstance(text, bytes) else text.encode()
    return read_scores(io.BytesIO(data), name=name, options=ScoreOptions(**options))


def cells(score_file):
    """{(dataset, method, instance, metric): value} of a file of scores."""
    names = ("dataset", "method", "instance", "metric")
    return {tuple(row[name] for name in names): row["value"] for row in score_file.rows.to_pylist()}
