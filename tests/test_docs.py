"""The documentation keeps up with the program: commands, losses, pages, tables, formats and examples."""

import re
import tomllib
from pathlib import Path

import pytest

import delvecore
from delvecore.cli.subcommands.rank import main as rank
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.metrics.metric import METRIC_SPECS
from delvecore.readers.cases import read_cases
from delvecore.readers.dataset import parse_dataset
from delvecore.readers.prior import parse_codings, parse_prior
from delvecore.readers.prototask import parse_prototask
from delvecore.readers.results import parse_normalization, parse_test_set_stats
from delvecore.tables import COMPARISONS, PUBLISHED, SCHEMAS
from docs.command_pages import command_pages, parsers
from docs.draw_architecture import drawn
from docs.draw_sources import sources_page

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
START, TEST = "pip install -e . && delve dashboard", 'pip install -e ".[test]" && pytest'


def document(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """The text below a heading, up to the next one."""
    match = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", text, re.DOTALL | re.MULTILINE)
    assert match, f"no heading {heading!r}"
    return match[1]


def code_block(text: str, *, language: str = "") -> str:
    """The first block of code in a text, indented or fenced."""
    fenced = re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)
    if fenced:
        return fenced[1]
    lines = re.search(r"(?:^    .*\n(?:\n(?=    ))?)+", text, re.MULTILINE)
    assert lines, "no block of code"
    return "".join(line[4:] + "\n" if line else "\n" for line in lines[0].splitlines())


def sub_commands() -> list[str]:
    from delvecore.cli.delve import COMMANDS

    return [f"delve {name}" for name in COMMANDS]


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_readme_shows_the_two_commands_on_its_first_screen():
    lines = README.splitlines()[:40]
    assert [command for command in (START, TEST) if f"$ {command}" not in lines] == []


def test_ci_runs_the_test_command_of_the_readme():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert TEST in script
    assert "DELVE_REQUIRE_BROWSER=1" in script


def test_every_command_is_listed_and_has_its_section_in_the_reference():
    commands = [name for name in project()["scripts"] if name != "delve"] + sub_commands()
    assert [name for name in commands if f"| `{name}" not in document("commands.md")] == []
    assert sorted(parser.prog for parser in parsers()) == sorted(commands)


def test_the_reference_of_a_command_has_synopsis_options_examples_and_exit_status():
    pages = command_pages()
    for parser in parsers():
        text = section(pages, f"`{parser.prog}`")
        assert parser.synopsis in text
        headings = [heading for heading, _ in (*parser.listed_options(), *parser.files, *parser.statuses)]
        assert [heading for heading in headings if f"- `{heading}`: " not in text] == []
        assert [example for example, _ in parser.examples if f"$ {example}\n" not in text] == []


def test_every_loss_is_listed_as_the_program_knows_it():
    rows = section(document("metrics.md"), "Losses")
    zero = {
        letter: " (standardized loss 0)" * (spec.baseline.value == 0) for letter, spec in LOSS_SPECS.items()
    }
    expected = [
        f"| {letter} | {spec.name} | {spec.of} | {spec.baseline.text}{zero[letter]} |"
        for letter, spec in LOSS_SPECS.items()
    ]
    assert [row for row in expected if row not in rows] == []
    assert rows.count("\n| ") == len(expected) + 2


