"""`python -m fumehood`: the command line."""

import sys

from fumehood.cli import main

if __name__ == "__main__":
    sys.exit(main())
