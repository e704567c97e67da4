"""Turn released consultations into benchmark cases (paper, phases 1 and 2)."""
