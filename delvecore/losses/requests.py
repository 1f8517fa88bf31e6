"""The losses of a method on a task, computed by another process: it is told names and gives the texts of
files, so that it writes nothing."""

from collections.abc import Callable
from dataclasses import dataclass, field

from delvecore.errors import DelveError
from delvecore.losses.compute import compute_task_losses
from delvecore.losses.method_task import open_method_task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.writers.files import StagedFiles


@dataclass(frozen=True)
class LossOutcome:
    """What came of a request. files: text by name, in order; steps: a line for each that was taken; notes: as
    of `compute_task_losses`; error: what put an end to it, and then nothing is to be written."""

    files: dict[str, str] = field(default_factory=dict)
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: Exception | None = None

    def write(self, directory: str, *, progress: Callable[[str], None]) -> None:
        """Write the files into a true directory, all or none. Raises the error, if there is one."""
        for line in self.steps:
            progress(line)
        if self.error:
            raise self.error
        with StagedFiles(directory) as staged:
            for name, text in self.files.items():
                staged.write(name, text)


@dataclass(frozen=True)
class LossRequest:
    """A method's task, by its names below `methods`. roots, follow_links: of the `Hierarchy`; losses,
    instances: as of `compute_task_losses`."""

    roots: tuple[str, ...]
    follow_links: bool
    names: tuple[str, ...]
    losses: tuple[str, ...] | None
    instances: tuple[int, ...] | None

    @property
    def name(self) -> str:
        return "/".join(self.names)

    def failed(self, error: BaseException) -> LossOutcome:
        return LossOutcome(error=DelveError(f"/{self.name}: {error}"))


class LossBench:
    """Computes losses; tasks of one prototask read its cases once."""

    def __init__(self) -> None:
        self._hierarchy = Hierarchy([])

    def carry_out(self, request: LossRequest) -> LossOutcome:
        """Return what came of a request; what is wrong with its files is an error of the outcome."""
        if tuple(self._hierarchy.roots) != request.roots:
            self._hierarchy = Hierarchy(request.roots, follow_links=request.follow_links)
        files: dict[str, str] = {}
        steps: list[str] = []
        try:
            found = compute_task_losses(
                open_method_task(self._hierarchy, *request.names),
                losses=request.losses,
                instances=request.instances,
                progress=steps.append,
                write=files.__setitem__,
            )
        except (DelveError, OSError) as error:
            return LossOutcome(steps=tuple(steps), error=error)
        return LossOutcome(files, tuple(steps), found.notes)
