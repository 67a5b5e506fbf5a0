"""The arguments of each tool, with bounds for every text and number."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

_MAX_QUESTION_CHARS = 20_000
_MAX_SQL_CHARS = 100_000
_MAX_LINE_NUMBER = 10_000_000

Question = Annotated[str, Field(min_length=1, max_length=_MAX_QUESTION_CHARS)]
LineNumber = Annotated[int, Field(ge=1, le=_MAX_LINE_NUMBER)]


class Arguments(BaseModel):
    """Arguments of a tool; unknown ones are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SearchArguments(Arguments):
    """Arguments of ``search``."""

    query: Question = Field(description="What to find, as a sentence.")
    keywords: str = Field(
        "",
        max_length=2_000,
        description='Exact names and terms, phrases in quotes; taken from the query when left out. "deploy pin" E4031',
    )
    tool: Literal["hybrid_search", "vector_search", "grep_search", "local_file_qa"] = Field(
        "hybrid_search", description="By meaning and words (hybrid), meaning (vector), words (grep), or files by name."
    )
    limit: int = Field(8, ge=1, le=50, description="Most passages to return.")


class AskArguments(Arguments):
    """Arguments of ``ask``."""

    question: Question = Field(description="One whole question, in English or Chinese; it stands by itself.")


class ReadArguments(Arguments):
    """Arguments of ``read``."""

    path: str = Field(
        min_length=1, max_length=8_000, description="Path relative to the folder, or the file:// address of a source."
    )
    start_line: LineNumber | None = Field(None, description="First line, from 1.")
    end_line: LineNumber | None = Field(None, description="Last line, inclusive.")


class RecordsArguments(Arguments):
    """Arguments of ``records``."""

    question: str = Field(
        "",
        max_length=_MAX_QUESTION_CHARS,
        description="A question that documents' fields answer (which, how many, since when); left out: what there is.",
    )


class RelationsArguments(Arguments):
    """Arguments of ``relations``."""

    query: Question = Field(description="The thing and the relation: 'what requires PEP 523?', 'who wrote ADR-7?'")
    limit: int = Field(20, ge=1, le=200, description="Most lines to return.")


class QueryDataArguments(Arguments):
    """Arguments of ``query_data``."""

    sql: str = Field(
        "", max_length=_MAX_SQL_CHARS, description="One SELECT in the dialect of the source; left out: its structure."
    )
    source: str = Field("", max_length=1_000, description="Name of the source; needed where there are several.")
    tables: list[str] = Field([], max_length=200, description="Tables to describe; all when left out.")
