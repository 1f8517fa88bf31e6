"""What a paper's table is to show, as a command's options and a page's controls say it.

Both make a PaperRequest and hand it to `source`, so that they give the same bytes.
"""

from dataclasses import dataclass, fields, replace

from delvecore.losses.spec import parse_loss
from delvecore.report.provenance import method_words, option_words
from delvecore.statistics.choose import DEFAULT_LEVEL, checked_level, significance

__all__ = ["ADJUSTMENTS", "DIGITS", "MARKINGS", "PaperRequest", "request_arguments"]

ADJUSTMENTS = ("holm", "bonferroni", "none")
DIGITS = ("cell", "row", "column")
MARKINGS = ("best", "equal", "reference")
"""What may be marked: the best of each task, those not significantly worse, differences to a reference."""


@dataclass(frozen=True)
class PaperRequest:
    """paths: of tasks, prototasks or datasets, `/` for all; or of one CSV file of scores. loss: None for the
    one with results on most tasks. methods: in this order, empty for all. by: factors whose levels make the
    rows, empty for tasks. digits: one of DIGITS, or a number of decimals. level: of confidence.
    adjust: of the p-values of a task.
    Raises ValueError for what is none of the choices.
    """

    paths: tuple[str, ...] = ("/",)
    loss: str | None = None
    methods: tuple[str, ...] = ()
    reference: str | None = None
    by: tuple[str, ...] = ()
    transpose: bool = False
    raw: bool = False
    level: float = DEFAULT_LEVEL
    adjust: str = "holm"
    marks: tuple[str, ...] = ("best", "equal", "reference")
    ranks: bool = True
    digits: str = "cell"
    higher_is_better: bool = False

    def __post_init__(self) -> None:
        if self.loss is not None and parse_loss(self.loss) is None:
            raise ValueError(f"expected a loss such as S or Z0.2N, found {self.loss!r}")
        if self.by and self.raw:
            raise ValueError(
                "expected standardized losses where rows are means over tasks, found --raw with --by"
            )
        checked_level(self.level)
        if self.adjust not in ADJUSTMENTS:
            raise ValueError(f"expected one of {', '.join(ADJUSTMENTS)} to adjust p, found {self.adjust!r}")
        for mark in self.marks:
            if mark not in MARKINGS:
                raise ValueError(f"expected marks among {', '.join(MARKINGS)}, found {mark!r}")
        if self.digits not in DIGITS and not (self.digits.isascii() and self.digits.isdigit()):
            raise ValueError(f"expected {', '.join(DIGITS)} or a number of decimals, found {self.digits!r}")
        if self.digits.isdigit() and int(self.digits) > 12:
            raise ValueError(f"expected at most 12 decimals, found {self.digits}")

    def with_methods(self, *, loss: str | None, methods: tuple[str, ...]) -> "PaperRequest":
        """Return the request with what was left open filled in."""
        return replace(self, loss=loss, methods=methods)

    @property
    def alpha(self) -> float:
        """The significance that belongs to the level."""
        return significance(self.level)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """(name, value) of everything, in words."""
        found: list[tuple[str, str]] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            if isinstance(value, tuple):
                value = " ".join(value) or "none"
            elif isinstance(value, bool):
                value = "yes" if value else "no"
            found.append((field.name.replace("_", " "), f"{value:g}" if isinstance(value, float) else value))
        return tuple(found)


def request_arguments(request: PaperRequest, *, is_file: bool = False) -> tuple[str, ...]:
    """Return the words of `delve table` that make this request, without --format; defaults are left out.

    is_file: the path is that of a file of scores, which has no losses.
    """
    plain = PaperRequest()
    words = ["delve", "table"]
    if request.loss is not None and not is_file:
        words += ["--loss", request.loss]
    words += method_words(request.methods)
    for name in ("reference", "adjust", "digits"):
        if getattr(request, name) != getattr(plain, name):
            words += option_words(f"--{name}", getattr(request, name))
    if request.level != plain.level:
        words += ["--level", f"{request.level!r}"]
    if request.marks != plain.marks:
        words += ["--marks", " ".join(request.marks) or "none"]
    if request.by:
        words += ["--by", " ".join(request.by)]
    flags = {
        "--raw": request.raw,
        "--transpose": request.transpose,
        "--no-ranks": not request.ranks,
        "--higher-is-better": request.higher_is_better,
    }
    words += [flag for flag, is_set in flags.items() if is_set]
    return (*words, *["--"] * any(path.startswith("-") for path in request.paths), *request.paths)
