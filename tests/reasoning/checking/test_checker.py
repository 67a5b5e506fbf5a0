from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, EmbeddingError
from kbtui.reasoning.checking import AnswerChecker, Source
from kbtui.reasoning.checking.draft import draft
from kbtui.reasoning.citing import Citations
from kbtui.text.terminal import clean
from tests.reasoning.checking.conftest import Check, Lines, sources


def test_a_right_mark_stays_on_the_narrowest_lines(check: Check) -> None:
    checked, citations = check("Backups are kept for 35 days [2].")
    assert checked.markdown == "Backups are kept for 35 days [1]."
    assert [(c.path, c.start_line, c.end_line) for c in citations.all] == [("ops/backup.md", 2, 2)]
    assert (checked.claims, checked.supported, checked.unsupported, checked.corrections) == (1, 1, (), ())


def test_a_mark_on_the_wrong_source_is_moved_to_the_one_that_says_it(check: Check) -> None:
    checked, citations = check("Backups are kept for 35 days [1].")
    assert checked.markdown == "Backups are kept for 35 days [1]."
    assert citations.all[0].path == "ops/backup.md"
    assert checked.corrections == (
        "“Backups are kept for 35 days.” does not rest on deploy.md; it rests on ops/backup.md:L2.",
    )


def test_an_item_that_cites_a_field_of_its_document_is_not_given_the_title_of_it_instead() -> None:
    header = "id: TK-7\ntitle: Doors freeze in the cold\nstatus: open"

    class Files:
        def lines(self, path: str) -> Sequence[str]:
            return header.split("\n")

    note = "TK-7: Doors freeze in the cold: status open"
    field = Hit(
        path="TK-7.md", start_line=3, end_line=3, text="status: open", title="TK-7", heading_path=(note,), note=note
    )
    citations = Citations(Files())
    answer = "One ticket is open:\n\n- TK-7: Doors freeze in the cold [1]"
    checked = AnswerChecker(lambda: None).check(answer, [Source(n=1, hit=field)], citations, CancelToken())
    assert checked.doubts == ()
    assert [(one.path, one.start_line, one.end_line) for one in citations.all] == [("TK-7.md", 3, 3)]


def test_a_mark_that_does_not_exist_is_replaced_by_what_the_sentence_rests_on(check: Check) -> None:
    checked, citations = check("Backups are kept for 35 days [9].")
    assert checked.markdown == "Backups are kept for 35 days [1]."
    assert citations.all[0].start_line == 2
    assert checked.corrections == (
        "“Backups are kept for 35 days.” cites a text that does not exist; it rests on ops/backup.md:L2.",
    )


def test_a_wrong_number_is_not_believed(check: Check) -> None:
    checked, _ = check("Backups are kept for 90 days [2].")
    assert checked.unsupported == ("Backups are kept for 90 days.",)
    assert "[?]" in checked.markdown
    assert checked.supported == 0


def test_a_sentence_without_a_mark_gets_the_source_that_bears_it_out(check: Check) -> None:
    checked, citations = check("Deploys need two approvals from the platform team.")
    assert checked.markdown == "Deploys need two approvals from the platform team. [1]"
    assert citations.all[0].start_line == 1


def test_a_sentence_nobody_bears_out_is_marked(check: Check) -> None:
    checked, _ = check("The cafeteria serves noodles on Friday evenings.")
    assert checked.markdown == "The cafeteria serves noodles on Friday evenings. [?]"


def test_chinese_is_checked_too(check: Check) -> None:
    right, _ = check("值班每周三上午10点交接【3】。")
    assert right.markdown == "值班每周三上午10点交接[1]。"
    wrong, _ = check("值班每周三上午11点交接【3】。")
    assert len(wrong.unsupported) == 1


def test_sources_the_model_renumbered_are_read_from_its_own_list(check: Check) -> None:
    checked, citations = check("Backups are kept for 35 days [1].\n\nSources:\n[1] ops/backup.md\n")
    assert checked.markdown == "Backups are kept for 35 days [1]."
    assert citations.all[0].path == "ops/backup.md"
    assert checked.corrections == ()


