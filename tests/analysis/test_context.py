from __future__ import annotations

from collections.abc import Sequence

from kbtui.analysis.context import CachingWriter
from kbtui.domain.analysis import Reading, Readings, Schema, Table


def test_a_question_is_read_once_in_a_run_unless_a_statement_failed_or_other_tables_are_asked() -> None:
    asked: list[tuple[str, int, int]] = []

    class Writer:
        def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
            asked.append((question, len(schema.tables), len(failed)))
            reading = Reading(sql=f"SELECT {len(asked)}", query_kind="detail", confidence=1.0, says=question)
            return Readings(readings=(reading,))

    writer, plants = CachingWriter(Writer()), Schema(source="garden", dialect="sqlite", level="detailed")
    first = writer.read("how many plants", plants)
    assert writer.read("how many plants", plants) is first
    assert writer.read("how many plants", plants, failed=[("SELECT 1", "no")]) is not first
    more = Schema(source="garden", dialect="sqlite", level="detailed", tables=(Table(name="beds"),))
    writer.read("how many plants", more)
    assert asked == [("how many plants", 0, 0), ("how many plants", 0, 1), ("how many plants", 1, 0)]
