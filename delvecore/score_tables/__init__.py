"""Tables of scores: one number for each method, dataset, instance and metric, read with pandas.

`reading.read_scores` does it all. The rules of `docs/scores.md`, and where each is:

1. Summaries: `wide`, of rows `without_summary_rows`, of columns `is_summary_column`.
2. Directions: `checks.directed`; a metric for each dataset, `checks.one_metric_each`.
3. Read-back: `score_file.Reading`, and `score_file.Notes`, which collects it.
4. Failed runs: `checks.failed_runs`; methods with too few runs, `delvecore.archive.common_results`.
5. Spreads: `roles.spread_of`, `wide.spread_columns`.
6. Orientation: `wide.orientation`; columns of another kind, `wide.scores_of_one_kind`.
7. Scales: `checks.on_one_scale`; decimal signs, `table.Table.with_decimal`.
8. Names: `table.Column.names`; comments, `text_tables`.
9. Several sheets: `formats.read_excel`.

Roles of columns: `names` (lists), `roles`, `wide`. Instances and designs: `reading`. Scores or cases:
`table_kind`. Fields: `cells`. Formats: `formats`, `text_tables`, `files`. Known programs: `programs`,
`harnesses`."""
