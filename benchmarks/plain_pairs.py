"""All pairs of methods compared by a plain loop over groups of a pandas table, with SciPy's distributions.

The yardstick for `statistics.pairs.compare_all`: figures of DELVE 1.1, computed as one would write it first.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy import stats

KEY = ["dataset", "prototask", "task", "prior", "training_size", "loss"]


def one_row_a_loss(losses: pa.Table) -> pd.DataFrame:
    """Return a losses table as pandas users have it: a row a loss, names as categories."""
    frame = losses.to_pandas()
    for name in ("method", *KEY):
        frame[name] = frame[name].astype("category")
    frame = frame.explode("values", ignore_index=True).rename(columns={"values": "value"})
    frame["case"] = frame.groupby(["method", *KEY, "instance"], observed=True, sort=False).cumcount()
    return frame.astype({"value": float})


def groups_of_rows(frame: pd.DataFrame) -> Iterable[tuple[tuple, pd.DataFrame]]:
    """Yield each task and loss with a column of losses a method, from a table with one row a loss."""
    for key, group in frame.groupby(KEY, sort=False, observed=True):
        yield key, group.pivot(index=["instance", "case"], columns="method", values="value")


def groups_of_arrays(frame: pd.DataFrame) -> Iterable[tuple[tuple, dict[str, np.ndarray]]]:
    """Yield each task and loss with an array of losses a method, from a table with one array an instance."""
    for key, group in frame.groupby(KEY, sort=False):
        yield key, {name: np.stack(part["values"].to_list()) for name, part in group.groupby("method")}


def compare_plainly(
    groups: Iterable[tuple[tuple, Mapping[str, pd.Series] | Mapping[str, np.ndarray]]],
    designs: Mapping[tuple, str],
    standardizers: Mapping[tuple, float],
) -> pd.DataFrame:
    """Compare all methods on every task and loss, pair after pair.

    designs: `hierarchical` or `common` by (dataset, prototask, task); standardizers: by that and the loss.
    """
    rows = []
    for key, losses in groups:
        design, constant = designs[key[:3]], standardizers[(*key[:3], key[-1])]
        for a, b in combinations(losses, 2):
            found = _compare(losses[a], losses[b], design)
            found |= {"method_a": a, "method_b": b, **dict(zip(KEY, key, strict=True))}
            rows.append(found | _standardized(found, key[-1], constant))
    return pd.DataFrame(rows)


def _compare(a, b, design):
    """One pair: manual, equations 3 to 9 or 12 to 21."""
    compare = _compare_common if design == "common" else _compare_hierarchical
    differences = a - b
    if isinstance(differences, pd.Series):
        differences = differences.unstack("case").to_numpy()
    return {"mean_a": a.mean(), "mean_b": b.mean(), **compare(differences)}


def _compare_hierarchical(d):
    instances, cases = d.shape
    mean, rows = d.mean(), d.mean(axis=1)
    ms_a = cases * ((rows - mean) ** 2).sum() / (instances - 1)
    ms_e = ((d - rows[:, None]) ** 2).sum() / (instances * (cases - 1))
    training = max((ms_a - ms_e) / cases, 0)
    standard_error = np.sqrt(training / instances + ms_e / (instances * cases))
    error = np.sqrt(ms_a / (instances * cases))
    t = mean / error
    p = 2 * stats.t.sf(abs(t), instances - 1)
    return _figures(mean, standard_error, (training, np.nan, ms_e), p)


def _compare_common(d):
    instances, cases = d.shape
    mean, rows, columns = d.mean(), d.mean(axis=1), d.mean(axis=0)
    ms_a = cases * ((rows - mean) ** 2).sum() / (instances - 1)
    ms_b = instances * ((columns - mean) ** 2).sum() / (cases - 1)
    residual = d - rows[:, None] - columns[None, :] + mean
    df_e = (instances - 1) * (cases - 1)
    ms_e = (residual**2).sum() / df_e
    training, tests = max((ms_a - ms_e) / cases, 0), max((ms_b - ms_e) / instances, 0)
    standard_error = np.sqrt(training / instances + tests / cases + ms_e / (instances * cases))
    ms_m = instances * cases * mean**2
    f = (ms_m + ms_e) / (ms_a + ms_b)
    df1 = (ms_m + ms_e) ** 2 / (ms_m**2 + ms_e**2 / df_e)
    df2 = (ms_a + ms_b) ** 2 / (ms_a**2 / (instances - 1) + ms_b**2 / (cases - 1))
    return _figures(mean, standard_error, (training, tests, ms_e), stats.f.sf(f, df1, df2))


def _figures(mean, standard_error, variances, p):
    training, cases, residual = np.sqrt(variances)
    return {
        "difference": mean,
        "standard_error": standard_error,
        "sd_training": training,
        "sd_cases": cases,
        "sd_residual": residual,
        "p_delve": p,
    }


def _standardized(found, loss, constant):
    divisor = 1.0 if loss == "L" else constant
    return {
        "standardized_difference": found["difference"] / divisor,
        "standardized_error": found["standard_error"] / divisor,
    }
