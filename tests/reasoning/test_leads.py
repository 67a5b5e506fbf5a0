"""Who asks what something is reads first how the document of that name begins."""

from __future__ import annotations

from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.ports import CancelToken, WritingBrief
from kbtui.domain.routing import RetrievalHint
from kbtui.reasoning.offline import offline_reasoner
from tests.reasoning.conftest import Lines

MATCHING = """Author: Somebody Else

Background noise of the page that stands before anything else here.

## Abstract

Pattern matching picks values apart by their shape. It is a statement with cases.

## Details

Pattern matching with pattern matching helps where pattern matching is used.
"""
TEMPLATES = """# Templates

Iterating over templates with pattern matching is the expected practice of pattern matching.
"""
FILES = {"matching.md": MATCHING, "templates.md": TEMPLATES}


def asked(query: str, title: str = "Pattern matching") -> WrittenAnswer:
    source = Lines(dict(FILES))
    reasoner = offline_reasoner(None, source)
    routing = reasoner.router.route(query, RetrievalHint())
    intent = routing.plan.sub_questions[0].semantic_intent
    details = Hit(path="matching.md", start_line=11, end_line=11, text=MATCHING.split("\n")[10], title=title)
    other = Hit(path="templates.md", start_line=3, end_line=3, text=TEMPLATES.split("\n")[2], title="Templates")
    evidence = tuple(
        Evidence(evidence_id=f"e{n}", hit=hit, sub_question=intent, score=score, kept=True)
        for n, (hit, score) in enumerate([(other, 0.99), (details, 0.8)])
    )
    brief = WritingBrief(query=query, routing=routing, evidence=evidence)
    return reasoner.writer.write(brief, lambda _: None, CancelToken())


def test_the_introduction_of_the_document_with_that_name_comes_first() -> None:
    written = asked("what is pattern matching?")
    assert written.markdown.startswith("Pattern matching picks values apart by their shape. It is a statement")
    first = written.citations[0]
    assert (first.path, first.start_line, first.end_line) == ("matching.md", 7, 7)
    assert first.quote == MATCHING.split("\n")[6]


def test_what_others_say_beside_it_is_left_out() -> None:
    assert {citation.path for citation in asked("what is pattern matching?").citations} == {"matching.md"}


def test_without_a_document_of_that_name_the_best_passage_answers() -> None:
    written = asked("what is pattern matching?", title="A tale of many other things entirely")
    assert written.citations
    assert "picks values apart" not in written.markdown


def test_a_question_for_a_detail_is_not_answered_by_the_introduction() -> None:
    assert "picks values apart" not in asked("where is pattern matching used?").markdown
