"""Lets `python -m simlib` run the command line."""

from simlib.cli import main

main()
