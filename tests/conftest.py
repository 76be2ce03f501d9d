"""Settings of all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The first call of a kernel may compile: examples have no deadline. The same examples everywhere: no lucky runs.
settings.register_profile(
    "simlib", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("simlib")
