"""What could be asked next, from what was found; or what lies nearby when nothing was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kbtui.domain.answer import Citation
from kbtui.domain.document import FileRecord
from kbtui.domain.evidence import Evidence
from kbtui.domain.routing import QueryType
from kbtui.errors import KbtuiError
from kbtui.question.keywords import keyword_list
from kbtui.question.mentions import find_mentions
from kbtui.question.normalise import Language, clean, has_han
from kbtui.question.terms import Rarity
from kbtui.question.understanding import understand
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import tokens

MOST = 3
_LONGEST_TITLE = 60


def follow_ups(
    query: str,
    query_type: QueryType,
    evidence: Sequence[Evidence],
    citations: Sequence[Citation],
    language: Language,
) -> tuple[str, ...]:
    """Up to three questions that the same folder can answer."""
    topic = _topic(query, language)
    titles = {item.hit.path: one_line(item.hit.title) for item in evidence if item.hit.title}
    cited = list(dict.fromkeys(titles.get(c.path or "", "") for c in citations))
    named = [title for title in cited if title and len(title) <= _LONGEST_TITLE]
    found: list[str] = []
    if named and query_type != "relational":
        found.append(
            f"哪些文档提到了《{named[0]}》？" if language == "zh" else f"which documents mention “{named[0]}”?"
        )
    if topic and query_type in ("conceptual", "exact"):
        found.append(_files_about(topic, language))
    found += [_about(title, language) for title in (named[1:] if query_type != "relational" else named)]
    return tuple(dict.fromkeys(text for text in found if text.casefold() != query.casefold()))[:MOST]


def nearby(
    terms: Sequence[str],
    files: Callable[[], Iterable[FileRecord]] | None,
    rarity: Rarity | None,
    language: Language,
) -> tuple[str, ...]:
    """Up to three things to try when nothing was found, each of which finds something.

    Args:
        terms: What was searched for; files are offered about those of them that stand somewhere in the folder.
        rarity: How rare words are in the folder.
    """
    if not any(True for _ in _listed(files)):
        return ()
    split = {term: tokens(term) for term in terms if len(term) <= _LONGEST_TITLE}
    rare = rarity(token for found in split.values() for token in found) if rarity is not None else {}
    held = {term: max(rare.get(token, 1.0) for token in found) for term, found in split.items() if found}
    known = sorted((term for term in held if held[term] < 1.0), key=lambda term: -held[term])
    about = [_files_about(term, language) for term in known]
    found = [text for text in about if understand(text).query_type == "file_discovery"][: MOST - 1]
    return (*found, "列出所有文件" if language == "zh" else "list all files")


def _about(title: str, language: Language) -> str:
    return f"《{title}》讲了什么？" if language == "zh" else f"what is “{title}” about?"


def _files_about(topic: str, language: Language) -> str:
    return f"查找关于{topic}的文件" if language == "zh" else f"find files about {topic}"


def _listed(files: Callable[[], Iterable[FileRecord]] | None) -> Iterable[FileRecord]:
    if files is None:
        return ()
    try:
        return files()
    except (KbtuiError, OSError):
        # A suggestion is never worth failing an answer for.
        return ()


def _topic(query: str, language: Language) -> str:
    """The words the question is about, short enough for a sentence."""
    named = {mention.text for mention in find_mentions(clean(query)) if mention.kind == "document"}
    words = [word for word in keyword_list(query) if word not in named and (language == "zh" or not has_han(word))]
    if language == "zh":
        words = [word for word in words if has_han(word)] or words
        return words[0] if words else ""
    return " ".join(words[:3])
