from __future__ import annotations

import pytest

from kbtui.reasoning.checking.facts import facts, ground, missing
from kbtui.reasoning.checking.numerals import normal, numbers, times
from kbtui.reasoning.checking.polarity import negations


def values(text: str) -> set[str]:
    return {number.value for number in numbers(normal(text))}


def lacking(sentence: str, passage: str, around: str = "") -> list[str]:
    return [fact.text for fact in missing(facts(sentence), [ground(passage, around)]) if not fact.weak]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000 files", "1000 files"),
        ("5 %", "5 percent"),
        ("5%", "百分之五"),
        ("1.5k users", "1500 users"),
        ("2 million", "2,000,000"),
        ("3万", "30000"),
        ("三千五百", "3500"),
        ("两台", "2台"),
        ("twenty-five", "25"),
        ("three hundred", "300"),
        ("the 3rd", "the third"),
        ("２０ 个", "20"),
        ("二〇二四年", "2024年"),
        ("3.50 euros", "3.5 euros"),
    ],
)
def test_a_number_is_the_same_however_it_is_written(one: str, other: str) -> None:
    assert values(one) & values(other)


@pytest.mark.parametrize(
    ("one", "other"), [("3 pm", "15:00"), ("10 a.m.", "10:00"), ("下午三点", "15:00"), ("上午十点半", "10:30")]
)
def test_a_time_is_the_same_however_it_is_written(one: str, other: str) -> None:
    assert times(normal(one)) == times(normal(other)) != set()


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("It was released on November 2, 2004.", "Released: 2004-11-02"),
        ("It was released on 2004-11-02.", "It came out on 2 November 2004."),
        ("会议在2004年11月2日举行。", "The meeting was on November 2, 2004."),
        ("Retries stop after 5 attempts.", "MAX_RETRIES = 5"),
        ("Call `deploy_pin()` first.", "def deploy_pin(image):"),
        ("The RateLimiter drops them.", "The rate limiter drops requests."),
        ("The World Health Organization says so.", "The WHO says so."),
        ("The WHO says so.", "The World Health Organization says so."),
        ("American officials agreed.", "Officials from America agreed."),
        ("They live in Southeast London.", "They live in South East London."),
        ("Ask Thomas Arnold.", "Arnold is in charge. Thomas is his first name."),
        ("It ends at 3 pm.", "It ends at 15:00."),
        ("See PEP 509.", "PEP 509 is final."),
        ('He called it "the best day".', "He called it the best day of all."),
    ],
)
def test_facts_that_stand_there_in_another_form_are_not_missed(sentence: str, passage: str) -> None:
    assert lacking(sentence, passage) == []


@pytest.mark.parametrize(
    ("sentence", "passage", "gone"),
    [
        ("Backups are kept for 90 days.", "Backups are kept for 35 days.", ["90"]),
        ("备份保留90天。", "备份保留35天。", ["90"]),
        ("They moved to Berlin in spring.", "They moved to Paris in spring.", ["Berlin"]),
        ("Call `deploy_pin` first.", "Call `deploy_push` first.", ["deploy_pin"]),
        ("It fails with ERR_TIMEOUT then.", "It fails with ERR_REFUSED then.", ["ERR_TIMEOUT"]),
        ("It needs v2.1 at least.", "It needs v2.0 at least.", ["v2.1"]),
        ("See PROJ-17 for that.", "See PROJ-71 for that.", ["PROJ-17"]),
        ("It ends at 3 pm.", "It ends at 16:00.", ["3 pm"]),
    ],
)
def test_facts_that_do_not_stand_there_are_missed(sentence: str, passage: str, gone: list[str]) -> None:
    assert lacking(sentence, passage) == gone


def test_a_name_may_stand_in_the_title() -> None:
    assert lacking("They moved to Berlin in spring.", "They moved there in spring.", "Berlin years") == []


def test_a_capital_at_the_start_of_a_sentence_decides_nothing() -> None:
    assert lacking("Deploys are watched. Retries are counted.", "We watch each one and count.") == []


