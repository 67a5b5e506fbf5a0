"""Sources of an answer on a terminal are links to their lines; nowhere else is there an escape sequence."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from kbtui.cli.answers import _print_rendered, print_answer
from kbtui.view.folding import reduce_all
from tests.ui.made import a_run


def printed(**options: object) -> str:
    out = io.StringIO()
    _print_rendered(reduce_all(a_run()), Console(file=out, width=100, **options))  # type: ignore[arg-type]
    return out.getvalue()


def test_a_source_is_a_link_to_its_line_on_a_terminal() -> None:
    text = printed(force_terminal=True, color_system="256")
    assert "/kb/handbook/runbooks/rollback.md#L12\x1b\\" in text
    assert "runbooks/rollback.md:12-18" in text


def test_nothing_is_linked_where_colour_is_off() -> None:
    assert "\x1b]8" not in printed(force_terminal=True, color_system=None)


def test_nothing_is_linked_into_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    print_answer(reduce_all(a_run()))
    assert "\x1b" not in capsys.readouterr().out
