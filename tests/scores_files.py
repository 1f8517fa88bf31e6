"""Small tables of scores: cross-validation of three methods, a design of two factors, one number per dataset."""

import random
from pathlib import Path

__all__ = ["folds_csv", "wide_csv"]

METHODS = {"svm": 0.0, "forest": 0.1, "knn": -0.1}


def folds_csv(path: Path, datasets: tuple[str, ...] = ("iris", "wine", "heart"), *, folds: int = 5) -> Path:
    """Write accuracies of three methods in the folds of datasets, with their seconds; return the path."""
    drawn = random.Random(1)
    lines = ["dataset,method,fold,accuracy,seconds"]
    for dataset in datasets:
        for method, shift in METHODS.items():
            for fold in range(folds):
                score = 0.7 + shift + 0.05 * drawn.random()
                lines.append(f"{dataset},{method},{fold},{score:.4f},{1 + drawn.random():.3f}")
    path.write_text("\n".join(lines) + "\n")
    return path


def wide_csv(path: Path) -> Path:
    """Write one error rate of three methods on each of four datasets; return the path."""
    path.write_text("dataset,a,b,c\none,0.1,0.2,0.3\ntwo,0.1,0.2,0.3\nthree,0.2,0.1,0.3\nfour,0.1,0.2,0.3\n")
    return path
