"""Section 6, schemes for learning experiments: sentences that no other test is named after."""

from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.losses.method_task import open_method_task
from delvecore.model import Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset, read_prototask


def cases_of(instances):
    return [(one.training.tolist(), one.test.tolist()) for one in instances]


def test_instances_do_not_depend_on_method_prior_or_loss(small):
    hierarchy = Hierarchy([str(small)])
    dataset = read_dataset(hierarchy, "demo")
    cases = prototask_cases(hierarchy, dataset, read_prototask(hierarchy, dataset, "age"))
    standard, vague = (
        cases_of(task_instances(hierarchy, cases, Task("demo", "age", prior, 4)))
        for prior in ("std", "vague")
    )
    assert standard == vague
    for method in ("base", "line"):
        found = open_method_task(hierarchy, method, "demo", "age", "std.4")
        assert cases_of(found.plan.instances) == standard
