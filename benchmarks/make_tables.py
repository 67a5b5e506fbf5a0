"""Makes the tables of the package's word files, which ``tests/benchmarks/test_make_tables.py`` compares with them.

    python benchmarks/make_tables.py

To be run after a change of one of these word files, or of the code that reads them. Nobody needs to merge its files:
run it again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from re import _parser
from typing import Any

from _word_tables import lexicon_entries, phrase_entries, plain_entries, table_text, toml_entries

from kbtui.analysis import request_cues, spoken_sums
from kbtui.nl2sql import lexicon
from kbtui.question import date_expressions_en, date_expressions_zh, mentions, phrases, words
from kbtui.question.cues import ASKING, FOLLOW_UPS, OPEN_REQUESTS, QUESTIONS
from kbtui.text import patterns
from kbtui.text.built_tables import toml_file_of
from kbtui.text.word_lists import text_in

_MOST = 256
"""Strings of a list."""
_REPEATS = (_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT)
TOML = (("ui.commands", "commands.toml"), ("editors", "templates.toml"))
"""Files that are read whole before the first frame."""
PACKAGE = Path(lexicon.__file__).parents[1]


def tables() -> Iterator[tuple[Path, bytes]]:
    """Every table as it should be, with its file."""
    concepts = text_in("kbtui.nl2sql", "concepts.toml")
    yield PACKAGE / "nl2sql" / lexicon.FILE, table_text(lexicon_entries(concepts))
    yield PACKAGE / "question" / words.FILE, table_text(plain_entries())
    for files in (QUESTIONS, FOLLOW_UPS, OPEN_REQUESTS, ASKING):
        yield PACKAGE / "question" / phrases.table_name(files), table_text(phrase_entries(files))
    for package, name in TOML:
        path = PACKAGE.joinpath(*package.split("."), toml_file_of(name))
        yield path, table_text(toml_entries(text_in(f"kbtui.{package}", name)))
    found = {patterns.pattern_key(text, flags): needles_of(text, flags) for text, flags in tried_in_turn()}
    yield PACKAGE / "text" / patterns.NEEDLES, table_text({key: some for key, some in found.items() if some})


def tried_in_turn() -> Iterator[tuple[str, int]]:
    """The patterns that `patterns.needle_pattern` makes, with their flags."""
    for _, text in request_cues.pattern_texts():
        yield text, re.X
    rules = (*date_expressions_en.rules(), *date_expressions_zh.rules(), *spoken_sums.RULES, *spoken_sums.PERCENTAGES)
    for rule in (*(each for each, _ in rules), *(each for _, each in mentions.PATTERNS)):
        yield rule.pattern, 0


def needles_of(text: str, flags: int) -> list[str]:
    """The needles of a pattern; none of one that is searched without regard to case."""
    parsed = _parser.parse(text, flags)
    return [] if parsed.state.flags & re.IGNORECASE else needles(parsed)


def needles(pattern: Iterable[Any]) -> list[str]:
    """Strings one of which is in whatever a parsed pattern matches, none where there are no such; long and few ones."""
    best: list[str] = []
    # What the last items match in a row.
    current = {""}

    def offer(found: Collection[str]) -> None:
        nonlocal best
        # What holds another needle is needless.
        few = sorted(one for one in found if not any(other != one and other in one for other in found))
        best = max(best, few, key=lambda some: (min(map(len, some), default=0), -len(some)))

    for op, value in pattern:
        strings, ends = _strings_of(op, value)
        if strings is None or len(current) * len(strings) > _MOST:
            offer(current)
            current = {""}
            offer(_inner(op, value))
        if strings is not None and len(strings) <= _MOST:
            current = {before + one for before in current for one in strings}
        if ends:
            offer(current)
            current = {""}
    offer(current)
    return best


def _strings_of(op: Any, value: Any) -> tuple[set[str] | None, bool]:
    """All that an item of a pattern matches, None where that is no short list; whether it may match more behind it."""
    if op is _parser.LITERAL:
        return {chr(value)}, False
    if op in (_parser.AT, _parser.ASSERT, _parser.ASSERT_NOT):
        return {""}, False
    if op is _parser.IN and all(kind is _parser.LITERAL for kind, _ in value):
        return {chr(code) for _, code in value}, False
    if op is _parser.SUBPATTERN and not value[1] & re.IGNORECASE:
        return _all_of(value[-1]), False
    if op is _parser.BRANCH:
        branches = [_all_of(branch) for branch in value[1]]
        return (None if None in branches else {one for branch in branches for one in branch or ()}), False
    if op in _REPEATS:
        least, most, inner = value
        once = _all_of(inner)
        if once is not None and least <= 1:
            return (once if least else once | {""}), most != 1
    return None, False


def _all_of(pattern: Iterable[Any]) -> set[str] | None:
    found = {""}
    for op, value in pattern:
        strings, ends = _strings_of(op, value)
        if strings is None or ends or len(found) * len(strings) > _MOST:
            return None
        found = {before + one for before in found for one in strings}
    return found


def _inner(op: Any, value: Any) -> list[str]:
    if op is _parser.SUBPATTERN and not value[1] & re.IGNORECASE:
        return needles(value[-1])
    if op is _parser.BRANCH:
        branches = [needles(branch) for branch in value[1]]
        return sorted({one for branch in branches for one in branch}) if all(branches) else []
    return needles(value[2]) if op in _REPEATS and value[0] else []


if __name__ == "__main__":
    for path, text in tables():
        path.write_bytes(text)
