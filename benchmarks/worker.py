"""What a call in a disposable worker costs: from nothing, and warm, beside the same function called directly.

    python benchmarks/worker.py [--calls 300] [--json]

Each warm call sends and brings back a text of the size given in the column; the median and the 95th percentile are of
wall time in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
os.environ["PYTHONPATH"] = os.pathsep.join([sys.path[0], os.environ.get("PYTHONPATH", "")])

from kbtui.worker import Allowance, WorkerPool
from tests.worker import jobs

SIZES = (100, 10_000, 1_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    starts = []
    for _ in range(5):
        pool = WorkerPool("benchmark", Allowance(), ["tests.worker.jobs"])
        started = time.perf_counter()
        pool.call(jobs.ECHO, "", seconds=60)
        starts.append((time.perf_counter() - started) * 1000)
        pool.close()
    result: dict[str, object] = {"start_ms": round(sorted(starts)[2], 1), "calls": []}
    pool = WorkerPool("benchmark", Allowance(), ["tests.worker.jobs"])
    rows = []
    for size in SIZES:
        text = "x" * size
        times = []
        for _ in range(options.calls):
            started = time.perf_counter()
            pool.call(jobs.ECHO, text, seconds=60)
            times.append((time.perf_counter() - started) * 1000)
        times.sort()
        rows.append(
            {
                "characters": size,
                "p50_ms": round(times[len(times) // 2], 3),
                "p95_ms": round(times[int(len(times) * 0.95)], 3),
            }
        )
    pool.close()
    result["calls"] = rows
    if options.json:
        print(json.dumps(result))
        return
    print(f"first call of a new process: {result['start_ms']} ms (median of 5)")
    for row in rows:
        print(
            f"warm, {row['characters']:>9,} characters there and back: p50 {row['p50_ms']} ms, p95 {row['p95_ms']} ms"
        )


if __name__ == "__main__":
    main()
