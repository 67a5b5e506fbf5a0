"""A job as `kbtui.knowledge.reading.cutting.CUT` that meets files which break its process."""

from __future__ import annotations

import os

from kbtui.knowledge.reading import cutting
from kbtui.worker import Job


def cut_files(request: cutting._Request) -> list[cutting.CutResult]:
    for path, _, _ in request.files:
        match path:
            case "abort.md":
                os.abort()
            case "memory.md":
                bytearray(8 << 30)
            case "time.md":
                while True:
                    pass
            case "print.md":
                os.write(1, b"\x00\x00\x00\x01x")
            case "large.md":
                return [cutting.CutResult(reason="x" * (9 << 20))]
            case _:
                pass
    return cutting._cut_files(request)


CUT = Job(
    cut_files,
    name=f"{__name__}:CUT",
    request=cutting._Request,
    response=list[cutting.CutResult],
    largest=8 << 20,
)
