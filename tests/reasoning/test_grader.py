"""Spec 003, D3: grades are probabilities, so that 0.3 and 0.7 mean something."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from kbtui.domain.evidence import DROP_THRESHOLD, GENERATE_THRESHOLD, Hit
from kbtui.domain.explanation import reasons
from kbtui.domain.routing import SubQuestion, Translated
from kbtui.errors import EmbeddingError
from kbtui.reasoning.offline import OfflineReasoner, offline_reasoner
from kbtui.reasoning.offline.features import NAMES
from kbtui.reasoning.offline.grader import MAX_ENCODED
from tests.reasoning.conftest import FILES, Lines, WordEmbedder, hit

Ask = Callable[[str], SubQuestion]
ALL = tuple(FILES)


def test_the_passage_that_answers_is_kept_and_the_others_are_dropped(reasoner: OfflineReasoner, question: Ask) -> None:
    scores = dict(
        zip(ALL, reasoner.grader.grade(question("what is a circuit breaker?"), [hit(p) for p in ALL]), strict=True)
    )
    assert scores["guides/breaker.md"] >= GENERATE_THRESHOLD
    assert all(score < DROP_THRESHOLD for path, score in scores.items() if path != "guides/breaker.md")


@pytest.mark.parametrize(
    "query", ["what is the boiling point of tungsten?", "who won the world cup", "珠穆朗玛峰有多高"]
)
def test_a_question_the_folder_cannot_answer_keeps_nothing(
    reasoner: OfflineReasoner, question: Ask, query: str
) -> None:
    assert max(reasoner.grader.grade(question(query), [hit(p) for p in ALL])) < DROP_THRESHOLD


def test_what_a_grade_is_made_of_adds_up_to_it(reasoner: OfflineReasoner, question: Ask) -> None:
    asked, hits = question("what is a circuit breaker?"), [hit(path) for path in ALL]
    grades = reasoner.grader.grades(asked, hits)
    assert [grade.score for grade in grades] == reasoner.grader.grade(asked, hits)
    for grade in grades:
        total = sum(reason.adds or 0.0 for reason in reasons(grade.signals) if reason.kind == "grade")
        assert 1 / (1 + math.exp(-total)) == pytest.approx(grade.signals["probability"], abs=0.01)


def test_every_feature_is_explained_in_words() -> None:
    for name in NAMES:
        [reason] = reasons({f"coefficient_{name}": 1.0, f"feature_{name}": 0.5})
        assert " " in reason.label, name


def test_chinese_is_graded_by_its_words_without_the_model(source: Lines, question: Ask) -> None:
    embedder = WordEmbedder()
    scores = offline_reasoner(embedder, source).grader.grade(question("报销款多少天到账？"), [hit("中文/报销.md")])
    assert scores[0] >= GENERATE_THRESHOLD
    assert embedder.encoded == 0


def test_a_term_that_cannot_be_translated_lowers_every_english_passage(
    reasoner: OfflineReasoner, question: Ask
) -> None:
    refund = (Translated(word="退款", names=("refund",)),)
    asked = [replace(question("什么是退款"), translated=refund, translated_share=share) for share in (1.0, 0.5)]
    known, unknown = (reasoner.grader.grade(one, [hit("guides/refunds.md")])[0] for one in asked)
    assert known >= GENERATE_THRESHOLD
    assert unknown < known / 2


def test_a_line_that_states_the_relation_asked_for_is_certain(reasoner: OfflineReasoner, question: Ask) -> None:
    stated = Hit(
        path="peps/pep-0509.rst",
        start_line=12,
        end_line=12,
        text="Superseded-By: 699",
        tool="graph_related",
        signals={"direct": 0.95},
        note="PEP 509 —superseded-by→ PEP 699",
    )
    around = Hit(
        path="peps/pep-0509.rst", start_line=2, end_line=22, text="Title: x\nSuperseded-By: 699", tool="read_file"
    )
    relation, context = reasoner.grader.grade(question("Which PEP superseded PEP 509?"), [stated, around])
    assert relation >= 0.9
    assert context >= GENERATE_THRESHOLD
    asked_otherwise = reasoner.grader.grade(question("what does PEP 509 say about namespaces?"), [stated])
    assert asked_otherwise[0] < DROP_THRESHOLD


def test_a_passage_from_another_document_than_the_one_named_counts_half(
    reasoner: OfflineReasoner, question: Ask
) -> None:
    text = "Type comments are allowed on assignments and on function definitions."
    own = Hit(path="peps/pep-0484.rst", start_line=1, end_line=1, text=text, title="PEP 484")
    other = Hit(path="peps/pep-0777.rst", start_line=1, end_line=1, text=text, title="PEP 777")
    scores = reasoner.grader.grade(question("What does PEP 484 say about type comments?"), [own, other])
    assert scores[0] > 1.5 * scores[1]


def test_files_keep_the_score_of_the_file_tool(reasoner: OfflineReasoner, question: Ask) -> None:
    found = hit("guides/refunds.md", 1, 1, tool="local_file_qa", score=0.8)
    assert reasoner.grader.grade(question("find files about payback"), [found])[0] >= GENERATE_THRESHOLD


def test_the_cosine_a_tool_brought_is_used_and_few_passages_are_encoded(source: Lines, question: Ask) -> None:
    embedder = WordEmbedder()
    grader = offline_reasoner(embedder, source).grader
    low, high = (
        grader.grade(question("how do refunds work"), [hit("guides/refunds.md", signals={"cosine": c})])[0]
        for c in (0.1, 0.8)
    )
    assert low < high
    assert embedder.encoded == 0
    grader.grade(question("how do refunds work"), [hit("guides/refunds.md", start) for start in (1, 2, 3)] * 9)
    assert embedder.encoded == MAX_ENCODED


def test_grading_goes_on_without_a_model(source: Lines, question: Ask) -> None:
    def broken() -> WordEmbedder:
        raise EmbeddingError("no model")

    for reasoner in (offline_reasoner(broken, source), offline_reasoner(None, source)):
        assert reasoner.grader.grade(question("what is a circuit breaker?"), [hit("guides/breaker.md")])[0] >= 0.7


def test_there_is_one_score_for_each_hit_in_order_and_all_are_probabilities(
    reasoner: OfflineReasoner, question: Ask
) -> None:
    scores = reasoner.grader.grade(question("refunds"), [hit(p) for p in ALL])
    assert len(scores) == len(ALL)
    assert all(0 <= score <= 1 for score in scores)
    assert reasoner.grader.grade(question("refunds"), []) == []
