"""Spec 003, D4: what an answer looks like, and that every citation holds."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.ports import CancelToken, WritingBrief
from kbtui.domain.routing import RetrievalHint
from kbtui.errors import Cancelled
from kbtui.reasoning.offline import OfflineReasoner, offline_reasoner
from kbtui.records.asking import RecordsReader
from kbtui.records.collection import Collection
from tests.reasoning.conftest import FILES, Lines, hit
from tests.records.folders import files, links

Answers = Callable[..., WrittenAnswer]
ALL = tuple(hit(path) for path in FILES)


def holds(written: WrittenAnswer, files: dict[str, str] | None = None) -> None:
    """Every citation resolves, every mark has one, and the footer names them in order."""
    body, _, footer = written.markdown.partition("\n\n---\n")
    assert [c.n for c in written.citations] == list(range(1, len(written.citations) + 1))
    assert footer.split("\n") == [f"[{c.n}] {c.label}" for c in written.citations]
    marks = {int(mark) for mark in re.findall(r"\[(\d+)\](?=\s|$)", body)}
    assert marks == {c.n for c in written.citations}
    for citation in written.citations:
        lines = (files or FILES)[citation.path or ""].split("\n")
        assert citation.start_line is not None
        assert citation.end_line is not None
        assert citation.quote == "\n".join(lines[citation.start_line - 1 : citation.end_line])


def test_the_defining_sentence_answers_with_its_lines(answer: Answers) -> None:
    written = answer("what is a circuit breaker?", *ALL)
    assert written.outcome == "answered"
    assert written.markdown.startswith(
        "A circuit breaker is a switch that stops calls to a service that keeps failing."
    )
    assert "[1] guides/breaker.md:L3-L4" in written.markdown
    holds(written)


def test_a_side_of_a_comparison_that_nothing_speaks_of_is_said_to_be_missing(answer: Answers) -> None:
    written = answer("breaker or zeppelin for calls to a service that keeps failing?", *ALL)
    assert "**zeppelin**\n\nNothing found for this part. I searched for: `zeppelin`." in written.markdown
    assert "**breaker**\n\nNothing" not in written.markdown
    holds(written)


def test_numbers_follow_the_order_of_appearance(answer: Answers) -> None:
    written = answer("what is MAX_RETRIES?", *ALL)
    first_seen = list(dict.fromkeys(re.findall(r"\[(\d+)\](?=\s|$)", written.markdown.partition("\n\n---\n")[0])))
    assert first_seen == [str(n) for n in range(1, len(first_seen) + 1)]
    holds(written)


def test_a_sentence_that_announces_a_list_brings_it(answer: Answers) -> None:
    written = answer("when are calls let through again?", *ALL)
    assert "- the pause of 30 seconds is over" in written.markdown
    assert "- a probe has succeeded" in written.markdown
    holds(written)


def test_who_asks_how_gets_every_numbered_step(answer: Answers) -> None:
    written = answer("how do I hand over the pager?", *ALL)
    steps = ["Write down what broke.", "Say what is still fragile.", "Swap the numbers in the console."]
    places = [written.markdown.find(step) for step in steps]
    assert places == sorted(places)
    assert min(places) > 0
    holds(written)


def test_what_only_repeats_the_question_is_no_answer(answer: Answers) -> None:
    written = answer("how do I hand over the pager?", *ALL)
    assert "Hand over the pager" not in written.markdown
    assert "guides/index.md" not in {citation.path for citation in written.citations}


def test_an_exact_question_shows_the_definition_and_the_other_places(answer: Answers) -> None:
    written = answer("where is MAX_RETRIES defined?", *ALL)
    assert written.outcome == "answered"
    assert "MAX_RETRIES = 5" in written.markdown
    assert "`config/limits.py:5`" in written.markdown or "`notes/limits.md:5`" in written.markdown
    assert {c.path for c in written.citations} == {"config/limits.py", "notes/limits.md"}
    holds(written)


def test_each_part_has_its_heading_and_the_one_without_evidence_says_so(answer: Answers) -> None:
    written = answer("what is a circuit breaker and how high is the moon?", *ALL, only="breaker")
    assert written.outcome == "partial"
    assert "**What is a circuit breaker**" in written.markdown
    assert "Nothing found for this part. I searched for: `high`, `moon`." in written.markdown
    assert written.unsupported == ("How high is the moon?",)
    holds(written)


def test_what_stands_under_one_part_is_not_repeated_under_the_next(answer: Answers) -> None:
    written = answer("What is handed over with the pager? How do I hand over the pager?", *ALL)
    body = written.markdown.partition("\n\n---\n")[0]
    shown = [line for line in body.split("\n") if line and not line.startswith("**")]
    assert len(shown) == len(set(shown))
    second = body.partition("**How do I hand over the pager?**")[2].strip()
    assert second.startswith("Said above: [")
    assert "- Swap the numbers in the console." in body
    holds(written)


def test_a_part_that_records_state_is_answered_with_their_lines(answer: Answers) -> None:
    reader = RecordsReader(Collection(links()))
    query = "Which tickets does BIKE-3 block and what is a circuit breaker?"
    reasoner = offline_reasoner(None, Lines(FILES | files()), records=lambda part, *_: reader.read(part))
    routing = reasoner.router.route(query, RetrievalHint())
    brief = WritingBrief(query=query, routing=routing)
    written = reasoner.writer.write(brief, lambda _event: None, CancelToken())
    assert "BIKE-3 blocks:\n\n- **BIKE-5** — Brake squeals [1]" in written.markdown
    assert written.unsupported == (routing.plan.sub_questions[1].semantic_intent,)
    holds(written, FILES | files())


def test_a_file_question_is_answered_with_files_and_a_line_about_each(answer: Answers) -> None:
    found = [hit(path, 3, 3, tool="local_file_qa", score=0.8) for path in ("guides/breaker.md", "guides/refunds.md")]
    written = answer("find files about failing payments", *found)
    assert "- `guides/breaker.md` — Circuit breakers — A circuit breaker is a switch" in written.markdown
    assert "- `guides/refunds.md` — Refunds — Refunds are paid within 14 days. [2]" in written.markdown
    holds(written)


@pytest.mark.parametrize(("query", "words"), [("hello!", "Hello!"), ("你好", "你好！"), ("thanks", "You're welcome!")])
def test_small_talk_is_answered_briefly_and_cites_nothing(answer: Answers, query: str, words: str) -> None:
    written = answer(query)
    assert (written.outcome, written.citations) == ("answered", ())
    assert written.markdown.startswith(words)
    assert written.suggestions


def test_nothing_found_says_what_was_searched_for(answer: Answers) -> None:
    written = answer("what is the boiling point of tungsten?")
    assert (written.outcome, written.citations) == ("not_found", ())
    assert all(f"`{term}`" in written.markdown for term in ("boiling", "point", "tungsten"))
    chinese = answer("钨的沸点是多少？")
    assert chinese.markdown.startswith("这个文件夹里没有找到")
    assert "`沸点`" in chinese.markdown


def test_a_chinese_question_is_answered_from_chinese_text(answer: Answers) -> None:
    written = answer("报销流程是什么？", *ALL)
    assert "员工先填写报销单，再由主管审批。" in written.markdown
    holds(written)


def test_the_same_evidence_gives_the_same_words(answer: Answers) -> None:
    assert answer("what is a circuit breaker?", *ALL) == answer("what is a circuit breaker?", *reversed(ALL))


def test_two_copies_of_a_document_are_quoted_once(answer: Answers, source: Lines) -> None:
    source.files["copy/refunds.md"] = FILES["guides/refunds.md"]
    original = hit("guides/refunds.md")
    copy = Hit(path="copy/refunds.md", start_line=1, end_line=4, text=original.text, title="Refunds")
    written = answer("when are refunds paid?", original, copy)
    assert written.markdown.count("paid within 14 days") == 1


def test_text_of_documents_cannot_break_the_answer() -> None:
    nasty = "# Alarm\n\n# not a heading\nThe alarm rings \x1b[31mloud\x1b[0m at <b>noon</b> for :pep:`484`, see [1] and [x](http://a.b/c).\n"
    files = {"a.md": nasty}
    lines = nasty.split("\n")
    found = Hit(path="a.md", start_line=1, end_line=4, text="\n".join(lines[:4]), title="Alarm")
    written = offline_answer(Lines(files), "when does the alarm ring?", found)
    body = written.markdown.partition("\n\n---\n")[0]
    assert "The alarm rings loud at noon for PEP 484, see and x." in body
    assert "\x1b" not in written.markdown
    holds(written, files)


def test_a_file_that_changed_is_cited_as_stale(answer: Answers, source: Lines) -> None:
    found = hit("guides/refunds.md")
    source.files["guides/refunds.md"] = FILES["guides/refunds.md"].replace("14 days", "21 days")
    written = answer("when are refunds paid?", found)
    assert [c.stale for c in written.citations] == [True]
    assert "21 days" in (written.citations[0].quote or "")


def test_a_file_that_is_gone_is_quoted_from_the_hit(answer: Answers, source: Lines) -> None:
    found = hit("guides/refunds.md")
    del source.files["guides/refunds.md"]
    written = answer("when are refunds paid?", found)
    assert "paid within 14 days" in written.markdown
    assert [c.stale for c in written.citations] == [True]


def test_a_cancelled_run_writes_no_more(reasoner: OfflineReasoner) -> None:
    cancel = CancelToken()
    cancel.cancel()
    routing = reasoner.router.route("what is a circuit breaker?", RetrievalHint())
    evidence = Evidence(evidence_id="e1", hit=ALL[0], sub_question="what is a circuit breaker?", score=0.9, kept=True)
    with pytest.raises(Cancelled):
        reasoner.writer.write(
            WritingBrief(query="what is a circuit breaker?", routing=routing, evidence=(evidence,)), print, cancel
        )


def offline_answer(source: Lines, query: str, *hits: Hit) -> WrittenAnswer:
    """The answer to a question of one part over files that are not the shared ones."""
    reasoner = offline_reasoner(None, source)
    routing = reasoner.router.route(query, RetrievalHint())
    (part,) = routing.plan.sub_questions
    scores = reasoner.grader.grade(part, hits)
    assert min(scores) >= 0.3
    evidence = tuple(
        Evidence(evidence_id=f"e{i}", hit=one, sub_question=part.semantic_intent, score=score, kept=True)
        for i, (one, score) in enumerate(zip(hits, scores, strict=True))
    )
    return reasoner.writer.write(
        WritingBrief(query=query, routing=routing, evidence=evidence), lambda _event: None, CancelToken()
    )


def test_of_a_long_block_of_code_only_the_lines_around_the_answer_are_shown() -> None:
    body = [f"    step_{number}()" for number in range(40)]
    body[30] = "    total = compute_average(scores)"
    code = "\n".join(["def run():", *body, ""])
    found = Hit(path="run.py", start_line=1, end_line=41, text=code, title="run.py")
    files = {"run.py": code}
    written = offline_answer(Lines(files), "how is the compute_average of scores called in run.py?", found)
    assert "compute_average(scores)" in written.markdown
    assert "step_2()" not in written.markdown
    holds(written, files)


def test_what_a_document_is_is_answered_with_how_it_begins() -> None:
    text = "id: HL-7\nstatus: open\n\n# HL-7: Doors stay open\n\n"
    text += "Doors of lockers stay open after a restart. It began in May.\n"
    files = {"tickets/HL-7.md": text, "notes/may.md": "HL-7 was talked about, and HL-7 is not urgent for now.\n"}
    hits = [
        Hit(
            path=path,
            start_line=1,
            end_line=len(body.split("\n")) - 1,
            text=body.rstrip("\n"),
            tool="grep_search",
            title=title,
        )
        for (path, body), title in zip(files.items(), ("HL-7: Doors stay open", "May"), strict=True)
    ]
    written = offline_answer(Lines(files), "what is HL-7 about?", *hits)
    assert written.markdown.startswith("Doors of lockers stay open after a restart. It began in May. [1]")
    holds(written, files)