def test_denials_are_counted() -> None:
    assert [
        negations(text) for text in ("It never fails.", "It doesn't fail.", "It fails.", "不会失败", "不断失败")
    ] == [
        1,
        1,
        0,
        1,
        0,
    ]


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("It takes place in the 2018–19 academic year.", "over the coming 2018-2019 academic year"),
        ("The tour ran from August through October.", "It starts in August, will run on, and ends on 3 October."),
        ("The Dutch team signed it.", "It was signed in the Netherlands."),
        ("It met the Dutch Navy.", "It met the navy of the Netherlands."),
        ("He moved to the United States.", "He moved to the U.S. in spring."),
        ("She sang in the United Kingdom.", "a tour of British towns"),
        ("It drew about 1,200 visitors.", "1,234 visitors came."),
        ("It cost 1.2 million.", "The bill was 1,212,345."),
    ],
)
def test_a_span_a_month_a_rounded_number_and_a_demonym_are_the_same_fact(sentence: str, passage: str) -> None:
    assert lacking(sentence, passage) == []


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("It takes place in the 2018–19 academic year.", "over the coming 2018-2020 academic year"),
        ("It drew about 1,200 visitors.", "1,534 visitors came."),
        ("It drew 1,200 visitors.", "1,234 visitors came."),
        ("It cost 1.2 million.", "The bill was 1,312,345."),
        ("The Dutch team signed it.", "It was signed in Denmark."),
        ("It began about 1990.", "It began in 1985."),
    ],
)
def test_what_is_near_a_number_or_a_country_is_another_one(sentence: str, passage: str) -> None:
    assert len(lacking(sentence, passage)) == 1


@pytest.mark.parametrize(
    "written", ["May 7, 2024", "7 May 2024", "2024-05-07", "2024/5/7", "5/7/2024", "7.5.2024", "2024年5月7日"]
)
def test_a_date_is_the_same_however_it_is_written(written: str) -> None:
    assert {"month 5", "7", "2024"} <= values(written)


def test_a_long_number_of_an_address_is_no_invention() -> None:
    page = "See http://example.org/web/20180212033205/page for the old text."
    assert lacking("The copy is number 20180212033205.", page) == []
    assert lacking("The copy is number 20180212033206.", page) == ["20180212033206"]


def test_a_third_of_something_is_not_four_of_it() -> None:
    assert values("one-third of the seats") == values("one - third of the seats") == {"1", "3"}
    assert values("the twenty-third seat") == {"23"}
    assert values("twenty - seven ships") == {"27"}


def test_a_month_is_not_the_day_of_its_number() -> None:
    assert lacking("He died on May 5.", "He died on May 7.") == ["5"]
    assert lacking("It took 9 days.", "It began in September.") == ["9"]


def test_of_a_timestamp_the_day_and_the_time_count_and_its_letters_and_zone_do_not() -> None:
    line = "2017-09-23T04:00:11-0400 gateway restarted"
    assert lacking("The gateway was restarted at 04:00 on September 23, 2017.", line) == []
    assert {fact.text for fact in facts(line)} & {"T04", "T", "0400"} == set()


def test_a_time_with_seconds_is_the_time_without_them() -> None:
    assert times("at 04:00:11.250") == times("4:00") == {"4:00"}


def test_a_people_is_named_like_its_country() -> None:
    assert lacking("It works with young Jordanians.", "It works with young people in Jordan.") == []


def test_a_month_is_one_wherever_it_stands_but_in_the_name_of_a_person() -> None:
    assert "month 10" in values("The trek runs through October.")
    assert values("June Carter sang.") == set()


def test_a_number_in_words_that_begins_a_sentence_is_no_name() -> None:
    for text in ("One: PEP 484, Type Hints.", "One ticket blocks HL-118: HL-112.", "Three of them are open."):
        assert not [fact.text for fact in facts(text) if fact.kind == "name" and fact.weak]
