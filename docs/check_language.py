"""Check the English of documents, messages and help texts: `python -m docs.check_language [FILE ...]`.

It reports long sentences, phrases to avoid, chains of passive verbs, spellings that the project does not use,
and the rules of voice, all from `docs/language.toml`. Code and quotations are left out, and tables as to
length. Docstrings count for voice and spelling only. Names in code count for spelling, and variables whose
names tell nothing are counted.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

__all__ = ["Fault", "check", "main", "surplus"]

ROOT = Path(__file__).resolve().parents[1]
PROSE = ("README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md", "SECURITY.md", "docs/**/*.md")
PROGRAM = ("delvecore/**/*.py", "dashboard/**/*.py")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]*_]*\s+(?=[^a-z\s])|(?<=[.!?])\n(?=\S)")
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|cf|et al|vol|pp|no|eq|sec|fig|resp)\.", re.IGNORECASE)
PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s+(?:not\s+|never\s+|also\s+|only\s+|\w+ly\s+)?"
    r"(?:\w+ed|made|read|written|drawn|shown|given|taken|kept|held|left|found|said|put|run|chosen|known|built|sent|set|told"
    r"|meant|thrown|lost|sought|split|begun|hidden)\b",
    re.IGNORECASE,
)
NOT_PROSE = re.compile(r"^\[-|[{<;]\s*$|<\w+[ >]|\w+:\s*[\w#]+;|\[\[?\w")
"""Usage lines, markup, style sheets and lists of options among the strings of a program."""
CODE = "CODE"
"""What stands for a piece of code in a sentence: one word."""


@dataclass(frozen=True, order=True)
class Fault:
    """A passage to change.

    kind: `length`, `phrase`, `passives`, `spelling`, a rule of voice, or `variable NAME`."""

    path: str
    line: int
    kind: str
    text: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}: {self.text!r}: {self.advice}"


@dataclass(frozen=True)
class Passage:
    """A piece of text that starts at a line. is_prose: whether its sentences are measured."""

    line: int
    text: str
    is_prose: bool = True
    is_docstring: bool = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the faults of the files, or of all files without an argument; return 1 if there are any."""
    names = sys.argv[1:] if arguments is None else list(arguments)
    faults = check([Path(name).resolve() for name in names]) if names else surplus(check())
    for fault in faults:
        print(fault)
    return bool(faults)


def check(paths: Iterable[Path] | None = None) -> list[Fault]:
    """Return the faults of files, or of all documents and of the program.

    Parameters
    ----------
    paths : paths of Markdown and Python files, optional

    Returns
    -------
    list of Fault
        In the order of files and lines.
    """
    files = _all_files() if paths is None else paths
    return sorted(fault for path in files for fault in _faults(path))


def surplus(faults: Iterable[Fault]) -> list[Fault]:
    """Return the faults of those rules, files and folders that have more of them than is allowed."""
    faults_by_place: dict[str, list[Fault]] = {}
    allowed = {**_rules()["exceptions"], **_rules()["counts"]}
    for fault in faults:
        if fault.kind in _rules()["counts"]:
            faults_by_place.setdefault(fault.kind, []).append(fault)
            continue
        place = next((place for place in allowed if f"{fault.path}/".startswith(f"{place}/")), fault.path)
        faults_by_place.setdefault(place, []).append(fault)
    return [
        fault
        for place, some in faults_by_place.items()
        if len(some) > allowed.get(place, 0)
        for fault in some
    ]


@cache
def _rules() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("language.toml").read_text(encoding="utf-8"))


@cache
def _phrases() -> list[tuple[re.Pattern[str], str]]:
    phrases = _rules()["phrases"].items()
    return [
        (re.compile(rf"\b(?:{text})".replace(" ", r"\s+"), re.IGNORECASE), advice) for text, advice in phrases
    ]


def _all_files() -> list[Path]:
    return sorted({path for pattern in (*PROSE, *PROGRAM) for path in ROOT.glob(pattern)})


def _faults(path: Path) -> Iterator[Fault]:
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)
    passages = _messages(text) if path.suffix == ".py" else _paragraphs(text)
    for passage in passages:
        for line, kind, excerpt, advice in _judge(passage):
            yield Fault(name, line, kind, excerpt, advice)
    if path.suffix == ".py":
        yield from _names(text, name)


