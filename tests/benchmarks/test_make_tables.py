import json
import re
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]

import make_tables
import pytest

from kbtui.analysis import request_cues
from kbtui.late_patterns import LatePattern

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


def test_requests_show_the_same_cues_with_needles_and_without() -> None:
    texts = [json.loads(line)["text"].lower() for line in REQUESTS.read_text("utf-8").splitlines()[::7]]
    cues = [cue.pattern for kind in request_cues.kinds() for cue in request_cues.cues(kind)]
    for late in cues:
        assert isinstance(late, LatePattern) and late._needles, late
        plain = re.compile(late.pattern, re.X)
        for text in texts:
            assert [m.span() for m in late.finditer(text)] == [m.span() for m in plain.finditer(text)], text
