"""local_file_qa: files by name, kind, date or topic, not passages of their text."""

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
    result = context.knowledge.files.search(query, context.settings.retrieval.top_k, context.cancel)
    count = len(result.hits)
    note = f"{count} of {result.total} files" if result.total > count else f"{count} file{'' if count == 1 else 's'}"
    return ToolOutput(hits=tuple(result.hits), note=note if count else "no such file")


SPEC = spec_of(name="local_file_qa", description=DESCRIPTION, args=FilesArgs, run=run)
