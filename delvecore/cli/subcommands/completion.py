"""`delve completion`: scripts by which bash, zsh and fish complete the commands' arguments."""

import sys
from collections.abc import Sequence

from delvecore.cli.delve import CLASSIC
from delvecore.cli.support.manual import ManualParser, used

SHELLS = ("bash", "zsh", "fish")
USAGE = "usage: delve completion bash|zsh|fish; delve completion --help explains it"
START_ZSH = "if ! (( $+functions[compdef] )); then\n  autoload -Uz compinit && compinit\nfi\n"
"""What zsh needs before it completes anything, where its own start has not done it."""


def command() -> ManualParser:
    good, _, wrong, _ = used()
    parser = ManualParser(
        "delve completion",
        "print a script that completes commands in a shell",
        usage="bash|zsh|fish",
        description="Print a script for a shell that completes names of sub-commands, options and their "
        "values, paths of the merged hierarchy and true paths. It serves delve and all commands beside it.",
        examples=(
            ('eval "$(delve completion bash)"', "Complete in this bash; put it into ~/.bashrc to keep it."),
            ('eval "$(delve completion zsh)"', "Complete in this zsh; put it into ~/.zshrc to keep it."),
            ("delve completion fish | source", "Complete in this fish."),
        ),
        statuses=(good, wrong),
        add_help=False,
    )
    parser.add_argument("-h", "--help", action="help", help="Print this text.")
    meaning = "The shell to print a script for."
    parser.add_argument("shell", choices=SHELLS, metavar=", ".join(SHELLS), help=meaning)
    return parser


def main(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help"):
        command().print_help()
        return 0
    if len(arguments) != 1 or arguments[0] not in SHELLS:
        print(USAGE, file=sys.stderr)
        return 2
    from argcomplete.shell_integration import shellcode

    print(START_ZSH * (arguments[0] == "zsh") + shellcode(["delve", *CLASSIC], shell=arguments[0]))
    return 0
