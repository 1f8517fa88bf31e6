"""Tables of scores: one number for each method, dataset, instance and metric, read with pandas.

The rules of `docs/scores.md` by module: summaries in `summaries`, directions in `directions`, read-back in
`score_file`, failed runs and scales in `checks`, spreads (`spread_of`) in `roles`, orientation in `wide`,
names in `names` and `checks`, sheets in `files`; scores or cases in `table_kind`. `reading` does it all."""