def _names(source: str, path: str) -> Iterator[Fault]:
    """Return the names that code binds and that are misspelled, or whose variable tells nothing."""
    advice, spelling = _rules()["variables"], _rules()["spelling"]
    for node in ast.walk(ast.parse(source)):
        is_variable = True
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            name, is_variable = node.name, False
        else:
            continue
        if is_variable and name in advice:
            yield Fault(path, node.lineno, f"variable {name}", name, advice[name])
        for word in re.findall("[A-Z]?[a-z]+|[A-Z]+", name):
            if word.lower() in spelling:
                yield Fault(path, node.lineno, "spelling", name, spelling[word.lower()])


def _paragraphs(text: str) -> Iterator[Passage]:
    """Return paragraphs, list items, headings and cells of a Markdown text, without code and quotations."""
    in_table = in_heading = quotes = 0
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        in_table += token.nesting if token.type.startswith("table") else 0
        in_heading += token.nesting if token.type.startswith("heading") else 0
        quotes += token.nesting if token.type.startswith("blockquote") else 0
        if token.type == "inline" and not quotes:
            plain = "".join(
                CODE if part.type == "code_inline" else "\n" if "break" in part.type else part.content
                for part in token.children or ()
                if part.type != "image"
            )
            yield Passage(token.map[0] + 1 if token.map else 1, plain, not in_table and not in_heading)


def _messages(source: str) -> Iterator[Passage]:
    """Return the texts of a module that may be a message or a help text: strings of three words or more."""
    tree = ast.parse(source)
    inner = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    statements = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    docstrings = {id(node) for node in statements}
    for node in statements:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            plain = re.sub(r"`[^`]*`", CODE, node.value.partition("    >>>")[0])
            yield Passage(node.lineno, re.sub(r"\n +", "\n", plain), is_docstring=True)
    for node in ast.walk(tree):
        if id(node) in inner | docstrings:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else CODE for part in node.values]
            text = "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if len(text.split()) > 2 and not NOT_PROSE.search(text):
            yield Passage(node.lineno, text, bool(re.search("[.,:;]", text)))


def _judge(passage: Passage) -> Iterator[tuple[int, str, str, str]]:
    """Return line, kind, text and advice of each fault of a passage."""
    limits = _rules()["limits"]
    for kind, rule in _rules()["voice"].items():
        for match in re.finditer(rule["pattern"], passage.text):
            yield (
                _line(passage, match.start()),
                kind,
                " ".join(passage.text[match.start() :].split()[:6]),
                rule["advice"],
            )
    for pattern, advice in () if passage.is_docstring else _phrases():
        for match in pattern.finditer(passage.text):
            yield _line(passage, match.start()), "phrase", " ".join(match[0].split()), advice
    for match in re.finditer(r"[A-Za-z]+", passage.text):
        if (ours := _rules()["spelling"].get(match[0])) and not re.search(
            r"[\w/.-]$", passage.text[: match.start()]
        ):
            yield _line(passage, match.start()), "spelling", match[0], ours
    for start, sentence in _sentences(passage.text) if passage.is_prose and not passage.is_docstring else ():
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        if len(words) > limits["words"]:
            advice = f"{len(words)} words, at most {limits['words']}; make two of it"
            yield _line(passage, start), "length", " ".join(words[:8]) + " ...", advice
        passives = PASSIVE.findall(sentence)
        if len(passives) >= limits["passives"]:
            yield _line(passage, start), "passives", ", ".join(passives), "say who does it"


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """Return the sentences of a text with the places where they start."""
    plain = ABBREVIATIONS.sub(lambda match: match[0].replace(".", " "), text)
    start = 0
    for match in [*SENTENCE_END.finditer(plain), None]:
        end = match.end() if match else len(plain)
        if sentence := plain[start:end].strip():
            yield start, sentence
        start = end


def _line(passage: Passage, place: int) -> int:
    return passage.line + passage.text.count("\n", 0, place)


if __name__ == "__main__":
    sys.exit(main())
