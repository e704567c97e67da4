"""Makes the example exports: ``python examples/make_export.py [FOLDER]``.

Writes ``export/`` (consultations as JSON lines with their images), ``expected.jsonl`` (what must be
gone and what must stay) and ``table/`` below the folder, by default the one of this script.  The
same versions of the libraries give the same bytes every time.
"""

import json
import shutil
import sys
from pathlib import Path

from maker.cases import export_case, read_cases
from maker.media import write
from maker.tables import csv_bytes, xlsx_bytes


def make_export(root: Path) -> int:
    """Write the examples below ``root`` and return how many consultations there are."""
    shutil.rmtree(root / "export", ignore_errors=True)
    lines, keys = [], []
    for number, case in enumerate(read_cases(), start=1):
        line, key, files = export_case(case, number)
        lines.append(json.dumps(line, ensure_ascii=False))
        keys.append(json.dumps(key, ensure_ascii=False))
        for file in files:
            write(root / "export" / "images" / file.name, file.data)
    write(root / "export" / "consultations.jsonl", ("\n".join(lines) + "\n").encode())
    write(root / "expected.jsonl", ("\n".join(keys) + "\n").encode())
    write(root / "table" / "visits.csv", csv_bytes())
    write(root / "table" / "visits.xlsx", xlsx_bytes())
    return len(lines)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    print(f"{make_export(folder)} consultations, 6 visits")
