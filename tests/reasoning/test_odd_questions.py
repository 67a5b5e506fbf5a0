"""Questions that are hardly any: endless words, other languages, nothing but signs."""

from __future__ import annotations

import pytest

from kbtui.domain.ports import CancelToken, WritingBrief
from kbtui.domain.routing import RetrievalHint
from kbtui.question.normalise import question_language
from kbtui.reasoning.offline import OfflineReasoner


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("夜のパスワードは何ですか？", "en"),
        ("値班の密码是什么？", "zh"),
        ("「アンドゥ」是什么意思？", "zh"),
        ("비밀번호가 뭐예요?", "en"),
        ("密码是什么", "zh"),
    ],
)
def test_a_japanese_question_is_not_answered_in_chinese(question: str, language: str) -> None:
    assert question_language(question) == language


@pytest.mark.parametrize("question", ["w" * 20_000, "什么" * 10_000, "(" * 20_000, "🦊" * 5_000])
def test_an_endless_word_is_not_echoed_at_length(reasoner: OfflineReasoner, question: str) -> None:
    routing = reasoner.router.route(question, RetrievalHint())
    written = reasoner.writer.write(WritingBrief(query=question, routing=routing), lambda _event: None, CancelToken())
    assert max(map(len, written.markdown.split("\n"))) < 700
    assert all(len(suggestion) < 200 for suggestion in written.suggestions)
