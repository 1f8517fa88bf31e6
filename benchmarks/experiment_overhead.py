"""What `dv.experiment` costs beside its fits: `cross_validate` on the same splits, in one run.

    python -m benchmarks experiment [--trees 100]

Times are those of the clock, and of the processor in this process and in others, which do not depend on what
else the machine does. The libraries of linear algebra compute in one thread in both."""

import resource
import time
import warnings
from argparse import ArgumentParser
from collections.abc import Sequence

from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import delvecore as dv
from delvecore.parallel.processes import single_threaded

SPLITS = StratifiedKFold(10, shuffle=True, random_state=0)
SCORES = ["accuracy", "neg_log_loss"]


def main(arguments: Sequence[str]) -> int:
    """Print the times; return 0."""
    parser = ArgumentParser(prog="python -m benchmarks experiment", description=__doc__)
    parser.add_argument("--trees", type=int, default=100, help="of forests and of boosting")
    trees = parser.parse_args(arguments).trees
    warnings.simplefilter("ignore")
    models = {
        "forest": RandomForestClassifier(trees, random_state=0),
        "boosting": GradientBoostingClassifier(n_estimators=trees, random_state=0),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)),
        "prior": DummyClassifier(),
    }
    data = {"cancer": load_breast_cancer(), "wine": load_wine(), "digits": load_digits()}
    fits = len(models) * len(data) * SPLITS.get_n_splits()
    started = time.perf_counter()
    with single_threaded():
        for bunch in data.values():
            for model in models.values():
                cross_validate(model, bunch.data, bunch.target, cv=SPLITS, scoring=SCORES)
    alone = time.perf_counter() - started
    print(f"{fits} fits by cross_validate: {alone:.1f} s")
    for jobs in (1, 2):
        started, before = time.perf_counter(), processor_seconds()
        dv.experiment(models, data, design=SPLITS, jobs=jobs, quiet=True)
        whole = time.perf_counter() - started
        here, others = (now - then for now, then in zip(processor_seconds(), before, strict=True))
        beside = f", {1000 * (whole - alone) / fits:.0f} ms a fit beside them" if jobs == 1 else ""
        print(f"dv.experiment, jobs={jobs}: {whole:.1f} s (ratio {whole / alone:.2f}){beside}")
        print(f"    processor: {here:.1f} s here, {others:.1f} s in other processes")
    return 0


def processor_seconds() -> tuple[float, float]:
    """Return the processor time of this process and of others that it started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    here, others = (one.ru_utime + one.ru_stime for one in used)
    return here, others
