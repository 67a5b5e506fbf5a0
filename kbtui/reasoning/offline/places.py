"""The answers that list: the files of a file question, the places of a literal name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kbtui.domain.evidence import Evidence
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import SubQuestion
from kbtui.question.mentions import find_mentions
from kbtui.question.normalise import Language, clean
from kbtui.question.terms import question_terms
from kbtui.reasoning.citing import Citations, Excerpt
from kbtui.reasoning.offline.answering.composing import near_duplicate
from kbtui.reasoning.offline.cleaning import readable
from kbtui.reasoning.offline.phrases import phrase
from kbtui.reasoning.offline.quotable import Run, Unit, document_kind, is_page, trimmed, units_of
from kbtui.reasoning.offline.rendering import rendered
from kbtui.text.code_marks import inline_code
from kbtui.text.terminal import one_line

MOST_FILES = 30

_DATA = ("code", "csv", "json", "yaml", "toml")
_LONGEST_ABOUT = 160


def file_blocks(
    evidence: Sequence[Evidence], citations: Citations, language: Language, cancel: CancelToken
) -> list[str]:
    """The introduction and the list; empty without evidence."""
    files: dict[str, Evidence] = {}
    for item in evidence:
        files.setdefault(item.hit.path, item)
    if not files:
        return []
    lines = []
    for path, item in list(files.items())[:MOST_FILES]:
        cancel.check()
        about, number = _about(item, citations, cancel)
        title = one_line(item.hit.title)
        name = inline_code(one_line(path))
        told = " — ".join(dict.fromkeys(text for text in (readable(title), about) if text and text not in name))
        lines.append(f"- {name} — {told} [{number}]" if told else f"- {name} [{number}]")
    blocks = [
        phrase("files_one", language) if len(files) == 1 else phrase("files", language, count=len(files)),
        "\n".join(lines),
    ]
    if len(files) > MOST_FILES:
        blocks.append(phrase("files_more", language, count=len(files) - MOST_FILES))
    return blocks


def _about(item: Evidence, citations: Citations, cancel: CancelToken) -> tuple[str, int]:
    """One line about a file, and the number of its citation."""
    hit = item.hit
    units = [unit for unit in units_of([item], citations, cancel) if unit.kind in ("sentence", "list_item")]
    if units and document_kind(hit.path) not in _DATA:
        # The paragraph's first whole sentence tells most; the line alone may begin in the middle of one.
        number = citations.number(units[0].excerpt, units[0].start_line, units[0].end_line)
        text = readable(units[0].text)
    else:
        excerpt = citations.excerpt(hit, whole=False)
        number = citations.number(excerpt, excerpt.start_line, excerpt.start_line)
        text = "" if is_page(excerpt) else readable(excerpt.lines[0].strip().strip("#*=-/>\"' "))
    title = one_line(hit.title)
    if text.casefold().startswith(title.casefold()) and len(text) <= len(title) + 2:
        text = ""
    return (text if len(text) <= _LONGEST_ABOUT else f"{text[:_LONGEST_ABOUT].rsplit(' ', 1)[0]}…"), number


def declared_blocks(
    evidence: Sequence[Evidence], citations: Citations, language: Language, cancel: CancelToken
) -> list[str]:
    """The passages of a tool of another package as a list; empty where another passage is graded higher than all."""
    best = max(evidence, key=lambda item: item.score, default=None)
    found = [item for item in evidence if "declared" in item.hit.signals]
    if best is None or not found or max(item.score for item in found) < best.score:
        return []
    lines = []
    for item in found[:MOST_FILES]:
        cancel.check()
        excerpt = citations.excerpt(item.hit, whole=False)
        number = citations.number(excerpt, excerpt.start_line, excerpt.start_line + len(excerpt.lines) - 1)
        text = one_line(next((line for line in excerpt.lines if line.strip()), ""))
        cut = text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]}…"
        shown = inline_code(cut) if document_kind(excerpt.path) in _DATA else readable(cut.lstrip("#*=-/>\"' "))
        lines.append(f"- {inline_code(_where(excerpt, excerpt.start_line, number, citations))} — {shown} [{number}]")
    tools = ", ".join(dict.fromkeys(item.hit.tool for item in found))
    blocks = [phrase("found_by", language, tool=inline_code(one_line(tools))), "\n".join(lines)]
    if len(found) > MOST_FILES:
        blocks.append(phrase("files_more", language, count=len(found) - MOST_FILES))
    return blocks


def _where(excerpt: Excerpt, line: int, number: int, citations: Citations) -> str:
    """The place of a line in words: path and line, or path and locator."""
    locator = citations.all[number - 1].locator
    return one_line(f"{excerpt.path} {locator}" if locator else f"{excerpt.path}:{line}")


MOST_MAIN = 2
MOST_ELSEWHERE = 5
_LONGEST_LINE = 120


@dataclass(frozen=True, slots=True)
class _Place:
    unit: Unit
    line: int
    defines: bool


def place_blocks(
    question: SubQuestion,
    evidence: Sequence[Evidence],
    citations: Citations,
    language: Language,
    cancel: CancelToken,
) -> list[str]:
    """The strongest units that hold the name, then a list of other places; empty when no passage holds it."""
    named = [mention.text for mention in find_mentions(clean(question.semantic_intent))]
    if not named:
        return []
    patterns = [_literal(name) for name in named]
    places = _places(evidence, citations, patterns, cancel)
    if not places:
        return []
    main: list[_Place] = []
    for place in places:
        if len(main) == MOST_MAIN or (main and main[0].defines and not place.defines):
            break
        if not any(near_duplicate(place.unit.text, other.unit.text) for other in main):
            main.append(place)
    terms = question_terms(question, False).terms
    blocks = rendered([Run((trimmed(place.unit, terms),)) for place in main], citations)
    elsewhere = _listed(_elsewhere(places, main), citations, language)
    return [*blocks, elsewhere] if elsewhere else blocks


def elsewhere_block(
    question: SubQuestion,
    evidence: Sequence[Evidence],
    citations: Citations,
    language: Language,
    cancel: CancelToken,
    but: str,
) -> str:
    """The list of places that hold the name in other files than ``but``, and are not cited yet; empty without any."""
    patterns = [_literal(mention.text) for mention in find_mentions(clean(question.semantic_intent))]
    others = [item for item in evidence if item.hit.path != but and not item.hit.note]
    places = [
        place
        for place in _places(others, citations, patterns, cancel)
        if citations.known(place.unit.excerpt.path, place.line, place.line) is None
    ]
    return _listed(_elsewhere(places, []), citations, language)


def _listed(places: Sequence[_Place], citations: Citations, language: Language) -> str:
    """A line for each place; empty without any."""
    lines = []
    for place in places:
        excerpt = place.unit.excerpt
        text = one_line(place.unit.text if is_page(excerpt) else excerpt.lines[place.line - excerpt.start_line])
        cut = text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]}…"
        is_code = place.unit.kind == "code" or document_kind(excerpt.path) == "code"
        shown = inline_code(cut) if is_code else readable(cut)
        number = citations.number(excerpt, place.line, place.line)
        where = _where(excerpt, place.line, number, citations)
        lines.append(f"- {inline_code(where)} — {shown} [{number}]")
    return "\n".join([phrase("also_in", language), "", *lines]) if lines else ""


def _places(
    evidence: Sequence[Evidence], citations: Citations, patterns: Sequence[re.Pattern[str]], cancel: CancelToken
) -> list[_Place]:
    """Units that hold a name: those that define it first, then as the evidence has them."""
    found = []
    for unit in units_of(evidence, citations, cancel):
        line = _line_of(unit, patterns)
        if line is not None:
            text = unit.excerpt.lines[line - unit.excerpt.start_line]
            found.append(_Place(unit, line, any(_defines(pattern, text) for pattern in patterns)))
    return sorted(found, key=lambda place: (not place.defines, place.unit.passage, place.line))


def _elsewhere(places: Sequence[_Place], main: Sequence[_Place]) -> list[_Place]:
    """Other places, one a file before a second of the same file."""
    taken = {(place.unit.excerpt.path, place.line) for place in main}
    shown = {place.unit.excerpt.path for place in main}
    first: list[_Place] = []
    second: list[_Place] = []
    for place in places:
        key = (place.unit.excerpt.path, place.line)
        inside = any(
            other.unit.excerpt.path == key[0] and other.unit.start_line <= place.line <= other.unit.end_line
            for other in main
        )
        if key in taken or inside:
            continue
        taken.add(key)
        (second if key[0] in shown else first).append(place)
        shown.add(key[0])
    return [*first, *second][:MOST_ELSEWHERE]


def _line_of(unit: Unit, patterns: Sequence[re.Pattern[str]]) -> int | None:
    """The first line of a unit that holds a name."""
    excerpt: Excerpt = unit.excerpt
    for line in range(unit.start_line, unit.end_line + 1):
        text = excerpt.lines[line - excerpt.start_line]
        if any(pattern.search(text) for pattern in patterns):
            return line
    return None


def _literal(name: str) -> re.Pattern[str]:
    """The name as a whole word, its spaces as any white space, its case as typed unless it is a phrase."""
    body = r"\s+".join(re.escape(part) for part in name.split())
    before = r"(?<![A-Za-z0-9_])" if name[:1].isalnum() or name[:1] == "_" else ""
    after = r"(?![A-Za-z0-9_])" if name[-1:].isalnum() or name[-1:] == "_" else ""
    return re.compile(f"{before}{body}{after}", 0 if re.search(r"[A-Z_]", name) else re.I)


def _defines(pattern: re.Pattern[str], line: str) -> bool:
    """True for a line that defines the name: in code, by an assignment, or as the head of an entry."""
    name = pattern.pattern
    return (
        re.search(
            rf"^\s*(?:(?:export|pub|public|private|static|final|async|default|unsafe|abstract)\s+)*"
            rf"(?:def|class|fn|func|function|struct|enum|trait|interface|type|const|let|var|val|#define|define|macro_rules!)\s+(?:{name})"
            rf"|^\s*(?:[-*|]\s*)?[`\"'*]*(?:{name})[`\"'*]*\s*(?:\||:|=|—|–|-\s)",
            line,
            pattern.flags & re.I,
        )
        is not None
    )
