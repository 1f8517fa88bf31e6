"""Texts of a dataset's files. Source: manual, sections 3.3 (cases), 3.4 and 4.4 (specifications, orders)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

__all__ = [
    "Attribute",
    "Design",
    "cases_text",
    "dataset_text",
    "order_text",
    "original_number",
    "prior_text",
    "prototask_text",
]


class Attribute(NamedTuple):
    """One uncontrolled attribute of a dataset: name, range of conceivable values, description."""

    name: str
    range: str
    description: str


class Design(NamedTuple):
    """How a prototask's cases become test and training sets (manual, section 6.2)."""

    test_size: int
    training_sizes: tuple[int, ...]
    selection: str
    instances: int


def original_number(value: float) -> str:
    """The shortest text that gives the number back, whole numbers without a point."""
    return repr(float(value)).removesuffix(".0")


def cases_text(rows: Iterable[Sequence[str]]) -> str:
    """`Dataset.data`: one line a case, one blank between values."""
    return "".join(" ".join(row) + "\n" for row in rows)


def dataset_text(*, title: str, origin: str, usage: str, order: str, attributes: Sequence[Attribute]) -> str:
    """`Dataset.spec`, its attributes in aligned columns."""
    number = len(str(len(attributes)))
    name = max(len(attribute.name) for attribute in attributes)
    extent = max(len(attribute.range) for attribute in attributes)
    lines = [f"Title: {title}", f"Origin: {origin}", f"Usage: {usage}", f"Order: {order}", "Attributes:"]
    for index, attribute in enumerate(attributes, start=1):
        left = f" {index:{number}} {attribute.name:{name}} u {attribute.range:{extent}}"
        lines.append(f"{left} # {attribute.description}")
    return "\n".join(lines) + "\n"


def prototask_text(
    *, origin: str, order: str, inputs: Sequence[int], targets: Sequence[int], design: Design
) -> str:
    """`Prototask.spec` of a prototask that uses all cases."""
    lines = [
        "Cases: all",
        f"Inputs: {_listed(inputs)}",
        f"Order: {order}",
        f"Origin: {origin}",
        f"Targets: {_listed(targets)}",
        f"Test-Set-Size: {design.test_size}",
        f"Training-Set-Sizes: {_listed(design.training_sizes)}",
        f"Test-Set-Selection: {design.selection}",
        f"Maximum-Number-Of-Instances: {design.instances}",
    ]
    return "\n".join(lines) + "\n"


def prior_text(types: Mapping[int, str]) -> str:
    """`std.prior`: every attribute by number, of unknown relevance or noise, with its type and options."""
    return "".join(f"{number} NLMH {kind}\n" for number, kind in types.items())


def order_text(order: Iterable[int]) -> str:
    """`Random-order`: one index a line."""
    return "".join(f"{index}\n" for index in order)


def _listed(numbers: Iterable[int]) -> str:
    return " ".join(str(number) for number in numbers)
