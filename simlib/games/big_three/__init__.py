"""Big Three (Da San, Wa Keng). The rules are in RULES.md beside this file."""
