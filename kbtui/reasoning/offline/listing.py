"""The answer to a file question: the files, best first, and one line about each."""

from __future__ import annotations

from collections.abc import Sequence

from kbtui.domain.evidence import Evidence
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.offline.cleaning import inline_code, readable
from kbtui.reasoning.offline.normalise import Language
from kbtui.reasoning.offline.phrases import phrase
from kbtui.reasoning.offline.quotable import document_kind, units_of
from kbtui.text.terminal import one_line

MOST_FILES = 30

_DATA = ("code", "csv", "json", "yaml", "toml")
_LONGEST_LINE = 160


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
        text = readable(excerpt.lines[0].strip().strip("#*=-/>\"' "))
    title = one_line(hit.title)
    if text.casefold().startswith(title.casefold()) and len(text) <= len(title) + 2:
        text = ""
    return (text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE].rsplit(' ', 1)[0]}…"), number
