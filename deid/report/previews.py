"""Small pictures before and after masking, for the report of an operator who asked for them."""

import base64
import io
from pathlib import Path

from PIL import Image

from deid.errors import DeidError
from deid.folder import Folder
from deid.formats import choose, formats
from deid.ports import Format
from deid.schema import PartId
from deid.worklist import Row, State, Worklist

_SIDE = 320

Preview = tuple[str, str, str]
"""Part, and the pictures before and after as data addresses ("" where there is none)."""


def previews_of(folder: Folder, worklist: Worklist, rows: list[Row]) -> dict[str, list[Preview]]:
    """Return the previews of each case that is done, by its id."""
    readers = formats(bytes(32))
    shown = {}
    for row in rows:
        if row.state is State.DONE and row.outcome["files"]:
            sources = {
                source.id: Path(source.locator)
                for turn in worklist.case(row.id).turns
                for source in turn.media
            }
            shown[str(row.id)] = [
                (
                    part,
                    _thumbnail(sources.get(PartId(part)), readers),
                    _thumbnail(folder.media / row.id / name, readers),
                )
                for name in row.outcome["files"]
                for part in [name.rsplit(".", 1)[0]]
            ]
    return shown


def _thumbnail(path: Path | None, readers: tuple[Format, ...]) -> str:
    if path is None:
        return ""
    try:
        data = path.read_bytes()
        image = choose(readers, data).read(data, PartId("preview")).image
    except (DeidError, OSError):
        return ""
    if image is None:
        return ""
    picture = Image.fromarray(image.pixels[0])
    picture.thumbnail((_SIDE, _SIDE))
    encoded = io.BytesIO()
    picture.save(encoded, "JPEG", quality=80)
    return "data:image/jpeg;base64," + base64.b64encode(encoded.getvalue()).decode("ascii")
