#!/usr/bin/env python3
"""Write the databases: python3 build.py [folder]. Invented data, fixed seeds, standard library only."""

import importlib
import sqlite3
import sys
from pathlib import Path

NAMES = {
    "gym": "db_gym",
    "vet_clinic": "db_vet",
    "wuye": "db_wuye",
    "parts_wh": "db_parts",
    "charity": "db_charity",
    "car_hire": "db_cars",
    "shouji": "db_shouji",
    "renshi": "db_renshi",
}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "databases"
    folder.mkdir(parents=True, exist_ok=True)
    for name, module in NAMES.items():
        path = folder / f"{name}.sqlite"
        path.unlink(missing_ok=True)
        with sqlite3.connect(path) as con:
            importlib.import_module(module).build(con)
        con.close()
        print(f"{name}: {path.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
