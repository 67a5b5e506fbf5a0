"""Write the databases of this set: python3 build.py [folder]."""

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

from make_geo import veloria
from make_league import kelder_league
from make_redmine import redmine
from make_sales import coffee_sales
from make_sensors import greenhouse_log
from make_shop import opencart
from make_survey import gym_survey
from make_wiki import mediawiki

MAKERS: dict[str, Callable[[sqlite3.Connection], None]] = {
    "coffee_sales": coffee_sales,
    "greenhouse_log": greenhouse_log,
    "veloria": veloria,
    "gym_survey": gym_survey,
    "kelder_league": kelder_league,
    "redmine": redmine,
    "mediawiki": mediawiki,
    "opencart_tea": opencart,
}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "databases"
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in MAKERS.items():
        path = folder / f"{name}.sqlite"
        path.unlink(missing_ok=True)
        con = sqlite3.connect(path)
        make(con)
        con.commit()
        con.execute("VACUUM")
        con.close()
        print(f"{name}: {path.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
