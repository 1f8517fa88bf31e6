"""Sample size planning: how many training sets or test cases would detect a relevant difference?"""

from delvecore.answers.answer import Answer, Kind, table_of
from delvecore.answers.compare_pair import SPREADS, Row
from delvecore.errors import DelveError
from delvecore.render.numbers import parameter, percent
from delvecore.render.spans import as_name, strong
from delvecore.report import words
from delvecore.stats import notes
from delvecore.stats.choose import DEFAULT_LEVEL, SIGNIFICANT
from delvecore.stats.losses.anova import Components, error_parts
from delvecore.stats.notes import parsed
from delvecore.stats.power import POWER, planned_power, smallest_size

SMALLEST = 0.01
"""Default difference that matters, as a share of the baseline's loss."""
COLUMNS: list[tuple[str, str, Kind]] = [
    ("plan", "Plan", "name"),
    ("instances", "Training sets", "count"),
    ("test_cases", "Test cases", "count"),
    ("power", "Power", "share"),
]
LIMITS = {"training": "training sets", "cases": "test cases", "residual": "test cases and the rest"}


def plan_answer(pair: Row, *, smallest: float | None = None, level: float = DEFAULT_LEVEL) -> Answer:
    """Plan the training sets and test cases that detect a difference of one pair on one task.

    pair: a row of comparisons. smallest: the difference that matters, in the unit of the losses; by default
    1 % of the baseline's loss. Raises DelveError with the reason if no plan fits the pair."""
    names = " and ".join(as_name(pair[f"method_{side}"]) for side in "ab")
    difference, share = _smallest(pair, smallest)
    training, cases, residual = (pair[name] for name in SPREADS)
    sizes = pair["instances"], pair["test_cases"]
    shared = any(note.code in notes.OVERLAPS for note in parsed(pair["notes"]))
    if shared or None in (training, residual, *sizes) or min(sizes) < 2:
        raise DelveError(
            f"{names}: a plan needs at least two training sets that share no cases, and two test cases"
        )
    spread, (sets, per_set) = Components(training, cases, residual), sizes

    def power_of(instances: int, test_cases: int) -> float:
        return planned_power(spread, difference, instances=instances, test_cases=test_cases, level=level)

    power = power_of(*sizes)
    twice = {"training sets": power_of(2 * sets, per_set), "test cases": power_of(sets, 2 * per_set)}
    enough_sets = smallest_size(lambda count: power_of(count, per_set))
    enough_cases = smallest_size(lambda count: power_of(sets, count))
    rows = [("as it is", *sizes, power)]
    rows.append(("twice the training sets", 2 * sets, per_set, twice["training sets"]))
    rows.append(("twice the test cases", sets, 2 * per_set, twice["test cases"]))
    if enough_sets is not None:
        rows.append(("enough training sets", enough_sets, per_set, POWER))
    if enough_cases is not None:
        rows.append(("enough test cases", sets, enough_cases, POWER))
    parts = error_parts(spread, instances=sets, test_cases=per_set)
    limit = max(parts._fields, key=lambda name: getattr(parts, name) or 0.0)
    notes_below = (
        f"Power: probability of significance if the true difference is {words.number(difference)}{share}.",
        _limit_sentence(limit, power, twice),
        *_observed(pair, level),
        "The standard deviations behind these numbers are estimates; with few training sets they are rough.",
    )
    headline = _headline(pair, power, {"training set": enough_sets, "test case": enough_cases})
    return Answer("plan", headline, table_of(rows, COLUMNS), notes_below)


def _smallest(pair: Row, smallest: float | None) -> tuple[float, str]:
    if smallest is not None:
        if not smallest > 0:
            raise DelveError(f"expected a difference above 0 that matters, found {parameter(smallest)}")
        return smallest, ""
    if not pair.get("standardizer"):
        raise DelveError("the task has no baseline; expected a difference that matters")
    return SMALLEST * pair["standardizer"], f", {percent(SMALLEST)} of the baseline's loss"


def _headline(pair: Row, power: float, enough: dict[str, int | None]) -> str:
    now = f"the present {words.count(pair['instances'], 'training set')} give {percent(round(power, 2))}"
    if power >= POWER:
        return f"{strong('The sizes are enough')}: {now} power."
    ways = [words.count(count, noun) for noun, count in enough.items() if count is not None]
    if not ways:
        return f"{strong('Increasing one size alone would not be enough')}: {now} power."
    lead = f"{' or '.join(ways)} would give {percent(POWER)} power"
    return f"{strong(lead)}; {now}."


def _limit_sentence(limit: str, power: float, twice: dict[str, float]) -> str:
    """Explain which size limits the error, and the effect of doubling the other one.

    twice: power with twice as many of each."""
    lead = f"Most of the error comes from {LIMITS[limit]}."
    least = min(twice, key=twice.__getitem__)
    if twice[least] - power < 0.02:
        return f"{lead} Doubling the {least} would not help."
    return f"{lead} Doubling the {least} would give {percent(round(twice[least], 2))} power."


def _observed(pair: Row, level: float) -> tuple[str, ...]:
    """State the possible size of the difference. Power at the observed difference would mislead."""
    lower, upper = pair["lower"], pair["upper"]
    if lower is None or upper is None:
        return ()
    settled = "It is significant already. " if pair["verdict"] in SIGNIFICANT else ""
    ends = f"{words.number(lower)} to {words.number(upper)}"
    seen = words.number(pair["difference"])
    return (f"{settled}The observed difference is {seen}, {percent(level)} interval {ends}.",)
