"""Small folders for the search tests, without an index: files on disk, the records an index would keep, a reader."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from kbtui.domain.document import DocumentKind, FileRecord
from kbtui.knowledge.reading.source import SourceReader

_KINDS: dict[str, tuple[DocumentKind, str]] = {
    ".md": ("markdown", ""),
    ".rst": ("rst", ""),
    ".txt": ("text", ""),
    ".toml": ("toml", ""),
    ".yaml": ("yaml", ""),
    ".csv": ("csv", ""),
    ".py": ("code", "python"),
    ".rs": ("code", "rust"),
}


def write_files(root: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())


def records_of(
    root: Path, labels: Mapping[str, tuple[str, ...]] | None = None, modified: Mapping[str, datetime] | None = None
) -> list[FileRecord]:
    """A record for each file below ``root``; ``modified`` sets times on disk too."""
    reader, records = SourceReader(root), []
    for file in sorted(root.rglob("*")):
        if not file.is_file():
            continue
        path = file.relative_to(root).as_posix()
        if modified and path in modified:
            stamp = int(modified[path].timestamp() * 1e9)
            os.utime(file, ns=(stamp, stamp))
        source = reader.text(path)
        lines = source.text.split("\n")
        first = next((number for number, line in enumerate(lines, 1) if line.strip()), 1)
        kind, language = _KINDS.get(file.suffix, ("text", ""))
        records.append(
            FileRecord(
                path=path,
                kind=kind,
                title=lines[first - 1].lstrip("# ") if lines[first - 1].startswith("#") else file.stem,
                language=language,
                encoding=source.encoding,
                labels=(labels or {}).get(path, ()),
                summary=lines[first - 1],
                summary_line=first,
                line_count=len(lines),
                chunk_count=max(1, len(source.text) // 1000),
                size=file.stat().st_size,
                mtime_ns=file.stat().st_mtime_ns,
            )
        )
    return records
