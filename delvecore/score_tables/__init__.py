"""Tables of scores: one number for each method, dataset, instance and metric, read with pandas.

`reading.read_scores` is the entry point. The rules of `docs/scores.md` are in these modules:

- Every column has a role. `table.Column` describes a column, `column_roles` has the rules, `roles` (long) and
  `wide` determine the roles of a table, and `names` has lists of words. `score_file.Reading` records all
  roles.
- Numbered columns: `runs_in_columns`. Steps and unpaired runs: `checks.one_row_a_run`, `unpaired_runs`.
- Several files: `reading._pooled`; names of files: `files`.
- Summaries: `summaries`. Spreads: `roles.spread_of`. Orientation: `wide`.
- Directions: `checks.directed`; a metric for each dataset, `checks.one_metric_each`.
- Failed runs: `cells`, `checks.failed_runs`; methods with too few runs, `delvecore.archive.common_results`.
- Scales: `checks.on_one_scale`; decimal signs, `table.Table.with_decimal`.

Instances and designs: `reading`. Scores or cases: `table_kind`. Formats: `formats`, `text_tables`. Known
programs: `programs`, `harnesses`; files that are refused: `refused`."""
