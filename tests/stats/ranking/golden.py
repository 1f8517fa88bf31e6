"""The two tables of the literature, and the values on which independent programs agree for them."""

import json

from delvecore.stats.ranking.score_table import ScoreTable
from tests.score_texts import table_of
from tests.shared import golden_path

TABLES = ("flach_12_4", "demsar_table6")


def golden_table(name: str) -> ScoreTable:
    """Accuracies: Flach 2012, example 12.4; Demsar 2006, table 6."""
    path = golden_path(f"{name}.csv")
    return table_of(path.read_text(), higher_is_better=True)


def golden_values(name: str) -> dict:
    """{key: value or {key: value}}, without the counts of agreeing programs."""
    values = json.loads(golden_path("statistics.json").read_text())[name]
    return {key: _plain(entry) for key, entry in values.items()}


def pair_values(values: dict, suffix: str = "") -> dict[tuple[str, str], float]:
    """{(a, b): value} of keys such as `NB|DT/p`."""
    pair_values = {}
    for key, value in values.items():
        if key.endswith(suffix):
            a, _, b = key.removesuffix(suffix).partition("|")
            pair_values[a, b] = value
    return pair_values


def _plain(entry):
    if not isinstance(entry, dict) or "cliques_as_sets" in entry:
        return entry
    if "value" in entry:
        value = entry["value"]
        return value["value"] if isinstance(value, dict) else value
    return {key: _plain(value) for key, value in entry.items()}
