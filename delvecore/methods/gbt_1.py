"""gbt-1: gradient-boosted trees by scikit-learn. What it does in detail is said in its description."""

import numpy as np

from delvecore.methods.inputs import usable_inputs
from delvecore.methods.scikit import Model, ScikitMethod, smoothed, state
from delvecore.methods.standard import InputMethod, first_best, gaussian_prediction, make_folds
from delvecore.methods.targets import ClassProblem, NumberPrediction, NumberProblem

__all__ = ["Gbt1"]

RATE = 0.1
MOST_TREES = 250
MOST_CLASS_TREES = 500
"""Trees of all values together: with many values there are fewer steps."""
DEPTHS = (2, 4)
SHARE_OF_CASES = 0.5
FOLDS = 3
CLASS_WEIGHT = 0.01


class Gbt1(ScikitMethod, InputMethod):
    """Boosted trees; their depth and number by cross-validation."""

    name = "gbt-1"

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        from sklearn.ensemble import GradientBoostingRegressor

        train, test = usable_inputs(problem.instance)
        values = problem.values
        squares = np.zeros((len(DEPTHS), MOST_TREES, len(train)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            for place, depth in enumerate(DEPTHS):
                boosted = _boosted(GradientBoostingRegressor, depth, MOST_TREES, rng)
                boosted.fit(train[learn], values[learn])
                for step, found in enumerate(boosted.staged_predict(train[held])):
                    squares[place, step, held] = (found - values[held]) ** 2
        errors = np.mean(squares, axis=2)
        best = first_best(errors)
        place, step = divmod(best, MOST_TREES)
        boosted = _boosted(GradientBoostingRegressor, DEPTHS[place], step + 1, rng)
        return gaussian_prediction(boosted.fit(train, values).predict(test), errors.flat[best])

    def predict_classes(self, problem: ClassProblem, rng: np.random.Generator) -> np.ndarray:
        from sklearn.ensemble import GradientBoostingClassifier

        train, test = usable_inputs(problem.instance)
        classes = problem.classes
        if len(np.unique(classes)) == 1:
            return smoothed(np.ones((len(test), 1)), classes[:1], classes, problem.count, weight=1.0)
        most = MOST_CLASS_TREES // problem.count
        losses = np.zeros((len(DEPTHS), most, len(train)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            for place, depth in enumerate(DEPTHS):
                boosted = _boosted(GradientBoostingClassifier, depth, most, rng)
                losses[place, :, held] = _staged_losses(boosted, train, problem, learn, held).T
        place, step = divmod(first_best(np.mean(losses, axis=2)), most)
        boosted = _boosted(GradientBoostingClassifier, DEPTHS[place], step + 1, rng)
        shares = boosted.fit(train, classes).predict_proba(test)
        return smoothed(shares, boosted.classes_, classes, problem.count, weight=CLASS_WEIGHT)


def _boosted(kind: type, depth: int, trees: int, rng: np.random.Generator) -> Model:
    """Return unfitted boosted trees; each node tries half of the inputs."""
    return kind(
        learning_rate=RATE,
        n_estimators=trees,
        max_depth=depth,
        subsample=SHARE_OF_CASES,
        max_features=0.5,
        random_state=state(rng),
    )


def _staged_losses(
    boosted: Model, train: np.ndarray, problem: ClassProblem, learn: np.ndarray, held: np.ndarray
) -> np.ndarray:
    """Return minus log probabilities of the held-out cases after each step: shape (steps, cases)."""
    classes, own = problem.classes, np.arange(len(held))
    if len(np.unique(classes[learn])) == 1:
        shares = [np.ones((len(held), 1))] * boosted.n_estimators
        known = classes[learn][:1]
    else:
        boosted.fit(train[learn], classes[learn])
        shares, known = boosted.staged_predict_proba(train[held]), boosted.classes_
    found = [smoothed(share, known, classes[learn], problem.count, weight=CLASS_WEIGHT) for share in shares]
    return np.array([-np.log(one[own, classes[held]]) for one in found])
