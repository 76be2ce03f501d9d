"""Slow reference implementations, written from the rule texts alone."""
