"""The files that several manual pages speak of. Source: DELVE manual, appendix C."""

__all__ = [
    "CODING_USED",
    "DATA",
    "DATASET_DATA",
    "LOSSES",
    "NORMALIZE",
    "ORDER",
    "PREDICTIONS",
    "PRIORS",
    "PROTOTASK_DATA",
    "SPECIFICATIONS",
    "STATISTICS",
    "TARGETS",
    "TASK",
    "PlainEntry",
    "made",
]

PlainEntry = tuple[str, str]
DATASET_SPEC = ("/DATASET/Dataset.spec", "describes the dataset.")
DATASET_DATA = ("/DATASET/Dataset.data", "holds all cases of the dataset.")
DATASET_GENERATOR = ("/DATASET/Dataset.generator", "says what makes the cases, where they are not kept.")
PROTOTASK_SPEC = ("/DATASET/PROTOTASK/Prototask.spec", "describes the prototask.")
PRIORS = ("/DATASET/PROTOTASK/*.prior", "say what may be assumed in tasks of the prototask.")
PROTOTASK_DATA = ("/DATASET/PROTOTASK/Prototask.data", "holds the cases of the prototask, in its order.")
ORDER = ("/DATASET/PROTOTASK/Random-order", "holds the order of the prototask's cases.")
DATA = (DATASET_SPEC, DATASET_DATA, DATASET_GENERATOR, PROTOTASK_SPEC, PRIORS)
SPECIFICATIONS = (DATASET_SPEC, PROTOTASK_SPEC)
TASK = "/METHOD/DATASET/PROTOTASK/TASK/"
CODING_USED = (TASK + "Coding-used", "says how each attribute is encoded.")
NORMALIZE = (TASK + "normalize.n", "holds the normalization constants of instance n.")
TARGETS = (TASK + "targets.n", "holds the encoded true targets of the test cases.")
STATISTICS = (TASK + "Test-set-stats", "holds the statistics that standardize losses.")
PREDICTIONS = (
    (TASK + "[c]guess[.L].n", "holds guesses, c for encoded ones, L the loss that they are for."),
    (TASK + "[l]prob[.L].n", "holds the probabilities of the values, l for their logs."),
    (TASK + "[c][l]ptarg[.L].n", "holds the probabilities or densities of the true targets."),
)
LOSSES = (TASK + "loss.L.n", "holds a loss a test case.")


def made(entry: PlainEntry, what: str = "") -> PlainEntry:
    """Return the entry of a file that a command makes. what: is said of it besides."""
    return (entry[0], f"is made{what}.")
