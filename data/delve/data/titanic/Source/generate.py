"""Generate the titanic dataset: one case for each of the people that the published table counts."""

from generators.files import Attribute, Design, prior_text
from generators.one_task import OneTask, one_task_files

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

CHIVALRY_TEXT = (
    "What 'women and children first' lets one expect: men, adults and the crew have no claim to a place in a "
    "boat, so each is the passive value; sex matters most. The crew is no fourth class, so that the classes "
    "have no order."
)
CHIVALRY = {
    1: "nominal passive=crew",
    2: "binary passive=adult",
    3: "binary passive=male",
    4: "binary passive=no",
}
LEVELS = {1: "M", 2: "MH", 3: "H", 4: "MH"}


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    dataset = OneTask(
        title="Who survived the sinking of the Titanic, by class, age and sex",
        usage="assessment",
        order="uninformative",
        attributes=ATTRIBUTES,
        prototask="survived",
        types={1: "ordinal", 2: "binary", 3: "binary", 4: "binary passive=no"},
        design=Design(test_size=1561, training_sizes=(20, 40, 80, 160), selection="common", instances=16),
        seed=2201,
        priors={"chivalry": prior_text(CHIVALRY, levels=LEVELS, about=CHIVALRY_TEXT)},
    )
    return one_task_files(dataset, _cases())


def _cases() -> list[tuple[str, ...]]:
    """One case a person, those with the same values together, in the order of the table above."""
    cases = []
    for person, (died, survived) in COUNTS.items():
        cases += [(*person, "no")] * died + [(*person, "yes")] * survived
    return cases
