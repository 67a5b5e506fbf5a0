"""Files read and cut on a cluster: their bytes are loaded on this machine, everything else is done on any.

The other machines need not see the folder. Each puts what it is given below a folder of its own and cuts it as this
machine would (`cutting.cut_batch`): in disposable processes with the same limits.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kbtui.cluster.connection import Cluster, cluster_errors
from kbtui.domain.ports import CancelToken
from kbtui.errors import KnowledgeBaseError, RemoteError
from kbtui.knowledge.reading.cutting import Cut, CutResult, Cutting, Failure, cut_batch
from kbtui.knowledge.reading.extraction import code_digest
from kbtui.knowledge.reading.folder_worker import in_batches, reading_rules
from kbtui.knowledge.reading.loaders import read_bytes
from kbtui.knowledge.reading.walk_types import ReadingRules, WalkedFile
from kbtui.settings.model import IndexSettings

if TYPE_CHECKING:
    import pyarrow as pa

_TASK_FILES: Final = 64
_TASK_BYTES: Final = 4 << 20
_FILES_A_STREAM: Final = 1 << 16
"""Files of one run of the stages; what Ray keeps of each batch until the run ends is bounded by them."""
_LOADING_CORES: Final = 0.25


_DECODER: Final = msgspec.msgpack.Decoder(CutResult)


def cut_on(
    cluster: Cluster, files: Sequence[WalkedFile], *, settings: IndexSettings, cancel: CancelToken
) -> Iterator[Cutting]:
    """Cut all files on the cluster; yields each with its result, in any order, as `cutting.cut_all`.

    Raises:
        RemoteError: The cluster could not do its part.
        StorageError: A machine has no resources left.
        Cancelled: ``cancel`` was set; checked after each batch.
    """
    rules = reading_rules(settings)
    for start in range(0, len(files), _FILES_A_STREAM):
        yield from _cut_stream(cluster, files[start : start + _FILES_A_STREAM], rules, cancel)


def _cut_stream(
    cluster: Cluster, files: Sequence[WalkedFile], rules: ReadingRules, cancel: CancelToken
) -> Iterator[Cutting]:
    import ray.data

    root = files[0].root
    by_path = {file.path: file for file in files}
    with cluster_errors():
        cuttings = (
            ray.data.from_arrow([_file_table(batch) for batch in in_batches(files, _TASK_FILES, _TASK_BYTES)])
            .map_batches(
                partial(_load, root=root),
                batch_size=None,
                batch_format="pyarrow",
                num_cpus=_LOADING_CORES,
                label_selector={"ray.io/node-id": cluster.node},
            )
            .map_batches(partial(_cut, rules=rules), batch_size=None, batch_format="pyarrow", num_cpus=1)
        )
        for table in cuttings.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=1):
            cancel.check()
            for path, recipe, result in zip(*(table[name].to_pylist() for name in table.column_names), strict=True):
                if recipe != code_digest():
                    raise RemoteError(
                        "A machine of the cluster has another version of kbtui.",
                        "Install the same version of kbtui[ray] on every machine.",
                    )
                sent = _DECODER.decode(result)
                yield by_path[path], sent.cut if sent.cut is not None else Failure(reason=sent.reason)


def _file_table(files: Sequence[WalkedFile]) -> pa.Table:
    import pyarrow as pa

    return pa.table({name: [getattr(file, name) for file in files] for name in ("path", "size", "mtime_ns")})


# The stages ---------------------------------------------------------------------------------------------------------


def _load(files: pa.Table, *, root: Path) -> pa.Table:
    """The bytes of each file, or why they cannot be read; on the machine that has the folder."""
    data: list[bytes | None] = []
    reasons: list[str] = []
    for row in files.to_pylist():
        try:
            data.append(read_bytes(WalkedFile(root=root, **row)))
            reasons.append("")
        except KnowledgeBaseError as error:
            data.append(None)
            reasons.append(error.message)
    return _with_columns(files, {"data": data, "reason": reasons})


def _cut(files: pa.Table, *, rules: ReadingRules) -> pa.Table:
    """What `cutting.cut` makes of each file, encoded; on any machine."""
    import pyarrow as pa

    rows: list[dict[str, Any]] = files.to_pylist()
    results = {row["path"]: CutResult(reason=row["reason"]) for row in rows}
    with tempfile.TemporaryDirectory(prefix="kbtui-") as folder:
        root = Path(folder).resolve()
        batch = [_put(root, row) for row in rows if row["data"] is not None]
        for file, result in cut_batch(batch, rules, CancelToken()) if batch else ():
            results[file.path] = CutResult(cut=result) if isinstance(result, Cut) else CutResult(reason=result.reason)
    return pa.table(
        {
            "path": list(results),
            "recipe": [code_digest()] * len(results),
            "result": pa.array(map(msgspec.msgpack.encode, results.values()), type=pa.large_binary()),
        }
    )


def _put(root: Path, row: dict[str, Any]) -> WalkedFile:
    """The file below ``root``, at the path that it has in its folder: names tell formats apart."""
    path = PurePosixPath(row["path"])
    if path.is_absolute() or ".." in path.parts:
        raise ValueError("a path leaves the folder")
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(row["data"])
    return WalkedFile(root=root, path=row["path"], size=row["size"], mtime_ns=row["mtime_ns"])


def _with_columns(table: pa.Table, columns: dict[str, Sequence[object]]) -> pa.Table:
    import pyarrow as pa

    types = {"data": pa.large_binary(), "reason": pa.string()}
    for name, values in columns.items():
        table = table.append_column(name, pa.array(values, type=types[name]))
    return table
