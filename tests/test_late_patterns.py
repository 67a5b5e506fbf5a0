import re
from typing import Any

import pytest

from kbtui.late_patterns import LatePattern, ascii_form, pattern
from kbtui.text.language import CJK

TEXTS = (
    "",
    "how many orders by region?",
    "a|b (c) ，",
    "UTF-8 2024-05-01",
    "各地区 orders 多少",
    "k\u212a\u017f",
    "｜|多)",
)
PATTERNS = [
    (r"how\ many|多少|几个|(?P<by>\bby\b)|按", re.X),
    (rf"[{CJK}]+|[^\W{CJK}]+(?:[.\-'’][^\W{CJK}]+)*", 0),
    (r"[a|多)]+|[^多|)]", 0),
    (r"[^\s\u3400-\u9fff\[\]|]+", re.I),
    (r"(?:多少|how|几)\s*(?:个|many)?", 0),
    (r"(a)?(?(1)b|多)|x", 0),
    (r"\||\[多|b\]?", 0),
    (r"(?<=[a-z]|多)\s+(?!多|o)", 0),
    (r"[\u3400-\u9fffa-z]{2,}|(?P<zh>多)", re.I),
]


def found(compiled: Any, text: str) -> list[Any]:
    return [(match.span(), match.groups(), match.groupdict()) for match in compiled.finditer(text)]


@pytest.mark.parametrize(("text", "flags"), PATTERNS)
@pytest.mark.parametrize("asked", TEXTS)
def test_a_late_pattern_finds_what_the_pattern_does(text: str, flags: int, asked: str) -> None:
    plain = re.compile(text, flags)
    assert found(pattern(text, flags), asked) == found(plain, asked)
    if asked.isascii():
        assert found(re.compile(ascii_form(text), flags), asked) == found(plain, asked)


def test_alternatives_of_wide_characters_and_their_ranges_are_no_part_of_the_ascii_form() -> None:
    assert ascii_form(r"how\ many|多少|几 个 | by|(?:x|各)") == r"how\ many| by|(?:x)"
    assert ascii_form(r"[a-z㐀-鿿\u4e00-\u9fff]") == r"[a-z㐀\u4e00]"


def test_a_pattern_for_an_ascii_text_serves_others_later() -> None:
    late = LatePattern("by|按", 0)
    assert late.search("by") and late.search("按") and late.sub("-", "by按") == "--"
    assert (late.groups, late.flags, dict(late.groupindex)) == (0, re.compile("a").flags, {})


def test_every_method_is_that_of_the_pattern() -> None:
    late, plain, text = LatePattern(r"\d", 0), re.compile(r"\d"), "a1b2"
    assert late.findall(text, 2) == plain.findall(text, 2) == ["2"]
    assert late.split(text, 1) == plain.split(text, 1)
    assert late.subn("x", text, 1) == plain.subn("x", text, 1)
    assert (late.match(text, 1), late.fullmatch(text, 1, 2)) != (None, None) == (late.match(text), late.fullmatch(text))


def test_it_is_compiled_when_it_is_first_used() -> None:
    late = pattern("(", 0)
    with pytest.raises(re.error):
        late.search("a")


def test_a_text_without_a_needle_costs_no_compilation() -> None:
    late = LatePattern(r"sales(", 0, ("sales",))
    assert late.search("nothing of it") is None
    with pytest.raises(re.error):
        late.search("sales here")


def test_needles_still_count_once_it_is_compiled_for_any_text() -> None:
    late = LatePattern(r"sales|\w+", 0, ("sales",))
    assert late.whole.search("nothing of it") is not None
    assert late.search("nothing of it") is None


def test_a_text_without_a_needle_is_kept_though_a_replacement_names_groups() -> None:
    late = LatePattern(r"(\d+) plus (\d+)", 0, ("plus",))
    assert late.sub(r"\1 + \2", "2 less 1") == "2 less 1"
    assert late.subn(r"\1 + \2", "2 plus 1") == ("2 + 1", 1)
