"""A task-array as facts, never changed: prototasks that differ in known factors. Source: DELVE's page on
task-arrays."""

from typing import NamedTuple


class Level(NamedTuple):
    """One level of a factor. name: short, as members give it; label: in words; meaning: by which it is
    defined, empty where that is not said."""

    name: str
    label: str
    meaning: str = ""


class Factor(NamedTuple):
    """What the members of a task-array differ in. levels: tuple of Level, two or more."""

    name: str
    levels: tuple[Level, ...]

    def label(self, level: str) -> str:
        """Return the words for a level by its name; KeyError where there is none."""
        return {one.name: one.label for one in self.levels}[level]


class Member(NamedTuple):
    """One prototask, with a prior, that is part of a task-array. levels: tuple of names, one a factor."""

    dataset: str
    prototask: str
    prior: str
    levels: tuple[str, ...]

    @property
    def path(self) -> str:
        return f"/{self.dataset}/{self.prototask}/{self.prior}"


class Measure(NamedTuple):
    """How much of a factor a member has, where that was measured. percent: of the target's variance, or as
    the factor's definition says; error: its standard error."""

    member: Member
    factor: str
    percent: float
    error: float


class TaskArray(NamedTuple):
    """Prototasks that differ in known factors, besides the size of their training sets.

    factors: tuple of 1 to 4 Factor; members: tuple of Member, at most one a combination of levels; measures:
    tuple of Measure, at most one a member and factor. Source: DELVE's page on task-arrays."""

    name: str
    title: str
    factors: tuple[Factor, ...]
    members: tuple[Member, ...]
    measures: tuple[Measure, ...] = ()

    @property
    def shown(self) -> tuple[Factor, ...]:
        """The factors with those of their levels that some member has: what tables and figures show."""
        used = [set(names) for names in zip(*(member.levels for member in self.members), strict=True)]
        return tuple(
            factor._replace(levels=tuple(level for level in factor.levels if level.name in known))
            for factor, known in zip(self.factors, used, strict=True)
        )

    @property
    def vacant(self) -> tuple[Level, ...]:
        """The levels that belong to the definition, and that no member has."""
        pairs = zip(self.factors, self.shown, strict=True)
        return tuple(level for every, used in pairs for level in every.levels if level not in used.levels)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The places of the datasets that its members are of."""
        return tuple(dict.fromkeys(f"/{member.dataset}" for member in self.members))
