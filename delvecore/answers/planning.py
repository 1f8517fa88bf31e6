"""Sample size planning: how many more training sets or test cases would detect a relevant difference?"""

from delvecore.answers.answer import Answer, Kind, table_of
from delvecore.answers.compare_pair import SPREADS, Row
from delvecore.errors import DelveError
from delvecore.render.numbers import parameter, percent
from delvecore.render.spans import as_name, strong
from delvecore.report import words
from delvecore.stats import notes
from delvecore.stats.choose import DEFAULT_LEVEL, SIGNIFICANT
from delvecore.stats.losses.anova import Components
from delvecore.stats.notes import parsed
from delvecore.stats.power import POWER, Plan, plan

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
            f"{names}: a plan needs two or more training sets that share no cases, and test cases"
        )
    power_plan = plan(
        Components(training, cases, residual),
        difference,
        instances=sizes[0],
        test_cases=sizes[1],
        level=level,
    )
    rows = [("as it is", *sizes, power_plan.power)]
    rows.append(("twice the training sets", 2 * sizes[0], sizes[1], power_plan.with_twice_sets))
    rows.append(("twice the test cases", sizes[0], 2 * sizes[1], power_plan.with_twice_cases))
    if power_plan.instances is not None:
        rows.append(("enough training sets", power_plan.instances, sizes[1], POWER))
    if power_plan.test_cases is not None:
        rows.append(("enough test cases", sizes[0], power_plan.test_cases, POWER))
    notes_below = (
        f"Power: how probable significance is if the true difference is {words.number(difference)}{share}.",
        _limit_sentence(power_plan),
        *_observed(pair, level),
        "The standard deviations behind these numbers are estimates; with few training sets they are rough.",
    )
    return Answer("plan", _headline(pair, power_plan), table_of(rows, COLUMNS), notes_below)


def _smallest(pair: Row, smallest: float | None) -> tuple[float, str]:
    if smallest is not None:
        if not smallest > 0:
            raise DelveError(f"expected a difference above 0 that matters, found {parameter(smallest)}")
        return smallest, ""
    if not pair.get("standardizer"):
        raise DelveError("the task has no baseline: say which difference matters")
    return SMALLEST * pair["standardizer"], f", {percent(SMALLEST)} of the baseline's loss"


def _headline(pair: Row, plan: Plan) -> str:
    now = (
        f"the {words.count(pair['instances'], 'training set')} of today give {percent(round(plan.power, 2))}"
    )
    if plan.power >= POWER:
        return f"{strong('The sizes are enough')}: {now} power."
    ways = [
        words.count(count, noun)
        for count, noun in ((plan.instances, "training set"), (plan.test_cases, "test case"))
        if count is not None
    ]
    if not ways:
        return f"{strong('No size of one kind would decide it')}: {now} power."
    lead = f"{' or '.join(ways)} would give {percent(POWER)} power"
    return f"{strong(lead)}; {now}."


def _limit_sentence(plan: Plan) -> str:
    """Explain which size limits the error, and the effect of doubling the other one."""
    lead = f"Most of the error comes from {LIMITS[plan.limit]}."
    gain = {"training sets": plan.with_twice_sets, "test cases": plan.with_twice_cases}
    least = min(gain, key=gain.__getitem__)
    if gain[least] - plan.power < 0.02:
        return f"{lead} Doubling the {least} would not help."
    return f"{lead} Doubling the {least} would give {percent(round(gain[least], 2))} power."


def _observed(pair: Row, level: float) -> tuple[str, ...]:
    """State the possible size of the difference. Power at the observed difference would mislead."""
    lower, upper = pair["lower"], pair["upper"]
    if lower is None or upper is None:
        return ()
    settled = "It is significant already. " if pair["verdict"] in SIGNIFICANT else ""
    ends = f"{words.number(lower)} to {words.number(upper)}"
    seen = words.number(pair["difference"])
    return (f"{settled}The observed difference is {seen}, {percent(level)} interval {ends}.",)
