"""What a folder of any size costs, from what a part of it costs: the tables of ``docs/scale.md``.

    python benchmarks/costs.py [--write]                                prints the tables, or puts them into the page
    python benchmarks/costs.py --measure FOLDER [--large FILE ...]      measures, and prints benchmarks/data/costs.json

Measured are processor seconds, which a busy machine changes least, and bytes: cutting every file of FOLDER, embedding
200 of its passages on one core, writing text and vectors, and both indexes. What memory a process that asks takes is
fitted to results of ``large.py --json`` over folders of different sizes. Extrapolated is in proportion.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from large import make_vectors

from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.embedding import open_embedder
from kbtui.knowledge.reading import folder_worker
from kbtui.knowledge.reading.cutting import Cut, cut
from kbtui.knowledge.reading.folder_worker import reading_rules
from kbtui.knowledge.reading.walker import walk
from kbtui.knowledge.store import index_tables as tables
from kbtui.knowledge.store.index_rows import ChunkRow, StoredFile
from kbtui.knowledge.store.index_writer import IndexWriter, choose_generation
from kbtui.knowledge.store.windows import window_spans
from kbtui.settings.model import Settings, settings_of

HERE = Path(__file__).resolve().parent
FIGURES = HERE / "data" / "costs.json"
PAGE = HERE.parent / "docs" / "scale.md"
BEGIN, END = "<!-- benchmarks/costs.py --write -->\n", "<!-- end -->\n"
SAMPLE = 200
BLOB_BYTES = 8_000_000
"""A published index is fetched in requests of about this size."""


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What was measured.

    Attributes:
        cut_s, embed_s, write_s, index_s: Processor seconds for a passage: cutting it out of its file, embedding it,
            unpacking and writing it and its vector, and its share of the indexes.
        index_bytes: Bytes of the index for a passage, with its vector and those of its windows.
        listed_bytes: Bytes that the list of files takes for one.
        base_mb, file_kb: Memory of a process that asks: without a file, and for each file.
    """

    folder_mb: float
    files: int
    passages: int
    cut_s: float
    embed_s: float
    write_s: float
    index_s: float
    index_bytes: float
    listed_bytes: float
    base_mb: float
    file_kb: float

    @property
    def file_bytes(self) -> float:
        return self.folder_mb * 1e6 / self.files

    @property
    def passage_bytes(self) -> float:
        return self.folder_mb * 1e6 / self.passages


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", type=Path, metavar="FOLDER")
    parser.add_argument("--large", type=Path, nargs="*", default=[], metavar="FILE", help="results of large.py --json")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    if args.measure:
        print(json.dumps(asdict(measured(args.measure, args.large)), indent=2))
        return
    made = page_with(PAGE.read_text("utf-8"), figures())
    if args.write:
        PAGE.write_text(made, "utf-8")
    else:
        print(made.split(BEGIN)[1].split(END)[0])


def figures() -> Figures:
    """Those that were committed."""
    return Figures(**json.loads(FIGURES.read_text("utf-8")))


# Measuring ----------------------------------------------------------------------------------------------------------


def measured(folder: Path, large: Sequence[Path]) -> Figures:
    settings = Settings()
    files = walk(folder, settings.index).files
    started = time.process_time()
    cuts = [result for file in files if isinstance(result := cut(file, reading_rules(settings.index)), Cut)]
    cut_s = time.process_time() - started
    packed = [msgspec.msgpack.encode(each) for each in cuts]
    decoder = msgspec.msgpack.Decoder(Cut)
    started = time.process_time()
    for data in packed:
        decoder.decode(data)
    unpack_s = time.process_time() - started
    texts = [text for each in cuts for text in each.reading.embedding_texts]
    sample = [texts[place] for place in np.random.default_rng(0).permutation(len(texts))[:SAMPLE]]
    embedder = open_embedder(settings_of({"embedding": {"threads": 1}}).embedding)
    embedder.encode(sample[:16])
    started = time.process_time()
    embedder.encode_with_windows(sample, list(map(window_spans, sample)))
    embed_s = time.process_time() - started
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_CACHE_HOME"] = scratch
        write_s, index_s = written(folder, cuts)
        vectors = make_vectors(folder, 0)
        write_s += unpack_s + vectors["written_cpu_s"]
        index_s += vectors["indexed_cpu_s"]
        size = sum(path.stat().st_size for path in Path(scratch).rglob("*") if path.is_file())
    listed = [len(file.path) + 20 for file in files]
    base_mb, file_kb = memory([json.loads(path.read_text("utf-8")) for path in large])
    count = len(texts)
    assert vectors["passages"] == count
    return Figures(
        folder_mb=round(sum(file.size for file in files) / 1e6, 2),
        files=len(files),
        passages=count,
        cut_s=round(cut_s / count, 6),
        embed_s=round(embed_s / len(sample), 6),
        write_s=round(write_s / count, 6),
        index_s=round(index_s / count, 6),
        index_bytes=round(size / count),
        listed_bytes=round(sum(listed) / len(files)),
        base_mb=round(base_mb),
        file_kb=round(file_kb, 1),
    )


