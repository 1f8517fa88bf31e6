"""What a paper's table is to show, as a command's options and a page's controls say it.

Both make a PaperRequest and hand it to `source`, so that they give the same bytes."""

from dataclasses import dataclass, fields

from delvecore.model import place_names
from delvecore.readers.regular_files import FOLLOW_LINKS
from delvecore.report.provenance import method_words, option_words
from delvecore.stats.choose import DEFAULT_SETTING, Setting, checked_adjustment, checked_level
from delvecore.stats.verdicts import RankTest

DIGITS = ("cell", "row", "column")
LAYOUTS = ("columns", "rows")
MARKINGS = ("best", "equal", "reference")
"""What may be marked: the best of each task, those not significantly worse, differences to a reference."""


@dataclass(frozen=True)
class PaperRequest:
    """paths: of tasks, prototasks or datasets, `/` for all. files: of scores, and delve directories beside
    them, where the active ones are not meant; reading: words of a command that say how the files are read;
    higher_is_better: of scores that are shown as they are. loss: None for the one with results on most
    tasks. methods: in this order, empty for all. by: factors whose levels make the rows, empty for tasks.
    methods_in: one of LAYOUTS. digits: one of DIGITS, or a number of decimals. level, adjust: see
    `choose.Setting`. top: so many methods are shown, those of the best average ranks, in their order, of all
    that are ranked and compared; mine: one's own method, which is shown in any case, and of which a note
    says how it does. keep: of the methods, those that are ranked however few runs they have. unit: what
    counts once in ranks, one of `UNITS`, None: see `choose_unit`; test: by what differences of average ranks
    are judged. published: is what was published elsewhere on the tasks shown?
    Raises ValueError for what is none of the choices."""

    paths: tuple[str, ...] = ("/",)
    loss: str | None = None
    methods: tuple[str, ...] = ()
    reference: str | None = None
    by: tuple[str, ...] = ()
    methods_in: str = "columns"
    raw: bool = False
    level: float = DEFAULT_SETTING.level
    adjust: str = DEFAULT_SETTING.adjust
    unit: str | None = None
    test: RankTest = RankTest.FLIPS
    marks: tuple[str, ...] = ("best", "equal", "reference")
    ranks: bool = True
    published: bool = True
    digits: str = "cell"
    top: int | None = None
    mine: str | None = None
    higher_is_better: bool = False
    follow_links: bool = False
    files: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.by and self.raw:
            expected = "standardized losses where rows are means over tasks"
            raise ValueError(f"expected {expected}, found --raw with --by")
        checked_level(self.level)
        checked_adjustment(self.adjust)
        for mark in self.marks:
            if mark not in MARKINGS:
                raise ValueError(f"expected marks among {', '.join(MARKINGS)}, found {mark!r}")
        if self.digits not in DIGITS and not (self.digits.isascii() and self.digits.isdigit()):
            raise ValueError(f"expected {', '.join(DIGITS)} or a number of decimals, found {self.digits!r}")
        if self.methods_in not in LAYOUTS:
            raise ValueError(f"expected methods in {' or '.join(LAYOUTS)}, found {self.methods_in!r}")
        if self.top is not None and self.top < 1:
            raise ValueError(f"expected one method at least to be shown, found {self.top}")
        if self.digits.isdigit() and int(self.digits) > 12:
            raise ValueError(f"expected at most 12 decimals, found {self.digits}")

    @property
    def setting(self) -> Setting:
        """By which rule differences are significant."""
        return Setting(self.level, self.adjust)

    @property
    def numbers(self) -> "PaperRequest":
        """The same request as far as estimates and p depend on it, which no level or way of showing does."""
        asked = ("paths", "files", "loss", "methods", "keep", "reference", "mine", "by", "raw", "adjust")
        return PaperRequest(**{name: getattr(self, name) for name in asked})

    @property
    def kept(self) -> tuple[str, ...]:
        """The methods that are asked for by name."""
        return (*self.keep, *filter(None, [self.reference, self.mine]))

    @property
    def places(self) -> list[tuple[str, ...]]:
        """The paths as names of dataset, prototask and task."""
        return list(map(place_names, self.paths))

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """(name, value) of everything, in words."""
        found: list[tuple[str, str]] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None or field.name == "keep" or (field.name in ("files", "reading") and not value):
                continue
            if field.name == "published" and value:
                continue
            if isinstance(value, tuple):
                value = " ".join(value) or ("all" if field.name == "methods" else "none")
            elif isinstance(value, bool):
                value = "yes" if value else "no"
            found.append((field.name.replace("_", " "), f"{value:g}" if isinstance(value, float) else value))
        return tuple(found)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words of `delve table` that make this request, without --format; defaults are left out."""
        plain = PaperRequest()
        words = ["delve", "table"]
        if self.loss is not None:
            words += option_words("--loss", self.loss)
        words += method_words(self.methods)
        for name in ("reference", "adjust", "unit", "methods_in", "digits", "top", "mine"):
            if getattr(self, name) != getattr(plain, name):
                words += option_words(f"--{name.replace('_', '-')}", f"{getattr(self, name)}")
        if self.test != plain.test:
            words += ["--test", self.test.word]
        if self.level != plain.level:
            words += ["--level", f"{self.level!r}"]
        if self.marks != plain.marks:
            words += ["--marks", " ".join(self.marks) or "none"]
        if self.by:
            words += ["--by", " ".join(self.by)]
        flags = {"--raw": self.raw, "--no-ranks": not self.ranks}
        flags["--no-published"] = not self.published
        flags |= {FOLLOW_LINKS: self.follow_links}
        words += [flag for flag, is_set in flags.items() if is_set]
        paths = (*self.files, *(path for path in self.paths if not self.files or path != "/"))
        return (*words, *self.reading, *["--"] * any(path.startswith("-") for path in paths), *paths)
