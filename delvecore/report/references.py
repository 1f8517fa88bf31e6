"""References of a ranking: its test, its adjustment, and DELVE, as a line of text and as BibTeX."""

from typing import NamedTuple

from delvecore.stats.choose import Setting
from delvecore.stats.verdicts import PairVerdicts, RankTest


class Reference(NamedTuple):
    """A reference with its BibTeX fields.

    Attributes
    ----------
    key : str
        Key by which it is cited.
    fields : tuple[tuple[str, str], ...]
        Fields of BibTeX, the journal or publisher among them.
    """

    key: str
    kind: str
    text: str
    fields: tuple[tuple[str, str], ...]

    @property
    def bibtex(self) -> str:
        """The entry of a `.bib` file."""
        lines = [f"  {name} = {{{value}}}," for name, value in self.fields]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}", ""])


DEMSAR = Reference(
    "demsar2006",
    "article",
    "J. Demšar, Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning "
    "Research 7 (2006), 1-30.",
    (
        ("author", r"Dem{\v{s}}ar, Janez"),
        ("title", "Statistical Comparisons of Classifiers over Multiple Data Sets"),
        ("journal", "Journal of Machine Learning Research"),
        *(("volume", "7"), ("pages", "1--30"), ("year", "2006")),
    ),
)
BENAVOLI = Reference(
    "benavoli2016",
    "article",
    "A. Benavoli, G. Corani and F. Mangili, Should we really use post-hoc tests based on mean-ranks?, "
    "Journal of Machine Learning Research 17 (2016), 1-10.",
    (
        ("author", "Benavoli, Alessio and Corani, Giorgio and Mangili, Francesca"),
        ("title", "Should We Really Use Post-Hoc Tests Based on Mean-Ranks?"),
        ("journal", "Journal of Machine Learning Research"),
        *(("volume", "17"), ("pages", "1--10"), ("year", "2016")),
    ),
)
WESTFALL = Reference(
    "westfall1993",
    "book",
    "P. H. Westfall and S. S. Young, Resampling-Based Multiple Testing, Wiley (1993).",
    (
        ("author", "Westfall, Peter H. and Young, S. Stanley"),
        ("title", "Resampling-Based Multiple Testing"),
        *(("publisher", "Wiley"), ("year", "1993")),
    ),
)
HOLM = Reference(
    "holm1979",
    "article",
    "S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 "
    "(1979), 65-70.",
    (
        ("author", "Holm, Sture"),
        ("title", "A Simple Sequentially Rejective Multiple Test Procedure"),
        ("journal", "Scandinavian Journal of Statistics"),
        *(("volume", "6"), ("pages", "65--70"), ("year", "1979")),
    ),
)
NADEAU = Reference(
    "nadeau2003",
    "article",
    "C. Nadeau and Y. Bengio, Inference for the generalization error, Machine Learning 52 (2003), 239-281.",
    (
        ("author", "Nadeau, Claude and Bengio, Yoshua"),
        ("title", "Inference for the Generalization Error"),
        ("journal", "Machine Learning"),
        *(("volume", "52"), ("pages", "239--281"), ("year", "2003")),
    ),
)
DELVE = Reference(
    "delve1996",
    "manual",
    "C. E. Rasmussen et al., The DELVE manual, University of Toronto (1996).",
    (
        (
            "author",
            "Rasmussen, Carl Edward and Neal, Radford M. and Hinton, Geoffrey E. and van Camp, Drew and "
            "Revow, Michael and Ghahramani, Zoubin and Kustra, Rafal and Tibshirani, Robert",
        ),
        ("title", "The {DELVE} Manual"),
        *(("organization", "University of Toronto"), ("year", "1996")),
    ),
)
_OF_TESTS = {one.key: one for one in (DEMSAR, BENAVOLI, WESTFALL, HOLM, NADEAU)}


def reference_of(test: RankTest) -> Reference:
    """Return the publication to cite for the test of a ranking."""
    return _OF_TESTS[test.cites]


def references_of_comparison(setting: Setting, *, overlaps: bool) -> tuple[Reference, ...]:
    """Return the references of a comparison on one task.

    overlaps: whether it is corrected for shared training cases.
    """
    holm = [HOLM] if setting.adjust == "holm" else []
    return (*([NADEAU] if overlaps else []), *holm, DELVE)


def references_of(verdicts: PairVerdicts) -> tuple[Reference, ...]:
    """Return all references that a ranking cites."""
    own = reference_of(verdicts.test)
    references = [own, DEMSAR, *([HOLM] if verdicts.adjustment == "holm" else []), DELVE]
    return tuple(dict.fromkeys(references))
