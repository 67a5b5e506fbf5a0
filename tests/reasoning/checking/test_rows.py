"""Sentences about rows: rounded numbers, names of the same row, order, sums and shares, words of the question."""

from __future__ import annotations

import pytest

from kbtui.domain.answer import Citation
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking import AnswerChecker, CheckedAnswer, Source
from kbtui.reasoning.checking.rows import rows_of
from kbtui.reasoning.citing import Citations

TICKETS = rows_of(
    ("queue", "number of tickets"),
    (("billing", 41), ("search", 36), ("mobile", 36), ("export", 12), ("import", 7)),
    "Number of tickets whose state is “open”, for each queue "
    "SELECT queue, COUNT(*) FROM tickets WHERE state = 'open' GROUP BY queue",
)
MONTHS = rows_of(
    ("month", "total litres"),
    (("2031-01", 5120.4371), ("2031-02", 4410.05), ("2031-03", 4699.999), ("2031-04", 3980.118)),
    "Total litres of the Larkhaven pump, for each month, in 2031 SELECT month, SUM(litres) FROM pump GROUP BY month",
)
ROUTES = rows_of(
    ("orig", "dest", "trips", "mean_delay"),
    (("ORM", "LKV", 66, 40.13636), ("LKV", "ORM", 70, 36.71428), ("ORM", "BEL", 40, 35.55)),
    "SELECT orig, dest, COUNT(*) AS trips, AVG(delay) AS mean_delay FROM trips GROUP BY orig, dest",
)
CHANGES = rows_of(
    ("Genre", "October 2031", "September 2031", "change"),
    (("Poetry", 0, 19.78, -19.78), ("Crafts", 62.5, 50.0, 12.5), ("Crime", 75.15, 17.98, 57.17)),
    "SELECT genre, october, september, october - september AS change FROM sales GROUP BY genre",
)
BRANCHES = rows_of(
    ("门店", "营业额", "占比"), (("高新店", 6851.92, 57.4), ("城东店", 5081.03, 42.6)), "各门店的营业额 SELECT 门店"
)
READERS = rows_of(("姓名", "读者号", "类型"), (("张志强", "R0109", "教师"), ("罗磊", "R0275", "研究生")), "停用的读者")
STORES = rows_of(
    ("store", "net sales"),
    (("Harwell", 7694.36), ("Quayside", 5581.17), ("Millbrook", 5544.67), ("Eastdene", 4630.48), ("Kiosk", 2708.33)),
    "Net sales for each store in 2031",
)
PAPERBACKS = rows_of(("store", "paperbacks"), (("Harwell", 4614.07), ("Quayside", 2961.77)), "Sales of paperbacks")
QUARTERS = rows_of(("quarter", "billed"), ((1, 9819.87), (2, 10871.96), (3, 11060.82), (4, 12962.67)), "Billed in 2031")
EARLIER = rows_of(
    STORES.columns,
    (("Harwell", 6345.19), ("Quayside", 4318.74), ("Millbrook", 6031.31), ("Eastdene", 3875.75), ("Kiosk", 3541.76)),
    "Net sales for each store in 2030",
)
GROWTH = rows_of(
    ("门店", "sales_2030", "sales_2031", "change"),
    (("高新店", 5575.26, 8087.8, 2512.54), ("城东店", 12073.85, 15043.57, 2969.72), ("机场店", 2202.5, 2133.9, -68.6)),
    "SELECT 门店",
)
SHARES = rows_of(
    ("sales (a weekend day)", "sales (a working day)"),
    ((7366.43, 15786.87),),
    "SELECT SUM(CASE WHEN STRFTIME('%w', day) IN ('0', '6') …) WHERE day >= '2031-07-01' AND day < '2031-10-01'",
)
FINES = rows_of(
    ("number", "reader", "fined on"),
    ((757, "罗磊", "2031-02-01"), (849, "张志强", "2031-06-06"), (850, "罗磊", "2031-09-15")),
    "SELECT number",
)
DAMAGE = rows_of(("storm", "damage_millions"), (("Nine", 29.3),), "SELECT storm")
TOP_QUEUE = rows_of(("queue", "tickets"), (("billing", 41),), "SELECT queue, COUNT(*) FROM tickets LIMIT 1")
RESULTS = {
    1: TICKETS,
    2: MONTHS,
    3: ROUTES,
    4: CHANGES,
    5: BRANCHES,
    6: READERS,
    7: STORES,
    8: PAPERBACKS,
    9: QUARTERS,
    10: EARLIER,
    11: GROWTH,
    12: SHARES,
    13: FINES,
    14: DAMAGE,
    15: TOP_QUEUE,
}
QUESTION = "How many open tickets are in each queue, and what did the pump use? 各门店营业额，哪些读者停用"


