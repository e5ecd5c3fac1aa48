"""`python -m fumehood`: the command line."""

import sys

from fumehood.cli import main

sys.exit(main())
