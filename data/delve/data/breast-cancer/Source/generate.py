"""Write the breast-cancer dataset from the copy that comes with scikit-learn."""

from generators.bundled import bundled_datasets
from generators.files import (
    Attribute,
    Design,
    cases_text,
    dataset_text,
    order_text,
    original_number,
    prior_text,
    prototask_text,
)

from delvecore.simulators.draws import Draws

SEED = 1995
STATISTICS = (
    ("MEAN", "mean over the nuclei"),
    ("SE", "standard error of the mean"),
    ("WORST", "mean of the three largest"),
)
FEATURES = (
    ("RADIUS", "[0,Inf)", "Distance from centre to outline (unit not stated)"),
    ("TEXTURE", "[0,Inf)", "Standard deviation of grey levels"),
    ("PERIMETER", "[0,Inf)", "Length of the outline (unit not stated)"),
    ("AREA", "[0,Inf)", "Area (unit not stated)"),
    ("SMOOTHNESS", "[0,Inf)", "Local variation of the radius"),
    ("COMPACTNESS", "(-1,Inf)", "Perimeter^2/area - 1, scaled"),
    ("CONCAVITY", "[0,Inf)", "Severity of concave parts"),
    ("CONCAVE-POINTS", "[0,Inf)", "Share of concave parts"),
    ("SYMMETRY", "[0,Inf)", "Departure from symmetry"),
    ("FRACTAL-DIMENSION", "[0,Inf)", "Fractal dimension - 1"),
)
INPUTS = range(1, 31)
TARGET = 31
DESIGN = Design(test_size=313, training_sizes=(16, 32, 64, 128), selection="common", instances=8)


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    cases = _cases()
    types = dict.fromkeys(INPUTS, "real") | {TARGET: "binary passive=benign"}
    return {
        "Dataset.data": cases_text(cases),
        "Dataset.spec": _specification(),
        "diagnosis/Prototask.spec": prototask_text(
            origin="natural", order="Random-order", inputs=INPUTS, targets=[TARGET], design=DESIGN
        ),
        "diagnosis/std.prior": prior_text(types),
        "diagnosis/Random-order": order_text(Draws(SEED).order(len(cases))),
    }


def _cases() -> list[list[str]]:
    """The cases in the order of the source, the diagnosis last."""
    bundled = bundled_datasets().load_breast_cancer()
    rows = zip(bundled.data, bundled.target, strict=True)
    return [[*map(original_number, inputs), str(bundled.target_names[label])] for inputs, label in rows]


def _attributes() -> list[Attribute]:
    """Ten features three times over, a statistic at a time, and the diagnosis."""
    features = [
        Attribute(f"{feature}-{statistic}", extent, f"{meaning}: {summary}")
        for statistic, summary in STATISTICS
        for feature, extent, meaning in FEATURES
    ]
    return [*features, Attribute("DIAGNOSIS", "benign malignant", "Diagnosis of the mass")]


def _specification() -> str:
    return dataset_text(
        title="Diagnosis of breast masses from cell nuclei in images of fine needle aspirates",
        origin="natural",
        usage="historical",
        order="?",
        attributes=_attributes(),
    )