def checked(
    markdown: str, results: dict[int, object] | None = None, values: str = ""
) -> tuple[CheckedAnswer, Citations]:
    rows = {n: RESULTS[n] for n in (results or RESULTS)}
    sources = []
    for n, one in rows.items():
        lines = [" | ".join(one.columns), *(" | ".join(cell.text for cell in row) for row in one.rows)]
        hit = Hit(path=f"result {n}", start_line=1, end_line=len(lines), text="\n".join(lines))
        sources.append(Source(n=n, hit=hit, rows=one))
    stated = {one.hit.path: (lambda _text, n=one.n: Citation(n=0, kind="sql", sql=f"S{n}")) for one in sources}
    citations = Citations(None, stated)
    return AnswerChecker(lambda: None).check(markdown, sources, citations, CancelToken(), QUESTION, values), citations


@pytest.mark.parametrize(
    "true",
    [
        "billing has 41 open tickets [1].",
        "Most open tickets are in billing: 41 [1].",
        "The fewest are in import, 7 [1].",
        "search and mobile have 36 each [1].",
        "There are 132 open tickets in all [1].",
        "billing has 5 more than search [1].",
        "billing makes up 31 % [1].",
        "There are five queues [1].",
        "The average is 26.4 [1].",
        "January 2031 came to 5,120.44 litres, February to 4,410 [2].",
        "It fell from 5,120.4 litres in January to 4,410.05 in February [2].",
        "The other months lie between 4,410.05 (February) and 4,700.0 litres (March) [2].",
        "- ORM → LKV: 40.1, over 66 trips [3]",
        "- LKV → ORM: 36.71, over 70 trips [3]",
        "October was higher than September for Crime, 75.15 against 17.98 [4].",
        "Crime rose most, by 57.17, and Poetry fell by 19.78 [4].",
        "高新店营业额最高，为 6,851.92 元，占 57.4% [5]；城东店为 5081.03 元 [5]。",
        "合计 11932.95 元 [5]。",
        "The two branches took 11,932.95 together [5].",
        "张志强（R0109）是教师 [6]。",
        "| Queue | Tickets |\n|---|---|\n| export | 12 [1] |",
    ],
)
def test_what_rows_bear_out_is_never_marked(true: str) -> None:
    answer, citations = checked(true)
    assert answer.doubts == ()
    assert citations.all


