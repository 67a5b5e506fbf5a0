"""All benchmarks that can be run, one after the other; a failure of one stops none of the others and is never hidden.

    python benchmarks/run_all.py [DATA]

Without DATA: what needs no data of its own. DATA is a folder to ask, or holds one in ``tree/``; with
``DATA/relational.jsonl`` its relational questions are asked too. A retrieval set (``DATA/corpus.jsonl``) is measured as
one, and for its spans where it has the documents that they are of (``DATA/corpora/``). Exits 1 when a benchmark failed.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path)
    data: Path | None = parser.parse_args().data
    if data is not None and not data.is_dir():
        parser.error(f"there is no folder {data}")
    failed = []
    for name, *arguments in benchmarks(data):
        print(f"$ {shlex.join(['python', f'benchmarks/{name}.py', *arguments])}", flush=True)
        start = time.perf_counter()
        code = subprocess.run([sys.executable, str(HERE / f"{name}.py"), *arguments], check=False).returncode
        print(f"[{'done' if code == 0 else f'FAILED with exit code {code}'}, {time.perf_counter() - start:.0f} s]\n")
        if code:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def benchmarks(data: Path | None) -> list[list[str]]:
    """Name and arguments of each benchmark that makes sense of ``data``."""
    questions = HERE / "data"
    chosen = [
        ["first_frame"],
        ["routing", str(questions / "routing_unseen.jsonl"), "--half", "B"],
        [
            "routing",
            str(questions / "routing.jsonl"),
            "--half",
            "held",
            "--decompose",
            str(questions / "decompose.jsonl"),
        ],
    ]
    chosen += [["followups", "--half", "held"], ["screen"]]
    if data is None:
        return chosen
    is_set = (data / "corpus.jsonl").is_file() or (data / "databases").is_dir()
    tree = data / "tree" if (data / "tree").is_dir() else None if is_set else data
    if tree is not None:
        # Indexing is measured in a cache of its own; latency leaves an index that the others use.
        chosen += [
            [name, str(tree)] for name in ("indexing", "freshness", "latency", "citations_resolve", "keys", "overhead")
        ]
    if (data / "relational.jsonl").is_file():
        chosen += [[name, str(data)] for name in ("relational", "passes")]
    if (data / "corpus.jsonl").is_file():
        chosen += [[name, str(data)] for name in ("retrieval", "grading", "answers")]
    if (data / "questions.jsonl").is_file() and (data / "databases").is_dir():
        chosen += [["nl2sql", str(data)], ["guard", str(data)]]
    if (data / "corpora").is_dir():
        chosen.append(["spans", str(data)])
    return chosen


if __name__ == "__main__":
    sys.exit(main())
