"""How well do predicted and actual classes agree, in one number? F measures, Matthews' correlation, kappa."""

import math
from dataclasses import dataclass

import numpy as np

from delvecore.stats.classification.measures import ContingencyTable

__all__ = ["Agreement", "agreement_of"]


@dataclass(frozen=True)
class Agreement:
    """macro_f: mean of the F measures of the classes that have cases or predictions, each counting alike;
    micro_f: F of the counts of all classes added, which with one class a case is the accuracy; matthews: the
    correlation of predicted and actual classes, -1 to 1; kappa: Cohen's, agreement beyond chance. Not a
    number where undefined: Matthews' where all predictions, or all cases, are of one class."""

    macro_f: float
    micro_f: float
    matthews: float
    kappa: float


def agreement_of(table: ContingencyTable) -> Agreement:
    """Return the agreement of a contingency table; of an empty one nothing is a number.

    Source: Sokolova and Lapalme 2009 (F); Gorodkin 2004 (Matthews' of several classes); Cohen 1960."""
    counts = np.array(table.counts, dtype=float)
    hits, actual, predicted, total = np.diag(counts), counts.sum(axis=1), counts.sum(axis=0), counts.sum()
    if not total:
        return Agreement(*[math.nan] * 4)
    occurs = actual + predicted > 0
    macro = (2 * hits[occurs] / (actual + predicted)[occurs]).mean()
    by_chance = actual @ predicted / total**2
    accuracy = hits.sum() / total
    spread = (1 - actual @ actual / total**2) * (1 - predicted @ predicted / total**2)
    matthews = (accuracy - by_chance) / math.sqrt(spread) if spread > 0 else math.nan
    kappa = (accuracy - by_chance) / (1 - by_chance) if by_chance < 1 else math.nan
    return Agreement(float(macro), float(accuracy), float(matthews), float(kappa))