@pytest.mark.parametrize(
    ("invented", "lacking"),
    [
        ("search has 41 open tickets [1].", "41"),
        ("billing has 36 and search 41 [1].", "41"),
        ("billing has the fewest open tickets, 41 [1].", "fewest"),
        ("There are 140 open tickets in all [1].", "140"),
        ("billing has 9 more than search [1].", "9"),
        ("billing makes up 35 % [1].", "35"),
        ("export is understaffed [1].", ""),
        ("The export queue is run by Hugo Farouk [1].", "Hugo Farouk"),
        ("January came to 4,410.05 litres and February to 5,120.44 [2].", "4,410.05"),
        ("It rose from 5,120.4 litres in January to 4,410.05 in February [2].", "rose"),
        ("February used more than March [2].", "more than"),
        ("May came to 5,120.44 litres [2].", "May"),
        ("- ORM → LKV: 36.7, over 70 trips [3]", "36.7"),
        ("October was higher than September for Poetry [4].", "higher than"),
        ("Crime took 17.98 in October and 75.15 in September [4].", "17.98"),
        ("Poetry rose by 19.78 [4].", "rose"),
        ("Crime took 75.15 in October because the weather was bad [4].", ""),
        ("城东店营业额最高，为 5081.03 元 [5]。", "最高"),
        ("高新店为 5081.03 元，城东店为 6851.92 元 [5]。", "5081.03"),
        ("同比增长 12% [5]。", "12"),
        ("罗磊（R0109）是研究生 [6]。", "R0109"),
    ],
)
def test_what_rows_refute_or_lack_is_marked_and_said(invented: str, lacking: str) -> None:
    answer, _ = checked(invented)
    assert "[?]" in answer.markdown
    assert lacking in " ".join(answer.doubts[0].lacking)


@pytest.mark.parametrize(
    "true",
    [
        "Harwell sold nearly three times what Kiosk did [7].",
        "Eastdene comes fourth with 4,630 [7].",
        "Quayside was second and Millbrook third [7].",
        "No store reached 8,000 [7].",
        "Only Harwell passed 6,000 [7].",
        "Four of the five stores sold more than 4,500 [7].",
        "Every store but Kiosk took more than 4,000 [7].",
        "The top two stores made half [7].",
        "Between them, Quayside and Millbrook bring in 11,125.84, or 42.5% of the total [7].",
        "Harwell led, well ahead of Quayside (5,581) [7].",
        "Eastdene and Kiosk are the two smallest [7].",
        "On average a store sold for roughly 5,230 [7].",
        "Quayside is about 37 ahead of Millbrook [7].",
        "About 60% of Harwell's sales were paperbacks [8][7].",
        "Billing went up every quarter, ending at 12,962.67 [9].",
        "The fourth quarter brought in a third more than the first, or close to it [9].",
        "Harwell卖了7694元，是Kiosk的近三倍[7]。",
        "超过4,500的有四家[7]。",
        "Harwell占近三成[7]。",
        "五家合计约2.6万[7]。",
        "Millbrook and Kiosk sold more in 2030 than in 2031 [7][10].",
        "Harwell grew by 1,349.17, or 21% [7][10].",
        "Compared with 2031, Millbrook and Kiosk sold more in 2030, the other three less [7][10].",
        "高新店 grew by 2,512.54 and 城东店 by 2,969.72 [11].",
        "Only 机场店 shrank, by 68.60 [11].",
        "On Saturdays and Sundays it was 7,366.43, about 32% of the total of 23,153.30, from July to September [12].",
        "Per day that is 3,683 on each of two weekend days [12].",
        "757 and 850 are of 罗磊, 849 of 张志强 [13].",
        "最早的一笔是 2031 年 2 月 1 日，最近的一笔是 2031 年 9 月 15 日 [13]。",
        "Quayside came second, with 5,581.17 [7].",
        "Harwell grew most from 2030 to 2031, by 1,349.17 [7][10].",
        "The damage came to 29.3 million dollars [14].",
    ],
)
def test_what_can_be_computed_from_rows_is_not_marked(true: str) -> None:
    assert checked(true)[0].doubts == ()


