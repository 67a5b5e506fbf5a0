"""The release in which something was added, removed or deprecated: the first with an item that says so.

The verbs of question and text may differ (*introduced*: *new*, *add*). Every other word must occur in one item of the
release; options and version numbers must occur literally.
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
    """The change a question asks about.

    Attributes:
        verbs: Stems of verbs for the change; an item must have at least one of them.
        literals: Texts that an item must contain literally.
        is_first: The question asks for the first matching release only.
    """

    verbs: frozenset[str]
    literals: tuple[str, ...]
    is_first: bool


def asks_for_change(question: str) -> bool:
    """Whether a question asks when something was added, removed or deprecated."""
    return _RE.when.search(question) is not None and any(getattr(_RE, name).search(question) for name in _VERBS)


def read_change(selection: Selection) -> Change | None:
    """Parse the change a question asks about and remove its words from the selection; None without one."""
    verbs = next((verbs for name, verbs in _VERBS.items() if selection.takes(getattr(_RE, name))), None)
    if verbs is None:
        return None
    literals = []
    while (match := _RE.literal.search(selection.rest)) is not None:
        literals.append(match[0].strip("`\"'").strip())
        selection.take(match)
    if literals:
        selection.rest = _RE.of_literal.sub(" ", selection.rest)
    return Change(verbs=verbs, literals=tuple(literals), is_first=_RE.several.search(selection.rest) is None)


def has_literals(change: Change, text: str) -> bool:
    """Whether a text contains every literal of the change."""
    lowered = text.lower()
    return all(re.search(rf"(?<![\w-]){re.escape(literal)}(?![\w-]|\.\d)", lowered) for literal in change.literals)
