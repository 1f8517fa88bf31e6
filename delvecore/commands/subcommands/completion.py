"""`delve completion`: scripts by which bash, zsh and fish complete the commands' arguments."""

import sys

from delvecore.commands.frame.manual_pages import PAGES

__all__ = ["main"]

USAGE = "usage: delve completion bash|zsh|fish; delve completion --help explains it"
DESCRIPTION = (
    "Print a script for a shell that completes the names of sub-commands, options, values of options, paths "
    "of the merged hierarchy and true paths, for delve and for all commands beside it."
)

BASH = """\
_delve_complete() {
  local IFS=$'\\n'
  COMPREPLY=($(delve complete-words "$COMP_CWORD" "${COMP_WORDS[@]}" 2>/dev/null))
  if [[ ${COMPREPLY[0]-} == */* ]]; then
    compopt -o filenames 2>/dev/null
  fi
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _delve_complete COMMANDS
"""

ZSH = """\
#compdef COMMANDS
_delve_complete() {
  local -a found
  found=("${(@f)$(delve complete-words $((CURRENT - 1)) "${words[@]}" 2>/dev/null)}")
  compadd -S '' -- ${(M)found:#*/}
  compadd -- ${found:#*/}
}
if ! (( $+functions[compdef] )); then
  autoload -Uz compinit && compinit
fi
compdef _delve_complete COMMANDS
"""

FISH = """\
function __delve_complete
    set -l words (commandline -opc) (commandline -ct)
    delve complete-words (math (count $words) - 1) $words 2>/dev/null
end
for name in COMMANDS
    complete -c $name -f -a '(__delve_complete)'
end
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def main(arguments):
    """Print the script for a shell; return the exit status."""
    if arguments in (["-h"], ["--help"]):
        from delvecore.commands.frame.manual import page_text

        options = [
            ("-h, --help", "Print this text."),
            ("bash, zsh, fish", "The shell to print a script for."),
        ]
        print(page_text("delve completion", "bash|zsh|fish", DESCRIPTION, options))
        return 0
    if len(arguments) != 1 or arguments[0] not in SCRIPTS:
        print(USAGE, file=sys.stderr)
        return 2
    commands = [name for name in PAGES if " " not in name]
    print(SCRIPTS[arguments[0]].replace("COMMANDS", " ".join(commands)), end="")
    return 0
