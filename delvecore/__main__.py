"""`python -m delvecore` is the command `delve`."""

import sys

from delvecore.cli.delve import main

if __name__ == "__main__":
    sys.exit(main())
