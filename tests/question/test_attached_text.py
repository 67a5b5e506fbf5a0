"""Which words of a text that is handed in tell what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kbtui.question.attached_text import MAX_CHARS, distinctive_terms, with_terms

KNOWN = {"rollback": 0.8, "pin": 0.7, "deploy_pin": 0.9, "deploy": 0.4, "the": 0.05, "servic": 0.1, "回滚": 0.6}
DIFF = """\
diff --git a/ops/deploy_pin.py b/ops/deploy_pin.py
index 83db48f..bf269f4 100644
--- a/ops/deploy_pin.py
+++ b/ops/deploy_pin.py
@@ -10,4 +10,5 @@ def untouched():
 unchanged rollback rollback rollback
-    return old(service)
+    return deploy_pin(service)
"""


def rarity(words: Iterable[str]) -> Mapping[str, float]:
    return {word: KNOWN.get(word, 1.0) for word in words}


def test_what_the_folder_knows_and_few_passages_hold_is_telling() -> None:
    assert distinctive_terms("The deploy needs a rollback, says Zebulon; service service service", rarity) == (
        "rollback",
        "deploy",
    )
    assert distinctive_terms("Zebulon Zebulon", rarity) == ()
    assert distinctive_terms("", rarity) == ()
    assert distinctive_terms("the the the", lambda words: {}) == ()


def test_of_a_diff_only_what_changed_counts_and_names_come_first() -> None:
    found = distinctive_terms(DIFF, rarity)
    assert found[0] == "deploy_pin"
    assert "rollback" not in found


def test_chinese_text_has_telling_words() -> None:
    assert "回滚" in distinctive_terms("部署失败，需要回滚。", rarity)


def test_a_text_of_any_size_and_kind_takes_no_time_to_speak_of() -> None:
    assert distinctive_terms("x" * 10 * MAX_CHARS + " rollback", rarity) == ()
    assert distinctive_terms("rollback " * MAX_CHARS, rarity) == ("rollback",)


def test_the_question_names_the_words() -> None:
    assert with_terms("which runbook covers this?", ("rollback", "deploy pin")) == (
        "which runbook covers this: rollback, deploy pin?"
    )
    assert with_terms("这是什么？", ("回滚",)) == "这是什么：回滚？"
    assert with_terms("what is this?", ()) == "what is this?"
