"""One short script a question: ``python -m experiments.drei_lead_changes --quick``; ``make experiments`` runs all."""
