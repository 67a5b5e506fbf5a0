"""The units of the passages that an answer is put together from, and runs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.document import DocumentKind
from kbtui.domain.evidence import Evidence
from kbtui.domain.ports import CancelToken
from kbtui.question.lexicon import word_set
from kbtui.question.terms import Term
from kbtui.reasoning.citing import Citations, Excerpt
from kbtui.text.markup import XML_PAGES, reads_as_text
from kbtui.text.pairs import are_pairs
from kbtui.text.sentences import Sentence, SentenceKind, sentences
from kbtui.text.tokenise import tokens
from kbtui.text.word_lists import toml_in

MOST_PASSAGES = 6
_CODE_LINES = 14

_KINDS: dict[str, DocumentKind] = {
    extension: kind
    for kind, extensions in toml_in(__package__, "quotable.toml")["kinds"].items()
    for extension in extensions.split()
}
_CODE_SUFFIXES = word_set("code_suffixes")


class Unit(Struct, frozen=True):
    """A quotable unit in its place.

    Attributes:
        index: Position among the units of its passage.
        passage: Position of its passage among the evidence.
        columns: What the cells of a row of a table are called, where the table says so.
    """

    text: str
    start_line: int
    end_line: int
    kind: SentenceKind
    excerpt: Excerpt
    passage: int
    index: int
    score: float = 0.0
    heading: str = ""
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring units that are shown as one paragraph, list or block, under one citation.

    Attributes:
        about: The side of a comparison that they speak of, which is written above the first run about it.
    """

    units: tuple[Unit, ...]
    about: str = ""

    @property
    def excerpt(self) -> Excerpt:
        return self.units[0].excerpt

    @property
    def start_line(self) -> int:
        return min(unit.start_line for unit in self.units)

    @property
    def end_line(self) -> int:
        return max(unit.end_line for unit in self.units)


def document_kind(path: str, text: str = "") -> DocumentKind | None:
    """How a file's text is to be read, from its name; None where the name does not say.

    Args:
        text: Of the file, which tells what XML is, and data under another suffix.
    """
    suffix = path.rsplit(".", 1)[-1].lower() if "." in path.rsplit("/", 1)[-1] else ""
    if f".{suffix}" in XML_PAGES and reads_as_text(text):
        return "html"
    kind = "code" if suffix in _CODE_SUFFIXES else _KINDS.get(suffix)
    return "toml" if kind in (None, "text") and are_pairs(text) else kind


def is_page(excerpt: Excerpt) -> bool:
    """Whether an excerpt is of a page, whose lines hold tags."""
    return document_kind(excerpt.path, "\n".join(excerpt.lines)) == "html"


def units_of(evidence: Sequence[Evidence], citations: Citations, cancel: CancelToken) -> list[Unit]:
    """The units of the best passages, each line only once."""
    units: list[Unit] = []
    seen: set[tuple[str, int, int, str]] = set()
    for passage, item in enumerate(evidence[:MOST_PASSAGES]):
        cancel.check()
        excerpt = citations.excerpt(item.hit)
        heading = item.hit.heading_path[-1] if item.hit.heading_path else item.hit.title
        index = 0
        text = "\n".join([*excerpt.lead, *excerpt.lines])
        for sentence in sentences(text, excerpt.start_line - len(excerpt.lead), document_kind(excerpt.path, text)):
            if sentence.kind == "heading":
                heading = sentence.text
                continue
            if sentence.start_line < excerpt.start_line or sentence.end_line > excerpt.end_line:
                continue
            key = (excerpt.path, sentence.start_line, sentence.end_line, sentence.text)
            if key in seen:
                continue
            seen.add(key)
            units.append(unit_of(sentence, excerpt, passage, index, heading))
            index += 1
    return units


def unit_of(sentence: Sentence, excerpt: Excerpt, passage: int, index: int, heading: str) -> Unit:
    """A sentence as a unit."""
    return Unit(
        text=sentence.text,
        start_line=sentence.start_line,
        end_line=sentence.end_line,
        kind=sentence.kind,
        excerpt=excerpt,
        passage=passage,
        index=index,
        heading=heading,
        columns=sentence.columns,
    )


def trimmed(unit: Unit, terms: Sequence[Term]) -> Unit:
    """The unit itself; of a long block of code only the lines around the one that holds most of the terms."""
    length = unit.end_line - unit.start_line + 1
    if unit.kind != "code" or length <= _CODE_LINES:
        return unit
    lines = unit.text.split("\n")
    held = [sum(term.weight for term in terms if not term.forms.isdisjoint(tokens(line))) for line in lines]
    centre = max(range(length), key=lambda at: (held[at], -at))
    first = min(max(0, centre - _CODE_LINES // 3), length - _CODE_LINES)
    shown = lines[first : first + _CODE_LINES]
    return replace(
        unit,
        text="\n".join(shown),
        start_line=unit.start_line + first,
        end_line=unit.start_line + first + len(shown) - 1,
    )
