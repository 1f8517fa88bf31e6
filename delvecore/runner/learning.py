"""A task instance as a learning method gets it. Source: DELVE manual, sections 7.3 and 7.4."""

from collections.abc import Iterable

from delvecore.encoding.codings import column_names
from delvecore.encoding.encode import EncodedInstance, TaskPlan, encode_instance
from delvecore.encoding.instances import Instance
from delvecore.methods.protocol import CodedAttribute, LearningInstance, TaskView

__all__ = ["learning_instance", "task_view"]


def task_view(plan: TaskPlan) -> TaskView:
    """Return the specifications of a planned task."""
    return TaskView(plan.cases.dataset, plan.cases.prototask, plan.prior, plan.task)


def learning_instance(plan: TaskPlan, instance: Instance) -> LearningInstance:
    """Return one instance encoded. Raises DelveError for values that its codings cannot encode."""
    encoded = encode_instance(plan, instance)
    return LearningInstance(
        task_view(plan),
        instance.number,
        _coded_attributes(plan, plan.inputs, encoded),
        _coded_attributes(plan, plan.targets, encoded),
        encoded.train_inputs,
        encoded.train_targets,
        encoded.test_inputs,
        encoded.test_targets,
    )


def _coded_attributes(
    plan: TaskPlan, numbers: Iterable[int], encoded: EncodedInstance
) -> tuple[CodedAttribute, ...]:
    coded, first = [], 0
    for number in numbers:
        attribute, coding = plan.cases.dataset.attribute(number), plan.codings[number]
        last = first + len(column_names(attribute, coding))
        kind, constants = plan.prior.line(number).type, encoded.normalization.get(number)
        coded.append(CodedAttribute(attribute, kind, coding, slice(first, last), constants))
        first = last
    return tuple(coded)
