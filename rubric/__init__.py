"""Draft and refine a scoring rubric per case (paper, phase 3)."""
