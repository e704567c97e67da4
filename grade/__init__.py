"""Run models on the cases, judge each criterion, report (paper, phase 4)."""
