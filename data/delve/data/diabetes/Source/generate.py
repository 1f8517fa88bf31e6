"""Write the diabetes dataset from the copy that comes with scikit-learn."""

from generators.bundled import bundled_files
from generators.files import Attribute, Design
from generators.one_task import OneTask

ATTRIBUTES = (
    Attribute("AGE", "[0,Inf)", "Age in years"),
    Attribute("SEX", "1 2", "Sex (the source does not say which code is which)"),
    Attribute("BMI", "(0,Inf)", "Body mass index (kg/m^2)"),
    Attribute("BP", "(0,Inf)", "Average blood pressure (unit not stated)"),
    Attribute("TC", "(0,Inf)", "Total serum cholesterol (unit not stated)"),
    Attribute("LDL", "(0,Inf)", "Low-density lipoproteins in serum (unit not stated)"),
    Attribute("HDL", "(0,Inf)", "High-density lipoproteins in serum (unit not stated)"),
    Attribute("TCH", "[1,Inf)", "Total cholesterol divided by HDL"),
    Attribute("LTG", "(-Inf,Inf)", "Possibly the logarithm of the triglycerides in serum"),
    Attribute("GLU", "(0,Inf)", "Blood sugar (unit not stated)"),
    Attribute("PROGRESSION", "[0,Inf)", "Measure of the disease's progression one year later"),
)
DATASET = OneTask(
    title="Progression of diabetes in a year after ten measurements on the patient",
    usage="assessment",
    order="uninformative",
    attributes=ATTRIBUTES,
    prototask="progression",
    types=dict.fromkeys(range(1, 12), "real") | {2: "binary"},
    design=Design(test_size=186, training_sizes=(32, 64, 128), selection="common", instances=8),
    seed=2004,
)


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    return bundled_files(DATASET, "load_diabetes", scaled=False)
