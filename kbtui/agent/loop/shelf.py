"""What a model was given in a run, each piece under an id, and how it is written into a prompt.

Lines of files come with path, lines, title and headings. What a tool worked out (a count, the rows of a statement) has
an id like any line; it is cited by the statement, or by the first line that it was counted from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from kbtui.agent.loop.ids import named
from kbtui.domain.answer import Citation
from kbtui.domain.evidence import Hit
from kbtui.errors import KbtuiError
from kbtui.reasoning.citing import ReadsLines
from kbtui.reasoning.llm.context import cut, estimate_tokens, merged
from kbtui.reasoning.llm.fencing import fenced, urls_in
from kbtui.reasoning.llm.suspicion import ordering
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import tokens

PASSAGE_CHARS: Final = 1_600
"""Characters of one passage among several."""
LINE_CHARS: Final = 300
TEXT_CHARS: Final = 6_000
"""Characters of what a tool worked out."""
_HOLE_LINES: Final = 10
_HOLE_CHARS: Final = 800
"""What is between two passages and is given with them: their answer may stand just there."""
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
    """

    nonce: str
    given: dict[int, Hit] = field(default_factory=dict)
    stated: dict[str, Callable[[str], Citation]] = field(default_factory=dict)
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
        self, text: str, citation: Citation | None, tool: str = "", behind: str = "", lines: Sequence[Hit] = ()
    ) -> int:
        """The number of what a tool worked out.

        Args:
            citation: What stands behind it; its number is not used.
            lines: In place of that, the lines of files that it was made from: the nearest one is cited.
            behind: What it was worked out by, such as a statement: not shown again, and true of it all the same.
        """
        number = len(self.given) + 1
        path = f"result {number}"
        if lines and citation is None:
            self.stated[path] = partial(_nearest, lines)
        else:
            stands_for = citation or Citation(n=0, kind="sql", sql=one_line(text, LINE_CHARS), source=tool)
            self.stated[path] = lambda _lines: stands_for
        whole = f"{text}\n{one_line(behind)}" if behind else text
        self._shown[number] = text
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

    def block_of_text(self, number: int, about: str) -> str:
        """What a tool worked out, as a model is shown it."""
        return fenced(self._shown[number], attributes={"id": named(number), "result": about}, nonce=self.nonce)

    def passages(
        self, hits: Sequence[Hit], budget_tokens: int, source: ReadsLines | None = None
    ) -> tuple[str, list[Hit], int]:
        """Lines of files as a model is shown them, within a budget, which a single passage may use up.

        Args:
            source: Fills holes of a few lines between passages of a file.

        Returns:
            The text, the lines that it holds and that were not given before, and how many passages had no room.
        """
        long = [hit for hit in hits if not _is_short(hit)]
        is_alone = len(long) == len(hits) == 1
        pieces = [_cut_to(long[0], budget_tokens)] if is_alone else [cut(hit, PASSAGE_CHARS) for hit in merged(long)]
        pieces = _without_holes(pieces, source)
        blocks: list[str] = []
        known: list[int] = []
        shown: list[Hit] = []
        left, used = 0, 0
        for hit in pieces:
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


def _nearest(hits: Sequence[Hit], text: str) -> Citation:
    """The line that shares most words with a text; the first of several."""
    wanted = set(tokens(text))
    best = max(hits, key=lambda hit: len(wanted & set(tokens(f"{hit.text} {hit.note} {hit.title}"))))
    return Citation(n=0, path=best.path, start_line=best.start_line, end_line=best.end_line, quote=best.text)


def _cut_to(hit: Hit, budget_tokens: int) -> Hit:
    """``hit`` with as many whole lines as fit into a budget."""
    while len(hit.text) > PASSAGE_CHARS and (tokens := estimate_tokens(hit.text)) > budget_tokens:
        shorter = cut(hit, max(PASSAGE_CHARS, min(len(hit.text) - 1, len(hit.text) * budget_tokens // tokens)))
        if len(shorter.text) >= len(hit.text):
            break
        hit = shorter
    return hit


def _without_holes(hits: list[Hit], source: ReadsLines | None) -> list[Hit]:
    """Passages of which one reaches down to the next of its file, where only a few lines are between them."""
    if source is None:
        return hits
    starts: dict[str, list[int]] = {}
    for hit in hits:
        starts.setdefault(hit.path, []).append(hit.start_line)
    result = []
    for hit in hits:
        following = min((start for start in starts[hit.path] if start > hit.end_line + 1), default=0)
        if 0 < following - hit.end_line - 1 <= _HOLE_LINES:
            hit = _reaching(hit, following - 1, source)
        result.append(hit)
    return result


def _reaching(hit: Hit, last: int, source: ReadsLines) -> Hit:
    """``hit`` down to a further line; as it is where the file has changed, or holds long lines there."""
    try:
        lines = source.lines(hit.path)
    except (KbtuiError, OSError):
        return hit
    more = "\n".join(lines[hit.end_line : last])
    if last > len(lines) or len(more) > _HOLE_CHARS or not hit.text.endswith(lines[hit.end_line - 1]):
        return hit
    return replace(hit, text=f"{hit.text}\n{more}", end_line=last)


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
