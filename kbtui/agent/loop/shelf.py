"""The texts that a model was given in a run, each with an id, and their form in a prompt.

Passages have path, line numbers, title and headings. A computed result (a count, the rows of a statement) has an id
like a passage; it is cited by its statement, or by the line of a document that the text names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from msgspec.structs import replace

from kbtui.agent.loop.ids import format_id
from kbtui.domain.answer import Citation
from kbtui.domain.evidence import Hit
from kbtui.errors import KbtuiError
from kbtui.reasoning.checking.cells import Label, labels_of
from kbtui.reasoning.checking.facts import folded
from kbtui.reasoning.checking.rows import Rows
from kbtui.reasoning.citing import ReadsLines
from kbtui.reasoning.llm.context import cut, estimate_tokens, merge_overlaps
from kbtui.reasoning.llm.fencing import fenced
from kbtui.reasoning.llm.safe_markdown import urls_in
from kbtui.reasoning.llm.suspicion import signs_by_file
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import tokens

PASSAGE_CHARS: Final = 1_600
"""Most characters of one passage among several."""
LINE_CHARS: Final = 300
TEXT_CHARS: Final = 6_000
"""Most characters of a computed result."""
FOLDER: Final = "all files of the folder"
"""The source that is cited for counts over documents."""
_MIN_TITLE_CHARS: Final = 4
_MAX_GAP_LINES: Final = 10
_MAX_GAP_CHARS: Final = 800
"""Most text between two passages that is given with them: the answer may stand just there."""
_MAX_SHORT_LINES: Final = 2
"""Line count up to which a passage is put into a list with others."""


@dataclass(slots=True)
class Shelf:
    """All texts given to the model so far.

    Args:
        nonce: The run's key (`fencing.new_nonce`).

    Attributes:
        given: The texts by number, from 1; a computed result has a path that no file has.
        stated: For the path of a computed result, a function from a text to the citation for it.
        rows: The rows of computed results, by number.
        foreign: Paths of the texts that another program wrote.
    """

    nonce: str
    given: dict[int, Hit] = field(default_factory=dict)
    stated: dict[str, Callable[[str], Citation]] = field(default_factory=dict)
    rows: dict[int, Rows] = field(default_factory=dict)
    foreign: set[str] = field(default_factory=set)
    _numbers: dict[tuple[str, int, int], int] = field(default_factory=dict)
    _shown: dict[int, str] = field(default_factory=dict)

    def number_of(self, hit: Hit) -> int | None:
        """The number of a passage that was given already, alone or within another; else None."""
        exact = self._numbers.get((hit.path, hit.start_line, hit.end_line))
        if exact is not None:
            return exact
        return next(
            (
                number
                for number, given in self.given.items()
                if given.path == hit.path
                and given.start_line <= hit.start_line
                and hit.end_line <= given.end_line
                and hit.text in given.text
            ),
            None,
        )

    def put(self, hit: Hit) -> int:
        """Add a passage and return its number."""
        number = len(self.given) + 1
        self.given[number] = hit
        self._numbers[hit.path, hit.start_line, hit.end_line] = number
        return number

    def put_text(
        self,
        text: str,
        citation: Citation | None,
        tool: str = "",
        behind: str = "",
        lines: Sequence[Hit] = (),
        rows: Rows | None = None,
        *,
        origin: str = "",
    ) -> int:
        """Add a computed result and return its number.

        Args:
            citation: Its source; the number in it is not used.
            lines: Lines that it was computed from: a text that names their document cites its line; without a
                ``citation`` every other text cites the most similar line.
            rows: Its rows, if it has any: sentences are compared with them.
            behind: The statement it was computed by: not shown again, but claims may rest on it.
            origin: The program that wrote it; empty for a result of this program.
        """
        number = len(self.given) + 1
        path = f"{origin}, result {number}" if origin else f"result {number}"
        if origin:
            self.foreign.add(path)
        source = citation
        if citation is None and not lines:
            source = Citation(n=0, kind="sql", sql=one_line(text, LINE_CHARS), source=tool)
        self.stated[path] = partial(_cite_named_line, lines, source)
        full_text = f"{text}\n{one_line(behind)}" if behind else text
        self._shown[number] = text
        if rows is not None:
            self.rows[number] = rows
        self.given[number] = Hit(path=path, start_line=1, end_line=full_text.count("\n") + 1, text=full_text, tool=tool)
        return number

    def lines(self) -> list[Hit]:
        """All passages of files and pages, without computed results."""
        return [hit for hit in self.given.values() if hit.path not in self.stated]

    def others_texts(self) -> list[Hit]:
        """Everything that is not of this program: passages of files and pages, and texts of other programs."""
        return [hit for hit in self.given.values() if hit.path not in self.stated or hit.path in self.foreign]

    def orders(self) -> dict[str, tuple[str, ...]]:
        """Signs of instructions to a model in the passages, by path; answers from these are labelled."""
        return signs_by_file(self.others_texts())

    def urls(self) -> set[str]:
        """URLs that links of the answer may have."""
        orders = self.orders()
        return set(urls_in(hit.text for hit in self.lines() if hit.path not in orders))

    # Writing ----------------------------------------------------------------------------------------------------------

    def text_of(self, number: int) -> str:
        """What stands under a number, as a model was shown it."""
        return self._shown.get(number, self.given[number].text)

    def block_of_text(self, number: int, about: str) -> str:
        """Format a computed result for the prompt."""
        return fenced(self._shown[number], attributes={"id": format_id(number), "result": about}, nonce=self.nonce)

    def passages(
        self, hits: Sequence[Hit], budget_tokens: int, source: ReadsLines | None = None
    ) -> tuple[str, list[Hit], int]:
        """Format passages for the prompt, within a token budget, which a single passage may use up.

        Args:
            source: Fills gaps of a few lines between passages of a file.

        Returns:
            The text, its passages that are new to the model, and the number of passages left out.
        """
        long = [hit for hit in hits if not _is_short(hit)]
        is_alone = len(long) == len(hits) == 1
        pieces = (
            [_cut_to(long[0], budget_tokens)] if is_alone else [cut(hit, PASSAGE_CHARS) for hit in merge_overlaps(long)]
        )
        pieces = _fill_gaps(pieces, source)
        blocks: list[str] = []
        known_numbers: list[int] = []
        new_hits: list[Hit] = []
        omitted, used = 0, 0
        for hit in pieces:
            if (number := self.number_of(hit)) is not None:
                known_numbers.append(number)
                continue
            block = _format_passage(len(self.given) + 1, hit, self.nonce)
            tokens = estimate_tokens(block)
            if used + tokens > budget_tokens and blocks:
                omitted += 1
                continue
            used += tokens
            self.put(hit)
            new_hits.append(hit)
            blocks.append(block)
        lines, new_lines, omitted_lines = self._lines([hit for hit in hits if _is_short(hit)], budget_tokens - used)
        blocks += [lines] if lines else []
        if known_numbers:
            blocks.append(
                f"Given before: {', '.join(f'[{format_id(number)}]' for number in dict.fromkeys(known_numbers))}"
            )
        return "\n\n".join(blocks), [*new_hits, *new_lines], omitted + omitted_lines

    def _lines(self, hits: Iterable[Hit], budget_tokens: int) -> tuple[str, list[Hit], int]:
        """Format single lines as a list, each with an id."""
        rows: list[str] = []
        new_hits: list[Hit] = []
        omitted, used = 0, 0
        for hit in hits:
            number = self._numbers.get((hit.path, hit.start_line, hit.end_line))
            text = f"{hit.path}:{hit.start_line}: {one_line(hit.text, LINE_CHARS)}"
            text += f" ({one_line(hit.note, LINE_CHARS)})" if hit.note else ""
            tokens = estimate_tokens(text) + 4
            if used + tokens > budget_tokens and rows:
                omitted += 1
                continue
            used += tokens
            if number is None:
                number = self.put(hit)
                new_hits.append(hit)
            rows.append(f"[{format_id(number)}] {text}")
        text = fenced("\n".join(rows), attributes={"lines": "one each"}, nonce=self.nonce) if rows else ""
        return text, new_hits, omitted


def over_files(statement: str) -> Citation:
    """The citation for a count over documents: its statement, because no line of a document contains the count."""
    return Citation(n=0, kind="sql", sql=one_line(statement), title=FOLDER)


def _cite_named_line(hits: Sequence[Hit], source: Citation | None, text: str) -> Citation:
    """A citation of the line whose document a text names, else ``source``, else of the most similar line."""
    labels = {label for label in labels_of(text) if label[0]}
    folded_text = folded(text)
    named_hits = [hit for hit in hits if _is_named(hit, labels, folded_text)]
    if source is not None and not named_hits:
        return source
    return _cite_most_similar(named_hits or hits, text)


def _is_named(hit: Hit, labels: Set[Label], folded_text: str) -> bool:
    name = hit.note or hit.title
    own_labels = {label for label in labels_of(name.split(":")[0]) if label[0]}
    title = folded(hit.title)
    return not own_labels.isdisjoint(labels) or (len(title) >= _MIN_TITLE_CHARS and title in folded_text)


def _cite_most_similar(hits: Sequence[Hit], text: str) -> Citation:
    """A citation of the line that shares most words with a text; the first of equals."""
    words = set(tokens(text))
    best = max(hits, key=lambda hit: len(words & set(tokens(f"{hit.text} {hit.note} {hit.title}"))))
    return Citation(n=0, path=best.path, start_line=best.start_line, end_line=best.end_line, quote=best.text)


def _cut_to(hit: Hit, budget_tokens: int) -> Hit:
    """``hit`` with as many whole lines as fit into a budget."""
    while len(hit.text) > PASSAGE_CHARS and (tokens := estimate_tokens(hit.text)) > budget_tokens:
        shorter = cut(hit, max(PASSAGE_CHARS, min(len(hit.text) - 1, len(hit.text) * budget_tokens // tokens)))
        if len(shorter.text) >= len(hit.text):
            break
        hit = shorter
    return hit


def _fill_gaps(hits: list[Hit], source: ReadsLines | None) -> list[Hit]:
    """Extend each passage to the next of its file if only a few lines are between them."""
    if source is None:
        return hits
    starts: dict[str, list[int]] = {}
    for hit in hits:
        starts.setdefault(hit.path, []).append(hit.start_line)
    result = []
    for hit in hits:
        following = min((start for start in starts[hit.path] if start > hit.end_line + 1), default=0)
        if 0 < following - hit.end_line - 1 <= _MAX_GAP_LINES:
            hit = _extend_to(hit, following - 1, source)
        result.append(hit)
    return result


def _extend_to(hit: Hit, last: int, source: ReadsLines) -> Hit:
    """Extend ``hit`` to a later line; unchanged if the file has changed, or the lines there are long."""
    try:
        lines = source.lines(hit.path)
    except (KbtuiError, OSError):
        return hit
    more = "\n".join(lines[hit.end_line : last])
    if last > len(lines) or len(more) > _MAX_GAP_CHARS or not hit.text.endswith(lines[hit.end_line - 1]):
        return hit
    return replace(hit, text=f"{hit.text}\n{more}", end_line=last)


def _is_short(hit: Hit) -> bool:
    return hit.end_line - hit.start_line < _MAX_SHORT_LINES and len(hit.text) <= LINE_CHARS


def _format_passage(number: int, hit: Hit, nonce: str) -> str:
    attributes: dict[str, object] = {"id": format_id(number), "path": hit.path}
    attributes["lines"] = f"{hit.start_line}-{hit.end_line}" if hit.end_line > hit.start_line else hit.start_line
    if hit.title:
        attributes["title"] = hit.title
    headings = [heading for heading in hit.heading_path if heading != hit.title]
    if headings:
        attributes["section"] = " > ".join(headings)
    if hit.note:
        attributes["states"] = hit.note
    return fenced(hit.text, attributes=attributes, nonce=nonce)
