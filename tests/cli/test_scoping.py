"""Options of ``kbtui ask`` that limit a question, as the names they stand for."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.cli.scoping import scope_of
from kbtui.errors import UsageError
from tests.cli.conftest import Program


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"inside": ["runbooks", "./runbooks/rollback.md"]}, ("runbooks/", "runbooks/rollback.md")),
        ({"inside": ["adr/*.md"]}, ("adr/*.md",)),
        ({"inside": ["."]}, ("*",)),
        ({"where": ["status=open", "Due Date>=2025-01", "status!=closed", "title~pager"]},
         ("status:open", "due-date:>=2025-01", "status:!=closed", "title:~pager")),
        ({"kinds": ["ticket"], "after": "2025", "before": "2026-01-01"},
         ("kind:ticket", "after:2025", "before:2026-01-01")),
    ],
)  # fmt: skip
def test_an_option_is_the_name_that_the_prompt_takes(
    kb: Path, options: dict[str, object], names: tuple[str, ...]
) -> None:
    assert scope_of(kb, **options) == names  # type: ignore[arg-type]


def test_a_path_may_be_absolute_and_must_lie_in_the_folder(kb: Path) -> None:
    assert scope_of(kb, inside=[str(kb / "adr")]) == ("adr/",)
    for path in ("..", "/etc", "nosuch", "", "a\0b"):
        with pytest.raises(UsageError):
            scope_of(kb, inside=[path])


@pytest.mark.parametrize("condition", ["status", "=open", "status=", 'status="open"', ""])
def test_a_condition_without_field_or_value_is_wrong_usage(kb: Path, condition: str) -> None:
    with pytest.raises(UsageError):
        scope_of(kb, where=[condition])


def test_ask_is_limited_and_says_what_is_not_there(program: Program, kb: Path) -> None:
    done = program("ask", "--kb", str(kb), "--in", "runbooks", "--no-session", "What is decided on migrations?")
    assert "adr/" not in done.stdout
    done = program("ask", "--kb", str(kb), "--where", "mood=good", "--no-session", "What is decided?")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No document states the field mood." in done.stderr
