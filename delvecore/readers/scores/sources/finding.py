"""Which known program or archive is a table of?"""

from collections.abc import Callable

from delvecore.readers.scores import words
from delvecore.readers.scores.columns import Sheet
from delvecore.readers.scores.sources.benchmarks import (
    automl_benchmark,
    iohprofiler,
    openml,
    resamples,
    tabarena,
    tabzilla,
)
from delvecore.readers.scores.sources.known import Known, Names
from delvecore.readers.scores.sources.layouts import numbered, paired
from delvecore.readers.scores.sources.learners import (
    autogluon,
    caret,
    cross_validate,
    mlr3,
    search,
    tidymodels,
    weka,
)
from delvecore.readers.scores.sources.trackers import mlflow, weights_and_biases

__all__ = ["known_source"]

_SOURCES: tuple[Callable[[Sheet, Names], Known | None], ...] = (
    automl_benchmark,
    tabarena,
    tabzilla,
    openml,
    iohprofiler,
    autogluon,
    mlr3,
    tidymodels,
    weka,
    caret,
    search,
    cross_validate,
    resamples,
    mlflow,
    weights_and_biases,
    numbered,
    paired,
)


def known_source(sheet: Sheet) -> Known | None:
    """Return the table as one of a known source, None for any other one."""
    names = {words.folded(column.name): column.name for column in sheet.columns}
    return next((found for source in _SOURCES if (found := source(sheet, names)) is not None), None)
