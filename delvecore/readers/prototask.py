"""`Prototask.spec`, case files and order files. Source: DELVE manual, sections 4.1 and 4.4."""

from delvecore.errors import ParseError, raise_error
from delvecore.model import ORIGINS, SELECTIONS, Prototask
from delvecore.readers.lines import logical_lines, parse_keys, token_lines

__all__ = ["parse_indexes", "parse_prototask"]

KEYS = (
    "cases",
    "origin",
    "order",
    "inputs",
    "targets",
    "test-set-size",
    "training-set-sizes",
    "test-set-selection",
    "maximum-number-of-instances",
)


def parse_prototask(text, name, dataset, source, *, report=raise_error):
    """Return the Prototask that a specification describes for a Dataset.

    report receives a ParseError for each fault (the default raises the first). Returns None, after the
    reports, where a missing or unusable key leaves no prototask to speak of.
    """
    lines = [(number, line) for number, line in logical_lines(text) if not line.lstrip().startswith("#")]
    end = lines[-1][0] if lines else 1
    keys = parse_keys(lines, source, KEYS, report=report)
    reader = _Reader(keys, source, end, report)
    fields = (
        reader.choice("origin", ORIGINS),
        reader.text("cases"),
        reader.text("order"),
        reader.attributes("inputs", dataset, may_be_empty=True),
        reader.attributes("targets", dataset, may_be_empty=False),
        reader.sizes("test-set-size", single=True),
        reader.sizes("training-set-sizes", single=False),
        reader.choice("test-set-selection", SELECTIONS),
        reader.sizes("maximum-number-of-instances", single=True),
    )
    if reader.unusable:
        return None
    reader.check_overlap(fields[3], fields[4])
    return Prototask(dataset.name, name, *fields)


class _Reader:
    """Fetches the keys of one specification and remembers whether something vital was missing."""

    def __init__(self, keys, source, end, report):
        self.keys, self.source, self.end, self.report = keys, source, end, report
        self.unusable = False

    def fault(self, line, expected, found, remedy=""):
        self.unusable = True
        self.report(ParseError(self.source, line, expected, found, remedy, kind="specification"))

    def text(self, key):
        if key not in self.keys:
            self.fault(self.end, f"the key {key!r}", "no such line", "add it")
            return ""
        number, value = self.keys[key]
        if not value:
            self.fault(number, f"a value for {key!r}", "nothing")
        return " ".join(value.split())

    def choice(self, key, allowed):
        value = self.text(key)
        if value and value.lower() not in allowed:
            self.fault(self.keys[key][0], f"{key} to be one of {', '.join(allowed)}", repr(value))
        return value.lower()

    def sizes(self, key, *, single):
        words = self.text(key).split()
        good = [word for word in words if word.isdigit() and int(word) > 0]
        if len(good) != len(words) or (single and len(words) > 1):
            wanted = "one positive whole number" if single else "positive whole numbers"
            self.fault(self.keys[key][0], f"{key} to be {wanted}", repr(" ".join(words)))
        sizes = tuple(int(word) for word in good)
        return (sizes or (0,))[0] if single else sizes

    def attributes(self, key, dataset, *, may_be_empty):
        if may_be_empty and key in self.keys and not self.keys[key][1]:
            return ()
        numbers = []
        for word in self.text(key).replace(",", " ").split():
            try:
                numbers.append(dataset.attribute(word).number)
            except KeyError:
                known = f"the number (1 to {len(dataset.attributes)}) or name of an attribute"
                self.fault(self.keys[key][0], f"{key}: {known}", repr(word))
        return tuple(numbers)

    def check_overlap(self, inputs, targets):
        for key, numbers in (("inputs", inputs), ("targets", targets)):
            repeated = {number for number in numbers if numbers.count(number) > 1}
            for number in sorted(repeated):
                self.fault(self.keys[key][0], f"each attribute once in {key}", f"attribute {number} twice")
        for number in sorted(set(inputs) & set(targets)):
            line = self.keys["targets"][0]
            self.fault(line, "targets that are not inputs", f"attribute {number} in both")


def parse_indexes(text, source, *, count, permutation, report=raise_error):
    """Return case numbers (from 1) of a case or order file: one number a line.

    count: how many cases there are to choose from. A case file lists some of them; an order file
    (permutation=True) lists each exactly once.
    """
    numbers, seen = [], set()
    number = 1
    for number, tokens in token_lines(text):
        word = tokens[0]
        if len(tokens) > 1 or not word.isdigit() or not 1 <= int(word) <= count:
            expected = f"one case number from 1 to {count}"
            report(ParseError(source, number, expected, repr(" ".join(tokens)), kind="data"))
            continue
        if int(word) in seen:
            report(ParseError(source, number, "each case number once", f"{word} again", kind="data"))
            continue
        seen.add(int(word))
        numbers.append(int(word))
    if permutation and len(numbers) != count:
        remedy = "make the order anew"
        report(ParseError(source, number, f"{count} case numbers", f"{len(numbers)}", remedy, kind="data"))
    return numbers