@pytest.mark.parametrize(
    "invented",
    [
        "Harwell sold more than four times what Kiosk did [7].",
        "Eastdene ranks third [7].",
        "Eastdene did worst [7].",
        "No store reached 7,000 [7].",
        "Three of the five stores sold more than 4,500 [7].",
        "Every store but Eastdene took more than 4,000 [7].",
        "Harwell earned half of all sales [7].",
        "Quayside and Millbrook hold most [7].",
        "Eastdene closed in December [7].",
        "Quayside is about 370 ahead of Millbrook [7].",
        "65% of Harwell's sales were paperbacks [8][7].",
        "Billing dipped in the second quarter [9].",
        "The average quarter billed about 12,100 [9].",
        "Most sales were made at night [7].",
        "Harwell is the oldest [7].",
        "Kiosk卖得比Eastdene多[7]。",
        "Harwell占一半[7]。",
        "平均每家约6,500[7]。",
        "营业额逐季下降[9]。",
        "Harwell卖了7694元，Westgate卖了12元[7]。",
        "Harwell sold more in 2030 than in 2031 [7][10].",
        "Kiosk grew by 833.43 from 2030 to 2031 [7][10].",
        "Only 高新店 grew [11].",
        "On Saturdays and Sundays it was 7,366.43, from June to September [12].",
        "最早的一笔是 2031 年 6 月 6 日 [13]。",
        "Millbrook came second, with 5,544.67 [7].",
        "Millbrook grew most from 2030 to 2031 [7][10].",
        "All of them were 罗磊's [13].",
    ],
)
def test_what_rows_refute_or_nothing_reads_is_marked(invented: str) -> None:
    assert checked(invented)[0].doubts


def test_a_doubt_says_whether_the_rows_say_otherwise_or_nothing() -> None:
    (refuted,) = checked("Kiosk sold most, 2,708 [7].")[0].doubts
    (unread,) = checked("Harwell is the oldest [7].")[0].doubts
    assert (refuted.is_refuted, unread.is_refuted) == (True, False)


def test_a_right_mark_stays_where_its_rows_do_not_say_otherwise() -> None:
    answer, citations = checked("Harwell is the oldest, with 41 open tickets [7].")
    assert [one.sql for one in citations.all] == ["S7"]
    assert answer.corrections == ()


def test_nothing_is_certain_about_rows_that_were_warned_of() -> None:
    hours = rows_of(("hour", "kwh"), ((0, 904883.13),), "kWh by hour", warning="days have no time of day")
    RESULTS[10] = hours
    try:
        (doubt,) = checked("It peaks at midnight with 904,883.13 kWh [10].", {10: hours})[0].doubts
        assert "days have no time of day" in doubt.lacking
    finally:
        del RESULTS[10]


@pytest.mark.parametrize("text", ["billing was sold.", "billing is the newest queue.", "It is the best queue."])
def test_a_sentence_without_a_mark_gets_none_by_words_of_the_statement_alone(text: str) -> None:
    answer, citations = checked(text)
    assert "[?]" in answer.markdown
    assert citations.all == ()


def test_a_sentence_without_a_mark_gets_the_result_that_has_its_numbers() -> None:
    answer, citations = checked("The pump used 4,410.05 litres in February.")
    assert answer.doubts == ()
    assert [one.sql for one in citations.all] == ["S2"]


def test_a_wrong_mark_is_moved_to_the_result_that_bears_the_sentence_out() -> None:
    answer, citations = checked("billing has 41 open tickets [2].")
    assert answer.doubts == ()
    assert [one.sql for one in citations.all] == ["S1"]
    assert answer.corrections


def test_a_sentence_over_two_results_keeps_both_marks() -> None:
    answer, citations = checked("billing has 41 open tickets, and the pump used 4,410.05 litres in February [1][2].")
    assert answer.doubts == ()
    assert [one.sql for one in citations.all] == ["S1", "S2"]


def test_with_a_limit_only_the_first_row_is_the_highest_of_all() -> None:
    limited = rows_of(("store", "sum"), (("Orm", 90.5), ("Bel", 80.5)), "SELECT store, SUM(x) AS sum FROM s LIMIT 2")
    RESULTS[10] = limited
    try:
        assert checked("Orm has the most, 90.5 [10].", {10: limited})[0].doubts == ()
        assert checked("Bel has the least, 80.5 [10].", {10: limited})[0].doubts
    finally:
        del RESULTS[10]


