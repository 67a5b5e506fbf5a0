from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from kbtui.analysis.hybrid_questions import split_hybrid_question
from kbtui.analysis.request_classifier import RequestClassifier

REQUESTS = Path(__file__).parent.parent.parent / "benchmarks" / "data" / "requests.jsonl"
SHOP = frozenset({"customers", "order_items", "OrderDate", "products", "director_id", "documents", "Reggae", "地区"})


@pytest.fixture(scope="module")
def classifier() -> RequestClassifier:
    return RequestClassifier(["shop"], {"shop": SHOP})


@pytest.mark.parametrize(
    ("asked", "request_type"),
    [
        ("what's 15% of 240", "trivial"),
        ("现在几点了", "trivial"),
        ("thanks a lot!", "simple"),
        ("你是谁", "simple"),
        ("top 10 customers by revenue", "data_query"),
        ("每个地区有多少订单", "data_query"),
        ("plot monthly sales as a bar chart", "visualization"),
        ("用折线图展示每月订单量", "visualization"),
        ("correlation between price and quantity", "calculation"),
        ("计算订单金额的标准差", "calculation"),
        ("search the web for the latest python release", "web_search"),
        ("今天北京天气怎么样", "web_search"),
        ("100 dollars in euros", "web_search"),
        ("what can I analyze with this data?", "consultation"),
        ("对本数据源提出一些分析建议", "consultation"),
        ("why did sales drop in march, and what drove it?", "multi_step_analysis"),
        ("先找出销量最高的产品，再和去年对比", "multi_step_analysis"),
        ("what does PEP 8 say about line length?", "knowledge"),
        ("报销流程是什么", "knowledge"),
        ("", "simple"),
    ],
)
def test_each_type_is_told_from_the_others(classifier: RequestClassifier, asked: str, request_type: str) -> None:
    found = classifier.classify(asked)
    assert found.request_type == request_type
    assert 0 <= found.confidence <= 1


@pytest.mark.parametrize(
    "asked", ["给销售数据一些建议", "这份数据的分析方向", "可以做什么分析", "订单最多的客户？顺便给点建议"]
)
def test_the_keywords_of_the_specification_make_a_consultation(classifier: RequestClassifier, asked: str) -> None:
    assert classifier.classify(asked).request_type == "consultation"


def test_the_keywords_decide_against_whatever_else_is_said(classifier: RequestClassifier) -> None:
    for asked in (
        "先画柱状图，再深入分析销售额下降的原因，然后给出建议",
        "手册和文档里怎么配置部署流程，如何安装，有什么建议",
    ):
        assert classifier.classify(asked).request_type == "consultation"
    # Beside a document it is advice too, which the document gives.
    found = classifier.classify("PEP 8 对命名有什么建议")
    assert (found.request_type, found.details.get("folder")) == ("consultation", True)


@pytest.mark.parametrize(
    "asked", ["what time is it", "2+2", "5 miles in km", "三百二十除以四", "明天星期几", "9**9**9"]
)
def test_what_the_quick_path_answers_is_trivial_with_or_without_a_source(asked: str) -> None:
    for classifier in (RequestClassifier(["shop"]), RequestClassifier([])):
        found = classifier.classify(asked)
        assert (found.request_type, found.quick_path) == ("trivial", True)


@pytest.mark.parametrize(
    "asked",
    [
        "total sales by month",
        "plot revenue",
        "how many users does the database allow",
        "correlation of price and age",
        "why did sales drop",
    ],
)
def test_without_a_source_nothing_is_an_analysis(asked: str) -> None:
    assert RequestClassifier([]).classify(asked).request_type == "knowledge"


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("对本数据源提出一些分析建议", "consultation"),
        ("这份数据可以做什么分析", "consultation"),
        ("what analyses would you suggest for this database?", "consultation"),
        ("standard deviation of 3, 5, 10", "calculation"),
        ("compound interest on 1000 at 5% for 3 years", "calculation"),
    ],
)
def test_without_a_source_stays_what_needs_none_or_asks_about_one_that_is_not_there(asked: str, kind: str) -> None:
    assert RequestClassifier([]).classify(asked).request_type == kind


def test_what_decided_is_told(classifier: RequestClassifier) -> None:
    found = classifier.classify("how many customers are from Reggae stores")
    assert found.source == "shop"
    assert {"name in the data", "how many"} <= {signal.name for signal in found.signals}
    assert {"customers", "Reggae"} <= {signal.detail for signal in found.signals}


def test_a_name_in_the_data_is_no_sign_of_the_folder(classifier: RequestClassifier) -> None:
    assert classifier.classify("list the names of all documents").request_type == "data_query"
    assert RequestClassifier(["shop"]).classify("find documents about backups").request_type == "knowledge"
    assert classifier.classify("show all directors").request_type == "data_query"


