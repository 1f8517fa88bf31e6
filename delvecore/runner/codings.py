"""Which codings does a run use? Those of a method, of DELVE or of a file, and what makes them suit all
cases."""

from typing import NamedTuple

from delvecore.encoding.encode import TaskPlan, plan_task
from delvecore.encoding.imputation import suited
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.methods.protocol import TaskView
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.prior import parse_codings
from delvecore.runner.command_method import Runnable

__all__ = ["AS_SUITS", "DEFAULT", "IMPUTE", "CodingChoice", "plan_for"]

DEFAULT, IMPUTE = "default", "impute"


class CodingChoice(NamedTuple):
    """kind: DEFAULT (those of the method, else DELVE's) or IMPUTE (these, made to suit missing, censored and
    constant values). text: of an encoding file, whose codings go before both, as they stand; source: its
    path."""

    kind: str = IMPUTE
    text: str = ""
    source: str = ""


AS_SUITS = CodingChoice()
"""What a run uses where nothing is said."""


def plan_for(
    method: Runnable, hierarchy: Hierarchy, view: TaskView, cases: PrototaskCases, *, choice: CodingChoice
) -> TaskPlan:
    """Return the plan of a task for a method. Raises DelveError for codings that do not suit their
    attributes."""
    said = parse_codings(choice.text, view.dataset, choice.source) if choice.text else {}
    codings = method.codings(view) | said
    plan = plan_task(hierarchy, cases, view.prior, view.task.training_size, codings=codings)
    return suited(plan, fixed=said.keys()) if choice.kind == IMPUTE else plan
