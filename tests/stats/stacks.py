"""Losses of many methods for the tests: ordinary ones, and each kind that breaks careless arithmetic."""

import numpy as np

KINDS = (
    "ordinary",
    "nearly equal",
    "close",
    "equal but for one case",
    "identical",
    "constant",
    "raised by a constant",
    "constant in each training set",
    "permuted",
    "zero-one",
    "huge offset",
    "mean near zero",
)


def loss_stack(seed, kinds, instances, test_cases):
    """Return losses of shape (methods, instances, test cases): method 0 is ordinary, then one for each kind."""
    generator = np.random.default_rng(seed)
    hard = generator.gamma(2, 1, (1, test_cases))
    base = (
        hard * generator.gamma(3, 0.3, (instances, test_cases)) + generator.normal(size=(instances, 1)) ** 2
    )
    return np.array([base, *(_losses(kind, base, generator) for kind in kinds)])


def _losses(kind, base, generator):
    shape = base.shape
    match kind:
        case "ordinary":
            return 1.1 * base + generator.gamma(1, 0.3, shape)
        case "nearly equal":
            return base + 1e-9 * generator.normal(size=shape)
        case "close":
            return base + 0.01 + 3e-4 * generator.normal(size=shape)
        case "equal but for one case":
            other = base.copy()
            other[-1, -1] += 0.5
            return other
        case "identical":
            return base.copy()
        case "constant":
            return np.full(shape, 0.1)
        case "raised by a constant":
            return base + 0.3
        case "constant in each training set":
            return np.broadcast_to(generator.normal(size=(shape[0], 1)), shape)
        case "permuted":
            return np.array([generator.permutation(base[0]) for _ in base])
        case "zero-one":
            return (generator.random(shape) < 0.3).astype(float)
        case "huge offset":
            return 1e6 + base
        case "mean near zero":
            noise = generator.normal(size=shape)
            return noise - noise.mean() + 1e-9
