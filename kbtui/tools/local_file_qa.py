"""local_file_qa: which files there are, not what they say."""

from __future__ import annotations

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.tools.base import ToolContext, spec_of

DESCRIPTION = "Finds files by name, path or pattern, title, kind, time of change, size or topic; a line about each."


class FilesArgs(BaseModel):
    query: str = Field(
        description="Which files: `files about packaging`, `markdown files modified last week`, `*.toml`, `最近的文件`."
    )


def run(context: ToolContext, query: str) -> ToolOutput:
    if not query.strip():
        raise ToolError("local_file_qa was called without a question.", "Say which files to look for.")
    found = context.knowledge.files.search(query, context.settings.retrieval.top_k, context.cancel)
    shown = len(found.hits)
    note = f"{shown} of {found.total} files" if found.total > shown else f"{shown} file{'' if shown == 1 else 's'}"
    return ToolOutput(hits=tuple(found.hits), note=note if shown else "no such file")


SPEC = spec_of(name="local_file_qa", description=DESCRIPTION, args=FilesArgs, run=run)
