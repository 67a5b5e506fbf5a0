"""The arguments of each tool, as clients see them: every text and number has a bound."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

_LONGEST_QUESTION = 20_000
_LONGEST_SQL = 100_000
_MOST_LINES = 10_000_000

Question = Annotated[str, Field(min_length=1, max_length=_LONGEST_QUESTION)]
LineNumber = Annotated[int, Field(ge=1, le=_MOST_LINES)]


class Arguments(BaseModel):
    """Arguments of a tool; one that it does not take is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SearchArguments(Arguments):
    """Of ``search``."""

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
    """Of ``ask``."""

    question: Question = Field(description="One whole question, in English or Chinese; it stands by itself.")


class ReadArguments(Arguments):
    """Of ``read``."""

    path: str = Field(
        min_length=1, max_length=8_000, description="Path relative to the folder, or the file:// address of a source."
    )
    start_line: LineNumber | None = Field(None, description="First line, from 1.")
    end_line: LineNumber | None = Field(None, description="Last line, inclusive.")


class RecordsArguments(Arguments):
    """Of ``records``."""

    question: str = Field(
        "",
        max_length=_LONGEST_QUESTION,
        description="A question that documents' fields answer (which, how many, since when); left out: what there is.",
    )


class RelationsArguments(Arguments):
    """Of ``relations``."""

    query: Question = Field(description="The thing and the relation: 'what requires PEP 523?', 'who wrote ADR-7?'")
    limit: int = Field(20, ge=1, le=200, description="Most lines to return.")


class QueryDataArguments(Arguments):
    """Of ``query_data``."""

    sql: str = Field(
        "", max_length=_LONGEST_SQL, description="One SELECT in the dialect of the source; left out: its structure."
    )
    source: str = Field("", max_length=1_000, description="Name of the source; needed where there are several.")
    tables: list[str] = Field([], max_length=200, description="Tables to describe; all when left out.")
