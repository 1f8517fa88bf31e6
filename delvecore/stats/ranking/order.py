"""Which methods come first? Their order by mean rank alone, without tests."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set

import numpy as np

from delvecore.stats.ranking.ranks import task_ranks, unit_ranks
from delvecore.stats.ranking.score_table import ScoreTable, complete_table
from delvecore.stats.ranking.units import choose_unit, unit_names

__all__ = ["best_first", "comparable_methods", "methods_of_most_results"]


def best_first(table: ScoreTable) -> tuple[str, ...]:
    """Return the methods, best mean rank first: those that can be compared, as a ranking of them has it, and
    then the others by name."""
    used = complete_table(comparable_methods(table)).table
    order: Sequence[int] = ()
    if used.values.size:
        average = unit_ranks(task_ranks(used), unit_names(used, choose_unit(used))).average
        order = np.argsort(average, kind="stable").tolist()
    ranked = tuple(used.methods[place] for place in order)
    return (*ranked, *sorted(set(table.methods) - set(ranked)))


def comparable_methods(table: ScoreTable) -> ScoreTable:
    """Return a table of those methods that have enough tasks in common: see `methods_of_most_results`."""
    known = ~np.isnan(table.values)
    if known.all():
        return table
    names = np.array(table.methods, dtype=object)
    return table.select(methods=methods_of_most_results(table.methods, [set(names[row]) for row in known]))


def methods_of_most_results(available: Sequence[str], done: Sequence[Set[str]]) -> tuple[str, ...]:
    """Return all methods; where they have fewer than half of the tasks in common, some of them.

    done: the methods that have a result, for each task. Those left are found by leaving out, one after the
    other, the method with the fewest results, and have the most results on tasks that all of them have."""
    kept, alike = list(available), Counter(map(frozenset, done))
    if 2 * _in_common(kept, alike) >= len(done):
        return tuple(kept)
    counts = {name: sum(times for methods, times in alike.items() if name in methods) for name in kept}
    tables = []
    while len(kept) > 1:
        tables.append((len(kept) * _in_common(kept, alike), tuple(kept)))
        kept.remove(min(kept, key=counts.__getitem__))
    return max(tables, key=lambda table: table[0], default=(0, tuple(available)))[1]


def _in_common(names: Sequence[str], alike: Mapping[frozenset[str], int]) -> int:
    """On how many tasks do all these methods have results? alike: how many tasks have which methods."""
    wanted = set(names)
    return sum(times for methods, times in alike.items() if methods >= wanted)
