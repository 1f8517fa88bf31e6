"""Small tables of losses and tasks for the tests, in the form and order of an archive's."""

from string import ascii_lowercase

import numpy as np
import pyarrow as pa

from delvecore.stats.choose import DEFAULT_SETTING, Setting, verdict
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.tables import COMPARISONS, SCHEMAS

LOSSES = SCHEMAS["losses"]
TASKS = pa.table(
    {
        "dataset": ["age", "ship"],
        "prototask": ["years", "survived"],
        "task": ["std.128", "std.20"],
        "prior": ["std", "std"],
        "training_size": [128, 20],
        "test_set_selection": ["hierarchical", "common"],
    }
)
AGE = ("age", "years", "std", 128)
SHIP = ("ship", "survived", "std", 20)


def score_table(values, **options):
    """A table of scores of tasks t0, t1 ... and methods a, b ..."""
    values = np.array(values, dtype=float)
    tasks, methods = values.shape
    return ScoreTable(
        tuple(f"t{k}" for k in range(tasks)), tuple(ascii_lowercase[:methods]), values, **options
    )


def loss_table(*results):
    """Make a table of losses from (task, loss, method, {instance: losses} or a list of rows)."""
    rows = []
    for (dataset, prototask, prior, size), loss, method, losses in results:
        for instance, values in dict(losses if isinstance(losses, dict) else enumerate(losses)).items():
            key = (method, dataset, prototask, f"{prior}.{size}", prior, size, loss, instance)
            rows.append((*key, list(map(float, values))))
    rows.sort(key=lambda row: (row[1], row[2], row[4], row[5], row[6], row[0], row[7]))
    return pa.table(list(zip(*rows, strict=True)) if rows else [[]] * len(LOSSES), schema=LOSSES)


def adjusted_comparisons(rows: list[dict], setting: Setting = DEFAULT_SETTING) -> pa.Table:
    """A table `COMPARISONS` of some columns, with p adjusted within each task, and verdicts."""
    places = [tuple(row.get(name) for name in ("dataset", "prototask", "task", "loss")) for row in rows]
    full = [dict.fromkeys(COMPARISONS.names) | row for row in rows]
    for place in dict.fromkeys(places):
        own = [row for row, other in zip(full, places, strict=True) if other == place]
        p = np.array([row["p"] for row in own], dtype=float)
        for row, adjusted in zip(own, adjust(p, method=setting.adjust, untested=True).tolist(), strict=True):
            row["p_adjusted"] = None if np.isnan(adjusted) else adjusted
            row["compared"] = int(np.isfinite(p).sum())
            row["verdict"] = verdict(row["difference"], row["p_adjusted"], level=setting.level)
    return pa.Table.from_pylist(full, schema=COMPARISONS)
