"""The phrases of an analysis in the language of the question."""

from __future__ import annotations

from functools import cache

from kbtui.domain.analysis import CutPeriod
from kbtui.text.phrases import Phrases


class Words(Phrases):
    """The phrases of ``wording.toml``."""

    def counted(self, count: int) -> str:
        """The number of rows as text."""
        return self.row if count == 1 else self.rows.format(count=f"{count:,}")

    def aside(self, text: str) -> str:
        """The text in brackets, to follow other words."""
        return f"（{text}）" if self.language == "zh" else f" ({text})"

    def cut_period(self, cut: CutPeriod) -> str:
        """The note that the data do not cover a period; a template with the citation mark."""
        return (self.so_far if cut.ends else self.begins).format(period=cut.says, day=cut.day.isoformat())

    def calculation(self, name: str) -> str:
        names = self.listing("calculations")
        if name.startswith("percentile_"):
            return names["percentile"].format(name.removeprefix("percentile_"))
        return names.get(name, name)


@cache
def words_of(language: str) -> Words:
    """The phrases of ``zh``, or else of English."""
    return Words(__package__, "wording.toml", language)
