"""Generate the clinic dataset: stays of invented patients, who come back, refuse, and are sent elsewhere.

The model and all its constants are described in `Notes`.
"""

import numpy as np
from generators.files import (
    Attribute,
    Design,
    cases_text,
    dataset_text,
    order_text,
    prior_text,
    prototask_text,
)

from delvecore.simulators.random_numbers import Draws

PATIENTS, SEED, ORDER_SEED = 360, 1897, 1898
SEVERITIES = ("mild", "moderate", "severe", "critical")

ATTRIBUTES = (
    Attribute("AGE", "0..120", "Age of the patient in years"),
    Attribute("WARD", "surgical medical geriatric", "Ward of admission"),
    Attribute("SEVERITY", "critical mild moderate severe", "How ill the patient is at admission"),
    Attribute("FEVER", "no yes", "Fever at admission"),
    Attribute("PULSE", "(0,Inf) ?refused ?broken", "Beats a minute at admission"),
    Attribute("ALBUMIN", "[0,Inf) ?", "Albumin in the blood (g/l); the instrument says nothing below 30"),
    Attribute("DAYS", "(0,Inf)", "Days in the clinic; a lower bound where the stay went on elsewhere"),
    Attribute("OUTCOME", "home nursing elsewhere", "Where the patient went"),
)
INPUTS = {1: "integer", 2: "nominal", 3: "nominal", 4: "binary", 5: "real", 6: "real"}
EXPERT = {3: "ordinal passive=mild order=mild,moderate,severe,critical", 4: "binary passive=no"}
RELEVANCE = {1: "LM", 2: "LM", 3: "H", 4: "M", 5: "L", 6: "LM", 7: "H"}
EXPERT_TEXT = (
    "What a ward sister knows: the grades of severity have an order, and mild is the one that lasts no "
    "longer than it must; fever is news, its absence is none; severity matters most and the pulse little; "
    "and a patient who stayed long once stays long again."
)
DESIGN = Design(test_size=200, training_sizes=(40, 80, 160), selection="common", instances=4)


def make_files() -> dict[str, str]:
    """Return the texts of all files of the dataset by name."""
    cases, patients = _cases()
    order = order_text(_grouped_order(patients))
    files = {"Dataset.data": cases_text(cases), "Dataset.spec": _specification()}
    for prototask, target, kind, pool in (
        ("days", 7, "real", "all"),
        ("outcome", 8, "nominal passive=home", "no missing"),
    ):
        files[f"{prototask}/Prototask.spec"] = prototask_text(
            origin="artificial",
            order="Random-order",
            inputs=list(INPUTS),
            targets=[target],
            design=DESIGN,
            cases=pool,
        )
        files[f"{prototask}/std.prior"] = prior_text(
            {**INPUTS, target: kind}, dependency=["Dependency-Strength: NLMH"]
        )
        files[f"{prototask}/Random-order"] = order
    known = [not any(word.startswith("?") for word in case[:6]) for case in cases]
    files["outcome/Random-order"] = order_text(_grouped_order(patients[known]))
    files["days/expert.prior"] = prior_text(
        {**INPUTS, **EXPERT, 7: "real"},
        levels=RELEVANCE,
        about=EXPERT_TEXT,
        dependency=["Dependency-Strength: LM"],
    )
    return files


def _cases() -> tuple[list[tuple[str, ...]], np.ndarray]:
    """Return all stays, those of a patient in a row, and whose each is."""
    draws = Draws(SEED)
    stays = 1 + np.minimum((draws.exponential(PATIENTS) * 1.7).astype(int), 5)
    patient = np.repeat(np.arange(PATIENTS), stays)
    count = len(patient)
    age = np.floor(18 + 72 * draws.uniform(PATIENTS) ** 0.8)[patient]
    frailty = draws.normal(PATIENTS)[patient]
    illness = 0.02 * (age - 50) + 0.4 * frailty + draws.normal(count)
    grade = (illness[:, None] >= [-0.3, 0.8, 1.8]).sum(axis=1)
    ward = np.where(draws.uniform(count) < (age - 55) / 50, 2, draws.uniform(count) < 0.6)
    fever = draws.uniform(count) < 0.1 + 0.15 * grade
    pulse = np.maximum(72 + 7 * illness + 10 * fever + 9 * draws.normal(count), 35)
    albumin = np.maximum(41 - 3 * illness - 0.05 * (age - 50) + 3 * draws.normal(count), 5)
    days = _days(draws, age=age, ward=ward, grade=grade, fever=fever, frailty=frailty)
    outcome = _outcome(draws, age=age, grade=grade)
    days = np.maximum(np.where(outcome == 2, days * (0.3 + 0.6 * draws.uniform(count)), days), 0.5)
    columns = (
        [f"{years:.0f}" for years in age],
        np.array(("surgical", "medical", "geriatric"))[ward],
        np.array(SEVERITIES)[grade],
        np.where(fever, "yes", "no"),
        _with_gaps(draws, [f"{beats:.0f}" for beats in pulse], {"?refused": 0.04, "?broken": 0.03}),
        _with_gaps(draws, [f"{grams:.1f}" if grams >= 30 else ":30" for grams in albumin], {"?": 0.05}),
        [f"{stay:.1f}" + (":" if gone else "") for stay, gone in zip(days, outcome == 2, strict=True)],
        np.array(("home", "nursing", "elsewhere"))[outcome],
        [f"@{number + 1}" for number in patient],
    )
    return [tuple(map(str, case)) for case in zip(*columns, strict=True)], patient


def _days(
    draws: Draws,
    *,
    age: np.ndarray,
    ward: np.ndarray,
    grade: np.ndarray,
    fever: np.ndarray,
    frailty: np.ndarray,
) -> np.ndarray:
    """Days until the patient is well enough: the logarithm is a sum, part of it the patient's own."""
    known = 1.0 + 0.28 * grade + 0.2 * fever + 0.004 * (age - 50) + np.array([0.0, 0.15, 0.3])[ward]
    return np.exp(known + 0.15 * frailty + 0.3 * draws.normal(len(age)))


def _outcome(draws: Draws, *, age: np.ndarray, grade: np.ndarray) -> np.ndarray:
    """0: home, 1: nursing, 2: elsewhere."""
    nursing = 1 / (1 + np.exp(-(0.09 * (age - 75) + 0.9 * (grade - 1.5))))
    elsewhere = draws.uniform(len(age)) < 0.05 + 0.04 * grade
    return np.where(elsewhere, 2, draws.uniform(len(age)) < nursing)


def _with_gaps(draws: Draws, words: list[str], shares: dict[str, float]) -> np.ndarray:
    """Replace shares of the words, taken by chance, by missing values."""
    found, bound, chance = np.array(words, dtype="U16"), 0.0, draws.uniform(len(words))
    for reason, share in shares.items():
        found[(bound <= chance) & (chance < bound + share)] = reason
        bound += share
    return found


def _grouped_order(patients: np.ndarray) -> list[int]:
    """A random order of cases in which those of a patient, in random order too, stay together."""
    draws = Draws(ORDER_SEED)
    place = draws.uniform(PATIENTS)[patients]
    return [int(index) + 1 for index in np.lexsort((draws.uniform(len(patients)), place))]


def _specification() -> str:
    return dataset_text(
        title="Stays of invented patients in a clinic: how long, and where to next",
        origin="artificial",
        usage="development",
        order="informative",
        attributes=ATTRIBUTES,
        is_grouped=True,
    )
