"""Generate the titanic dataset: one case for each of the people that the published table counts."""

from generators.files import (
    Attribute,
    Design,
    cases_text,
    dataset_text,
    order_text,
    prior_text,
    prototask_text,
)

from delvecore.simulators.draws import Draws

SEED = 2201

# (class, age, sex): how many died, how many survived. Combinations that nobody belonged to are left out.
COUNTS = {
    ("1st", "child", "female"): (0, 1),
    ("1st", "child", "male"): (0, 5),
    ("1st", "adult", "female"): (4, 140),
    ("1st", "adult", "male"): (118, 57),
    ("2nd", "child", "female"): (0, 13),
    ("2nd", "child", "male"): (0, 11),
    ("2nd", "adult", "female"): (13, 80),
    ("2nd", "adult", "male"): (154, 14),
    ("3rd", "child", "female"): (17, 14),
    ("3rd", "child", "male"): (35, 13),
    ("3rd", "adult", "female"): (89, 76),
    ("3rd", "adult", "male"): (387, 75),
    ("crew", "adult", "female"): (3, 20),
    ("crew", "adult", "male"): (670, 192),
}
ATTRIBUTES = (
    Attribute("CLASS", "1st 2nd 3rd crew", "Class of the passenger, or member of the crew"),
    Attribute("AGE", "child adult", "Child or adult"),
    Attribute("SEX", "female male", "Sex of the person"),
    Attribute("SURVIVED", "no yes", "Whether the person survived"),
)
DESIGN = Design(test_size=1561, training_sizes=(20, 40, 80, 160), selection="common", instances=16)


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    cases = _cases()
    return {
        "Dataset.data": cases_text(cases),
        "Dataset.spec": _specification(),
        "survived/Prototask.spec": prototask_text(
            origin="natural", order="Random-order", inputs=[1, 2, 3], targets=[4], design=DESIGN
        ),
        "survived/std.prior": prior_text({1: "ordinal", 2: "binary", 3: "binary", 4: "binary passive=no"}),
        "survived/Random-order": order_text(Draws(SEED).order(len(cases))),
    }


def _cases() -> list[tuple[str, ...]]:
    """One case a person, those with the same values together, in the order of the table above."""
    cases = []
    for person, (died, survived) in COUNTS.items():
        cases += [(*person, "no")] * died + [(*person, "yes")] * survived
    return cases


def _specification() -> str:
    return dataset_text(
        title="Who survived the sinking of the Titanic, by class, age and sex",
        origin="natural",
        usage="assessment",
        order="uninformative",
        attributes=ATTRIBUTES,
    )
