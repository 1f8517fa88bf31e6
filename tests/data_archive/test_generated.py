"""The datasets that were generated for what is special, and the priors besides the standard ones."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import prior_names, read_prior, read_task
from tests.data_archive import DATA
from tests.data_archive.archive import DATASETS, rows_of

HIERARCHY = Hierarchy([str(DATA / "delve")])
GENERATED = ("clinic", "harbour", "orchard")
FURTHER = {("clinic", "days"): "expert", ("harbour", "level"): "plain"}
FURTHER |= {("titanic", "survived"): "chivalry", ("wine", "cultivar"): "tasted"}


def instances_of(dataset: str, prototask: str, task: str):
    facts, problem, _, specified = read_task(HIERARCHY, dataset, prototask, task)
    cases = prototask_cases(HIERARCHY, facts, problem)
    return cases, task_instances(HIERARCHY, cases, specified)


@pytest.mark.parametrize("dataset", GENERATED)
def test_they_are_small_and_say_that_they_are_generated(dataset):
    assert len(rows_of(dataset)) <= 2000
    assert sum(path.stat().st_size for path in (DATASETS / dataset).rglob("*.*") if path.is_file()) < 200_000
    assert "is generated" in (DATASETS / dataset / "Summary").read_text()
    notes = " ".join((DATASETS / dataset / "Source" / "Notes").read_text().split())
    assert "was observed" in notes
    assert "The model." in notes


def test_every_special_value_of_the_manual_occurs():
    # Manual, section 3.3: missing with and without a reason, censored both ways, commonality indexes.
    words = Counter(
        word.rstrip("0123456789.") for dataset in GENERATED for row in rows_of(dataset) for word in row
    )
    assert {"?", "?refused", "?broken", "?storm", "?bare", "?stolen", "@"} <= words.keys()
    clinic = rows_of("clinic")
    assert sum(row[6].endswith(":") for row in clinic) == sum(row[7] == "elsewhere" for row in clinic) > 40
    assert {row[5] for row in clinic if row[5].startswith(":")} == {":30"}


def test_no_patient_is_both_tested_and_trained_on_and_gaps_are_few():
    cases, instances = instances_of("clinic", "days", "std.40")
    for one in instances:
        assert not set(cases.groups[one.test]) & set(cases.groups[one.training])
        assert 0 < len(one.gap) < 20


def test_the_harbour_s_training_cases_keep_their_distance_from_its_test_cases():
    _, instances = instances_of("harbour", "level", "std.64")
    assert min(one.training.min() for one in instances) - max(instances[0].test) == 25


def test_the_harbour_s_noise_is_forgotten_within_its_dependency_range():
    # Notes: each of the noise's values is 0.8 times the one before, and something new.
    assert 0.8**24 < 0.005


def test_the_orchard_s_sets_have_equally_many_trees_of_each_variety():
    cases, instances = instances_of("orchard", "variety", "std.64")
    variety = np.array(cases.columns[9].words)
    for one in instances:
        assert set(Counter(variety[one.training].tolist()).values()) == {16}
        assert set(Counter(variety[one.test].tolist()).values()) == {40}
    # Trees in the archive: about 8 % wild, as the notes say; four standard errors.
    share = np.mean(np.array(rows_of("orchard"))[:, -1] == "wild")
    assert share == pytest.approx(0.08, abs=4 * math.sqrt(0.08 * 0.92 / 1000))


def test_the_orchard_s_own_instances_are_folds_of_all_grown_trees():
    cases, instances = instances_of("orchard", "yield", "std.550")
    tested = np.concatenate([one.test for one in instances])
    assert sorted(tested) == list(range(cases.count))
    assert len(instances) == 5
    assert min(float(word) for word in np.array(rows_of("orchard"))[cases.case_numbers - 1, 2]) == 6


@pytest.mark.parametrize(("place", "name"), FURTHER.items(), ids=FURTHER.values())
def test_priors_beside_the_standard_one_say_what_they_know(place, name):
    facts, problem, _, _ = read_task(HIERARCHY, *place, f"std.{smallest(*place)}")
    assert sorted(prior_names(HIERARCHY, *place)) == sorted(["std", name])
    prior = read_prior(HIERARCHY, facts, problem, name)
    assert len(prior.about.split()) > 20
    assert {line.levels for line in prior.lines} != {"NLMH"}


def smallest(dataset: str, prototask: str) -> int:
    specification = Path(DATASETS, dataset, prototask, "Prototask.spec").read_text()
    line = next(line for line in specification.splitlines() if line.startswith("Training-Set-Sizes"))
    return int(line.split()[1])


def test_the_priors_use_everything_that_a_prior_can_say():
    # Manual, section 4.3, and the coding of this program: relevance, passive values, orders, units, dependencies.
    options, strengths = set(), set()
    for (dataset, prototask), name in FURTHER.items():
        facts, problem, _, _ = read_task(HIERARCHY, dataset, prototask, f"std.{smallest(dataset, prototask)}")
        for prior in (read_prior(HIERARCHY, facts, problem, one) for one in ("std", name)):
            options |= {option for line in prior.lines for option, _ in line.options}
            strengths.add(prior.dependency_strength)
    assert options == {"passive", "order", "unit", "coding"}
    assert strengths == {None, "NLMH", "LM", "NL"}
