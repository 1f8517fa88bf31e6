"""Write the wine dataset from the copy that comes with scikit-learn."""

from generators.bundled import bundled_files
from generators.files import Attribute, Design, prior_text
from generators.one_task import OneTask

ATTRIBUTES = (
    Attribute("ALCOHOL", "[0,100]", "Alcohol (unit not stated; plainly per cent by volume)"),
    Attribute("MALIC-ACID", "[0,Inf)", "Malic acid (unit not stated)"),
    Attribute("ASH", "[0,Inf)", "Ash (unit not stated)"),
    Attribute("ASH-ALCALINITY", "[0,Inf)", "Alcalinity of the ash (unit not stated)"),
    Attribute("MAGNESIUM", "[0,Inf)", "Magnesium (unit not stated)"),
    Attribute("PHENOLS", "[0,Inf)", "Total phenols (unit not stated)"),
    Attribute("FLAVANOIDS", "[0,Inf)", "Flavanoids (unit not stated)"),
    Attribute("NONFLAVANOIDS", "[0,Inf)", "Phenols that are not flavanoids (unit not stated)"),
    Attribute("PROANTHOCYANINS", "[0,Inf)", "Proanthocyanins (unit not stated)"),
    Attribute("COLOUR", "[0,Inf)", "Intensity of the color"),
    Attribute("HUE", "[0,Inf)", "Hue"),
    Attribute("OD-RATIO", "[0,Inf)", "Ratio of optical densities of diluted wine, 280 nm to 315 nm"),
    Attribute("PROLINE", "[0,Inf)", "Proline (unit not stated)"),
    Attribute("CULTIVAR", "first second third", "Which of three cultivars the wine is from"),
)
TASTED = (7, 10, 13)
TASTED_TEXT = (
    "What somebody says who has tasted the wines: they differ in body, color and astringency, so "
    "flavanoids, the intensity of the color and proline matter much. The other ten measurements are said "
    "to be of no relevance and are left out."
)
DATASET = OneTask(
    title="Cultivar of Italian wines from a chemical analysis",
    usage="historical",
    order="?",
    attributes=ATTRIBUTES,
    prototask="cultivar",
    types=dict.fromkeys(range(1, 14), "real") | {14: "nominal"},
    design=Design(test_size=82, training_sizes=(12, 24, 48), selection="common", instances=8),
    seed=1988,
    priors={
        "tasted": prior_text(
            {number: "real" if number in TASTED else "real coding=ignore" for number in range(1, 14)}
            | {14: "nominal"},
            levels={number: "H" if number in TASTED else "N" for number in range(1, 14)} | {14: "NL"},
            about=TASTED_TEXT,
        )
    },
)


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    return bundled_files(DATASET, "load_wine", ATTRIBUTES[-1].range.split().__getitem__)
