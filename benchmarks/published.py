"""What a published collection costs beside the folder that it was made of: publishing it, and asking it.

    python benchmarks/published.py FOLDER [--questions FILE] [--rounds N] [--json]

A copy of FOLDER is indexed and published to an S3 server in a process of its own on this machine (moto, which keeps
objects in memory; AWS_ENDPOINT_URL with --url takes another server). A reader with an empty cache asks it once, then
the folder and the collection are asked in turns: by `kbtui ask`, each a process, and within one process. At the end a
page is changed and published again, and the open reader looks for it. Times of the network of a real provider are not
in it; requests and bytes are what carries over.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from _common import machine, percentile, print_result, questions_from

KBTUI = (sys.executable, "-m", "kbtui")
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "bench", "AWS_SECRET_ACCESS_KEY": "bench", "AWS_DEFAULT_REGION": "us-east-1"}
SERVER = """
import logging, sys
from moto.server import ThreadedMotoServer
logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
print(*server.get_host_and_port(), flush=True)
sys.stdin.read()
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument(
        "--rounds", type=int, default=5, help="`kbtui ask` of each kind; 8 times as many in one process"
    )
    parser.add_argument("--url", default="s3://bench/collection", help="where to publish")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, server(arguments.url) as endpoint:
        os.environ.update(AWS_ENDPOINT_URL=endpoint)
        result = measure(arguments.folder, Path(place), arguments.url, arguments.questions, arguments.rounds)
    print_result(result | machine(), as_json=arguments.json)


@contextmanager
def server(url: str) -> Iterator[str]:
    """The address of an S3 server with the bucket of ``url``."""
    if endpoint := os.environ.get("AWS_ENDPOINT_URL"):
        yield endpoint
        return
    os.environ.update(CREDENTIALS)
    import boto3

    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        host, port = child.stdout.readline().split()
        boto3.client("s3", endpoint_url=f"http://{host}:{port}").create_bucket(Bucket=url.split("/")[2])
        yield f"http://{host}:{port}"
        assert child.stdin is not None
        child.stdin.close()


def measure(folder: Path, place: Path, url: str, file: Path | None, rounds: int) -> dict[str, Any]:
    copy = place / folder.name
    shutil.copytree(folder, copy)
    publisher, reader = place / "publisher", place / "reader"
    index_s, _ = timed("index", str(copy), cache=publisher)
    publish_s, published = timed("publish", str(copy), url, "--json", cache=publisher)
    again_s, _ = timed("publish", str(copy), url, "--json", cache=publisher)
    os.environ.update(XDG_CACHE_HOME=str(publisher))
    questions = questions_from(file, copy, 8 * rounds)
    first_s, _ = timed("ask", "--kb", url, "--no-session", questions[0], cache=reader)
    folder_s, collection_s = [], []
    for question in questions[:rounds]:
        folder_s.append(timed("ask", "--kb", str(copy), "--no-session", question, cache=publisher)[0])
        collection_s.append(timed("ask", "--kb", url, "--no-session", question, cache=reader)[0])
    report = json.loads(published)
    return {
        "files": report["files"],
        "published_mb": round(report["bytes"] / 1e6, 1),
        "index_s": round(index_s, 2),
        "publish_s": round(publish_s, 2),
        "publish_unchanged_s": round(again_s, 2),
        "first_answer_s": round(first_s, 2),
        "ask_folder_s": round(statistics.median(folder_s), 2),
        "ask_collection_s": round(statistics.median(collection_s), 2),
        "ask_ratio": ratio(collection_s, folder_s),
    } | in_one_process(copy, url, questions, publisher, reader)


def in_one_process(copy: Path, url: str, questions: Sequence[str], publisher: Path, reader: Path) -> dict[str, Any]:
    """The folder and the collection asked in turns while both are open, then a change that reaches the reader."""
    from kbtui.bootstrap import Engine
    from kbtui.publishing import storage
    from kbtui.settings.model import Settings

    requests, received = [0], [0]
    count_requests(storage.Storage, requests, received)
    os.environ.update(XDG_CACHE_HOME=str(publisher))
    of_folder = Engine(Settings(), copy, record=False, follow_ups=False)
    of_folder.warm()
    of_folder.rehearse()
    os.environ.update(XDG_CACHE_HOME=str(reader))
    of_collection = Engine(Settings(), url, record=False, follow_ups=False)
    of_collection.warm()
    of_collection.rehearse()
    folder_s, collection_s = [], []
    for question in questions:
        os.environ.update(XDG_CACHE_HOME=str(publisher))
        folder_s.append(seconds(lambda question=question: of_folder.answer_query(question)))
        os.environ.update(XDG_CACHE_HOME=str(reader))
        collection_s.append(seconds(lambda question=question: of_collection.answer_query(question)))
    page = next(path for path in sorted(copy.rglob("*")) if path.is_file())
    page.write_bytes(page.read_bytes() + b"\nA line more.\n")
    publish_s, published = timed("publish", str(copy), url, "--json", cache=publisher)
    requests[0] = received[0] = 0
    look_s = seconds(of_collection.refresh)
    switched_s = seconds(lambda: of_collection.answer_query(questions[0]))
    return {
        "warm_folder_p50_ms": round(1000 * percentile(folder_s, 50)),
        "warm_folder_p95_ms": round(1000 * percentile(folder_s, 95)),
        "warm_collection_p50_ms": round(1000 * percentile(collection_s, 50)),
        "warm_collection_p95_ms": round(1000 * percentile(collection_s, 95)),
        "warm_ratio": ratio(collection_s, folder_s),
        "publish_change_s": round(publish_s, 2),
        "publish_change_sent_mb": round(json.loads(published)["sent_bytes"] / 1e6, 2),
        "look_for_change_s": round(look_s, 2),
        "look_for_change_requests": requests[0],
        "look_for_change_mb": round(received[0] / 1e6, 2),
        "first_question_after_it_ms": round(1000 * switched_s),
    }


def count_requests(kind: Any, requests: list[int], received: list[int]) -> None:
    """Have reads of ``kind`` counted, and their bytes."""
    get, blocks = kind.get, kind.blocks

    def counted_get(self: Any, key: str, at_most: int, start: int = 0) -> bytes:
        data: bytes = get(self, key, at_most, start)
        requests[0], received[0] = requests[0] + 1, received[0] + len(data)
        return data

    def counted_blocks(self: Any, key: str) -> Iterator[bytes]:
        requests[0] += 1
        for block in blocks(self, key):
            received[0] += len(block)
            yield block

    kind.get, kind.blocks = counted_get, counted_blocks


def timed(*command: str, cache: Path) -> tuple[float, str]:
    """Seconds and standard output of a command with a cache of its own."""
    started = time.perf_counter()
    done = subprocess.run(
        [*KBTUI, *command],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return time.perf_counter() - started, done.stdout


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def ratio(ours: Sequence[float], others: Sequence[float]) -> float:
    """The median of the ratios of the rounds, in each of which both met the same moment of the machine."""
    return round(statistics.median(a / b for a, b in zip(ours, others, strict=True)), 2)


if __name__ == "__main__":
    main()
