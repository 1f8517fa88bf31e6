"""A visitor's changes to the columns of a file of cases."""

from collections.abc import Mapping

from delvecore.importers.attributes import LEFT_OUT, Role
from delvecore.importers.plan import ImportOptions, ImportPlan


def with_changes(plan: ImportPlan, changes: Mapping[int, Mapping[str, str]]) -> ImportOptions:
    """Return the options that apply the visitor's changes to the columns of a plan.

    changes: by number of the column, its new `role`, `type`, or both."""
    types = dict(plan.options.types)
    targets = [name for group in plan.targets for name in group]
    for number, change in changes.items():
        column = plan.columns[number]
        role = change.get("role") or (Role.INPUT if column.role is Role.LEFT_OUT else column.role)
        targets = [name for name in targets if name != column.name]
        if role == Role.LEFT_OUT:
            types[column.name] = LEFT_OUT
            continue
        if role == Role.TARGET:
            targets.append(column.name)
        kind = change.get("type") or types.get(column.name) or column.type
        if change.get("type") or kind == LEFT_OUT:
            numeric = "integer" if column.profile.is_whole else "real"
            usual = numeric if column.profile.is_numeric else "nominal"
            types[column.name] = usual if kind == LEFT_OUT else kind
    return plan.options._replace(targets=tuple(targets), types=types, guess_target=not targets)
