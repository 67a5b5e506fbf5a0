"""Input and output of the check of an answer: its sources, unsupported sentences and the checked answer."""

from __future__ import annotations

from dataclasses import dataclass

from kbtui.domain.evidence import Hit
from kbtui.reasoning.checking.rows import Rows
from kbtui.reasoning.checking.trust import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A passage that the model was shown.

    Attributes:
        n: Its number in the prompt.
        hit: The passage; its path may be a URL (``https://…``).
        is_suspect: It contains instructions to a model; a sentence supported by it alone is labelled.
        rows: For a computed result, its rows: sentences are compared with them. None for lines of files.
    """

    n: int
    hit: Hit
    is_suspect: bool = False
    rows: Rows | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """An unsupported sentence.

    Attributes:
        text: Plain text on one line.
        cited: Numbers of the sources it cites.
        lacking: Its words and numbers that these sources lack, as far as known.
        is_refuted: The sources say otherwise.
        is_loose: They say it, in words that are far from it; else, if it is not refuted, they say nothing of it.
    """

    text: str
    cited: tuple[int, ...] = ()
    lacking: tuple[str, ...] = ()
    is_refuted: bool = False
    is_loose: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """An answer with verified citation marks.

    Attributes:
        markdown: The text of the model with renumbered marks, from 1 in order of appearance, without source list.
        doubts: The sentences that are marked.
        outcome: What it shows of its model (`trust`); None if it states nothing.
        corrections: Changes to the marks, one plain line each.
        supported: Number of supported claims.
        claims: Number of claims.
        advice: Plain text of sentences that assess or advise and state nothing that lines could support.
    """

    markdown: str
    doubts: tuple[Doubt, ...] = ()
    outcome: Outcome | None = None
    corrections: tuple[str, ...] = ()
    supported: int = 0
    claims: int = 0
    advice: tuple[str, ...] = ()

    @property
    def unsupported(self) -> tuple[str, ...]:
        """Plain text of the sentences that are marked."""
        return tuple(doubt.text for doubt in self.doubts)
