"""Picks what the lexical side looks for: names whole, quoted phrases, the nouns of the question (spec 001, D1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from kbtui.question.asking import FRAME_WORDS, understand
from kbtui.question.lexicon import groups
from kbtui.question.lexicon import words as word_list
from kbtui.question.mentions import find_mentions
from kbtui.question.normalise import clean, has_han
from kbtui.text.language import CJK
from kbtui.text.patterns import Patterns
from kbtui.text.stop_words import CHINESE, CHINESE_PARTS, CHINESE_WHOLE
from kbtui.text.tokenise import STOP_WORDS, content_words, name_parts, stem

MAX_KEYWORDS = 24

# These name what is looked for only when files are: "how are temporary files deleted" is about files.
_FILE_WORDS = word_list("file_words")
_FRAME_WORDS_ZH = word_list("frame_words_zh")
# They frame a question and still tell texts apart: measured on the retrieval sets, leaving them out loses passages.
_FRAME_WORDS = FRAME_WORDS - word_list("frame_words_that_tell")

_CUT_ZH = re.compile(
    "|".join(
        sorted(
            (word for word in CHINESE | CHINESE_WHOLE if word not in CHINESE_PARTS),
            key=lambda word: (-len(word), word),
        )
    )
)
_RUN_ZH = re.compile(f"[{CJK}]+")

# Words the same documents use for the same thing; tried when the question's own words found too little.
_SYNONYM_OF = {stem(word): group for group in groups("synonyms") for word in group}
_PARTS = re.compile(r'"([^"]+)"|(\S+)')
_RE: Final = Patterns("kbtui.question", "words/asking.toml")


def search_keywords(question: str) -> str:
    """The exact terms of one part of a question, space-separated, most telling first; those with spaces in quotes."""
    return joined(keyword_list(question))


def keyword_list(question: str) -> list[str]:
    """The terms of `search_keywords` as a list, without quotes."""
    text = clean(question)
    named = find_mentions(text)
    keywords: dict[str, None] = {}
    rest = text
    for mention in named:
        keywords.setdefault(mention.text.replace('"', " ").strip())
        rest = rest.replace(text[mention.start : mention.end], "\n", 1)
    for match in _RE.name_run.finditer(rest):
        name = _without_frame(match.group())
        if " " in name:
            keywords.setdefault(name)
            rest = rest.replace(match.group(), "\n", 1)
    rest = _RE.instruction.sub(" ", rest)
    series = {mention.text.split()[0].casefold() for mention in named if mention.kind == "document"}
    words = [word for word in telling(_surface(rest)) if word.casefold().removesuffix("s") not in series]
    if understand(text).query_type == "file_discovery":
        words = [word for word in words if word.lower() not in _FILE_WORDS]
    if not keywords and not words:
        words = _surface(rest) or rest.split()
    for word in words:
        keywords.setdefault(word)
    return _without_repeats(keywords)[:MAX_KEYWORDS]


def expanded(question: str, tried: Iterable[str]) -> list[str]:
    """Other terms for a question whose own keywords found too little: parts of names, stems, synonyms, shorter pieces.

    Args:
        question: One part of a question.
        tried: Keyword strings of earlier passes.

    Returns:
        Terms that were not tried, the least specific ones of the question kept for company; never empty unless the
        question has no content at all.
    """
    own = keyword_list(question)
    used = {term.casefold() for string in tried for term in split_terms(string)} | {term.casefold() for term in own}
    found: dict[str, None] = {}
    for term in own:
        for part in _pieces(term):
            found.setdefault(part)
    for term in own:
        for other in _SYNONYM_OF.get(stem(term.lower()), ()):
            found.setdefault(other)
    for term in own:
        base = stem(term.lower())
        if base != term.lower() and len(base) >= 4 and term.isalpha():
            found.setdefault(base)
    fresh = [term for term in found if term.casefold() not in used and len(term) > 1]
    # The most specific term is what failed; the broader ones keep the new terms on the subject.
    plain = sorted((term for term in own if not _is_specific(term)), key=len)[:3]
    return _without_repeats([*fresh[:MAX_KEYWORDS], *plain])[:MAX_KEYWORDS] or own


def joined(terms: Sequence[str]) -> str:
    """Terms as one ``search_keywords`` string."""
    return " ".join(f'"{term}"' if re.search(r"\s", term) else term for term in terms)


def split_terms(keywords: str) -> list[str]:
    """The terms of a ``search_keywords`` string, quotes removed."""
    return [quoted or plain for quoted, plain in _PARTS.findall(keywords)]


def telling(words: Iterable[str]) -> list[str]:
    """Words that say what the question is about."""
    kept = []
    for word in words:
        if has_han(word):
            core = _han_core(word)
            if core:
                kept.append(core)
        elif word.lower().removesuffix("'s") not in _FRAME_WORDS and (
            len(word) > 1 or word.isupper() or word.isdigit()
        ):
            kept.append(word.removesuffix("'s").removesuffix("’s"))
    return kept


def _surface(text: str) -> list[str]:
    """Content words in order; Chinese is cut only at function words that are no part of others: 阿尔及尔 stays."""
    found: list[str] = []
    position = 0
    for run in _RUN_ZH.finditer(text):
        found += content_words(text[position : run.start()])
        position = run.end()
        start = 0
        for cut in _CUT_ZH.finditer(run.group()):
            if cut.group() in CHINESE:
                found += [piece] if (piece := run.group()[start : cut.start()]) else []
                start = cut.end()
        found += [rest] if (rest := run.group()[start:]) else []
    return found + content_words(text[position:])


def _han_core(run: str) -> str:
    """A Chinese run without the words that only frame the question around it."""
    text = run
    changed = True
    while changed and text:
        changed = False
        for frame in _FRAME_WORDS_ZH:
            if len(text) > len(frame) and text.startswith(frame):
                text, changed = text[len(frame) :], True
            elif len(text) > len(frame) and text.endswith(frame):
                text, changed = text[: -len(frame)], True
    return "" if text in _FRAME_WORDS_ZH or text in STOP_WORDS else text


def _without_frame(name: str) -> str:
    """A run of capitalised words without a question word in front of it."""
    words = name.split()
    while words and (words[0].lower() in STOP_WORDS or words[0].lower() in FRAME_WORDS):
        words = words[1:]
    return " ".join(words)


def _pieces(term: str) -> list[str]:
    """Parts of a composed term: the words of an identifier or phrase, halves of a long Chinese run."""
    if re.fullmatch(r"[\u3400-\u9fff]{4,}", term):
        return [term[:2], term[2:] if len(term) <= 5 else term[2:4], term[-2:]]
    parts = name_parts(term)
    if len(parts) < 2:
        return []
    return [
        part for part in parts if len(part) > 1 and part.lower() not in STOP_WORDS and part.lower() not in FRAME_WORDS
    ]


def _is_specific(term: str) -> bool:
    return bool(re.search(r"[\s_.\d/-]", term)) or any(c.isupper() for c in term[1:])


def _without_repeats(terms: Iterable[str]) -> list[str]:
    unique: dict[str, str] = {}
    for term in terms:
        if term:
            unique.setdefault(term.casefold(), term)
    return list(unique.values())
