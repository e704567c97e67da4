"""A number in [0, 1] that orders the reviewers' work.

First form: independent doubts add up as probabilities do (noisy or).  The weights are set by hand
and not calibrated; the number ranks cases, it is not the probability of a leak.
"""

from collections.abc import Iterable

_RESIDUAL = 0.9
_DOUBT = 0.15


def residual_risk(doubts: Iterable[float], residuals: Iterable[float]) -> float:
    """Return a case's risk in [0, 1].

    ``doubts`` are the scores of decisions that ask for a person, ``residuals`` those of what
    `deid.verify` still found in the written bytes.
    """
    clean = 1.0
    for score in residuals:
        clean *= 1.0 - _RESIDUAL * score
    for score in doubts:
        clean *= 1.0 - _DOUBT * (1.0 - score)
    return round(1.0 - clean, 4)
