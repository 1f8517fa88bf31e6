"""quad-cv-1: ridge regression on inputs, squares and products. Detail is said in its description."""

import numpy as np

from delvecore.methods.ridge_cv_1 import fit_ridge
from delvecore.methods.scikit import ScikitMethod
from delvecore.methods.standard import RegressionMethod, standard_problem
from delvecore.methods.targets import NumberPrediction, NumberProblem

__all__ = ["QuadCv1", "with_products"]

PRODUCT_WEIGHT = 0.5
MOST_COLUMNS = 40
"""Of more inputs than this, the products are left out: the cost grows with the square of their number."""
FURTHEST = 4.0
"""Standard inputs are cut at this size before they are multiplied."""


class QuadCv1(ScikitMethod, RegressionMethod):
    """Quadratic regression with a penalty on squared weights that predicts left-out cases best."""

    name = "quad-cv-1"

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        standard = standard_problem(problem)
        train, test = with_products(standard.train), with_products(standard.test)
        model, error = fit_ridge(train, standard.values)
        return standard.prediction(model.predict(test), error)


def with_products(inputs: np.ndarray) -> np.ndarray:
    """Return standard inputs, shape (cases, d), and their d (d + 1) / 2 products: squares less one.

    The products are multiplied by PRODUCT_WEIGHT, so that a penalty weighs on them more than on the inputs.
    """
    if inputs.shape[1] > MOST_COLUMNS:
        return inputs
    first, second = np.triu_indices(inputs.shape[1])
    near = np.clip(inputs, -FURTHEST, FURTHEST)
    products = near[:, first] * near[:, second] - (first == second)
    return np.hstack([inputs, PRODUCT_WEIGHT * products])
