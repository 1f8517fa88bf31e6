"""The files of a dataset with one prototask in random order, whose target is the last attribute."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from delvecore.simulators.random_numbers import Draws
from generators.files import (
    Attribute,
    Design,
    cases_text,
    dataset_text,
    order_text,
    prior_text,
    prototask_text,
)


class OneTask(NamedTuple):
    """What is said of such a dataset; its cases come beside it.

    prototask_origin: `natural` or `cultivated`; usage, order: of the dataset; types: of the inputs, then the
    target, by attribute number, as the prior has them; seed: of the order; priors: texts of priors besides
    the standard one, by name.
    """

    title: str
    usage: str
    order: str
    attributes: Sequence[Attribute]
    prototask: str
    types: Mapping[int, str]
    design: Design
    seed: int
    prototask_origin: str = "natural"
    priors: Mapping[str, str] = {}


def one_task_files(dataset: OneTask, cases: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the texts of all files of the dataset by name. cases: a list of words each, the target last."""
    *inputs, target = dataset.types
    files = {
        "Prototask.spec": prototask_text(
            origin=dataset.prototask_origin,
            order="Random-order",
            inputs=inputs,
            targets=[target],
            design=dataset.design,
        ),
        "std.prior": prior_text(dataset.types),
        "Random-order": order_text(Draws(dataset.seed).order(len(cases))),
    }
    specification = dataset_text(
        title=dataset.title,
        origin="natural",
        usage=dataset.usage,
        order=dataset.order,
        attributes=dataset.attributes,
    )
    files |= {f"{name}.prior": text for name, text in dataset.priors.items()}
    below = {f"{dataset.prototask}/{name}": text for name, text in files.items()}
    return {"Dataset.data": cases_text(cases), "Dataset.spec": specification, **below}
