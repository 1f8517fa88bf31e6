"""Write the digits dataset from the copy that comes with scikit-learn."""

from generators.bundled import bundled_datasets
from generators.files import Attribute, Design
from generators.one_task import OneTask, one_task_files

SIDE = 8


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    dataset = OneTask(
        title="Handwritten digits as images of 8 by 8 pixels",
        usage="historical",
        order="informative",
        attributes=_attributes(),
        prototask="digit",
        prototask_origin="cultivated",
        types=dict.fromkeys(_inner_pixels(), "integer") | {SIDE * SIDE + 1: "nominal"},
        design=Design(test_size=773, training_sizes=(64, 128, 256, 512), selection="common", instances=8),
        seed=1998,
    )
    return one_task_files(dataset, _cases())


def _cases() -> list[list[str]]:
    """The images in the order of the source, row by row from the top, the digit last."""
    bundled = bundled_datasets().load_digits()
    rows = zip(bundled.data, bundled.target, strict=True)
    return [[str(int(value)) for value in (*pixels, digit)] for pixels, digit in rows]


def _inner_pixels() -> list[int]:
    """Numbers of the pixels in columns 2 to 7; the outer columns are empty in most images (see `Notes`)."""
    return [row * SIDE + column for row in range(SIDE) for column in range(2, SIDE)]


def _attributes() -> list[Attribute]:
    """The pixels, row by row from the top, and the digit."""
    pixels = [
        Attribute(f"R{row}C{column}", "0..16", f"Inked dots in block of row {row}, column {column}")
        for row in range(1, SIDE + 1)
        for column in range(1, SIDE + 1)
    ]
    return [*pixels, Attribute("DIGIT", "0 1 2 3 4 5 6 7 8 9", "The digit that was written")]
