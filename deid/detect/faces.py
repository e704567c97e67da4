"""Faces in pictures."""

from deid.ports import FaceModel
from deid.schema import Finding, ImagePart, Kind, Region, Seen


class FaceDetector:
    """An image detector over a face model; the policy adds the margin."""

    def __init__(self, model: FaceModel) -> None:
        """Look with ``model``."""
        self.name = model.name
        self._model = model

    def detect(self, image: ImagePart, frame: int) -> Seen:
        """Return a region for each face of the frame."""
        return Seen(
            findings=tuple(
                Finding(Region(image.id, box, frame), Kind.FACE, score, self.name)
                for box, score in self._model.faces(image.pixels[frame])
            )
        )
