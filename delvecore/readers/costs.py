"""`Costs`: what the instances of a method on a task took. Written by `delve run`."""

from delvecore.errors import ParseError, raise_error
from delvecore.numerals.numbers import is_number, whole_number

__all__ = ["COSTS", "parse_costs"]

COSTS = "Costs"


def parse_costs(text, source, *, report=raise_error):
    """Return {instance: (seconds of the processor, megabytes)}; megabytes are None where they are unknown.

    report receives a ParseError for each line that is no cost.
    """
    found = {}
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        instance = whole_number(words[0])
        values = [_value(word) for word in words[1:]]
        if instance is None or len(values) != 2 or values[0] is None or "?" in values:
            form = "a line 'INSTANCE SECONDS MEGABYTES'"
            report(ParseError(source, number, form, repr(" ".join(words)), "run it again", kind="results"))
            continue
        found[instance] = tuple(values)
    return found


def _value(word):
    """Return a number that is not negative, None for `-`, `?` for anything else."""
    if word == "-":
        return None
    return float(word) if is_number(word) and float(word) >= 0 else "?"
