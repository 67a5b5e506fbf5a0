"""Passages in a prompt: best first, none twice, numbered lines that stay right, within the budget."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kbtui.domain.evidence import Evidence, Hit
from kbtui.reasoning.llm.context import MAX_CHARS, MAX_ITEMS, MIN_CHARS, assemble, cut, estimate_tokens, merge_overlaps

NONCE = "a1b2c3d4e5f6"
PAGE = [f"line {number} of the page says {number * 7}." for number in range(1, 201)]
LONG = [f"{line} {'and some more words ' * 6}" for line in PAGE]


def hit(start: int, end: int, path: str = "a.md", lines: list[str] = PAGE, **more: object) -> Hit:
    return Hit(path=path, start_line=start, end_line=end, text="\n".join(lines[start - 1 : end]), **more)  # type: ignore[arg-type]


def evidence(*hits: Hit, scores: tuple[float, ...] = ()) -> list[Evidence]:
    given_scores = scores or tuple(1.0 - 0.01 * number for number in range(len(hits)))
    return [
        Evidence(evidence_id=f"e{number}", hit=one, sub_question="q", score=score, kept=True)
        for number, (one, score) in enumerate(zip(hits, given_scores, strict=True))
    ]


def shown(items: list[Evidence], budget: int = 6000) -> list[tuple[str, int, int]]:
    return [
        (one.path, one.start_line, one.end_line)
        for _, one in assemble(items, budget_tokens=budget, nonce=NONCE).sources
    ]


def verbatim(one: Hit, lines: list[str] = PAGE) -> bool:
    return one.text == "\n".join(lines[one.start_line - 1 : one.end_line])


def test_the_best_comes_first_and_numbers_run_from_one() -> None:
    items = evidence(hit(1, 3, "a.md"), hit(1, 3, "b.md"), hit(1, 3, "c.md"), scores=(0.4, 0.9, 0.7))
    context = assemble(items, budget_tokens=6000, nonce=NONCE)
    assert [(number, one.path) for number, one in context.sources] == [(1, "b.md"), (2, "c.md"), (3, "a.md")]
    assert re.findall(r'<passage id="(\d)" path="(\w\.md)" lines="1-3"', context.text) == [
        ("1", "b.md"),
        ("2", "c.md"),
        ("3", "a.md"),
    ]
    assert context.left_out == 0


def test_title_and_headings_are_no_text_that_could_be_cited() -> None:
    one = hit(5, 6, title="The page", heading_path=("Part", "Section"), note="PEP 1 ← replaces ← PEP 2")
    block = assemble(evidence(one), budget_tokens=6000, nonce=NONCE).text
    opening, rest = block.split("\n", 1)
    assert 'title="The page" section="Part &gt; Section" relation="PEP 1 ← replaces ← PEP 2"' in opening
    assert rest == f'[SOURCE:a.md:L5] {PAGE[4]}\n{PAGE[5]}\n</passage key="{NONCE}">'


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (hit(1, 10), hit(1, 10), [(1, 10)]),
        (hit(1, 10), hit(4, 6), [(1, 10)]),
        (hit(4, 6), hit(1, 10), [(1, 10)]),
        (hit(1, 10), hit(8, 14), [(1, 14)]),
        (hit(8, 14), hit(1, 10), [(1, 14)]),
        (hit(1, 4), hit(5, 8), [(1, 8)]),
        (hit(1, 4), hit(6, 8), [(1, 4), (6, 8)]),
    ],
)
def test_what_overlaps_or_touches_is_one_passage(first: Hit, second: Hit, expected: list[tuple[int, int]]) -> None:
    joined = merge_overlaps([first, second])
    assert [(one.start_line, one.end_line) for one in joined] == expected
    assert all(verbatim(one) for one in joined)


def test_a_passage_between_two_others_joins_all_three_where_the_best_stood() -> None:
    joined = merge_overlaps([hit(1, 5), hit(1, 2, "b.md"), hit(9, 12), hit(5, 9, matched_lines=(7,))])
    assert [(one.path, one.start_line, one.end_line) for one in joined] == [("a.md", 1, 12), ("b.md", 1, 2)]
    assert joined[0].matched_lines == (7,)
    assert verbatim(joined[0])


def test_what_would_be_too_long_together_shares_no_line() -> None:
    joined = merge_overlaps([hit(1, 12, lines=LONG), hit(9, 20, lines=LONG)])
    assert [(one.start_line, one.end_line) for one in joined] == [(1, 12), (13, 20)]
    assert all(verbatim(one, LONG) for one in joined)


def test_what_is_joined_to_one_passage_shares_no_line_with_a_better_one() -> None:
    joined = merge_overlaps([hit(1, 12, lines=LONG), hit(15, 20, lines=LONG), hit(9, 16, lines=LONG)])
    assert [(one.start_line, one.end_line) for one in joined] == [(1, 12), (13, 20)]


def test_a_stated_relation_stays_a_passage_of_its_own() -> None:
    joined = merge_overlaps([hit(1, 10), hit(4, 4, note="A ← replaces ← B")])
    assert [(one.start_line, one.end_line) for one in joined] == [(1, 10), (4, 4)]


def test_passages_that_disagree_about_a_line_are_not_joined() -> None:
    changed = hit(4, 6, lines=[line.upper() for line in PAGE])
    assert len(merge_overlaps([hit(1, 5), changed])) == 2


def test_parts_of_one_long_line_are_not_taken_for_each_other() -> None:
    first = Hit(path="a.md", start_line=3, end_line=3, text="The first sentence.")
    second = Hit(path="a.md", start_line=3, end_line=3, text="Another sentence.")
    assert {one.text for one in merge_overlaps([first, second, first])} == {first.text, second.text}


def test_a_passage_is_cut_at_line_borders_around_what_matched() -> None:
    one = cut(hit(1, 200, matched_lines=(150, 199)))
    assert len(one.text) <= MAX_CHARS
    assert one.start_line <= 150 <= one.end_line
    assert verbatim(one)
    assert one.matched_lines == (150,)
    assert (cut(hit(1, 200)).start_line, verbatim(cut(hit(1, 200)))) == (1, True)


def test_of_one_line_that_is_too_long_the_beginning_is_shown_at_a_word() -> None:
    line = "word " * 1000
    one = cut(Hit(path="a.md", start_line=7, end_line=7, text=line))
    assert (one.start_line, one.end_line) == (7, 7)
    assert line.startswith(one.text)
    assert MAX_CHARS - 10 < len(one.text) <= MAX_CHARS
    assert one.text.endswith("word")


def test_not_more_than_ten_passages_are_shown_and_the_rest_is_counted() -> None:
    context = assemble(evidence(*(hit(1, 2, f"{n}.md") for n in range(14))), budget_tokens=60_000, nonce=NONCE)
    assert (len(context.sources), context.left_out) == (MAX_ITEMS, 4)


def test_of_the_first_passage_that_does_not_fit_the_beginning_is_shown() -> None:
    context = assemble(evidence(hit(1, 40), hit(1, 40, "b.md")), budget_tokens=700, nonce=NONCE)
    assert [one.path for _, one in context.sources] == ["a.md", "b.md"]
    assert context.sources[0][1].end_line == 40
    assert MIN_CHARS <= len(context.sources[1][1].text) < len(context.sources[0][1].text)
    assert verbatim(context.sources[1][1])
    assert context.tokens <= 700


def test_without_room_or_items_there_is_nothing() -> None:
    assert assemble(evidence(hit(1, 40)), budget_tokens=10, nonce=NONCE).left_out == 1
    empty = assemble([], budget_tokens=6000, nonce=NONCE)
    assert (empty.text, empty.sources, empty.left_out, empty.tokens) == ("", (), 0, 0)


RANGES = st.lists(
    st.tuples(st.integers(1, 60), st.integers(0, 40), st.sampled_from("ab"), st.floats(0, 1)), max_size=12
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(RANGES, st.integers(0, 3000), st.booleans())
def test_every_source_is_the_lines_it_says_once_and_within_the_budget(
    ranges: list[tuple[int, int, str, float]], budget: int, long: bool
) -> None:
    lines = LONG if long else PAGE
    hits = [hit(start, start + more, f"{name}.md", lines) for start, more, name, _ in ranges]
    context = assemble(evidence(*hits, scores=tuple(r[3] for r in ranges)), budget_tokens=budget, nonce=NONCE)
    seen: set[tuple[str, int]] = set()
    for number, (n, one) in enumerate(context.sources, 1):
        assert n == number
        # Of a line that is too long for what room is left, its beginning.
        assert verbatim(one, lines) or (
            one.start_line == one.end_line and lines[one.start_line - 1].startswith(one.text)
        )
        assert len(one.text) <= MAX_CHARS
        places = {(one.path, line) for line in range(one.start_line, one.end_line + 1)}
        assert not places & seen
        seen |= places
    assert context.tokens == estimate_tokens(context.text) <= max(budget, 0)


def test_tokens_are_estimated_for_words_code_and_chinese_alike() -> None:
    """Against the tokeniser of the bundled model, which is installed with it; ``len / 4`` is out by four in Chinese."""
    from tokenizers import Tokenizer

    from kbtui.knowledge.embedding.model_files import FOLDER

    tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    tokenizer.no_truncation()
    for text in (ENGLISH, CODE, CHINESE):
        counted = len(tokenizer.encode(text, add_special_tokens=False).ids)
        assert 0.85 * counted <= estimate_tokens(text) <= 1.2 * counted


ENGLISH = (
    "Roll back when the error rate stays above two percent for five minutes; announce it in the channel first. The "
    "migration that follows never breaks the version that runs, and every configuration is reviewed by somebody else. "
) * 4
CODE = (
    "def retry_limit(settings: Settings, *, attempts: int = 5) -> int:\n    if settings.max_retries is None:\n"
    "        return min(attempts, MAX_RETRIES)\n    return settings.max_retries  # as configured\n"
) * 4
CHINESE = "值班每周三上午十点交接，白天收到告警后十分钟内回应；回滚之前先在频道里通知，错误率超过百分之二时回滚。" * 6
