from __future__ import annotations

from kbtui.analysis.source_names import SourceNames, name_stems, word_stems


def said(names: SourceNames, text: str, *translated: str) -> dict[str, float]:
    return {signal.detail: signal.weight for signal in names.find_names(word_stems(text), translated, text)}


def test_a_name_is_its_words_however_it_is_spelt() -> None:
    assert name_stems("OrderItems") == name_stems("order_items") == name_stems("order items")


def test_a_column_of_the_name_of_a_function_word_is_not_heard_in_every_question() -> None:
    assert said(SourceNames({"was", "To", "a_id"}), "whose theory was it to a reader") == {}


def test_a_value_weighs_less_than_a_name_and_an_everyday_name_less_than_both() -> None:
    names = SourceNames({"visits", "status"}, {"dental"})
    found = said(names, "status of dental visits")
    assert found["visits"] > found["dental"] > found["status"] > 0


def test_a_name_that_is_also_a_value_counts_as_a_name() -> None:
    assert said(SourceNames({"dental"}, {"dental"}), "dental") == said(SourceNames({"dental"}), "dental")


def test_a_translated_word_finds_an_english_name() -> None:
    assert said(SourceNames({"customers"}), "客户有几个", *word_stems("customer")) == {"customers": 0.7}


def test_the_script_of_the_names_is_known() -> None:
    both, latin = SourceNames({"会员", "status"}), SourceNames({"status"}, {"杭州"})
    assert (both.chinese, both.latin) == (True, True)
    assert (latin.chinese, latin.latin) == (False, True)


def test_the_first_word_of_a_long_name_is_heard_where_nothing_is_called_by_it_alone() -> None:
    assert said(SourceNames({"fuel_litres"}), "most fuel in july") == {"fuel_litres": 0.4}
    assert said(SourceNames({"fuel_litres", "fuel"}), "most fuel in july") == {"fuel": 0.9}
    assert said(SourceNames({"date_paid"}), "which date") == {}
