"""What a question says before any schema is looked at."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from kbtui.question.model import Question
from kbtui.question.reader import read


def _read(text: str) -> Question:
    return read(text, today=date(2026, 11, 20))


def _cues(text: str) -> dict[str, str]:
    """Operators by their words; of one that compares or ranks also how."""
    question = _read(text)
    found: dict[str, str] = {}
    for cue in question.cues:
        args: list[Any] = [
            cue.args[key] for key in ("op", "direction", "concept", "unit", "kind", "about") if key in cue.args
        ]
        found[f"{question.words(cue.span)}"] = " ".join(map(str, [cue.op, *args]))
    return found


def test_tokens_are_words_numbers_and_single_characters() -> None:
    question = _read("Didn't shop #12 sell 1,234.50kg of 苹果 in INV-0012?")
    assert [(token.norm, token.kind) for token in question.tokens] == [
        ("didnt", "word"), ("shop", "word"), ("#", "punctuation"), ("12", "number"), ("sell", "word"),
        ("1,234.50", "number"), ("kg", "word"), ("of", "word"), ("苹", "han"), ("果", "han"), ("in", "word"),
        ("inv-0012", "word"), ("?", "punctuation"),
    ]  # fmt: skip


def test_every_token_stands_where_it_says() -> None:
    question = _read("各門店的 “Top 10” ｓａｌｅｓ？")
    assert all(question.text[token.start : token.end] == token.text for token in question.tokens)
    assert [token.norm for token in question.tokens[:3]] == ["各", "门", "店"]


def test_words_that_ask_for_nothing_need_no_account() -> None:
    question = _read("could you please tell me the number of orders by region")
    assert [token.norm for token in question.tokens if token.content] == ["number", "orders", "region"]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("over $1,500", 1500, "USD"), ("5万元以上", 50000, "CNY"), ("more than 10 kg", 10, "kg"),
        ("3 hours", 3, "hour"),
        ("before 10:30 am", Fraction(21, 2), "clock"),
        ("after 2pm", 14, "clock"),
        ("下午三点以后", 15, "clock"),
        ("20%", Fraction(1, 5), "%"), ("超过三十单", 30, "单"), ("twelve people", 12, ""), ("5 in stock", 5, ""),
    ],
)  # fmt: skip
def test_a_number_has_its_unit(text: str, value: Fraction, unit: str) -> None:
    assert [(number.value, number.unit) for number in _read(text).numbers] == [(value, unit)]


def test_a_chinese_one_before_a_measure_word_is_an_article() -> None:
    assert _read("一本书平均借多少天").numbers == ()
    assert [number.value for number in _read("只有一本的读者").numbers] == [1]
    assert [(number.value, number.unit) for number in _read("more than an hour late").numbers] == [(1, "hour")]
    assert _read("tickets a year").numbers == ()


def test_a_character_inside_a_word_is_no_function_word() -> None:
    content = {token.norm for token in _read("会员还书的时间").tokens if token.content}
    assert content == {"会", "员", "还", "书", "时", "间"}


def test_a_number_that_is_a_word_of_an_operator_is_none() -> None:
    assert _read("products, cheapest first").numbers == ()
    assert _read("周一的订单").numbers == ()


@pytest.mark.parametrize(
    "text",
    ["tours at each stage (booked, over 5 etc)", "tours by guide (e.g. last year)", "各阶段的团数(比如去年的、已结束)"],
)
def test_examples_in_brackets_restrict_nothing(text: str) -> None:
    question = _read(text)
    opening = next(at for at, token in enumerate(question.tokens) if token.text in "(（")
    assert not any(token.content for token in question.tokens[opening:])
    assert (question.periods, question.numbers, question.asides) == ((), (), ())


def test_a_bracket_without_examples_says_more_of_what_stands_before_it() -> None:
    question = _read("quiet tours (under 5 guests)")
    assert [question.words(aside) for aside in question.asides] == ["under 5 guests"]
    assert [number.value for number in question.numbers] == [5]


def test_a_light_verb_says_what_it_needs_and_is_content_still() -> None:
    for text, word in (("guides that take most tours", "take"), ("每个导游平均接了多少团", "接")):
        question = _read(text)
        needs = {question.words(cue.span): cue.args.get("needs") for cue in question.cues if cue.op == "ignore"}
        assert needs[word] == "event"
        assert word in {token.text for token in question.tokens if token.content}


def test_a_light_word_is_kept_beside_an_operator_of_the_same_words() -> None:
    needs = {cue.args.get("needs") for cue in _read("九月的团数比八月多吗").cues if cue.op == "ignore"}
    assert "groups" in needs


def test_a_classifier_is_light_behind_a_number_and_a_word_elsewhere() -> None:
    def light(text: str) -> set[str]:
        question = _read(text)
        return {question.words(cue.span) for cue in question.cues if cue.args.get("needs") == "any"}

    assert "户" in light("有几户没交")
    assert "户" not in light("户型是什么")


def test_words_that_only_look_like_an_operator_are_none() -> None:
    assert _cues("last name and first name") == {"and": "and"}
    assert "请" not in _cues("谁请假了")
    assert [token.norm for token in _read("谁请假了").tokens if token.content] == ["请", "假"]


def test_quoted_text_is_a_literal() -> None:
    question = _read('books called "The last 5 days" in stock')
    assert [quote.text for quote in question.quoted] == ["The last 5 days"]
    assert (question.periods, question.numbers) == ((), ())


def test_typographic_marks_quote_a_single_letter_too() -> None:
    question = _read("people whose name has the letter ‘q’ or ‘it’s’")
    assert [quote.text for quote in question.quoted][:1] == ["q"]
    assert not _read("the firm‘s name, the firm’s owner").quoted


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        ("how many guests", "how many", "count"),
        ("top 5 towns", "top", "top desc"),
        ("the cheapest room", "cheapest", "most asc price"),
        ("the least expensive room", "least expensive", "most asc price"),
        ("rooms older than 10 years", "older than", "compare > age"),
        ("no more than 3 beds", "no more than", "compare <="),
        ("3 beds or more", "or more", "compare >="),
        ("below 3 or more than 8", "or", "or"),
        ("below 3 or more than 8", "more than", "compare >"),
        ("guests per month", "per month", "bucket month"),
        ("busiest day of the week", "day of the week", "bucket weekday"),
        ("who spent the most", "spent the most", "most desc money"),
        ("which is bigger, A or B", "bigger", "most desc size"),
        ("哪家店卖得好", "得好", "most desc"),
        ("nights by region", "by", "per"),
        ("whats the avrage price", "avrage", "avg"),
        ("the averrage price", "averrage", "avg"),
        ("growth vs last year", "growth vs last year", "growth change_year"),
        ("rooms above average", "above average", "above_average >"),
        ("guests sorted by age in descending order", "sorted by", "order desc"),
        ("guests sorted by age", "sorted by", "order asc"),
        ("the 3rd highest bill", "highest", "most desc"),
        ("which columns does rooms have", "which columns", "schema columns"),
        ("is there a free room", "is there a", "truth"),
        ("who has paid", "who", "wh"),
        ("which tea sells best", "sells best", "most desc sales"),
        ("最便宜的房间", "最便宜的", "most asc price"),
        ("比平均高的房间", "比平均高", "above_average >"),
        ("超过30间", "超过", "compare >"),
        ("30间以上", "以上", "compare >="),
        ("每个月多少单", "每个月", "bucket month"),
        ("同比增长多少", "同比增长", "growth change_year"),
        ("从没住过的客人", "从没", "never"),
        ("最贵的5间房", "最贵的", "most desc price"),
        ("有哪些表", "有哪些表", "schema tables"),
        ("有没有空房", "有没有", "truth"),
    ],
)
def test_words_of_an_operator_are_found(text: str, words: str, says: str) -> None:
    assert _cues(text).get(words) == says


def test_words_inside_a_longer_operator_or_a_period_are_none_themselves() -> None:
    assert "more than" not in _cues("no more than 3 beds")
    assert "last" not in _cues("guests in the last 6 months")


def test_a_number_behind_top_is_what_makes_it_a_limit() -> None:
    assert _cues("top town")["top"] == "most desc"
    assert _cues("top three towns")["top"] == "top desc"


@pytest.mark.parametrize(
    "text", ["", "?", "   ", "a" * 3000, "最" * 500, "12/34/5678", "“", "9999年以后", "in 2100 years"]
)
def test_any_text_is_read(text: str) -> None:
    question = _read(text)
    assert all(0 <= cue.span.first < cue.span.last <= len(question.tokens) for cue in question.cues)


def test_a_code_begins_and_ends_where_chinese_does() -> None:
    tokens = read("住在C1-0203栋的人", today=date(2026, 11, 20)).tokens
    assert "c1-0203" in [token.norm for token in tokens]


def test_an_id_counts_as_a_word_and_i_would_does_not() -> None:
    content = {token.text: token.content for token in _read("I'd like the id of Anna").tokens}
    assert content["id"]
    assert not content["I'd"]


@pytest.mark.parametrize(
    "text",
    [
        "delete the pets that died",
        "please set all marks to 80",
        "cancel order 17",
        "把5月份的账单都删掉",
        "帮我取消订单",
    ],
)
def test_a_request_to_change_data_is_read_as_one(text: str) -> None:
    assert "write" in {cue.op for cue in _read(text).cues}


@pytest.mark.parametrize(
    "text",
    [
        "cancelled orders in may",
        "orders set to urgent",
        "deleted rows by user",
        "取消的订单",
        "新增用户数",
        "updates per month",
    ],
)
def test_a_question_about_changes_is_no_request_for_one(text: str) -> None:
    assert "write" not in {cue.op for cue in _read(text).cues}


@pytest.mark.parametrize(
    "text", ["how much will we sell in december", "will sales grow", "明年会涨吗", "预测下个月的销量"]
)
def test_a_question_about_what_is_to_come_is_read_as_one(text: str) -> None:
    assert "future" in {cue.op for cue in _read(text).cues}


def test_pronouns_in_capitals_are_names() -> None:
    content = [
        token.text for token in read("how many people in IT like it", today=date(2026, 11, 20)).tokens if token.content
    ]
    assert "IT" in content and "it" not in content
    assert not read("HOW MANY OF THEM LIKE IT", today=date(2026, 11, 20)).tokens[-1].content
