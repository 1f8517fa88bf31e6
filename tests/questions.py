"""Questions about a ranking, asked with data that a test writes down in place of an archive's."""

from dataclasses import dataclass
from typing import Any

from delvecore.answers.answer import Answer
from delvecore.answers.question import QuestionRequest
from delvecore.answers.questions import answer_question
from delvecore.losses.standard_losses import LOSS_SPECS


@dataclass(frozen=True)
class DataOf:
    """What questions need of an archive; None for what a test does not ask for."""

    differences: Any = None
    sets: Any = None
    tasks: Any = ()
    sizes: Any = ()

    def pair_differences(self, unit: str) -> Any:
        return self.differences

    def training_sets(self) -> Any:
        return self.sets

    def single_tasks(self, level_of_pairs: object) -> Any:
        return self.tasks

    def designs(self) -> Any:
        return self.sizes

    def costs(self) -> None:
        return None

    def scope(self) -> tuple[str, tuple[str, ...]]:
        return "", ()


def ask(word: str, ranking: Any = None, **options: Any) -> Answer:
    """Answer a question about an analysis. options: fields of the request; data, if not an archive's, is `DataOf`."""
    return answer_question(
        word, QuestionRequest(**{"measure": LOSS_SPECS["S"], "ranking": ranking} | options)
    )
