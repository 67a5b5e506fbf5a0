import json
import re
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]

import make_tables
import pytest

from kbtui.analysis import request_cues
from kbtui.late_patterns import LatePattern
from kbtui.text.patterns import needle_pattern

REQUESTS = Path(make_tables.__file__).parent / "data" / "requests.jsonl"


@pytest.mark.parametrize(("path", "text"), [pytest.param(*row, id=row[0].name) for row in make_tables.tables()])
def test_the_tables_of_the_package_are_those_of_its_word_files(path: Path, text: bytes) -> None:
    assert path.read_bytes() == text, "run benchmarks/make_tables.py"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("how many|count", ["count", "how many"]),
        ("than(?:k|x)s?", ["thank", "thanx"]),
        ("hi+ there", [" there"]),
        ("hel+o", ["hel"]),
        (r"\bby\b", ["by"]),
        (r"(?:please )?\d+ days", [" days"]),
        ("(?:total )?sales", ["sales"]),
        ("(?:a|b)?", []),
        (r"total|\d+", []),
        ("[abc]+x{2}", ["x"]),
        ("(?!not)yes", ["yes"]),
        ("a(?:bc)*d", ["a"]),
    ],
)
def test_whatever_a_pattern_matches_holds_one_of_its_needles(pattern: str, expected: list[str]) -> None:
    assert make_tables.needles(_parser.parse(pattern, 0)) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"), [("(?i)by day", []), ("(?i:by) day", [" day"]), ("(?x)by day", ["byday"])]
)
def test_what_is_found_without_regard_to_case_is_no_needle(pattern: str, expected: list[str]) -> None:
    assert make_tables.needles_of(pattern, 0) == expected


def test_patterns_find_the_same_with_needles_and_without() -> None:
    texts = [json.loads(line)["text"].lower() for line in REQUESTS.read_text("utf-8").splitlines()[::7]]
    for text, flags in make_tables.tried_in_turn():
        late, plain = needle_pattern(text, flags), re.compile(text, flags)
        assert isinstance(late, LatePattern)
        for asked in texts:
            assert [m.span() for m in late.finditer(asked)] == [m.span() for m in plain.finditer(asked)], (text, asked)


def test_cues_of_requests_have_needles() -> None:
    cues = [cue.pattern for kind in request_cues.kinds() for cue in request_cues.cues(kind)]
    assert all(isinstance(late, LatePattern) and late._needles for late in cues)