def test_items_take_the_mark_of_their_lead_in(check: Check) -> None:
    checked, citations = check("About backups [2]:\n\n- Kept for 35 days\n- Restoring takes 40 minutes\n")
    assert checked.unsupported == ()
    assert checked.markdown.split("\n")[2:] == ["- Kept for 35 days [1]", "- Restoring takes 40 minutes [2]"]
    assert [citation.start_line for citation in citations.all] == [2, 3]


def test_what_claims_nothing_is_left_alone(check: Check) -> None:
    text = (
        "# Backups\n\nSure! Here is what I found:\n\nI could not find how long a restore is announced before. "
        "The sources do not mention the price. Would you like to know more?"
    )
    checked, _ = check(text)
    assert (checked.markdown, checked.claims, checked.unsupported) == (text, 0, ())


def test_code_is_kept_and_looked_for(check: Check) -> None:
    checked, _ = check("Run this:\n\n```sh\ndeploy pin\n```\n\nThen:\n\n```sh\nrm --everything --now a[1]\n```\n")
    assert "```sh\nrm --everything --now a[1]\n```" in checked.markdown
    assert checked.unsupported == ("rm --everything --now a[1]",)


def test_one_number_stands_for_one_run_of_lines(check: Check) -> None:
    checked, citations = check("Backups are kept for 35 days [2]. Backups are kept for 35 days [2].")
    assert checked.markdown.count("[1]") == 2
    assert len(citations.all) == 1


def test_a_number_taken_from_beside_is_not_believed(check: Check) -> None:
    checked, _ = check("Restoring a backup takes 35 minutes and never needs downtime [2].")
    assert len(checked.unsupported) == 1


def test_several_sources_may_bear_one_sentence_out(check: Check) -> None:
    checked, citations = check(
        "Deploys need two approvals from the platform team, and backups are kept for 35 days [1][2]."
    )
    assert checked.unsupported == ()
    assert {citation.path for citation in citations.all} == {"deploy.md", "ops/backup.md"}


def test_hidden_characters_do_not_reach_the_screen(check: Check) -> None:
    checked, _ = check("Backups are \u202ekept\x1b[31m for 35 \u200bdays [2].")
    assert checked.markdown == "Backups are kept for 35 days [1]."


def test_pages_of_the_web_are_cited_as_they_were_fetched() -> None:
    hit = Hit(path="https://a.example/p", start_line=1, end_line=1, text="The valve opens at 80 degrees.")
    citations = Citations(Lines())
    checked = AnswerChecker(lambda: None).check(
        "The valve opens at 80 degrees [1].", [Source(n=1, hit=hit)], citations, CancelToken()
    )
    assert checked.unsupported == ()
    assert (citations.all[0].url, citations.all[0].stale) == ("https://a.example/p", False)


def test_without_sources_every_claim_is_unsupported() -> None:
    checked = AnswerChecker(lambda: None).check("Deploys need two approvals [1].", [], Citations(None), CancelToken())
    assert checked.markdown == "Deploys need two approvals. [?]"
    assert checked.corrections == ("“Deploys need two approvals.” cites a text that does not exist.",)


def test_an_english_answer_on_chinese_lines_rests_on_its_numbers(check: Check) -> None:
    right, _ = check("Duty changes every Wednesday at 10:00 [3].")
    assert right.unsupported == ()
    wrong, _ = check("Duty changes every Wednesday at 17:00 [3].")
    assert len(wrong.unsupported) == 1


def test_a_run_that_was_cancelled_stops() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        AnswerChecker(lambda: None).check("Deploys need two approvals [1].", sources(), Citations(Lines()), token)


def test_a_broken_model_leaves_the_check_to_words() -> None:
    def broken() -> None:
        raise EmbeddingError("The model is gone.")

    checked = AnswerChecker(broken).check(
        "Backups are kept for 35 days [2].", sources(), Citations(Lines()), CancelToken()
    )
    assert checked.supported == 1


