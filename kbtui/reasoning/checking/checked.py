"""What an answer is checked against, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass

from kbtui.domain.evidence import Hit
from kbtui.reasoning.checking.rows import Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A passage as the model was shown it.

    Attributes:
        n: The number it stood under.
        hit: The passage; its path may be an address (``https://…``).
        is_suspect: It gives orders to a model; what rests on it alone is labelled so.
        rows: The result that it is the text of: sentences are compared with that.
    """

    n: int
    hit: Hit
    is_suspect: bool = False
    rows: Rows | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A sentence that nothing bears out.

    Attributes:
        text: Plain, on one line.
        cited: The sources it cites.
        lacking: Its words and numbers that these have not, as far as that is known.
    """

    text: str
    cited: tuple[int, ...] = ()
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """An answer whose marks are right.

    Attributes:
        markdown: The model's words; marks count from 1 in order of appearance, without a list of sources.
        doubts: The sentences that nothing bears out.
        corrections: What was changed, one plain line each.
        supported: Claims that lines bear out.
        claims: Claims in all.
        advice: Plain text of the sentences that weigh or advise, and state nothing that lines could bear out.
    """

    markdown: str
    doubts: tuple[Doubt, ...] = ()
    corrections: tuple[str, ...] = ()
    supported: int = 0
    claims: int = 0
    advice: tuple[str, ...] = ()

    @property
    def unsupported(self) -> tuple[str, ...]:
        """Plain text of the sentences that nothing bears out."""
        return tuple(doubt.text for doubt in self.doubts)
