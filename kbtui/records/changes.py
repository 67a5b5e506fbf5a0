"""In which release something was added, removed or deprecated: the first one with an item that says so.

The verb of the question and that of the text need not be the same (*introduced* is *new* and *add*); every other word
has to stand in one item of the release, options and other versions as they are written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.records.selection import Selection

_RE: Final = Patterns(__package__, "selecting.toml")
_WORDS: Final = toml_in(__package__, "selecting.toml")["changes"]
_VERBS: Final = {name: frozenset(map(stem, words.split())) for name, words in _WORDS.items()}


class Change(Struct, frozen=True, kw_only=True):
    """What is said to have changed.

    Attributes:
        verbs: Stems of the words by which a text may say so; it has one of them.
        literals: What has to stand in it letter for letter.
        is_first: Only the first release that says so is asked for.
    """

    verbs: frozenset[str]
    literals: tuple[str, ...]
    is_first: bool


def asks_for_change(question: str) -> bool:
    """Whether it asks when something was added, removed or deprecated."""
    return _RE.when.search(question) is not None and any(getattr(_RE, name).search(question) for name in _VERBS)


def read_change(chosen: Selection) -> Change | None:
    """The change that a question asks for the release of; None without one."""
    verbs = next((verbs for name, verbs in _VERBS.items() if chosen.takes(getattr(_RE, name))), None)
    if verbs is None:
        return None
    literals = []
    while (match := _RE.literal.search(chosen.rest)) is not None:
        literals.append(match[0].strip("`\"'").strip())
        chosen.take(match)
    if literals:
        chosen.rest = _RE.of_literal.sub(" ", chosen.rest)
    return Change(verbs=verbs, literals=tuple(literals), is_first=_RE.several.search(chosen.rest) is None)


def holds(change: Change, text: str) -> bool:
    """Whether a text has what is to stand in it letter for letter."""
    lowered = text.lower()
    return all(re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-]|\.\d)", lowered) for one in change.literals)
