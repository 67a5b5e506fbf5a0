"""No regular expression of kbtui takes exponential time over a text that was made for it."""

from __future__ import annotations

import importlib
import pkgutil
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kbtui
from kbtui.late_patterns import LatePattern

# What starts work when it is imported, and the texts of the sample handbook.
LEFT_OUT = ("kbtui.__main__", "kbtui.demo", "_worker", "kbtui.worker.child")
PIECES = (
    *"aA1中年 \t\n._-/()[]{}<>\"'*`|:,;#=\\@!?+~$%&",
    *("a ", "a.", "a-", "a,", "a\n", "a_", "a/", "a@", "a:", "1.", "1,", "1 ", "1年", "1-", "- ", "| ", "\n\n", "]("),
    *("**", "``", "<a", '"a', "[a]", "(a)", "http://a", "a b, ", "A-1 ", "the ", "of the "),
)
LETTERS = 120
"""Exponential time shows from thirty letters on; a polynomial of the third degree takes a tenth of a second."""
PATIENCE_S = 5.0


class Overdue(Exception):
    pass


def patterns() -> dict[str, re.Pattern[Any]]:
    """Every compiled pattern that a module of kbtui holds, by what it is called."""
    found: dict[str, re.Pattern[Any]] = {}

    def collect(name: str, value: Any) -> None:
        if isinstance(value, LatePattern):
            value = value.whole
        if isinstance(value, re.Pattern):
            found.setdefault(name, value)
        elif isinstance(value, (tuple, list, frozenset, set)):
            for number, part in enumerate(value):
                collect(f"{name}[{number}]", part)
        elif isinstance(value, dict):
            for key, part in value.items():
                collect(f"{name}[{key!r}]", part)

    for module in pkgutil.walk_packages(kbtui.__path__, "kbtui."):
        if not any(part in module.name for part in LEFT_OUT):
            for name, value in list(vars(importlib.import_module(module.name)).items()):
                collect(f"{module.name}.{name}", value)
    return found


def texts(pattern: re.Pattern[Any]) -> Iterator[str]:
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    words = re.findall(r"[^\W\d_]{2,}", re.sub(r"\\.", "", source))[:8]
    for piece in (*PIECES, *words, *(f"{word} " for word in words)):
        yield piece * (LETTERS // len(piece)) + "\0"


def test_no_pattern_takes_exponential_time() -> None:
    found = patterns()
    assert len(found) > 500

    def give_up(*_: Any) -> None:
        raise Overdue

    before = signal.signal(signal.SIGALRM, give_up)
    slow = []
    sources = "\n".join(path.read_text("utf-8") for path in Path(kbtui.__path__[0]).rglob("*.py"))
    whole = set(re.findall(r"\b(\w+)\.fullmatch\(", sources))
    try:
        for name, pattern in found.items():
            for text in texts(pattern):
                subject: Any = text if isinstance(pattern.pattern, str) else text.encode()
                signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
                try:
                    for _ in pattern.finditer(subject):
                        pass
                    pattern.match(subject)
                    if name.rsplit(".", 1)[-1] in whole:
                        pattern.fullmatch(subject)
                except Overdue:
                    slow.append(f"{name}: {pattern.pattern!r:.120} over {text[:20]!r}…")
                    break
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert slow == []


@pytest.mark.parametrize("pattern", [r"(?:a+)+b", r"(?:a|a)*b", r"(?:\w+\s?)*:"])
def test_such_a_pattern_would_be_found(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    many = dict.fromkeys(map(str, range(501)), re.compile("x")) | {"bad": re.compile(pattern)}
    monkeypatch.setattr(f"{__name__}.patterns", lambda: many)
    monkeypatch.setattr(f"{__name__}.PATIENCE_S", 0.2)
    monkeypatch.setattr(f"{__name__}.texts", lambda _pattern: iter(["a" * LETTERS]))
    with pytest.raises(AssertionError, match="bad"):
        test_no_pattern_takes_exponential_time()
