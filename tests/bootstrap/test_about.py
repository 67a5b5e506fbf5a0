"""A question about a text that is handed in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.domain.events import Event

LOG = "ERROR deploy failed: error rate above two percent, image green-412 is not pinned\n"


@pytest.fixture
def engine(kb: Path) -> Engine:
    for number, name in enumerate(("locker", "billing", "power"), 1):
        text = f"---\nowner: team{number}\n---\n# {name} trouble\n\nRunbook {number}: ask the {name} team.\n"
        (kb / "runbooks" / f"{name}.md").write_text(text)
    return Engine(kb=kb)


def test_the_folder_is_asked_for_what_the_text_is_about(engine: Engine, home: Path) -> None:
    events: list[Event] = []
    answer = engine.answer_query("what do we do about this?", events.append, about=LOG)
    assert answer.citations[0].path == "runbooks/rollback.md"
    meant = [getattr(event, "standalone", "") for event in events]
    assert any("green" in text and text.startswith("what do we do about this:") for text in meant)
    recorded = "".join(path.read_text() for path in (home / "data").rglob("*.jsonl"))
    assert "what do we do about this?" in recorded
    assert "green-412" not in recorded, "the text itself is not recorded"


def test_a_kind_that_the_question_names_is_asked_alone(engine: Engine, kb: Path) -> None:
    (kb / "notes.md").write_text("# Notes\n\nThe error rate of the deploy image was two percent: green, pinned.\n")
    answer = engine.answer_query("which runbook covers this?", about=LOG)
    assert {citation.path for citation in answer.citations} == {"runbooks/rollback.md"}


DIFF = """\
diff --git a/deploy/gateway.py b/deploy/gateway.py
--- a/deploy/gateway.py
+++ b/deploy/gateway.py
@@ -1,3 +1,3 @@ def deploy
-    retries = 3
+    retries = 5
"""


def test_which_document_a_diff_concerns_is_told_in_a_folder_of_one_file_too(tmp_path: Path) -> None:
    (tmp_path / "rollback.md").write_text(
        "# Rollback\n\nWhen a deploy of the gateway fails, run `make rollback` and tell the on-call engineer.\n"
    )
    answer = Engine(kb=tmp_path).answer_query("which runbook covers this?", about=DIFF)
    assert answer.outcome == "answered"
    assert answer.markdown.startswith("One file:\n\n- `rollback.md`")
    assert [(citation.path, citation.start_line) for citation in answer.citations] == [("rollback.md", 3)]


@pytest.mark.parametrize(("question", "said"), [("what is this?", "Nothing in this"), ("这是什么？", "没有答案")])
def test_a_text_about_something_else_is_said_to_be(engine: Engine, question: str, said: str) -> None:
    answer = engine.answer_query(question, about="Zwölf Boxkämpfer jagen Viktor\n")
    assert answer.outcome == "not_found"
    assert said in answer.markdown


def test_the_next_question_is_not_about_the_text(engine: Engine) -> None:
    engine.answer_query("what do we do about this?", about=LOG)
    answer = engine.answer_query("Which ADR replaces ADR-2?")
    assert answer.citations[0].path == "adr/0007-migrations.md"
    assert json.dumps(answer.markdown).count("green") == 0
