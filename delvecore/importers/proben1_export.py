"""A prototask that was a data file of PROBEN1, as that file again, the same to the byte."""

from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.errors import Fault
from delvecore.importers.proben1 import Layout, Row
from delvecore.importers.proben1_dataset import LAYOUT, PREFIX
from delvecore.model import Attribute
from delvecore.readers.cases import Column
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import dataset_names, prototask_names, read_dataset, read_prototask

__all__ = ["exported_examples"]


def exported_examples(hierarchy: Hierarchy, stem: str) -> bytes:
    """Return the data file that was called `stem.dt`. Raises Fault where no dataset has it."""
    dataset_name = _dataset_with(hierarchy, stem)
    dataset = read_dataset(hierarchy, dataset_name)
    prototask = read_prototask(hierarchy, dataset, stem)
    path = hierarchy.find("data", dataset_name, stem, LAYOUT)
    if path is None:
        raise Fault(prototask.path, f"{LAYOUT}, which delve import proben1 writes", "none", "import it again")
    layout = Layout.restored(read_text(path), path)
    cases = prototask_cases(hierarchy, dataset, prototask)
    columns = [_coefficients(one, column) for one, column in cases.attribute_columns(prototask.used)]
    rows = (tuple(word for part in parts for word in part) for parts in zip(*columns, strict=True))
    return layout.text(rows).encode("latin-1")


def _coefficients(attribute: Attribute, column: Column) -> list[Row]:
    """Return the coefficients of each value: the value itself, or ones and zeros of a nominal attribute,
    whose values are counted from 1."""
    values = attribute.range.categories
    if values is None or values[0] != "1":
        return [(word,) for word in column.words]
    codes = {value: tuple(str(int(value == other)) for other in values) for value in values}
    return [codes[word] for word in column.words]


def _dataset_with(hierarchy: Hierarchy, stem: str) -> str:
    known = [name for name in dataset_names(hierarchy) if name.startswith(PREFIX)]
    for name in known:
        if stem in prototask_names(hierarchy, name):
            return name
    found = ", ".join(one for name in known for one in prototask_names(hierarchy, name)) or "no such dataset"
    raise Fault(stem, "the name of an imported file of PROBEN1, such as glass1", found, "import it first")
