"""The table of an archive's tasks to fill in is read back onto these tasks."""

import csv
import io

import delvecore
from delvecore.report.writers.csv import METHOD, template_text

SCORES = "dataset,method,accuracy\n" + "".join(
    f"{dataset},{method},0.{dataset}{place}\n" for dataset in (5, 6, 7) for place, method in enumerate("ab")
)


def test_tasks_of_scores_are_filled_in_by_the_names_of_their_datasets(tmp_path):
    scores, filled = tmp_path / "scores.csv", tmp_path / "filled.csv"
    scores.write_text(SCORES.replace("5,", "five/one,").replace("6,", "six/two,"))
    archive = delvecore.open(scores, cache=False)
    rows = list(csv.DictReader(io.StringIO(template_text(archive.tasks, "accuracy"))))
    assert {row["dataset"] for row in rows} == {"7", "five/one", "six/two"}
    with filled.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "value": 0.9} for row in rows)
    both = delvecore.open([scores, filled], cache=False)
    assert both.tasks.num_rows == archive.tasks.num_rows
    assert set(both.results["method"].to_pylist()) == {"a", "b", METHOD}
