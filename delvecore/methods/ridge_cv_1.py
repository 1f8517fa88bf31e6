"""ridge-cv-1: ridge regression, its penalty by leave-one-out. Detail is said in its description."""

import numpy as np

from delvecore.methods.scikit import Model, ScikitMethod
from delvecore.methods.standard import RegressionMethod, first_best, standard_problem
from delvecore.methods.targets import NumberPrediction, NumberProblem

__all__ = ["RidgeCv1", "fit_ridge"]

PENALTIES = 10.0 ** np.arange(5.0, -3.25, -0.25)
"""Largest first: of equally good penalties the largest is chosen."""


class RidgeCv1(ScikitMethod, RegressionMethod):
    """Linear regression with a penalty on squared weights that predicts left-out training cases best."""

    name = "ridge-cv-1"

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        standard = standard_problem(problem)
        model, error = fit_ridge(standard.train, standard.values)
        return standard.prediction(model.predict(standard.test), error)


def fit_ridge(inputs: np.ndarray, values: np.ndarray) -> Model:
    """Return scikit-learn's ridge regression with the best of the PENALTIES, and its mean squared
    leave-one-out error."""
    from sklearn.linear_model import Ridge, RidgeCV

    search = RidgeCV(alphas=PENALTIES, store_cv_results=True, gcv_mode="svd").fit(inputs, values)
    errors = np.mean(search.cv_results_, axis=0)
    best = first_best(errors)
    return Ridge(alpha=PENALTIES[best], solver="svd").fit(inputs, values), float(errors[best])