PIECES = st.sampled_from(
    [
        *("[1]", "[^2]", "【3†a】", "[1-3]", "(see [2])", "[SOURCE:a.md:L3]", "[?]", "Sources:", "](x)", "[", "]"),
        *("```", "`", "\n", "\n\n", "- ", "| a | b |", "|---|---|", "# ", "> ", "***", ". ", "。"),
        *("Backups are kept for 35 days", "值班每周三"),
    ]
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=40).map("".join)))
def test_no_text_breaks_the_check_and_nothing_but_marks_is_changed(text: str) -> None:
    def words(of: str) -> str:
        return re.sub(r"\[[\d?]+\]|\s", "", of)

    parted = draft(clean(text), frozenset({1, 2, 3}), lambda place: False)
    checked = AnswerChecker(lambda: None).check(text, sources(), Citations(Lines()), CancelToken())
    assert words(checked.markdown) == words(parted.rendered(lambda slot: ""))


@pytest.mark.parametrize(
    "text",
    [
        "Backups are kept for 35 days [2]. " * 2_000,
        "[" * 200_000,
        "[1" + " " * 200_000,
        "a/" * 100_000,
        "`" * 100_000,
        "- [1]\n" * 8_000,
        "来源" * 100_000,
        "|" * 100_000,
        "*a" * 100_000,
        "1,000." * 30_000,
        "Aa " * 60_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_long_answers_are_checked_in_bounded_time(text: str) -> None:
    checked = AnswerChecker(lambda: None).check(text, sources(), Citations(Lines()), CancelToken())
    assert isinstance(checked.markdown, str)


def one_source(text: str, path: str = "a.md") -> tuple[list[Source], Citations]:
    class Held:
        def lines(self, path: str) -> Sequence[str]:
            return text.split("\n")

    hit = Hit(path=path, start_line=1, end_line=len(text.split("\n")), text=text)
    return [Source(n=1, hit=hit)], Citations(Held())


@pytest.mark.parametrize("path", ["weather.md", "finance/salaries.xlsx"])
@pytest.mark.parametrize(
    "sentence", ["Salaries rose by 9 percent [1].", "Salaries rose by 9 percent.", "Salaries rose 9 percent [1]."]
)
def test_a_number_alone_and_a_word_of_a_path_bear_nothing_out(sentence: str, path: str) -> None:
    text = "The weather feed is read from station 9 every minute.\n\n[2] finance/salaries.xlsx:L1-L40"
    given, citations = one_source(text, path)
    checked = AnswerChecker(lambda: None).check(sentence, given, citations, CancelToken())
    assert (checked.supported, len(checked.unsupported)) == (0, 1)


def test_a_number_of_another_measure_is_another_number() -> None:
    given, citations = one_source("Backups of the database are kept for 35 days in Frankfurt.")
    checked = AnswerChecker(lambda: None).check(
        "Backups of the database are kept for 35 minutes in Frankfurt [1].", given, citations, CancelToken()
    )
    assert len(checked.unsupported) == 1


LOG = (
    "2026-03-07T04:00:11+0100 gateway restarted by Ada Novak after the certificate had expired.\n"
    "In August 2025 the gateway had been moved to Frankfurt, and by December the old one was gone."
)


@pytest.mark.parametrize(
    ("sentence", "is_right"),
    [
        ("Ada Novak restarted the gateway on March 7, 2026 at 04:00, after the certificate had expired [1].", True),
        ("Ada Novak restarted the gateway on March 3, 2026 at 04:00, after the certificate had expired [1].", False),
        ("Ada Novak restarted the gateway on July 7, 2026 at 04:00, after the certificate had expired [1].", False),
        ("Ada Novak restarted the gateway on March 7, 2025 at 04:00, after the certificate had expired [1].", False),
        ("Ada Novak restarted the gateway on March 7, 2026 at 05:00, after the certificate had expired [1].", False),
        ("The gateway was moved to Frankfurt in August 2025 [1].", True),
        ("The gateway was moved to Frankfurt in August 2026 [1].", False),
    ],
)
def test_of_a_date_day_month_year_and_time_have_to_agree(sentence: str, is_right: bool) -> None:
    given, citations = one_source(LOG)
    checked = AnswerChecker(lambda: None).check(sentence, given, citations, CancelToken())
    assert checked.supported == is_right


def test_the_lines_that_bear_a_sentence_out_are_found_among_many_sources() -> None:
    held = [f"Station {n} of the tram line has {n + 20} lockers and a kiosk run by Kowalski." for n in range(40)]
    given = [
        Source(n=n, hit=Hit(path=f"{n}.md", start_line=1, end_line=1, text=text)) for n, text in enumerate(held, 1)
    ]
    checked = AnswerChecker(lambda: None).check(
        "Station 31 of the tram line has 51 lockers [3].", given, Citations(None), CancelToken()
    )
    assert checked.supported == 1
    assert checked.corrections == (
        "“Station 31 of the tram line has 51 lockers.” does not rest on 3.md; it rests on 32.md:L1.",
    )


def test_a_name_of_the_question_is_no_invention() -> None:
    given, citations = one_source("On May 10 our prompt generator tool became available in the developer console.")
    sentence = "On May 10 the prompt generator tool of Acmeworks became available in the developer console [1]."
    checker = AnswerChecker(lambda: None)
    assert checker.check(sentence, given, citations, CancelToken()).supported == 0
    assert checker.check(sentence, given, citations, CancelToken(), "What did Acmeworks release?").supported == 1


def test_a_name_that_the_answer_gave_before_is_no_invention_where_the_lines_say_he() -> None:
    given, citations = one_source(
        "The architect went mad and built the house in memory of his daughter, who had drowned in the river."
    )
    checker = AnswerChecker(lambda: None)
    alone = "Kowalski went mad and built the house in memory of his daughter [1]."
    assert checker.check(alone, given, citations, CancelToken()).supported == 0
    told = f"The architect was Kowalski. {alone}"
    assert checker.check(told, given, citations, CancelToken()).supported == 1


def test_a_sentence_without_a_mark_is_never_given_lines_of_several_places(check: Check) -> None:
    # Each half stands in another source: as a citation of both it may stand, made by nobody it may not.
    sentence = "Deploys need two approvals from the platform team, and backups are kept for 35 days"
    cited, _ = check(f"{sentence} [1][2].")
    assert cited.unsupported == ()
    for mark in ("", " [9]", " [1]"):
        checked, citations = check(f"{sentence}{mark}.")
        assert checked.unsupported == (f"{sentence}.",)
        assert checked.markdown.endswith("[?]")
        assert len(citations.all) <= 1


@pytest.mark.parametrize(
    "invented",
    [
        # Words of the sources in a sentence that none of them says.
        "The error rate is announced to the platform team every night.",
        "The last green image is announced to Frankfurt every night.",
        "Backups do not need two approvals from the platform team.",
        "Deploys do not need two approvals from the platform team.",
        "Deploys no longer need two approvals from the platform team.",
        "值班每周三上午十点不交接。",
    ],
)
def test_an_invented_sentence_without_a_mark_is_marked_as_unsupported(check: Check, invented: str) -> None:
    checked, citations = check(f"Backups are kept for 35 days [2].\n\n{invented}")
    assert checked.unsupported == (invented,)
    assert checked.markdown.rstrip().endswith("[?]")
    assert [citation.n for citation in citations.all] == [1]


def test_a_sentence_beside_a_cited_one_needs_as_much_as_one_that_stands_alone(check: Check) -> None:
    checked, _ = check("Backups are kept for 35 days. The region of Frankfurt keeps the database for free [2].")
    assert "Backups are kept for 35 days. [1]" in checked.markdown
    checked, _ = check("Backups of the database are free in the region. Backups are kept for 35 days [2].")
    assert checked.unsupported == ("Backups of the database are free in the region.",)


def test_words_across_languages_are_no_reason_to_give_a_citation(check: Check) -> None:
    said = "Duty changes every Wednesday at 10:00"
    checked, _ = check(f"{said} [3].")
    assert checked.unsupported == ()
    checked, _ = check(f"{said}.")
    assert checked.unsupported == (f"{said}.",)


@pytest.mark.parametrize("text", ["That is 22 %.", "That is 22."])
def test_a_number_alone_is_given_no_line_that_happens_to_hold_it(text: str) -> None:
    head = "PEP: 220\nTitle: Coroutines\nStatus: Rejected\nCreated: 22-Aug-2000"
    citations = Citations(None)
    passages = [Source(n=1, hit=Hit(path="pep-0220.rst", start_line=1, end_line=4, text=head))]
    checked = AnswerChecker(lambda: None).check(text, passages, citations, CancelToken())
    assert "[?]" in checked.markdown
    assert citations.all == ()
