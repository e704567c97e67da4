"""Paint decided regions of a frame: solid, at source resolution, never blurred (paper A.2)."""

from collections.abc import Iterable
from typing import Any

from numpy.typing import NDArray

from deid.geometry import clip
from deid.schema import Action, Box, Decision, PartId, Plan, Region


def paint(frame: NDArray[Any], boxes: Iterable[Box], value: Any = 0) -> None:  # noqa: ANN401 - numpy scalar or row
    """Fill ``boxes`` of ``frame`` (height x width [x channels], any dtype) in place.

    ``value`` is one number or one per channel: the picture's own black.  Boxes are clipped to the
    frame, whose last row and column are painted too.
    """
    height, width = frame.shape[:2]
    for box in boxes:
        inside = clip(box, width, height)
        if inside is not None:
            frame[inside.y0 : inside.y1, inside.x0 : inside.x1] = value


def masks(plan: Plan, part: PartId, frame: int) -> list[Box]:
    """Return the boxes that the plan paints in one frame of a picture."""
    return [
        decision.where.box
        for decision in masked(plan, part)
        if isinstance(decision.where, Region) and decision.where.frame in {None, frame}
    ]


def masked(plan: Plan, part: PartId) -> list[Decision]:
    """Return the decisions that paint something in a picture: anything stronger than keep."""
    return [
        d
        for d in plan.decisions
        if isinstance(d.where, Region) and d.where.part == part and d.action is not Action.KEEP
    ]
