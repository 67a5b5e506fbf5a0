"""What a model was given in a run, each piece under an id, and how it is written into a prompt.

Lines of files come with path, lines, title and headings. What a tool worked out (a count, the rows of a statement) has
an id like any line; it is cited by the statement, or by the line of a document that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from kbtui.agent.loop.ids import named
from kbtui.domain.answer import Citation
from kbtui.domain.evidence import Hit
from kbtui.reasoning.checking.cells import Label, labels_of
from kbtui.reasoning.checking.facts import folded
from kbtui.reasoning.checking.rows import Rows
from kbtui.reasoning.llm.context import cut, estimate_tokens, merged
from kbtui.reasoning.llm.fencing import fenced, urls_in
from kbtui.reasoning.llm.suspicion import ordering
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import tokens

PASSAGE_CHARS: Final = 1_600
"""Characters of one passage."""
LINE_CHARS: Final = 300
TEXT_CHARS: Final = 6_000
"""Characters of what a tool worked out."""
FOLDER: Final = "all files of the folder"
"""What counts over documents are said to rest on."""
_LEAST_TITLE: Final = 4
_SHORT: Final = 2
"""Lines of a passage that stands in a list with others."""


@dataclass(slots=True)
class Shelf:
    """Everything given so far.

    Args:
        nonce: The run's key (`fencing.new_nonce`).

    Attributes:
        given: By number, from 1; a piece that was worked out has a path that no file has.
        stated: Given lines of such a piece, what is cited for them.
        rows: By number, the results that some of them are the text of.
    """

    nonce: str
    given: dict[int, Hit] = field(default_factory=dict)
    stated: dict[str, Callable[[str], Citation]] = field(default_factory=dict)
    rows: dict[int, Rows] = field(default_factory=dict)
    _numbers: dict[tuple[str, int, int], int] = field(default_factory=dict)
    _shown: dict[int, str] = field(default_factory=dict)

    def number_of(self, hit: Hit) -> int | None:
        """The number of lines that were given already, alone or within others."""
        exact = self._numbers.get((hit.path, hit.start_line, hit.end_line))
        if exact is not None:
            return exact
        return next(
            (
                number
                for number, one in self.given.items()
                if one.path == hit.path
                and one.start_line <= hit.start_line
                and hit.end_line <= one.end_line
                and hit.text in one.text
            ),
            None,
        )

    def put(self, hit: Hit) -> int:
        """The number of lines from now on."""
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
    ) -> int:
        """The number of what a tool worked out.

        Args:
            citation: What stands behind it; its number is not used.
            lines: The lines of files that it was made from: for a part that names a document, its line is cited, and
                the nearest line where nothing else stands behind it.
            rows: The result that it is the text of: sentences are compared with that.
            behind: What it was worked out by, such as a statement: not shown again, and true of it all the same.
        """
        number = len(self.given) + 1
        path = f"result {number}"
        stands_for = citation
        if citation is None and not lines:
            stands_for = Citation(n=0, kind="sql", sql=one_line(text, LINE_CHARS), source=tool)
        self.stated[path] = partial(_stating, lines, stands_for)
        whole = f"{text}\n{one_line(behind)}" if behind else text
        self._shown[number] = text
        if rows is not None:
            self.rows[number] = rows
        self.given[number] = Hit(path=path, start_line=1, end_line=whole.count("\n") + 1, text=whole, tool=tool)
        return number

    def lines(self) -> list[Hit]:
        """The lines of files and pages among it."""
        return [hit for hit in self.given.values() if hit.path not in self.stated]

    def orders(self) -> dict[str, tuple[str, ...]]:
        """By path, the signs of texts that give a model orders: nothing of them is passed on unmarked."""
        return ordering(self.lines())

    def urls(self) -> set[str]:
        """Addresses that links of the answer may have."""
        orders = self.orders()
        return set(urls_in(hit.text for hit in self.lines() if hit.path not in orders))

    # Writing ----------------------------------------------------------------------------------------------------------

    def text_of(self, number: int) -> str:
        """What stands under a number, as a model was shown it."""
        return self._shown.get(number, self.given[number].text)

    def block_of_text(self, number: int, about: str) -> str:
        """What a tool worked out, as a model is shown it."""
        return fenced(self._shown[number], attributes={"id": named(number), "result": about}, nonce=self.nonce)

    def passages(self, hits: Sequence[Hit], budget_tokens: int) -> tuple[str, list[Hit], int]:
        """Lines of files as a model is shown them, within a budget.

        Returns:
            The text, the lines that it holds and that were not given before, and how many passages had no room.
        """
        long = [hit for hit in hits if not _is_short(hit)]
        blocks: list[str] = []
        known: list[int] = []
        shown: list[Hit] = []
        left, used = 0, 0
        for hit in (cut(one, PASSAGE_CHARS) for one in merged(long)):
            if (number := self.number_of(hit)) is not None:
                known.append(number)
                continue
            block = _block(len(self.given) + 1, hit, self.nonce)
            tokens = estimate_tokens(block)
            if used + tokens > budget_tokens and blocks:
                left += 1
                continue
            used += tokens
            self.put(hit)
            shown.append(hit)
            blocks.append(block)
        lines, more, missing = self._lines([hit for hit in hits if _is_short(hit)], budget_tokens - used)
        blocks += [lines] if lines else []
        if known:
            blocks.append(f"Given before: {', '.join(f'[{named(number)}]' for number in dict.fromkeys(known))}")
        return "\n\n".join(blocks), [*shown, *more], left + missing

    def _lines(self, hits: Iterable[Hit], budget_tokens: int) -> tuple[str, list[Hit], int]:
        """Single lines as a list, an id a line."""
        rows: list[str] = []
        shown: list[Hit] = []
        left, used = 0, 0
        for hit in hits:
            number = self._numbers.get((hit.path, hit.start_line, hit.end_line))
            text = f"{hit.path}:{hit.start_line}: {one_line(hit.text, LINE_CHARS)}"
            text += f" ({one_line(hit.note, LINE_CHARS)})" if hit.note else ""
            tokens = estimate_tokens(text) + 4
            if used + tokens > budget_tokens and rows:
                left += 1
                continue
            used += tokens
            if number is None:
                number = self.put(hit)
                shown.append(hit)
            rows.append(f"[{named(number)}] {text}")
        text = fenced("\n".join(rows), attributes={"lines": "one each"}, nonce=self.nonce) if rows else ""
        return text, shown, left


def over_files(statement: str) -> Citation:
    """What is cited for a count over documents: how it was counted, for no line of one of them states it."""
    return Citation(n=0, kind="sql", sql=one_line(statement), title=FOLDER)


def _stating(hits: Sequence[Hit], stands_for: Citation | None, text: str) -> Citation:
    """The line of the document that a text names, else what stands for the text, else the line nearest to it."""
    labels = {label for label in labels_of(text) if label[0]}
    said = folded(text)
    named = [hit for hit in hits if _is_named(hit, labels, said)]
    if stands_for is not None and not named:
        return stands_for
    return _nearest(named or hits, text)


def _is_named(hit: Hit, labels: Set[Label], said: str) -> bool:
    called = hit.note or hit.title
    own = {label for label in labels_of(called.split(":")[0]) if label[0]}
    title = folded(hit.title)
    return not own.isdisjoint(labels) or (len(title) >= _LEAST_TITLE and title in said)


def _nearest(hits: Sequence[Hit], text: str) -> Citation:
    """The line that shares most words with a text; the first of several."""
    wanted = set(tokens(text))
    best = max(hits, key=lambda hit: len(wanted & set(tokens(f"{hit.text} {hit.note} {hit.title}"))))
    return Citation(n=0, path=best.path, start_line=best.start_line, end_line=best.end_line, quote=best.text)


def _is_short(hit: Hit) -> bool:
    return hit.end_line - hit.start_line < _SHORT and len(hit.text) <= LINE_CHARS


def _block(number: int, hit: Hit, nonce: str) -> str:
    attributes: dict[str, object] = {"id": named(number), "path": hit.path}
    attributes["lines"] = f"{hit.start_line}-{hit.end_line}" if hit.end_line > hit.start_line else hit.start_line
    if hit.title:
        attributes["title"] = hit.title
    headings = [heading for heading in hit.heading_path if heading != hit.title]
    if headings:
        attributes["section"] = " > ".join(headings)
    if hit.note:
        attributes["states"] = hit.note
    return fenced(hit.text, attributes=attributes, nonce=nonce)
