"""Runs the indexer in a process of its own, to be killed or held up: ``python -m tests.knowledge.indexing_child …``.

``--die WHERE:N`` sends itself SIGKILL at the Nth time it gets to WHERE: ``before-append``, ``after-append``,
``before-commit``, ``after-commit``, ``before-sweep``, ``after-sweep``, ``before-make_current``, ``text``,
``before-vectors-append``, ``after-vectors-append`` and so on.
``--limit-bytes N`` refuses files larger than N bytes (as a full disk refuses to grow them).
The last line of its standard output is the report, or the error, as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kbtui.domain.events import Event, Progress
from kbtui.errors import KbtuiError
from kbtui.knowledge.store import embedding_run, index_writer, ingestion, vector_writer
from kbtui.knowledge.store import indexer as indexer_module
from tests.knowledge.indexing import FakeEmbedder, run


class Death:
    """Counts down to SIGKILL, which no handler and no ``finally`` sees."""

    def __init__(self, where: str, at: int) -> None:
        self.where = where
        self.left = at

    def passing(self, where: str) -> None:
        if where == self.where:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def around(holder: Any, name: str, death: Death, prefix: str = "") -> None:
    original: Callable[..., Any] = getattr(holder, name)

    def watched(*args: Any, **kwargs: Any) -> Any:
        death.passing(f"before-{prefix}{name}")
        result = original(*args, **kwargs)
        death.passing(f"after-{prefix}{name}")
        return result

    setattr(holder, name, watched)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("--die", default=":0")
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--limit-bytes", type=int, default=0)
    parser.add_argument("--rebuild", action="store_true")
    options = parser.parse_args()

    where, at = options.die.split(":")
    death = Death(where, int(at))
    for name in ("append", "commit", "sweep"):
        around(index_writer.IndexWriter, name, death)
    for name in ("append", "tidy", "seal"):
        around(vector_writer.VectorWriter, name, death, prefix="vectors-")
    around(indexer_module, "make_current", death)
    ingestion.BATCH_CHUNKS = 8  # type: ignore[misc]
    embedding_run.BATCH_AT_LEAST = embedding_run.BATCH_AT_MOST = 8  # type: ignore[misc]
    if options.limit_bytes:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (options.limit_bytes, options.limit_bytes))

    def before_each(_text: str) -> None:
        death.passing("text")
        time.sleep(options.delay)

    def emit(event: Event) -> None:
        if isinstance(event, Progress):
            print(f"{event.stage} {event.message}", flush=True)

    embedder = FakeEmbedder(before_each=before_each)
    try:
        report = run(options.root, embedder, emit=emit, rebuild=options.rebuild)
    except KbtuiError as error:
        print(json.dumps({"error": error.name, "message": error.message, "hint": error.hint}))
        return
    print(json.dumps(asdict(report) | {"encoded": len(embedder.encoded)}))


if __name__ == "__main__":
    main()
