"""docs/manual-coverage.md: every promise of the manual has a test, and every test named there exists."""

import ast
import functools
import re
from pathlib import Path

TESTS = Path(__file__).parent
TEXT = (TESTS.parent / "docs" / "manual-coverage.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+\.py::\w+)`", TEXT)))
ROWS = re.findall(r"^\| ((?!section|---)[^|]+) \| (.+?) \| (.*) \|$", TEXT, re.MULTILINE)
COMMANDS = (
    *("dcheck", "dgenorder", "dgenproto", "dinfo", "dls", "dmore", "mgendata", "mgendir", "minfo", "mloss"),
    *("mls", "mmore", "mstats"),
)


@functools.cache
def functions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_test_that_the_coverage_names_exists():
    missing = []
    for name in NAMED:
        file, function = name.split("::")
        if not (TESTS / file).is_file() or function not in functions_of(TESTS / file):
            missing.append(name)
    assert missing == []


def test_every_promise_names_a_test():
    assert [promise for _, promise, tests in ROWS if "::test_" not in tests] == []


def test_no_promise_is_open():
    assert TEXT.rstrip().endswith("Nothing: every promise above has a test.")


def test_every_section_and_every_command_of_appendix_c_is_there():
    sections = {section for section, _, _ in ROWS}
    last = {3: 4, 4: 4, 5: 3, 6: 3, 7: 6, 8: 3}
    wanted = {f"{chapter}.{number}" for chapter, most in last.items() for number in range(1, most + 1)}
    wanted |= {"1.3", *"ABCD"}
    wanted |= {f"F 12.{number}" for number in range(1, 5)}
    assert wanted | {f"C {command}" for command in COMMANDS} <= sections


def test_every_example_of_flach_s_chapter_and_every_topic_of_performance_estimation_is_there():
    # Flach 2012, examples 12.1 to 12.8; what would be 12.3 is a formula of section 12.1. The R manual has 50 topics.
    told = " ".join(promise for section, promise, _ in ROWS if section.startswith("F "))
    assert [number for number in (1, 2, 4, 5, 6, 7, 8) if f"Example 12.{number}" not in told] == []
    topics = [section for section, _, _ in ROWS if section.startswith("R ")]
    assert len(topics) == len(set(topics)) == 50


def test_every_test_of_the_manuals_sentences_is_named():
    files = sorted((TESTS / "manual").glob("test_*.py"))
    made = {
        f"manual/{path.name}::{name}" for path in files for name in functions_of(path) if name[:5] == "test_"
    }
    assert sorted(made - set(NAMED)) == []


def test_every_section_of_the_rules_and_problems_of_proben1_is_there():
    sections = {section for section, _, _ in ROWS}
    wanted = {f"P 2.{number}" for number in range(1, 12)} | {f"P 3.3.{number}" for number in range(1, 5)}
    assert wanted | {"P 3.1", "P 3.2", "P 3.3", "P C"} <= sections
