"""Pairs that differ by Wilcoxon's test, with adjustments that use logical relations between pairs."""

from delvecore.answers.answer import Answer, Column, Table, pair_names
from delvecore.answers.question import QuestionRequest, question
from delvecore.render.numbers import counted, parameter


@question(
    "pairs",
    order=40,
    title="Shaffer, Bergmann-Hommel",
    meaning="p of all pairs by Holm's, Shaffer's and Bergmann and Hommel's procedures",
)
def adjusted_pairs(request: QuestionRequest) -> Answer:
    """Which pairs differ by Wilcoxon's test, by procedures that use logical relations between pairs?"""
    from delvecore.stats.p_adjustment import MOST_METHODS, adjust, bergmann_hommel, shaffer

    analysis = request.analysis
    p, methods = analysis.wilcoxon.p, analysis.table.methods
    ways = {"Holm": adjust(p), "Shaffer": shaffer(p)}
    if len(methods) <= MOST_METHODS:
        ways["Bergmann-Hommel"] = bergmann_hommel(p)
    counts = [f"{name} {int((values < analysis.alpha).sum())}" for name, values in ways.items()]
    sentence = (
        f"Significant among {counted(len(p), 'pair')} of methods on {request.units}, at "
        f"{parameter(analysis.alpha)}: {', '.join(counts)}."
    )
    keys = {"Holm": "p_holm", "Shaffer": "p_shaffer", "Bergmann-Hommel": "p_bergmann_hommel"}
    columns = [Column(keys[name], name, "p", values) for name, values in ways.items()]
    notes = [
        "p: Wilcoxon's signed-rank test, two-sided; then adjusted for all pairs. Shaffer's and Bergmann and "
        "Hommel's procedures count how many hypotheses can be true at once, if equality is transitive."
    ]
    if len(methods) > MOST_METHODS:
        notes.append(f"Bergmann and Hommel's procedure is for up to {MOST_METHODS} methods.")
    table = Table((*pair_names(methods), Column("p", "p", "p", p), *columns))
    return Answer("pairs", sentence, table, (*notes,))
