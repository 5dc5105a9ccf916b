"""`python -m rirag` is the command `rirag`."""

from rirag.cli import main

main()