def written(folder: Path, cuts: Sequence[Cut]) -> tuple[float, float]:
    """Processor seconds of writing the text of a folder, and of indexing its words."""
    directory = KnowledgeBase(folder, Settings()).index.directory
    directory.mkdir(parents=True)
    meta = tables.Meta(schema_version=tables.SCHEMA_VERSION, root=str(folder.resolve()))
    writer = IndexWriter(choose_generation(directory, meta, rebuild=False).path)
    rows = [
        ChunkRow(chunk=chunk, embed_key=key, terms=terms, stamp=each.reading.record.path)
        for each in cuts
        for chunk, key, terms in zip(each.reading.chunks, each.keys, each.terms, strict=True)
    ]
    files = [
        StoredFile(record=each.reading.record, stamp=each.reading.record.path, recipe="costs", checked_ns=0)
        for each in cuts
    ]
    started = time.process_time()
    for start in range(0, len(rows), 8192):
        writer.append(rows[start : start + 8192])
    writer.commit(files, [each.reading.relations for each in cuts])
    write_s = time.process_time() - started
    writer.tidy(patient=True)
    writer.seal()
    return write_s, time.process_time() - started - write_s


def memory(results: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """MB without a file, and KB for each, of a process that gives warm answers: the line through ``results``."""
    if len(results) < 2:
        raise SystemExit("--large needs the results of two sizes at least")
    slope, base = np.polyfit(
        [result["files"] for result in results], [result["warm_answers"]["peak_mb"] for result in results], 1
    )
    return float(base), float(slope) * 1024


# The page -----------------------------------------------------------------------------------------------------------

CORES = (2, 64, 1000)


@dataclass(frozen=True, kw_only=True)
class Size:
    name: str
    files: float
    passages: float


def sizes(known: Figures) -> list[Size]:
    """What is asked about, of files and passages as large as those measured."""
    by_bytes = {"10 GB of text": 1e10, "1 TB of text": 1e12}
    counted = [
        Size(name=name, files=size / known.file_bytes, passages=size / known.passage_bytes)
        for name, size in by_bytes.items()
    ]
    per_file = known.passages / known.files
    million, billion = (
        Size(name=name, files=number / per_file, passages=number)
        for name, number in (("10⁶ passages", 1e6), ("10⁹ passages", 1e9))
    )
    return sorted([*counted, million, billion], key=lambda size: size.passages)


def page_with(page: str, known: Figures) -> str:
    """``page`` with the tables of ``known``."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n".join([*inputs(known), "", *outputs(known)]) + "\n" + END + after


def inputs(known: Figures) -> Iterator[str]:
    """What was measured, one row a figure."""
    yield f"Measured over {known.files:,} files ({known.folder_mb:.1f} MB, {known.passages:,} passages):"
    yield ""
    yield "| | for a passage | rate of one core |"
    yield "|---|---|---|"
    for name, seconds in (
        ("a file is read and cut", known.cut_s),
        ("it is embedded (int8)", known.embed_s),
        ("it is written, with its vectors (this machine alone)", known.write_s),
        ("words and vectors are indexed (this machine alone)", known.index_s),
    ):
        files = f", {known.files / known.passages / seconds:,.0f} files/s" if seconds == known.cut_s else ""
        yield f"| {name} | {seconds * 1e3:.2f} ms | {1 / seconds:,.0f} passages/s{files} |"
    yield f"| text, index with vectors | {known.passage_bytes:,.0f} and {known.index_bytes:,.0f} bytes | |"
    yield f"| memory of a process that asks | {known.base_mb:,.0f} MB, and {known.file_kb:.0f} KB for each file | |"
    yield "| requests to object storage for a warm question | 0 | |"


def outputs(known: Figures) -> Iterator[str]:
    """What follows for each size."""
    cores = ", ".join(map(str, CORES))
    yield f"| | passages | files | read and embed on {cores} cores | write and index, here | index | fetch | memory |"
    yield "|---|---|---|---|---|---|---|---|"
    for size in sizes(known):
        work = size.passages * (known.cut_s + known.embed_s)
        here = size.passages * (known.write_s + known.index_s)
        index = size.passages * known.index_bytes
        asking = known.base_mb * 1e6 + size.files * known.file_kb * 1024
        cells = (
            *(size.name, amount(size.passages), amount(size.files)),
            *(", ".join(duration(work / cores) for cores in CORES), duration(here), in_bytes(index)),
            *(amount(index / BLOB_BYTES), in_bytes(asking)),
        )
        yield f"| {' | '.join(cells)} |"
    here_s = known.write_s + known.index_s
    within = amount((2048 - known.base_mb) * 1024 / known.file_kb)
    most = amount(folder_worker._MAX_RESPONSE_BYTES / known.listed_bytes)
    ahead = (known.cut_s + known.embed_s) / here_s
    yield ""
    yield "*Fetch* is the number of requests that fetch a published index for the first time, *memory* that of asking."
    yield "What gives way first as a folder grows:"
    yield ""
    yield f"1. **Memory.** A process that asks takes 2 GB at {within} files: it holds names, relations and tables."
    yield f"2. **Listing.** One list holds {most} files; of a larger folder it is said that it cannot be listed."
    yield f"3. **The one writer.** It takes {amount(86_400 / here_s)} passages a day, as {ahead:,.0f} cores make them."
    yield f"4. **The disk.** All of an index lies on the reader's: {amount(1e12 / known.index_bytes)} passages a TB."


def amount(number: float) -> str:
    """Two digits of a number, with a unit."""
    for unit, name in ((1e9, " billion"), (1e6, " million"), (1e3, ",000")):
        if number >= unit:
            digits = f"{number / unit:.2g}" if number / unit < 100 else f"{round(number / unit, -1):,.0f}"
            return f"{digits}{name}" if unit > 1e3 else f"{round(number, -3 if number >= 1e4 else -2):,.0f}"
    return f"{number:.0f}"


def duration(seconds: float) -> str:
    for unit, name in ((86_400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.0f} {name}"
    return f"{seconds:.0f} s"


def in_bytes(size: float) -> str:
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{size:,.0f} B"


if __name__ == "__main__":
    main()
