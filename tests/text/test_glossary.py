"""The glossary: what is translated, and that the file it comes from is sound."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from kbtui.text.glossary import translate, translations
from kbtui.text.language import has_cjk, simplified


def test_the_longest_term_wins() -> None:
    assert translate("类型注解") == ["type annotation", "type hint"]
    assert list(translations("类型注解和类型")) == ["类型注解", "类型"]


def test_terms_come_in_order_of_appearance_without_repeats() -> None:
    assert translate("部署失败后怎么回滚，再部署") == ["deploy", "deployment", "rollback", "roll back"]


def test_english_and_unknown_text_give_nothing() -> None:
    assert translate("deploy and rollback") == []
    assert translate("今天天气很好") == []


def test_every_line_of_the_file_is_a_chinese_term_with_english_names() -> None:
    sections = tomllib.loads(files("kbtui.text").joinpath("glossary.toml").read_text(encoding="utf-8"))
    terms = [term for section in sections.values() for term in section]
    assert len(terms) == len(set(terms)) >= 300
    for section in sections.values():
        for term, names in section.items():
            assert has_cjk(term)
            assert names
            assert not any(has_cjk(name) for name in names)
            assert len(names) == len(set(names))


def test_traditional_characters_become_simplified_ones_one_for_one() -> None:
    assert simplified("請問兩個方案的優劣") == "请问两个方案的优劣"
    assert len(simplified("謝謝 ABC")) == len("謝謝 ABC")
    assert simplified("plain") == "plain"
    table = tomllib.loads(files("kbtui.text").joinpath("traditional.toml").read_text(encoding="utf-8"))
    assert len(table["traditional"]) == len(table["simplified"]) == len(set(table["traditional"]))
