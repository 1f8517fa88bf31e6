"""Arguments of the sub-commands of `delve`, with the same manual pages as the other commands."""

import argparse

from delvecore.commands.frame.manual import Entry, page_text

__all__ = ["ManualParser"]


class ManualParser(argparse.ArgumentParser):
    """An ArgumentParser whose help is a page with NAME, SYNOPSIS, DESCRIPTION, OPTIONS and so on."""

    def format_help(self):
        # A name of its own, since usage is folded to the width of a terminal otherwise.
        usage = " ".join(self.format_usage().split()).removeprefix(f"usage: {self.prog} ")
        options = [Entry(_heading(action), _meaning(action)) for action in self._actions]
        return page_text(self.prog, usage, self.description or "", options, note=self.epilog or "") + "\n"


def _heading(action):
    value = action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper()
    if not action.option_strings:
        return value
    words = ", ".join(action.option_strings)
    return words if action.nargs == 0 else f"{words} {value}"


def _meaning(action):
    text = action.help or ""
    return text[:1].upper() + text[1:] + ("." if text and not text.endswith(".") else "")
