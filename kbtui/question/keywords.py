"""The keywords of lexical search: whole names, quoted phrases, the nouns of the question (spec 001, D1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from kbtui.question.lexicon import word_groups
from kbtui.question.lexicon import word_set as word_list
from kbtui.question.mentions import find_mentions
from kbtui.question.normalise import clean, has_han
from kbtui.question.understanding import FRAME_WORDS, understand
from kbtui.text.language import CJK
from kbtui.text.patterns import Patterns
from kbtui.text.stop_words import CHINESE, CHINESE_PARTS, CHINESE_WHOLE
from kbtui.text.tokenise import STOP_WORDS, content_words, name_parts, stem

MAX_KEYWORDS = 24

# Keywords, except in a search for files: "how are temporary files deleted" is about files.
_FILE_WORDS = word_list("file_words")
_FRAME_WORDS_ZH = word_list("frame_words_zh")
# Some frame words distinguish texts too: without them the retrieval benchmarks lose passages.
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

# Synonyms, which are tried when the words of the question found too little.
_SYNONYM_OF = {stem(word): group for group in word_groups("synonyms") for word in group}
_QUOTED_OR_PLAIN = re.compile(r'"([^"]+)"|(\S+)')
_RE: Final = Patterns("kbtui.question", "words/asking.toml")


def search_keywords(question: str) -> str:
    """The keywords of one part of a question, separated by spaces, most specific first; phrases in quotes."""
    return join_terms(keyword_list(question))


def keyword_list(question: str) -> list[str]:
    """The terms of `search_keywords` as a list, without quotes."""
    text = clean(question)
    mentions = find_mentions(text)
    keywords: dict[str, None] = {}
    rest = text
    for mention in mentions:
        keywords.setdefault(mention.text.replace('"', " ").strip())
        rest = rest.replace(text[mention.start : mention.end], "\n", 1)
    for match in _RE.name_run.finditer(rest):
        name = _without_frame(match.group())
        if " " in name:
            keywords.setdefault(name)
            rest = rest.replace(match.group(), "\n", 1)
    rest = _RE.instruction.sub(" ", rest)
    series = {mention.text.split()[0].casefold() for mention in mentions if mention.kind == "document"}
    words = [word for word in topic_words(_content_runs(rest)) if word.casefold().removesuffix("s") not in series]
    if understand(text).query_type == "file_discovery":
        words = [word for word in words if word.lower() not in _FILE_WORDS]
    if not keywords and not words:
        words = _content_runs(rest) or rest.split()
    for word in words:
        keywords.setdefault(word)
    return _deduplicated(keywords)[:MAX_KEYWORDS]


def expand_keywords(question: str, tried: Iterable[str]) -> list[str]:
    """Further keywords if those of a question found too little: parts of names, stems, synonyms, shorter pieces.

    Args:
        question: One part of a question.
        tried: Keyword strings of earlier passes.

    Returns:
        Terms that were not tried, with the least specific ones of the question; empty only if the question has no
        content.
    """
    keywords = keyword_list(question)
    used = {term.casefold() for string in tried for term in split_terms(string)} | {
        term.casefold() for term in keywords
    }
    expansions: dict[str, None] = {}
    for term in keywords:
        for part in _term_parts(term):
            expansions.setdefault(part)
    for term in keywords:
        for other in _SYNONYM_OF.get(stem(term.lower()), ()):
            expansions.setdefault(other)
    for term in keywords:
        base = stem(term.lower())
        if base != term.lower() and len(base) >= 4 and term.isalpha():
            expansions.setdefault(base)
    new_terms = [term for term in expansions if term.casefold() not in used and len(term) > 1]
    # The most specific terms found nothing; the broader ones keep the search on the subject.
    broad_terms = sorted((term for term in keywords if not _is_specific(term)), key=len)[:3]
    return _deduplicated([*new_terms[:MAX_KEYWORDS], *broad_terms])[:MAX_KEYWORDS] or keywords


def join_terms(terms: Sequence[str]) -> str:
    """Terms as one ``search_keywords`` string."""
    return " ".join(f'"{term}"' if re.search(r"\s", term) else term for term in terms)


def split_terms(keywords: str) -> list[str]:
    """The terms of a ``search_keywords`` string, quotes removed."""
    return [quoted or plain for quoted, plain in _QUOTED_OR_PLAIN.findall(keywords)]


def topic_words(words: Iterable[str]) -> list[str]:
    """The words of a question that belong to its topic, without frame words."""
    topics = []
    for word in words:
        if has_han(word):
            core = _without_frame_zh(word)
            if core:
                topics.append(core)
        elif word.lower().removesuffix("'s") not in _FRAME_WORDS and (
            len(word) > 1 or word.isupper() or word.isdigit()
        ):
            topics.append(word.removesuffix("'s").removesuffix("’s"))
    return topics


def _content_runs(text: str) -> list[str]:
    """Content words in order; Chinese runs are split at function words, unless these are part of a name (阿尔及尔)."""
    runs: list[str] = []
    position = 0
    for run in _RUN_ZH.finditer(text):
        runs += content_words(text[position : run.start()])
        position = run.end()
        start = 0
        for cut in _CUT_ZH.finditer(run.group()):
            if cut.group() in CHINESE:
                runs += [piece] if (piece := run.group()[start : cut.start()]) else []
                start = cut.end()
        runs += [rest] if (rest := run.group()[start:]) else []
    return runs + content_words(text[position:])


def _without_frame_zh(run: str) -> str:
    """A Chinese run without the frame words at its ends."""
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
    """A run of capitalised words without leading question words."""
    words = name.split()
    while words and (words[0].lower() in STOP_WORDS or words[0].lower() in FRAME_WORDS):
        words = words[1:]
    return " ".join(words)


def _term_parts(term: str) -> list[str]:
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


def _deduplicated(terms: Iterable[str]) -> list[str]:
    unique: dict[str, str] = {}
    for term in terms:
        if term:
            unique.setdefault(term.casefold(), term)
    return list(unique.values())
