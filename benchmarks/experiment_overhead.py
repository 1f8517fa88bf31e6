"""What `dv.experiment` costs beside its fits: five models, six datasets, eight training sets each.

    python -m benchmarks.experiment_overhead [--size 128]

Times are of the processor in one process, so that other work does not count. The fits alone are
a plain loop over the same training and test sets, in the same encoding, that fits and predicts."""

import time
import warnings
from argparse import ArgumentParser

import pandas as pd
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

import delvecore as dv
from delvecore.datasets import to_frame
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.experiments import Experiment
from delvecore.methods.protocol import TaskView
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task
from delvecore.runner.choice import coding_choice, plan_for
from delvecore.runner.one_instance import learning_instance

MODELS = {
    "forest": RandomForestClassifier(100),
    "boosting": GradientBoostingClassifier(),
    "logistic": LogisticRegression(max_iter=500),
    "network": MLPClassifier(),
    "svm": SVC(probability=True),
}


INSTANCES = 8


def datasets() -> dict[str, tuple[object, str]]:
    """Return data with the name of its target, a category, by name."""
    data = {
        "cancer": (load_breast_cancer(as_frame=True), "target"),
        "digits": (load_digits(as_frame=True), "target"),
        "titanic": (to_frame("/titanic/survived"), "SURVIVED"),
    }
    for name, prototask in (("kin-8nm", "dist"), ("bank-8fm", "rej"), ("pumadyn-8nm", "accel")):
        frame = to_frame(f"/{name}/{prototask}").iloc[:2000]
        data[name] = _with_halves(frame, frame.columns[-1]), frame.columns[-1]
    return data


def _with_halves(frame: pd.DataFrame, target: str) -> pd.DataFrame:
    """Return a frame whose target says whether its number is above the median."""
    above = frame[target] > frame[target].median()
    return frame.assign(**{target: above.map({True: "yes", False: "no"})})


def fits_alone(found: Experiment) -> float:
    """Return the seconds of a plain loop over the instances of an experiment."""
    hierarchy, seconds = Hierarchy([found.path]), 0.0
    for row in found.archive.tasks.to_pylist():
        dataset, prototask, prior, task = read_task(hierarchy, row["dataset"], row["prototask"], row["task"])
        cases, view = (
            prototask_cases(hierarchy, dataset, prototask),
            TaskView(dataset, prototask, prior, task),
        )
        for name, model in MODELS.items():
            plan = plan_for(_Default(name), hierarchy, view, cases, choice=coding_choice("impute"))
            for instance in plan.instances:
                one = learning_instance(plan, instance)
                classes = (
                    one.train_targets.argmax(axis=1)
                    if one.train_targets.shape[1] > 1
                    else one.train_targets[:, 0]
                )
                started = time.process_time()
                clone(model).fit(one.train_inputs, classes).predict_proba(one.test_inputs)
                seconds += time.process_time() - started
    return seconds


class _Default:
    """A method with the default encodings."""

    def __init__(self, name: str) -> None:
        self.name = name

    def codings(self, task: TaskView) -> dict[int, object]:
        return {}


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=128, help="cases of a training set")
    size = parser.parse_args().size
    warnings.simplefilter("ignore")
    data = datasets()
    started = time.process_time()
    found = dv.experiment(
        MODELS,
        {name: one for name, (one, _) in data.items()},
        target={name: target for name, (_, target) in data.items()},
        sizes=(size,),
        instances=INSTANCES,
        jobs=1,
        quiet=True,
    )
    whole = time.process_time() - started
    alone, fits = fits_alone(found), found.archive.costs.num_rows
    told = sum(found.archive.costs["seconds"].to_pylist())
    print(f"{fits} fits: experiment {whole:.1f} s, fits alone {alone:.1f} s (ratio {whole / alone:.3f})")
    beside = 1000 * (whole - told) / fits
    print(f"the fits took {told:.1f} s within the experiment; {beside:.1f} ms a fit beside them")


if __name__ == "__main__":
    main()
