"""The `SqlWriter` that asks a chat model, and lets its statement run only after guard and engine have looked at it.

What a model writes is parsed and guarded like any other statement, planned by the engine without being run (EXPLAIN),
and sent back with what is wrong with it, at most twice. It is read back in words, which are those of the statement and
not of the model. The offline reading of the same question is made as well: where both agree the answer is worth more,
where they differ the answer says so, and where the model gives nothing usable it is the answer.
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
from kbtui.reasoning.llm.failures import Failure
from kbtui.reasoning.llm.fallback import warn_of
from kbtui.reasoning.llm.fencing import fenced
from kbtui.reasoning.llm.prompt import ROLES, Prompt, rules_of
from kbtui.reasoning.llm.shapes import Text
from kbtui.reasoning.llm.structured import structured
from kbtui.text.terminal import one_line

ATTEMPTS: Final = 3
AGREED: Final = 0.95
"""Confidence of a statement that the offline reader came to as well."""
ALONE: Final = 0.75
"""Confidence of one that only the model came to."""
_MOST_READ: Final = 2
"""Offline readings that the model is told of."""
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
        accept: Guards a statement over a schema and lets its engine plan it; returns it as it would run, or raises
            DataSourceError.
        context_tokens: Room for the description of the tables.
        nonce: Of the fences of this run.
        words: What columns and words of the question are known to mean; says statements.
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
        wrong = ""
        try:
            for _ in range(ATTEMPTS):
                shape = structured(self._client, prompt, SqlShape, deadline)
                if not shape.sql.strip():
                    return Readings(
                        readings=offline.readings, unlinked=(shape.says,) if shape.says else offline.unlinked
                    )
                try:
                    sql = self._accept(shape.sql, schema)
                except DataSourceError as error:
                    wrong = error.message
                    prompt = prompt.followed_by(shape.model_dump_json(), f"That cannot run: {wrong} Write another.")
                    continue
                return self._joined(shape, sql, offline, question, schema)
            raise CallFailed(Failure(message=f"{self._client.name(ROLES['sql'])} wrote nothing that can run: {wrong}"))
        except CallFailed as failure:
            warn_of(failure, "sql", self._emit)
            return offline

    def _joined(self, shape: SqlShape, sql: str, offline: Readings, question: str, schema: Schema) -> Readings:
        """The model's reading first, the offline ones behind it."""
        agreed = next((one for one in offline.readings if self._agree(one.sql, sql, schema)), None)
        best = offline.best
        differs = best.says if best is not None and best is not agreed else ""
        links = (Signal(name="model", detail=self._client.name(ROLES["sql"])), *(agreed.links if agreed else ()))
        if differs:
            links = (*links, Signal(name="rules read it as", detail=one_line(differs, 120), weight=0.3))
        says, cut = self._words.says(sql, question, schema)
        own = Reading(
            sql=sql,
            query_kind=shape.kind,
            confidence=AGREED if agreed else ALONE,
            says=says or shape.says,
            links=links,
            chart=agreed.chart if agreed else None,
            differs=differs,
            cut=cut,
        )
        others = tuple(
            replace(reading, confidence=min(reading.confidence, ALONE))
            for reading in offline.readings
            if reading is not agreed
        )
        return Readings(readings=(own, *others), unlinked=() if agreed else offline.unlinked)

    def _agree(self, first: str, second: str, schema: Schema) -> bool:
        return _same(first, second) or self._words.agree(first, second, schema)

    def _prompt(self, question: str, schema: Schema, failed: Sequence[tuple[str, str]], offline: Readings) -> Prompt:
        parts = [
            f"Dialect: {schema.dialect}",
            fenced(self._described(schema), attributes={"id": "tables"}, nonce=self._nonce),
        ]
        known = [one_line(line, 160) for line in self._words.links(question, schema)]
        known += [f"read by rules as: {one_line(one.says, 200)}" for one in offline.readings[:_MOST_READ] if one.says]
        if known:
            parts.append(
                "What words of the question may stand for, found by rules that may be wrong:\n"
                + fenced("\n".join(known), attributes={"id": "words"}, nonce=self._nonce)
            )
        if failed:
            tried = "\n".join(f"- {one_line(sql, 400)}: {one_line(why, 200)}" for sql, why in failed)
            parts.append(f"Tried before, to no use; write another statement:\n{tried}")
        parts.append(f"Question: {one_line(question)}")
        return Prompt(stage="sql", rules=RULES, turns=(("user", "\n\n".join(parts)),))

    def _described(self, schema: Schema) -> str:
        """The tables, with samples while there is room, without them then, by name alone at last."""
        lines: list[str] = []
        used = 0
        for table in schema.tables:
            said = {column.name: self._words.column(table.name, column.name, schema) for column in table.columns}
            for text in (_table(table, said, samples=True), _table(table, said, samples=False), table.name):
                cost = estimate_tokens(text)
                if used + cost <= self._context_tokens:
                    lines.append(text)
                    used += cost
                    break
        return "\n".join(lines)


def _table(table: Table, said: Mapping[str, str], *, samples: bool) -> str:
    columns = []
    for column in table.columns:
        seen = ", ".join(repr(value) for value in column.samples[:3]) if samples else ""
        notes = [column.type, "key" if column.is_key else "", column.comment]
        notes += [said[column.name], f"such as {seen}" if seen else ""]
        columns.append(f"  {column.name}: " + "; ".join(note for note in notes if note))
    keys = [
        f"  ({', '.join(key.columns)}) refers to {key.referred_table} ({', '.join(key.referred_columns)})"
        for key in table.foreign_keys
    ]
    head = f"{'view' if table.is_view else 'table'} {table.name}" + (f": {table.comment}" if table.comment else "")
    return "\n".join([head, *columns, *keys])


def _same(first: str, second: str) -> bool:
    return " ".join(first.lower().split()).rstrip(";") == " ".join(second.lower().split()).rstrip(";")
