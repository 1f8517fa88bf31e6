"""Write the breast-cancer dataset from the copy that comes with scikit-learn."""

from generators.bundled import bundled_files
from generators.files import Attribute, Design
from generators.one_task import OneTask

STATISTICS = (
    ("MEAN", "mean over the nuclei"),
    ("SE", "standard error of the mean"),
    ("WORST", "mean of the three largest"),
)
FEATURES = (
    ("RADIUS", "[0,Inf)", "Distance from center to outline (unit not stated)"),
    ("TEXTURE", "[0,Inf)", "Standard deviation of gray levels"),
    ("PERIMETER", "[0,Inf)", "Length of the outline (unit not stated)"),
    ("AREA", "[0,Inf)", "Area (unit not stated)"),
    ("SMOOTHNESS", "[0,Inf)", "Local variation of the radius"),
    ("COMPACTNESS", "(-1,Inf)", "Perimeter^2/area - 1, scaled"),
    ("CONCAVITY", "[0,Inf)", "Severity of concave parts"),
    ("CONCAVE-POINTS", "[0,Inf)", "Share of concave parts"),
    ("SYMMETRY", "[0,Inf)", "Departure from symmetry"),
    ("FRACTAL-DIMENSION", "[0,Inf)", "Fractal dimension - 1"),
)


def _attributes() -> list[Attribute]:
    """Ten features three times over, a statistic at a time, and the diagnosis."""
    features = [
        Attribute(f"{feature}-{statistic}", extent, f"{meaning}: {summary}")
        for statistic, summary in STATISTICS
        for feature, extent, meaning in FEATURES
    ]
    return [*features, Attribute("DIAGNOSIS", "benign malignant", "Diagnosis of the mass")]


DATASET = OneTask(
    title="Diagnosis of breast masses from cell nuclei in images of fine needle aspirates",
    usage="development",
    order="?",
    attributes=_attributes(),
    prototask="diagnosis",
    types=dict.fromkeys(range(1, 31), "real") | {31: "binary passive=benign"},
    design=Design(test_size=313, training_sizes=(16, 32, 64, 128), selection="common", instances=8),
    seed=1995,
)


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    return bundled_files(DATASET, "load_breast_cancer", ["malignant", "benign"].__getitem__)
