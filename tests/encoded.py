"""A whole task in numbers, for tests: its plan, the names of its columns, and its instances in order."""

from typing import NamedTuple

from delvecore.encoding.encode import TaskPlan, plan_task
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.methods.protocol import LearningInstance
from delvecore.readers.specifications import read_task
from delvecore.runner.one_instance import learning_instance


class EncodedTask(NamedTuple):
    plan: TaskPlan
    input_names: tuple[str, ...]
    target_names: tuple[str, ...]
    instances: list[LearningInstance]

    @property
    def task(self):
        return self.plan.task

    @property
    def codings(self):
        return self.plan.codings


def task_plan(hierarchy, *names):
    """The plan of a task, given by the names of its path."""
    dataset, prototask, prior, task = read_task(hierarchy, *names)
    return plan_task(hierarchy, prototask_cases(hierarchy, dataset, prototask), prior, task.training_size)


def encoded_task(hierarchy, dataset, prototask, prior, training_size, *, codings=None, cases=None):
    cases = cases or prototask_cases(hierarchy, dataset, prototask)
    plan = plan_task(hierarchy, cases, prior, training_size, codings=codings)
    instances = [learning_instance(plan, instance) for instance in plan.instances]
    return EncodedTask(plan, plan.names(plan.inputs), plan.names(plan.targets), instances)


def constants_of(instance):
    """The normalization constants of an instance, by attribute number."""
    coded = (*instance.inputs, *instance.targets)
    return {one.attribute.number: one.constants for one in coded if one.constants}