@pytest.mark.parametrize(
    "limit",
    [
        "The data do not say why.",
        "Why more was sold the data do not say [1].",
        "So no hour of peak use can be worked out from them.",
        "How the queues are staffed stays open.",
        "November and December are not in the data [2].",
        "I found no procedure for the export queue.",
        "I read “open” as having no closing date, since the data name no other.",
        "The table has no column for the time of day.",
        "数据里没有说明原因。",
        "从数据看不出原因。",
    ],
)
def test_a_sentence_about_the_limits_of_an_answer_is_never_marked(limit: str) -> None:
    answer, _ = checked(limit)
    assert answer.doubts == ()


@pytest.mark.parametrize("denied", ["The data do not mention the billing queue.", "Crime is not in the data [4]."])
def test_a_limit_that_the_rows_contradict_is_marked(denied: str) -> None:
    assert checked(denied)[0].doubts


def test_a_value_of_the_data_that_the_statement_does_not_filter_by_is_marked() -> None:
    (doubt,) = checked("billing has 41 open bugs [1].", values="bug, feature open, closed")[0].doubts
    assert doubt.lacking == ("bugs",)
    assert checked("billing has 41 open matters [1].", values="bug, feature open, closed")[0].doubts == ()


def test_a_total_is_not_read_off_rows_that_a_limit_cut() -> None:
    assert checked("There are 41 tickets in all [15].", {15: TOP_QUEUE})[0].doubts
    assert checked("There are 41 tickets [15].", {15: TOP_QUEUE})[0].doubts
    assert checked("billing has 41 tickets [15].", {15: TOP_QUEUE})[0].doubts == ()
    assert checked("It has 41 tickets [15].", {15: TOP_QUEUE})[0].doubts == ()


def one_result(text: str, rows: object) -> tuple[object, ...]:
    RESULTS[90] = rows
    try:
        return checked(f"{text} [90].", {90: rows})[0].doubts
    finally:
        del RESULTS[90]


def test_rows_that_a_limit_left_are_extreme_in_what_they_were_sorted_by() -> None:
    statement = "SELECT year, AVG(mark) AS mean_mark, COUNT(*) AS marks FROM m GROUP BY year ORDER BY COUNT(*) LIMIT 1"
    fewest = rows_of(("year", "mean_mark", "marks"), (("Year 8", 70.58, 340),), statement)
    assert one_result("Year 8 has the fewest marks, 340", fewest) == ()
    assert one_result("Year 8 has the lowest mean mark, 70.58", fewest)
    assert one_result("Year 8 has the most marks, 340", fewest)


@pytest.mark.parametrize(
    ("statement", "column"),
    [
        (
            'SELECT "a"."t" AS "store", SUM("x"."y") AS "net sales" FROM s ORDER BY SUM("x"."y") DESC, 1 LIMIT 3',
            (1, -1),
        ),
        ("SELECT store, SUM(y) AS sales FROM s ORDER BY 2 DESC LIMIT 3", (1, -1)),
        ("SELECT store, y AS sales FROM s ORDER BY sales LIMIT 3", (1, 1)),
        ("SELECT store, y AS sales FROM s ORDER BY z LIMIT 3", None),
        ("SELECT store, y AS sales FROM s LIMIT 3", None),
    ],
)
def test_what_a_statement_sorts_by_is_read_from_it(statement: str, column: object) -> None:
    name = "net sales" if "net sales" in statement else "sales"
    assert rows_of(("store", name), (("Harwell", 7),), statement).sorted_by == column


def test_an_order_of_shares_or_means_is_not_read_off_amounts() -> None:
    assert one_result("Harwell has the highest net sales", STORES) == ()
    assert one_result("Harwell has the highest share", STORES)
    assert one_result("Harwell has the highest share, 29 %", STORES) == ()
    assert one_result("On average Harwell has the most", STORES)


def test_the_opposite_of_what_a_column_counts_is_marked() -> None:
    bugs = rows_of(("component", "open bugs"), (("web", 14), ("cli", 11)), "SELECT x WHERE state IN ('open', 'closed')")
    assert one_result("web has 14 open bugs", bugs) == ()
    assert one_result("Of the closed bugs web has 14", bugs)
