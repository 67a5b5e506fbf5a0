"""Noun phrases that describe a thing by its relation to another: "who wrote *the PEP that superseded PEP 2*?".

They are recognised by word order and the relation words of `kbtui.records.concepts`, whatever their subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from kbtui.question.normalise import has_han
from kbtui.records.concepts import CONCEPTS
from kbtui.records.names import LIKELY
from kbtui.text.patterns import Patterns

if TYPE_CHECKING:
    from kbtui.records.names import Mention

_MARK: Final = "\ue000"
"""Replaces each character of a mention, so that no pattern matches inside it."""


def _alternatives(patterns: Sequence[str]) -> str:
    return "|".join(pattern for pattern in patterns if pattern)


def _chinese_alternatives(patterns: str) -> str:
    return _alternatives([word for word in patterns.split("|") if not word.isascii() and "谁" not in word])


_NOUNS: Final = _alternatives([noun for concept in CONCEPTS for noun in (concept.subject_nouns, concept.object_nouns)])
_RE: Final = Patterns(
    __package__,
    "descriptions.toml",
    MARK=_MARK,
    ANY=f"{_MARK}++",
    VERB=_alternatives([concept.verb for concept in CONCEPTS]),
    NOUN=rf"{_NOUNS}|\b(?:co-?)?(?:authors?|writers?|owners?|maintainers?|assignees?|duplicates?)\b",
    NOUN_ZH=_chinese_alternatives(_NOUNS),
    VERB_ZH=_alternatives([_chinese_alternatives(concept.chinese) for concept in CONCEPTS]),
)


def find_descriptions(question: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """Spans (start, end) of descriptions that contain a mention; of nested descriptions the inner one."""
    text = question
    for mention in mentions:
        if mention.certainty >= LIKELY:
            text = text[: mention.start] + _MARK * (mention.end - mention.start) + text[mention.end :]
    for pattern in (*(_RE.all_of("chinese") if has_han(question) else ()), *_RE.all_of("english")):
        for match in pattern.finditer(text):
            if not (_RE.joined.search(text[: match.start()]) or _RE.joining.match(text[match.end() :])):
                yield match.span()
