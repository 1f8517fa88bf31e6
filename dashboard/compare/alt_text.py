"""What the figures of the Compare page say, for those who do not see them: one sentence a record."""

from delvecore.plots import words
from delvecore.plots.compare.classes import RankingPlot, ReliabilityPlot
from delvecore.plots.compare.method_rows import Difference, ErrorSources, Estimate, InstanceLoss, Lines
from delvecore.plots.compare.pairs import CaseHistogram, PairMatrix
from delvecore.stats.choose import Verdict

__all__ = ["of_cases", "of_instances", "of_lines", "of_pairs", "of_ranking", "of_reliability", "of_sources"]


def of_lines(found: Lines[Estimate] | Lines[Difference]) -> str:
    """`gp-1 0.51 ± 0.04; lin-1 0.70 ± 0.05`"""
    return "; ".join(f"{line.method} {line.text}" for line in found.lines)


def of_pairs(found: PairMatrix) -> str:
    """`Of 3 pairs 1 differs significantly: gp-1 is better than lin-1, p = 0.003.`"""
    better = [cell for cell in found.cells if cell.verdict == Verdict.BETTER]
    told = [f"{cell.row} is better than {cell.column}, {cell.p_shown}" for cell in better]
    differ = "differs" if len(told) == 1 else "differ"
    lead = f"Of {words.count(len(found.cells) // 2, 'pair')} {len(told)} {differ} significantly"
    return f"{lead}: {'; '.join(told)}." if told else f"{lead}."


def of_cases(found: CaseHistogram) -> str:
    """`40 cases with a smaller loss, 12 with a larger one, mean difference −0.12`"""
    less, more = (sum(one.cases for one in found.bins if side * one.middle > 0) for side in (-1, 1))
    counts = f"{words.count(less, 'case')} with a smaller loss, {more} with a larger one"
    return f"{counts}, mean difference {words.number(found.mean, digits=3)}"


def of_instances(found: Lines[InstanceLoss]) -> str:
    """`gp-1 0.48 to 0.55 on 8 training sets; lin-1 ...`"""
    by_method: dict[str, list[float]] = {}
    for line in found.lines:
        by_method.setdefault(line.method, []).append(line.loss)
    return "; ".join(
        f"{name} {words.number(min(losses), digits=3)} to {words.number(max(losses), digits=3)} "
        f"on {words.count(len(losses), 'training set')}"
        for name, losses in by_method.items()
    )


def of_sources(found: ErrorSources) -> str:
    """`lin-1 training 60 %, residual 40 %; ...`"""
    shares: dict[str, list[str]] = {}
    for line in found.lines:
        shares.setdefault(line.method, []).append(f"{line.source} {100 * line.share:.0f} %")
    return (
        "; ".join(f"{name} {', '.join(parts)}" for name, parts in shares.items()) or "nothing to take apart"
    )


def of_reliability(found: ReliabilityPlot) -> str:
    """`60 % said, 55 % right in 20 cases; ...`"""
    return "; ".join(
        f"{100 * one.said:.0f} % said, {100 * one.held:.0f} % right in {words.count(one.cases, 'case')}"
        for one in found.bins
    )


def of_ranking(found: RankingPlot) -> str:
    """`training set 0, area 0.912; ...`"""
    return "; ".join(f"{one.title}, area {one.area:.3f}" for one in found.curves)
