"""Rules for a prototask's directory: its specification, priors, case, order and instance files, and sizes.

`readers.prototask` reports what cannot be read or does not fit the dataset's specification; here is what
takes the data or other files to see. Source: DELVE manual, sections 4.1, 4.2, 4.4, 6.2 and 6.3.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from delvecore.checking.case_choice import ChosenCases, choose_cases
from delvecore.checking.dataset_rules import file_text
from delvecore.checking.facts import CaseFacts
from delvecore.checking.feasibility import check_instance_files, check_sizes
from delvecore.checking.prior_rules import check_prior
from delvecore.errors import ParseError, Report
from delvecore.model import Dataset, Prior, Prototask
from delvecore.readers.prototask import key_lines, parse_prototask
from delvecore.readers.specifications import PRIOR_SUFFIX

__all__ = ["CheckedPrototask", "check_prototask", "find_priors"]

SPECIFICATION = "Prototask.spec"


@dataclass(frozen=True)
class CheckedPrototask:
    """What a prototask's directory holds. prototask: None where its specification is of no use; case_count:
    of the cases in use, None where the data do not say; priors: those without a fault, by name; chosen: the
    cases in use."""

    prototask: Prototask | None = None
    case_count: int | None = None
    priors: dict[str, Prior] = field(default_factory=dict)
    chosen: ChosenCases = field(default_factory=ChosenCases)

    @property
    def positions(self) -> np.ndarray | None:
        """The positions of the cases in the dataset (from 0), in the prototask's order, None where they are
        not known."""
        return self.chosen.positions if self.chosen.is_known else None


def check_prototask(
    files: Mapping[str, str],
    name: str,
    dataset: Dataset,
    facts: CaseFacts | None,
    place: str,
    *,
    report: Report,
    priors: bool = True,
) -> CheckedPrototask:
    """Read and check a prototask; each fault goes to report.

    files: of the prototask's directory, true path by plain name; facts: of the dataset's cases, None where
    they cannot be read; place: the directory; priors: whether its prior files are checked too.
    """
    text = file_text(files, SPECIFICATION, place, report=report)
    if text is None:
        return CheckedPrototask()
    source = files[SPECIFICATION]
    prototask = parse_prototask(text, name, dataset, source, report=report)
    if prototask is None:
        return CheckedPrototask()
    lines = key_lines(text)
    _check_order(prototask, dataset, source, lines, report)
    chosen = choose_cases(files, prototask, dataset, facts, lines, report=report)
    if facts is not None and chosen.is_known:
        check_sizes(prototask, dataset, facts, chosen, source, lines, report=report)
        check_instance_files(files, prototask, dataset, chosen, report=report)
    found = _check_priors(files, dataset, prototask, report) if priors else {}
    return CheckedPrototask(prototask, chosen.count, found, chosen)


def _check_order(
    prototask: Prototask, dataset: Dataset, source: str, lines: Mapping[str, int], report: Report
) -> None:
    """Cases in an informative order are reordered unless the prototask is sequential: section 4.4."""
    if dataset.order == "informative" and prototask.order.lower() == "retain":
        expected = "an order file or 'sequential', since the order of the dataset is informative"
        remedy = "make an order with dgenorder"
        report(ParseError(source, lines["order"], expected, "'retain'", remedy, kind="specification"))
    repeated = [size for size in prototask.training_set_sizes if prototask.training_set_sizes.count(size) > 1]
    for size in sorted(set(repeated)):
        line = lines["training-set-sizes"]
        report(ParseError(source, line, "each training set size once", f"{size} twice", kind="specification"))


def find_priors(files: Mapping[str, str]) -> list[str]:
    """Return the names of the prior files in a prototask's directory, sorted."""
    names = (name for name in files if name.endswith(PRIOR_SUFFIX) and name[0] != ".")
    return sorted(name.removesuffix(PRIOR_SUFFIX) for name in names)


def _check_priors(
    files: Mapping[str, str], dataset: Dataset, prototask: Prototask, report: Report
) -> dict[str, Prior]:
    found = {}
    for name in find_priors(files):
        prior = check_prior(files[name + PRIOR_SUFFIX], name, dataset, prototask, report=report)
        if prior is not None:
            found[name] = prior
    if not find_priors(files):
        source, remedy = files[SPECIFICATION], "add std.prior"
        report(ParseError(source, None, "a .prior file beside it", "none", remedy, kind="specification"))
    return found
