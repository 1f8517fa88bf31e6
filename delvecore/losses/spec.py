"""What losses are called: the five standard letters, and the specialised losses of the manual's section 5.3.

`Z0.2N` is a loss of guesses with a penalty for making no guess; `Mcosts` is given by a loss matrix, in the
file `costs` of the prototask's data directory.
"""

from collections import namedtuple

from delvecore.model import LOSSES
from delvecore.numerals.numbers import is_number

__all__ = ["GUESS_LOSSES", "NO_GUESS", "Loss", "loss_order", "parse_loss", "split_losses"]

GUESS_LOSSES = "ASZ"
"""The standard losses of guesses (Figure 5.1), to which a no-guess penalty may be added."""
NO_GUESS = "?"
"""What stands in a prediction file in place of a guess that is not made."""
_PLAIN_CHARACTERS = ".0123456789eE-"


class Loss(namedtuple("Loss", "name letter penalty matrix")):
    """One loss. name: as in file names; letter: of the standard loss, or of the one that a penalty is added
    to, None for a matrix; penalty: of making no guess, or None; matrix: the name of its file, or None."""

    __slots__ = ()

    @property
    def is_standard(self):
        return self.name == self.letter

    def constant(self, baselines):
        """Return what standardizes this loss, from that of its letter for each target (`Test-set-stats`).

        Those of several targets are added. With a no-guess penalty the baseline makes, for each target, the
        best constant guess, or no guess where that costs less.
        """
        return sum(baselines if self.penalty is None else (min(one, self.penalty) for one in baselines))


def parse_loss(name):
    """Return the Loss that a name such as `S`, `Z0.2N` or `Mcosts` stands for, None if it is no such name."""
    if len(name) < 2:
        return Loss(name, name, None, None) if name in LOSSES and name else None
    if name[0] == "M":
        return Loss(name, None, None, name[1:]) if _is_file_name(name[1:]) else None
    penalty = name[1:-1]
    if name[0] not in GUESS_LOSSES or name[-1] != "N" or penalty.strip(_PLAIN_CHARACTERS):
        return None
    if penalty[:1] == "-" or not is_number(penalty):
        return None
    return Loss(name, name[0], float(penalty), None)


def _is_file_name(text):
    """May this be the plain name of a file in a prototask's directory? A file's name could hold anything but
    `/`; blanks would break lists of losses, and names that start with a dot are left out of archives."""
    return text[0] != "." and "/" not in text and not any(letter.isspace() for letter in text)


def loss_order(name):
    """Return a key that sorts names of losses: the five letters first, then the specialised ones by name."""
    loss = parse_loss(name)
    return (not (loss and loss.is_standard), name)


def split_losses(text):
    """Return the names of the losses that a text lists, each once, in the order given.

    Names are separated by blanks or commas; standard letters may also be joined (`SA`). ValueError holds the
    first word, or the letter of a word made of letters, that is no loss; an empty text gives no names.
    """
    names = []
    for word in text.replace(",", " ").split():
        if parse_loss(word):
            names.append(word)
            continue
        strange = [letter for letter in word if letter not in LOSSES]
        if strange:
            raise ValueError(strange[0] if word.isalpha() else word)
        names += word
    return tuple(dict.fromkeys(names))
