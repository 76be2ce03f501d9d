"""One short script a question. Run one as ``python -m experiments.drei_lead_changes --quick``; ``make experiments`` runs all."""