def test_readme_is_short_and_shows_what_the_command_prints(capsys):
    assert len(re.sub(r"<picture>.*?</picture>|<!--.*?-->", "", README, flags=re.DOTALL).split()) < 600
    block = code_block(section(README, "Your scores"), language="console")
    command, *lines = block.splitlines()
    assert command == "$ delve rank docs/examples/scores.csv --higher-is-better"
    assert rank([str(ROOT / "docs/examples/scores.csv"), "--higher-is-better"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert lines[-1] == "..."
    assert lines[:-1] == printed[: len(lines) - 1]


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_files_named_in_the_architecture_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:dashboard|data|delvecore|docs|tests)/[\w./-]+)`", text))
    assert len(named) > 9
    assert [path for path in sorted(named) if not exists(ROOT / path)] == []


def exists(path: Path) -> bool:
    return path.exists() or path.with_suffix(".py").exists()


@pytest.mark.slow
def test_the_architecture_diagram_matches_the_imports():
    text = document("architecture.md")
    assert drawn(text) == text, "python -m docs.draw_architecture"


def test_every_page_is_listed():
    names = sorted(
        path.parent.name for path in (ROOT / "dashboard").glob("*/page.py") if path.parent.name != "ui"
    )
    rows = section(document("index.md"), "Pages of the dashboard").replace("-", " ")
    assert [name for name in names if f"| {name.replace('_', ' ').capitalize()} |" not in rows] == []


def test_readme_example_runs_and_prints_the_answer(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    code = code_block(section(README, "In Python"), language="python")
    assert len(code.splitlines()) <= 8
    exec(compile(code, "README.md", "exec"), {})
    assert "C45_m_cf has the best mean rank of 4" in capsys.readouterr().out


def anchors(text: str) -> set[str]:
    """The anchors that headings become, on the documentation's site and where repositories are shown."""
    plain = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", plain, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_nowhere(path: Path, target: str) -> bool:
    place, _, anchor = target.partition("#")
    file = path.parent / place if place else path
    return not file.exists() or (bool(anchor) and anchor not in anchors(file.read_text(encoding="utf-8")))


def test_links_between_documents_lead_somewhere_to_the_heading():
    broken, followed = [], 0
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), ROOT / "data/REBUILD.md"]:
        text = path.read_text(encoding="utf-8")
        targets = re.findall(r"\]\(([^)]+)\)", text) + re.findall(r'(?:src|srcset|href)="([^"]+)"', text)
        local = [target for target in targets if not target.startswith(("http://", "https://"))]
        followed += sum("#" in target for target in local)
        broken += [f"{path.name}: {target}" for target in local if leads_nowhere(path, target)]
    assert broken == []
    assert followed > 40


def test_the_table_of_sources_is_that_of_the_datasets():
    assert document("sources.md") == sources_page(), "python -m docs.draw_sources"


def test_every_page_is_in_one_part_of_the_site():
    listed = re.findall(r"^([\w-]+)$", document("index.md"), re.MULTILINE)
    pages = {path.stem for path in (ROOT / "docs").iterdir() if path.suffix in (".md", ".ipynb")} - {"index"}
    assert sorted(listed) == sorted(pages)


def test_changelog_has_the_current_version():
    assert f"## [{delvecore.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def kind_text(kind) -> str:
    return re.sub(r"<(?:item|element): (.*)>", r"<\1>", str(kind))


@pytest.mark.parametrize("name", [*SCHEMAS, "comparisons", "published"])
def test_columns_of_a_table_are_documented_in_their_order(name):
    schema = {**SCHEMAS, "comparisons": COMPARISONS, "published": PUBLISHED}[name]
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| \S", section(document("tables.md"), name), re.MULTILINE)
    assert rows == [(field.name, kind_text(field.type)) for field in schema]


def test_examples_of_the_formats_are_read_without_a_fault():
    text = document("formats.md")
    dataset = parse_dataset(code_block(section(text, "Dataset.spec")), "demo", "Dataset.spec")
    assert [attribute.name for attribute in dataset.attributes] == ["SEX", "AGE", "SIBLINGS"]
    cases = read_cases(code_block(section(text, "Dataset.data")), dataset, "Dataset.data")
    assert (cases.count, cases.commonality, cases.comments) == (2, [None, 17], {1: "moved away in 1990"})
    prototask = parse_prototask(
        code_block(section(text, "Prototask.spec")), "kids", dataset, "Prototask.spec"
    )
    assert (prototask.inputs, prototask.targets) == ((1, 2), (3,))
    prior = parse_prior(code_block(section(text, "Prior files")), "std", dataset, prototask, "std.prior")
    assert [line.type for line in prior.lines] == ["binary", "real", "integer"]


def test_examples_of_result_files_are_read_without_a_fault():
    text = document("formats.md")
    dataset = parse_dataset(code_block(section(text, "Dataset.spec")), "demo", "Dataset.spec")
    codings = parse_codings(code_block(section(text, "Coding-used")), dataset, "Coding-used")
    assert {number: coding.coding for number, coding in codings.items()} == {2: "nm-abs", 1: "0/1"}
    constants = parse_normalization(code_block(section(text, "normalize.n")), "normalize.0")
    assert constants == {2: {"mean": 31.5}}
    stats = parse_test_set_stats(code_block(section(text, "Test-set-stats")), "Test-set-stats")
    assert stats["L"] == (-0.100114053,)
    assert stats["Q"] == (None,)


def test_formats_tell_every_coding():
    from delvecore.encoding.codings import ALLOWED

    rows = section(document("formats.md"), "Coding-used")
    missing = {coding for codings in ALLOWED.values() for coding in codings if f"`{coding}`" not in rows}
    assert missing == set()


def test_the_examples_of_specialized_losses_are_read_without_a_fault():
    from delvecore.losses.spec import parse_loss
    from delvecore.readers.results import parse_loss_matrix

    text = section(document("formats.md"), "Specialized losses")
    assert all(parse_loss(name) for name in ("Z0.2N", "S3N", "A1.5N", "Mcosts") if f"`{name}`" in text)
    example = re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)[1]
    matrix = parse_loss_matrix(example, "costs", values=("pink", "blue", "red"))
    assert matrix.losses[1] == (0.5, 0, 3)
    assert matrix.no_guess == (0.25, 0.5, 1)


def test_the_examples_of_codings_of_unknown_values_are_allowed():
    from delvecore.encoding.codings import check_coding
    from delvecore.model import PriorLine

    text = section(document("formats.md"), "Missing and censored values")
    dataset = parse_dataset(
        code_block(section(document("formats.md"), "Dataset.spec")), "demo", "Dataset.spec"
    )
    codings = parse_codings("".join(re.findall(r"^    .*\n", text, re.MULTILINE)), dataset, "encoding")
    types = {1: "nominal", 2: "real", 3: "integer"}
    for number, coding in codings.items():
        check_coding(coding, dataset.attribute(number), PriorLine(number, "NLMH", types[number], ()))
    assert {number: coding.option("missing") for number, coding in codings.items()} == {
        1: "mode",
        2: None,
        3: "indicator",
    }


def test_metrics_are_listed_with_formula_direction_and_origin():
    lines = document("metrics.md").splitlines()
    for spec in METRIC_SPECS.values():
        formula = spec.formula.replace("|", "\\|")
        start = f"| `{spec.name}` | {spec.title} | {formula} | {spec.direction} | {spec.unit} |"
        row = next((line for line in lines if line.startswith(start)), "")
        names = ", ".join(f"`{name}`" for name in spec.aliases)
        options = ", ".join(f"`{name}=`" for name in spec.options)
        assert row.endswith(f"| {names} | {options} | {spec.origin} |"), spec.name


def test_every_figure_of_the_gallery_is_drawn_by_the_lines_above_it():
    from docs.draw_gallery import PICTURES, lines_of_figures

    page = (ROOT / "docs" / "gallery.md").read_text()
    first, calls = lines_of_figures(page)
    compile(first, "gallery.md", "exec")
    for name, call in calls.items():
        compile(call, "gallery.md", "eval")
        assert f"pictures/gallery/{name}.svg" in page.split(call, 1)[1].split("##")[0]
    assert {path.stem for path in PICTURES.iterdir()} == set(calls)


def test_figures_of_visitors_are_those_of_the_load_benchmark():
    from benchmarks.hosted import load_findings

    shown = re.findall(r"^\| (visitors at once: .*?) \| (.*?) \|", document("reliability.md"), re.MULTILINE)
    assert shown == [(one.what, one.measured) for one in load_findings()]


def test_highest_rates_in_the_changelog_are_those_of_the_error_rates():
    # "at most 5.5 %" is a claim about the highest rate of the test of a common test set.
    rates = document("error-rates.md").split("\n## ")[0]
    highest = re.search(r"^\| \[Test of a common test set\].*?\| (0\.\d+) \|", rates, re.MULTILINE)
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    claims = re.findall(r"At a level of 5 %, they\s+err\s+in\s+at\s+most\s+([\d.]+) % of cases", text)
    assert set(claims) == {f"{100 * float(highest[1]):.1f}"}


def test_error_rates_are_of_the_current_version():
    stamps = set(re.findall(r"DELVE for the browser ([\d.]+), ", document("error-rates.md")))
    assert stamps == {delvecore.__version__}


def test_names_that_documents_take_from_delvecore_exist():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages)
    for name in sorted(set(re.findall(r"`(?:delvecore|dv)\.(\w+(?:\.\w+)*)\(", text))):
        value = delvecore
        for part in name.split("."):
            value = getattr(value, part)
        assert callable(value), name


def test_the_picture_of_the_readme_is_drawn_by_its_lines_of_python(monkeypatch):
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec(compile(code_block(section(README, "In Python"), language="python"), "README.md", "exec"), names)
    picture = (ROOT / "docs/pictures/critical-difference.svg").read_text(encoding="utf-8")
    assert picture == f"{names['result'].drawing.svg.rstrip()}\n"
