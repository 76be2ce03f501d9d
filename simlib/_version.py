"""The version of simlib."""

__version__ = "0.1.0"