def test_the_source_that_holds_the_names_is_chosen() -> None:
    two = RequestClassifier(["shop", "clinic"], {"shop": frozenset({"orders"}), "clinic": frozenset({"patients"})})
    assert two.classify("how many patients were seen per month").source == "clinic"
    assert two.classify("how many orders were placed per month").source == "shop"
    assert two.classify("how many rows are there in total").source == ""
    assert two.classify("number of rows in clinic").source == "clinic"


@pytest.mark.parametrize(
    ("asked", "knowledge", "data"),
    [
        (
            "Which runbook covers the service with the most incidents?",
            "Which runbook covers {value}?",
            "the service with the most incidents",
        ),
        (
            "what does the handbook say about our best-selling product",
            "what does the handbook say about {value}?",
            "our best-selling product",
        ),
        (
            "find the customer with the highest revenue and then tell me what the docs say about it",
            "tell me what the docs say about {value}",
            "find the customer with the highest revenue",
        ),
        ("事故最多的服务由哪份runbook负责？", "{value}由哪份runbook负责？", "事故最多的服务"),
    ],
)
def test_a_question_of_data_and_documents_is_cut_in_two(
    classifier: RequestClassifier, asked: str, knowledge: str, data: str
) -> None:
    found = classifier.classify(asked)
    assert found.request_type == "multi_step_analysis"
    assert found.details == {"knowledge": knowledge, "data": data}


@pytest.mark.parametrize(
    "asked",
    ["which product has the most orders", "what do the docs say about retries", "最多的服务", "", "哪个客户最大"],
)
def test_a_question_of_one_kind_is_not_cut(asked: str) -> None:
    assert split_hybrid_question(asked) is None


def test_thousands_of_names_are_looked_up_not_walked_through() -> None:
    many = RequestClassifier(
        ["big"], {"big": frozenset(f"measure_{at}_of_plant" for at in range(20_000)) | {"turbines"}}
    )
    assert many.classify("how many turbines are there").signals


@pytest.mark.parametrize("half", list("ABCDEF"))
def test_labelled_requests_are_classified(half: str) -> None:
    rows = [json.loads(line) for line in REQUESTS.read_text("utf-8").split("\n") if line]
    classifier = RequestClassifier(["data"])
    right: Counter[bool] = Counter(
        classifier.classify(row["text"]).request_type == row["label"] for row in rows if row["half"] == half
    )
    assert right[True] / right.total() >= 0.92


@pytest.mark.parametrize(
    "asked",
    [
        "3," * 150,
        "(" * 900,
        "what is " * 200,
        "先" * 900,
        "一" * 900,
        "analyze a and " * 90,
        "\x00\x1b[2J" * 40,
        "🙂" * 400,
    ],
)
def test_any_text_has_a_type(classifier: RequestClassifier, asked: str) -> None:
    assert classifier.classify(asked).request_type


def test_requests_are_told_apart_the_same_way_every_time(classifier: RequestClassifier) -> None:
    first = [classifier.classify(asked) for asked in ("top products by sales", "how do I deploy", "画个图")]
    assert first == [classifier.classify(asked) for asked in ("top products by sales", "how do I deploy", "画个图")]


def test_where_all_names_are_known_a_question_with_none_of_them_is_the_folder_s() -> None:
    asked = "how many species of trees are found in the rainforest?"
    guessing = RequestClassifier(["shop"], {"shop": frozenset({"orders"})})
    knowing = RequestClassifier(["shop"], {"shop": frozenset({"orders", "placed_on"})}, {"shop": frozenset({"paid"})})
    assert guessing.classify(asked).request_type == "data_query"
    assert knowing.classify(asked).request_type == "knowledge"
    assert knowing.classify("how many orders are there?").request_type == "data_query"
    assert knowing.classify("有多少订单").request_type == "data_query", "English names say nothing of Chinese words"


def test_a_value_of_the_data_turns_the_scale() -> None:
    names, values = {"shop": frozenset({"clients"})}, {"shop": frozenset({"Fitzroy"})}
    asked = "list the ones in Fitzroy"
    assert RequestClassifier(["shop"], names).classify(asked).request_type == "knowledge"
    assert RequestClassifier(["shop"], names, values).classify(asked).request_type == "data_query"


@pytest.mark.parametrize(
    "asked",
    ["how many seconds does a client wait before it reconnects", "who signs off orders above 2000", "订单手册放哪了"],
)
def test_what_holds_always_is_asked_of_the_documents(classifier: RequestClassifier, asked: str) -> None:
    assert classifier.classify(asked).request_type == "knowledge"
