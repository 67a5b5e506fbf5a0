"""The `SqlWriter` that uses a chat model; its statements run only after guard and engine have checked them.

A statement of the model is guarded like any other and planned by the engine without running it (EXPLAIN); if that fails
it is sent back with the error, at most twice. Its paraphrase is derived from the statement, not written by the model.
The question is also read offline: agreement raises the confidence, a difference is reported, and if the model fails the
offline reading is the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final

from msgspec.structs import replace
from pydantic import BaseModel, BeforeValidator, Field

from kbtui.domain.analysis import QueryKind, Reading, Readings, Schema, SourceWords, SqlWriter, Table
from kbtui.domain.ports import Emit
from kbtui.domain.routing import Signal
from kbtui.errors import DataSourceError
from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.context import estimate_tokens
from kbtui.reasoning.llm.conversation import Conversation, question_to_model
from kbtui.reasoning.llm.failures import Failure
from kbtui.reasoning.llm.fallback import warn_of
from kbtui.reasoning.llm.fencing import fenced
from kbtui.reasoning.llm.prompt import ROLES, rules_of
from kbtui.reasoning.llm.shapes import Text
from kbtui.reasoning.llm.structured import request_shape
from kbtui.text.terminal import one_line

ATTEMPTS: Final = 3
AGREED_CONFIDENCE: Final = 0.95
"""Confidence of a statement that agrees with the offline reading."""
MODEL_CONFIDENCE: Final = 0.75
"""Confidence of a statement without such agreement."""
_MAX_READINGS: Final = 2
"""Most offline readings in the prompt."""
KINDS: Final = ("aggregation", "join", "filter", "group", "top_n", "detail", "nested", "set")

RULES: Final = rules_of("sql", KINDS=" | ".join(KINDS))


def _kind(value: object) -> object:
    return value if value in KINDS else "detail"


class SqlShape(BaseModel):
    """One statement."""

    sql: str = ""
    kind: Annotated[QueryKind, BeforeValidator(_kind)] = Field(default="detail")
    says: Text = ""


class LlmSqlWriter:
    """Writes statements with the model.

    Args:
        offline: Reads the question without a model.
        words: Known meanings of columns and words; paraphrases statements.
        accept: Guards a statement and has the engine plan it; returns the statement that would run, or raises
            DataSourceError.
        context_tokens: Tokens for the description of the tables.
        nonce: Key of the fences of this run.
        emit: Receives warnings.
    """

    def __init__(
        self,
        client: ModelClient,
        offline: SqlWriter,
        *,
        words: SourceWords,
        accept: Callable[[str, Schema], str],
        context_tokens: int,
        nonce: str,
        emit: Emit,
    ) -> None:
        self._client = client
        self._offline = offline
        self._words = words
        self._accept = accept
        self._context_tokens = context_tokens
        self._nonce = nonce
        self._emit = emit

    def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
        """See `SqlWriter`; at most three calls."""
        offline = self._offline.read(question, schema, failed=failed)
        prompt = self._prompt(question, schema, failed, offline)
        deadline = self._client.deadline()
        error_message = ""
        try:
            for _ in range(ATTEMPTS):
                shape = request_shape(self._client, prompt, SqlShape, deadline)
                if not shape.sql.strip():
                    return Readings(
                        readings=offline.readings, unlinked=(shape.says,) if shape.says else offline.unlinked
                    )
                try:
                    sql = self._accept(shape.sql, schema)
                except DataSourceError as error:
                    error_message = error.message
                    prompt = prompt.followed_by(
                        shape.model_dump_json(), f"That cannot run: {error_message} Write another."
                    )
                    continue
                return self._join_readings(shape, sql, offline, question, schema)
            raise CallFailed(
                Failure(message=f"{self._client.name(ROLES['sql'])} wrote nothing that can run: {error_message}")
            )
        except CallFailed as failure:
            warn_of(failure, "sql", self._emit)
            return offline

    def _join_readings(self, shape: SqlShape, sql: str, offline: Readings, question: str, schema: Schema) -> Readings:
        """The reading of the model, followed by the offline ones."""
        agreed = next((reading for reading in offline.readings if self._agree(reading.sql, sql, schema)), None)
        best = offline.best
        differs = best.says if best is not None and best is not agreed else ""
        links = (Signal(name="model", detail=self._client.name(ROLES["sql"])), *(agreed.links if agreed else ()))
        if differs:
            links = (*links, Signal(name="rules read it as", detail=one_line(differs, 120), weight=0.3))
        says, cut = self._words.says(sql, question, schema)
        model_reading = Reading(
            sql=sql,
            query_kind=shape.kind,
            confidence=AGREED_CONFIDENCE if agreed else MODEL_CONFIDENCE,
            says=says or shape.says,
            links=links,
            chart=agreed.chart if agreed else None,
            differs=differs,
            cut=cut,
        )
        others = tuple(
            replace(reading, confidence=min(reading.confidence, MODEL_CONFIDENCE))
            for reading in offline.readings
            if reading is not agreed
        )
        return Readings(readings=(model_reading, *others), unlinked=() if agreed else offline.unlinked)

    def _agree(self, first: str, second: str, schema: Schema) -> bool:
        return _is_same_text(first, second) or self._words.agree(first, second, schema)

    def _prompt(
        self, question: str, schema: Schema, failed: Sequence[tuple[str, str]], offline: Readings
    ) -> Conversation:
        parts = [
            f"Dialect: {schema.dialect}",
            fenced(self._describe_tables(schema), attributes={"id": "tables"}, nonce=self._nonce),
        ]
        hints = [one_line(line, 160) for line in self._words.links(question, schema)]
        hints += [
            f"read by rules as: {one_line(reading.says, 200)}"
            for reading in offline.readings[:_MAX_READINGS]
            if reading.says
        ]
        if hints:
            parts.append(
                "What words of the question may stand for, found by rules that may be wrong:\n"
                + fenced("\n".join(hints), attributes={"id": "words"}, nonce=self._nonce)
            )
        if failed:
            tried = "\n".join(f"- {one_line(sql, 400)}: {one_line(why, 200)}" for sql, why in failed)
            parts.append(f"Tried before, to no use; write another statement:\n{tried}")
        parts.append(f"Question: {one_line(question)}")
        return question_to_model("sql", RULES, "\n\n".join(parts))

    def _describe_tables(self, schema: Schema) -> str:
        """Describe the tables within the budget: with samples, without samples, or by name only."""
        lines: list[str] = []
        used = 0
        for table in schema.tables:
            column_notes = {
                column.name: self._words.column(table.name, column.name, schema) for column in table.columns
            }
            for text in (
                _describe_table(table, column_notes, samples=True),
                _describe_table(table, column_notes, samples=False),
                table.name,
            ):
                cost = estimate_tokens(text)
                if used + cost <= self._context_tokens:
                    lines.append(text)
                    used += cost
                    break
        return "\n".join(lines)


def _describe_table(table: Table, column_notes: Mapping[str, str], *, samples: bool) -> str:
    columns = []
    for column in table.columns:
        samples_text = ", ".join(repr(value) for value in column.samples[:3]) if samples else ""
        notes = [column.type, "key" if column.is_key else "", column.comment]
        notes += [column_notes[column.name], f"such as {samples_text}" if samples_text else ""]
        columns.append(f"  {column.name}: " + "; ".join(note for note in notes if note))
    keys = [
        f"  ({', '.join(key.columns)}) refers to {key.referred_table} ({', '.join(key.referred_columns)})"
        for key in table.foreign_keys
    ]
    head = f"{'view' if table.is_view else 'table'} {table.name}" + (f": {table.comment}" if table.comment else "")
    return "\n".join([head, *columns, *keys])


def _is_same_text(first: str, second: str) -> bool:
    return " ".join(first.lower().split()).rstrip(";") == " ".join(second.lower().split()).rstrip(";")
