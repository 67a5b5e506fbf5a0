"""Plans an analysis before anything is asked: which tool in which step, for what, and about how long it will take.

The plan names tools exactly as they are called, the level of every look at a structure and the kind of every statement
(spec 004, requirement 6), so that what was done can be compared with it. The statements themselves are written when
their step comes, from the structure and from what earlier steps found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

from msgspec.structs import replace

from kbtui.analysis.calculation import pure_calculation
from kbtui.analysis.decomposition import decompose
from kbtui.analysis.naming import name_stems
from kbtui.analysis.query_kind import expected_kind
from kbtui.analysis.relevance import question_words
from kbtui.analysis.wording import Words, words_of
from kbtui.domain.analysis import Classified, Reading, SchemaLevel
from kbtui.domain.events import PlanStep, RequestType

CONTEXT: Final = "get_data_source_context"
SQL: Final = "execute_sql"
PYTHON: Final = "python_executor"

DATA_TOOLS: Final = frozenset({CONTEXT, SQL, PYTHON})
"""The names of the tools of an analysis (spec 004, requirement 6.1)."""

TOOL_ALIASES: Final = {
    "get_schema": CONTEXT,
    "schema": CONTEXT,
    "sql_executor": SQL,
    "sql": SQL,
    "sandbox": PYTHON,
    "python": PYTHON,
}
"""Other names of these tools, which plans may use (spec 004, requirement 6.1)."""

STEP_MARKER: Final = re.compile(r"‹(d\d+)(\.top)?›")
"""Marker in a question of a plan: stands for the values that a step finds, or for the first of them."""

GUESS_NOTE: Final = "a guess"
_GUESSES_MS: Final = {CONTEXT: 80.0, SQL: 60.0, PYTHON: 120.0}


class Estimates(Protocol):
    """Recorded durations by key."""

    def median(self, key: str) -> float | None:
        """The median of what was recorded, in milliseconds, or None."""

    def add(self, key: str, duration_ms: float) -> None:
        """Record a duration in milliseconds."""


class AnalysisPlanner:
    """Plans the steps of a classified request.

    Args:
        schema_level: How much of a structure a type of request needs.
        durations: Recorded durations of earlier calls.
    """

    def __init__(self, schema_level: Callable[[RequestType], SchemaLevel], durations: Estimates | None = None) -> None:
        self._schema_level = schema_level
        self._durations = durations

    def plan(
        self,
        query: str,
        classified: Classified,
        *,
        source: str = "",
        table_names: Sequence[str] = (),
        language: str = "en",
        is_single: bool = False,
    ) -> tuple[PlanStep, ...]:
        """The steps for a request; none for one that needs no data.

        A ``consultation`` looks at the names of tables once and does nothing else (spec 004, requirement 5).

        Args:
            table_names: The tables to read in detail; all if empty.
            language: Language of the purposes: ``en`` or ``zh``.
            is_single: The request is one question and is not decomposed.
        """
        words = words_of(language)
        kind = classified.request_type
        if kind == "consultation":
            return self._numbered([_context(source, self._schema_level(kind), (), words)])
        if kind not in ("data_query", "visualization", "calculation", "multi_step_analysis"):
            return ()
        if pure_calculation(query) is not None:
            return self._numbered([PlanStep(step_id="", tool=PYTHON, args={"calculation": query}, purpose=query)])
        parts = (query.strip(),) if is_single else request_parts(query, kind)
        table_stems = [name_stems(name) for name in table_names]
        steps = [_context(source, self._schema_level(kind), table_names, words)]
        steps += [
            _step(part, source, kind == "multi_step_analysis", _count_named_tables(part, table_stems)) for part in parts
        ]
        return self._numbered(steps)

    def plan_of_structure(
        self, sources: Sequence[str], about: str, table_names: Sequence[str], language: str, statement: str = ""
    ) -> tuple[PlanStep, ...]:
        """The steps for a question about the structure of ``sources``: a look at each, and a statement if it needs one.

        Args:
            about: The subject of the question; ``tables`` needs the basic level only.
            table_names: The tables to read in detail; all if empty.
            statement: What the statement finds, in words; empty if the structure is the answer.
        """
        words = words_of(language)
        level: SchemaLevel = "basic" if about == "tables" else "detailed"
        steps = [_context(source, level, table_names, words) for source in sources]
        if statement:
            steps.append(_step(statement, sources[0], False, 1))
        return self._numbered(steps)

    def plan_of_statements(
        self, source: str, statements: Mapping[str, Reading], table_names: Sequence[str], language: str
    ) -> tuple[PlanStep, ...]:
        """A look at the structure, and given statements; each runs only if the one before it succeeded.

        Args:
            statements: Readings by their purpose, in a few words.
        """
        steps = [_context(source, "detailed", table_names, words_of(language))]
        for number, (purpose, reading) in enumerate(statements.items()):
            after = {"after": [f"d{number + 1}"]} if number else {"expects": "some"}
            steps.append(
                PlanStep(
                    step_id="",
                    tool=SQL,
                    args={"source": source, "question": reading.says, **after},
                    purpose=purpose,
                    checkpoint=True,
                    query_type=reading.query_kind,
                )
            )
        return self._numbered(steps)

    def _numbered(self, steps: Sequence[PlanStep]) -> tuple[PlanStep, ...]:
        return self.estimated(replace(step, step_id=f"d{n}") for n, step in enumerate(steps, 1))

    def estimated(self, steps: Iterable[PlanStep]) -> tuple[PlanStep, ...]:
        """The steps with their estimated durations (spec 004, requirement 6.4)."""
        return tuple(map(self._estimated, steps))

    def _estimated(self, step: PlanStep) -> PlanStep:
        if self._durations is not None:
            keys = duration_keys(step.tool, str(step.args.get("source", "")), step.query_type or step.schema_level)
            for key in keys:
                if (median := self._durations.median(key)) is not None:
                    return replace(step, estimated_ms=median, estimate_note=f"median of {key.replace('|', ' ')}")
        return replace(step, estimated_ms=_GUESSES_MS.get(step.tool), estimate_note=GUESS_NOTE)


def request_parts(query: str, kind: RequestType) -> tuple[str, ...]:
    """The questions of a request: several if it asks for steps, or if one refers to the values of another."""
    parts = decompose(query)
    several = kind in ("multi_step_analysis", "calculation") or any(map(STEP_MARKER.search, parts))
    return parts if parts and several else (query.strip(),)


def duration_keys(tool: str, source: str, kind: str | None) -> tuple[str, ...]:
    """The keys of the recorded durations of a call, the most specific first."""
    exact = (f"{tool}|{source}|{kind}",) if source and kind else ()
    return (*exact, f"{tool}|{source}", tool) if source else (tool,)


def _context(source: str, level: SchemaLevel, table_names: Sequence[str], words: Words) -> PlanStep:
    args: dict[str, Any] = {"source": source, "level": level}
    if level == "detailed" and table_names:
        args["table_names"] = list(table_names)
    purpose = words.read_basic if level == "basic" else words.read_detailed
    return PlanStep(step_id="", tool=CONTEXT, args=args, purpose=purpose.format(source=source), schema_level=level)


def _step(question: str, source: str, checkpoint: bool, tables_named: int) -> PlanStep:
    args: dict[str, Any] = {"source": source, "question": question}
    if uses := list(dict.fromkeys(mark[1] for mark in STEP_MARKER.finditer(question))):
        args["uses"] = uses
    return PlanStep(
        step_id="",
        tool=SQL,
        args=args,
        purpose=question,
        checkpoint=checkpoint,
        query_type=expected_kind(question, tables_named),
    )


def fill_markers(question: str, values: Callable[[str, bool], str]) -> str:
    """A question with its markers replaced by ``values(step_id, only_first)``."""
    return STEP_MARKER.sub(lambda mark: values(mark[1], mark[2] is not None), question)


def _count_named_tables(question: str, table_stems: Sequence[frozenset[str]]) -> int:
    words = question_words(question)
    return sum(1 for stems in table_stems if stems and stems <= words)
