"""``python -m areev_context`` is the command ``areev-context``."""

import sys

from areev_context.cli import main

if __name__ == "__main__":
    sys.exit(main())
