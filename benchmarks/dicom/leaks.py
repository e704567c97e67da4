"""Plant invented people in every place of public DICOM samples and count where they survive.

    python benchmarks/dicom/leaks.py [FOLDER ...]

Without a folder the samples of pydicom and pydicom-data are used.  Free text is given to a
detector that knows the planted words, so that the figures say what the format does, not what text
detection finds.
"""

import io
import re
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pydicom
from pydicom.data import get_testdata_files

from deid.config import load_config
from deid.detect.tags import detect_tags
from deid.errors import InputError
from deid.formats.dicom import DicomFormat
from deid.plan import plan
from deid.schema import CaseId, Document, Finding, Kind, PartId, Span
from tests.planted_dicom import CHINESE, HINT, plant

PART = PartId("t0.0")
WORDS = re.compile(rf"{HINT}\w*|{CHINESE}", re.IGNORECASE)
CODINGS = ("utf-8", "utf-16-le", "utf-16-be", "gb18030")


def planted(path: Path) -> tuple[bytes, dict[str, str]]:
    """Return a sample with its markers; one that pydicom cannot write again comes as it is."""
    try:
        return plant(pydicom.dcmread(path, force=True))
    except Exception:  # noqa: BLE001 - samples are damaged on purpose
        return path.read_bytes(), {}


def findings(document: Document) -> Iterator[Finding]:
    """Yield what the tag detector says, and the planted words of free texts."""
    yield from detect_tags(document.tags)
    for text in document.texts:
        for match in WORDS.finditer(text.text):
            yield Finding(Span(text.id, *match.span()), Kind.NAME, 1.0, "planted")


def survivors(written: Path, markers: dict[str, str]) -> list[str]:
    """Return the places whose marker is in a written file, as it lies and as a reader sees it."""
    opened = pydicom.dcmread(written)
    seen = io.BytesIO()
    if opened.file_meta.TransferSyntaxUID.is_deflated:
        opened.file_meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
        opened.save_as(seen)
    data = (written.read_bytes() + seen.getvalue()).lower()
    wanted = {**markers, "Chinese name": CHINESE} if markers else {}
    return [p for p, m in wanted.items() if any(m.lower().encode(c) in data for c in CODINGS)]


def main(roots: list[Path]) -> int:
    """Print the figures; return 1 when anything survived."""
    warnings.simplefilter("ignore")
    paths = [p for root in roots for p in sorted(root.rglob("*")) if p.is_file()]
    paths = paths or [Path(p) for p in get_testdata_files("*.dcm")]
    form, policy = DicomFormat(b"benchmark" * 4), load_config().policy
    ends: Counter[str] = Counter()
    leaks: Counter[str] = Counter()
    begin = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out.dcm"
        for path in paths:
            data, markers = planted(path)
            try:
                document = form.read(data, PART)
                form.write(document, plan(CaseId("c"), findings(document), policy), target)
            except InputError as error:
                ends[f"refused: {error.reason}"] += 1
                continue
            ends["written" if markers else "written, nothing planted"] += 1
            leaks.update(survivors(target, markers))
    print(f"{len(paths)} files in {time.process_time() - begin:.1f} s of CPU")
    for what, count in ends.most_common():
        print(f"  {count:4d} {what}")
    print("no marker survived" if not leaks else f"survivors by place: {dict(leaks)}")
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main([Path(argument) for argument in sys.argv[1:]]))
