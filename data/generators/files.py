"""Texts of a dataset's files. Source: manual, sections 3.3 (cases), 3.4 and 4.4 (specifications, orders)."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple


class Attribute(NamedTuple):
    """One attribute of a dataset: name, range of conceivable values, description; control: u for values that
    nobody fixed, c for those that the investigator did."""

    name: str
    range: str
    description: str
    control: str = "u"


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


def dataset_text(
    *,
    title: str,
    origin: str,
    usage: str,
    order: str,
    attributes: Sequence[Attribute],
    is_grouped: bool = False,
) -> str:
    """`Dataset.spec`, its attributes in aligned columns. is_grouped: do cases have commonality indexes?"""
    number = len(str(len(attributes)))
    name = max(len(attribute.name) for attribute in attributes)
    extent = max(len(attribute.range) for attribute in attributes)
    lines = [f"Title: {title}", f"Origin: {origin}", f"Usage: {usage}", f"Order: {order}"]
    lines += ["Commonality indexes are present"] * is_grouped + ["Attributes:"]
    for index, attribute in enumerate(attributes, start=1):
        left = f" {index:{number}} {attribute.name:{name}} {attribute.control} {attribute.range:{extent}}"
        lines.append(f"{left} # {attribute.description}")
    return "\n".join(lines) + "\n"


def prototask_text(
    *,
    origin: str,
    order: str,
    inputs: Sequence[int],
    targets: Sequence[int],
    design: Design,
    cases: str = "all",
    further: Sequence[str] = (),
) -> str:
    """`Prototask.spec` of a prototask. further: its lines that most prototasks do not have."""
    lines = [
        f"Cases: {cases}",
        f"Inputs: {_listed(inputs)}",
        f"Order: {order}",
        f"Origin: {origin}",
        f"Targets: {_listed(targets)}",
        f"Test-Set-Size: {design.test_size}",
        f"Training-Set-Sizes: {_listed(design.training_sizes)}",
        f"Test-Set-Selection: {design.selection}",
        f"Maximum-Number-Of-Instances: {design.instances}",
        *further,
    ]
    return "\n".join(lines) + "\n"


def prior_text(
    types: Mapping[int, str],
    *,
    levels: Mapping[int, str] | None = None,
    about: str = "",
    dependency: Sequence[str] = (),
) -> str:
    """A `.prior` file: every attribute by number, with its type and options. levels: of relevance or noise,
    unknown (NLMH) where none are given; about: what the prior knows, a comment at its top; dependency: its
    lines about dependencies between cases."""
    known = levels or {}
    lines = [f"# {line}" for line in wrap(about, width=76)] + [*dependency]
    lines += [f"{number} {known.get(number, 'NLMH')} {kind}" for number, kind in types.items()]
    return "\n".join(lines) + "\n"


def order_text(order: Iterable[int]) -> str:
    """`Random-order`: one index a line."""
    return "".join(f"{index}\n" for index in order)


def _listed(numbers: Iterable[int]) -> str:
    return " ".join(str(number) for number in numbers)
