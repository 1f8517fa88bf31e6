"""Specifications in, their text out: what `readers` give back as the same objects.

Source: DELVE manual, sections 3.1, 3.4, 4.3 and 4.4. Codings: `writers.task_files.coding_used_text`."""

from collections.abc import Iterable

from delvecore.model import Attribute, Dataset, Prior, PriorLine, Prototask

__all__ = ["dataset_text", "joined", "plain_line", "prior_text", "prototask_text"]


def dataset_text(dataset: Dataset) -> str:
    """Return `Dataset.spec`. Raises ValueError for a text that would not stay on its line."""
    lines = [f"Title: {plain_line(dataset.title)}"] if dataset.title else []
    lines += [f"Origin: {dataset.origin}", f"Usage: {dataset.usage}", f"Order: {dataset.order}"]
    lines += ["Commonality indexes are present"] if dataset.commonality else []
    lines += ["Attributes:", *map(_attribute_line, dataset.attributes)]
    return joined(lines)


def _attribute_line(attribute: Attribute) -> str:
    description = f"  # {plain_line(attribute.description)}" if attribute.description else ""
    return f"{attribute.number} {attribute.name} {attribute.control} {attribute.range.text}{description}"


def prototask_text(prototask: Prototask) -> str:
    """Return `Prototask.spec`; attributes by number."""
    facts = [
        ("Origin", prototask.origin),
        ("Cases", prototask.cases),
        ("Order", prototask.order),
        ("Maximum-Dependency-Range", prototask.maximum_dependency_range),
        ("Inputs", _numbers(prototask.inputs)),
        ("Targets", _numbers(prototask.targets)),
        (
            "Transformations",
            " ".join(f"{number} {name}" for number, name in prototask.transformations) or None,
        ),
        ("Stratified", "yes" if prototask.stratified else None),
        ("Test-Set-Size", prototask.test_set_size),
        ("Training-Set-Sizes", _numbers(prototask.training_set_sizes)),
        ("Test-Set-Selection", prototask.test_set_selection),
        ("Maximum-Number-Of-Instances", prototask.maximum_instances),
    ]
    return joined(f"{key}: {value}".rstrip() for key, value in facts if value is not None)


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def prior_text(prior: Prior) -> str:
    """Return a `.prior` file: the dependencies, if any, then a line an attribute."""
    lines: list[str] = []
    if prior.dependency_strength is not None:
        lines.append(f"Dependency-Strength: {prior.dependency_strength}")
    if prior.dependency_range is not None:
        lines.append(f"Dependency-Range: {prior.dependency_range}")
    return joined([*lines, *map(_prior_line, prior.lines)])


def _prior_line(line: PriorLine) -> str:
    options = [f"{name}={value}" for name, value in line.options]
    return " ".join([str(line.attribute), line.levels, line.type, *options])


def plain_line(text: str) -> str:
    """Return a text that ends with its line; ValueError for one that would go on in the next."""
    if "\n" in text or text.rstrip().endswith("\\"):
        raise ValueError(f"one line that does not end with a backslash, got {text!r}")
    return text


def joined(lines: Iterable[str]) -> str:
    """Return lines as a text."""
    return "".join(f"{line}\n" for line in lines)
