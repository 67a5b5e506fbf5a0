"""Patterns kept as TOML: found by name, with their parts filled in, and all of them sound."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import kbtui
from kbtui.text.patterns import Patterns

PACKAGE = Path(kbtui.__file__).parent
USERS = sorted(path for path in PACKAGE.rglob("*.py") if "_RE: Final = Patterns(" in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", USERS, ids=lambda path: path.stem)
def test_every_pattern_that_a_module_names_stands_in_its_file_and_compiles(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    module = importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    named = set(re.findall(r"_RE\.(\w+)", source)) - {"all_of"}
    listed = set(re.findall(r'_RE\.all_of\("(\w+)"\)', source))
    assert named | listed
    for name in named:
        assert isinstance(getattr(module._RE, name).flags, int)
    for name in listed:
        assert module._RE.all_of(name)


def test_a_part_is_filled_in_and_a_pattern_is_compiled_once() -> None:
    patterns = Patterns("kbtui.analysis", "hybrid_questions.toml")
    assert patterns.documents.search("the runbooks of last year")
    assert patterns.documents is patterns.documents


def test_a_name_that_the_file_lacks_is_no_attribute() -> None:
    with pytest.raises(AttributeError):
        _ = Patterns("kbtui.analysis", "hybrid_questions.toml").nothing_of_the_kind
