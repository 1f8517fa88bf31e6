"""A delve directory with a task of each scheme of instances, for tests."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.schemes import planned_instances
from delvecore.encoding.task_instances import instances_text
from delvecore.plan import Plan
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset, read_prototask
from tests.archives import small_archive, write_tree

__all__ = ["PLACES", "schemes_archive"]

PLACES = {
    "/demo/age/std.24": (Plan("632", 60), "S"),
    "/demo/age/std.16": (Plan("holdout", shares=(0.3,), runs=6), "S"),
    "/demo/age/std.18": (Plan("cv", 4, repeats=3), "S"),
    "/demo/age/std.6": (Plan("sliding", 3), "S"),
    "/demo/shade/std.23": (Plan("loo"), "Z"),
    "/demo/shade/std.24": (Plan("e0", 60), "Z"),
}
"""Tasks with the plan of their instances, and the loss that the methods `one`, `two` and `three` have there."""


def schemes_archive(parent: Path, places: Mapping[str, tuple[Plan, str]] = PLACES) -> Path:
    """Return the root of the small archive with these tasks and losses."""
    root = small_archive(parent, "delve-schemes")
    hierarchy, draws = Hierarchy([str(root)]), np.random.default_rng(4)
    files = {}
    for path, (plan, loss) in places.items():
        _, name, prototask, task = path.split("/")
        dataset = read_dataset(hierarchy, name)
        cases = prototask_cases(hierarchy, dataset, read_prototask(hierarchy, dataset, prototask))
        instances = planned_instances(cases, plan)
        listed = instances_text(instances, cases.case_numbers, plan=plan, runs=plan.runs)
        files[f"data/demo/{prototask}/{task}.instances"] = listed
        for method, more in (("one", 0.0), ("two", 0.25), ("three", 0.1)):
            for one in instances:
                size = len(one.test)
                wrong = (draws.random(size) < 0.3 + more).astype(int)
                values = wrong if loss == "Z" else draws.gamma(2, size=size) + 4 * more
                text = "".join(f"{value:.4g}\n" for value in values)
                files[f"methods/{method}/demo/{prototask}/{task}/loss.{loss}.{one.number}"] = text
    return write_tree(root, files)
