"""What statements over a folder of Parquet files read, here and on object storage, and how long they take.

    python benchmarks/pruning.py [--rows 5000000] [--json]

Makes one table in folders by year and city (five times three), uploads it to an S3 server on the loopback address, and
asks both. Bytes are those that the server handed out, without listings; times are of statements after the first.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
os.environ["PYTHONPATH"] = os.pathsep.join([sys.path[0], os.environ.get("PYTHONPATH", "")])

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds

from kbtui.data.sources import open_source
from kbtui.domain.analysis import Limits, QuerySource
from kbtui.domain.cancel import CancelToken
from kbtui.settings.sources import DataSource
from tests.support.lake_storage import ENVIRONMENT, running_storage

STATEMENTS = {
    "structure": "",
    "rows": "SELECT count(*) FROM sales",
    "one folder, one column": "SELECT sum(amount) FROM sales WHERE year = 2023 AND city = 'Rome'",
    "one year, by city": "SELECT city, sum(amount) FROM sales WHERE year = 2023 GROUP BY city",
    "all, one column": "SELECT city, sum(amount) FROM sales GROUP BY city",
    "a range of the sorted id": "SELECT count(note) FROM sales WHERE id BETWEEN 1000000 AND 1010000",
}


def write(folder: Path, rows: int) -> None:
    chance = np.random.default_rng(7)
    number, digits = np.arange(rows), chance.bytes(16 * rows).hex()
    table = pa.table(
        {
            "id": number,
            "year": pa.array(2020 + number % 5, pa.int32()),
            "city": pa.array(["Paris", "Rome", "Oslo"]).take(pa.array(number % 3)),
            "amount": chance.gamma(2.0, 40.0, rows).round(2),
            "note": pa.array(digits[at : at + 32] for at in range(0, 32 * rows, 32)),
        }
    )
    keys = pa.schema([("year", pa.int32()), ("city", pa.string())])
    ds.write_dataset(
        table,
        folder / "sales",
        format="parquet",
        partitioning=ds.partitioning(keys, flavor="hive"),
        max_rows_per_group=50_000,
        max_rows_per_file=200_000,
    )


def asked(source: QuerySource, sql: str) -> float:
    started = time.perf_counter()
    if sql:
        source.run(sql, Limits(seconds=300), CancelToken())
    else:
        source.schema("detailed")
    return (time.perf_counter() - started) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, running_storage() as storage:
        folder = Path(home, "lake")
        write(folder, options.rows)
        size = storage.put(folder)
        os.environ.update(ENVIRONMENT, AWS_ENDPOINT_URL=storage.url, XDG_CACHE_HOME=home)
        here = open_source(DataSource(name="here", location=str(folder)))
        there = open_source(DataSource(name="there", location="s3://lake/"))
        found = []
        for name, sql in STATEMENTS.items():
            local = min(asked(here, sql) for _ in range(3))
            storage.read.clear()
            remote = asked(there, sql)
            read, files = sum(storage.read.values()), len(storage.read)
            found.append(
                {"what": name, "local_ms": round(local), "storage_ms": round(remote), "read": read, "of": files}
            )
        here.close()
        there.close()
    if options.json:
        print(json.dumps({"bytes": size, "rows": options.rows, "asked": found}))
        return
    print(f"{options.rows:,} rows, {size / 1e6:.0f} MB")
    for each in found:
        read = f"{each['read'] / 1e6:7.2f} MB of {each['of']:3} files"
        print(f"{each['what']:26} {each['local_ms']:6} ms here  {each['storage_ms']:6} ms there  {read}")


if __name__ == "__main__":
    main()
