"""Rows of tables as lines of an answer."""

from __future__ import annotations

import pytest

from kbtui.reasoning.citing import Citations, Excerpt
from kbtui.reasoning.offline.quotable import Run, Unit
from kbtui.reasoning.offline.rendering import rendered
from tests.reasoning.conftest import Lines


@pytest.mark.parametrize(
    ("text", "columns", "line"),
    [
        ("x | exports | list", ("key", "does", "where"), "- x: does exports; where list [1]"),
        ("x | exports | list", (), "- x: exports; list [1]"),
        ("x | exports", ("key", "does"), "- x: exports [1]"),
    ],
)
def test_cells_beside_several_others_are_called_as_their_columns(
    text: str, columns: tuple[str, ...], line: str
) -> None:
    excerpt = Excerpt(path="keys.md", start_line=3, lines=(text,))
    unit = Unit(text, 3, 3, "table_row", excerpt, 0, 0, columns=columns)
    assert rendered([Run(units=(unit,))], Citations(Lines({"keys.md": text}))) == [line]
