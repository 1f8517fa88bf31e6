"""Options of the commands: a dash and one letter. Source: DELVE manual, appendix C, introduction."""

from collections import namedtuple

from delvecore.errors import DelveError

__all__ = ["END", "HELP", "VERSION", "Command", "Option", "parse_arguments", "version_text"]


class Option(namedtuple("Option", "letter argument meaning")):
    """One option; argument: the name of the value that it takes, or an empty string for a flag."""

    __slots__ = ()


class Command(namedtuple("Command", "name usage purpose options least most")):
    """What a command is called, does and accepts; from least to most arguments, most None for any number."""

    __slots__ = ()

    def option(self, letter):
        for option in (*self.options, HELP, VERSION):
            if option.letter == letter:
                return option
        raise DelveError(f"unknown option -{letter}; -h lists the options")


HELP = Option("h", "", "Print this text.")
VERSION = Option("v", "", "Print the version.")
END = Option("-", "", "End the options: what follows is an argument even if it starts with a dash.")


def parse_arguments(command, arguments):
    """Return ({letter: value, or True for a flag}, [arguments that are no options]).

    Letters may be joined (`-at`), a value may be joined to its letter (`-lS`), options may stand behind
    arguments, and `--` ends them. Reading stops at -h and -v, whatever follows. Raises DelveError.
    """
    options, rest, words = {}, [], list(arguments)
    while words:
        word = words.pop(0)
        if word == "--":
            rest += words
            break
        if len(word) < 2 or word[0] != "-":
            rest.append(word)
            continue
        _read_letters(command, word[1:], words, options)
        if "h" in options or "v" in options:
            return options, rest
    _check_count(command, rest)
    return options, rest


def _read_letters(command, letters, words, options):
    """Enter the letters of one word into options; a value is taken from the word's end or from words."""
    while letters:
        option, letters = command.option(letters[0]), letters[1:]
        if not option.argument:
            options[option.letter] = True
            continue
        if not letters and not words:
            raise DelveError(f"option -{option.letter} needs a value ({option.argument}); -h explains it")
        options[option.letter] = letters or words.pop(0)
        return


def _check_count(command, rest):
    if len(rest) < command.least:
        raise DelveError(f"expected a path; usage: {command.name} {command.usage}")
    if command.most is not None and len(rest) > command.most:
        surplus = rest[command.most]
        raise DelveError(f"unexpected argument {surplus!r}; usage: {command.name} {command.usage}")


def version_text(command):
    """Return the one line of -v."""
    from delvecore import __version__

    return f"DELVE-compatible {command.name} {__version__}"
