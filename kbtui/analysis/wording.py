"""What an analysis says of itself, in the language of the question."""

from __future__ import annotations

from functools import cache

from kbtui.domain.analysis import CutPeriod
from kbtui.text.phrases import Phrases


class Words(Phrases):
    """The phrases of ``wording.toml``."""

    def counted(self, count: int) -> str:
        """So many rows."""
        return self.row if count == 1 else self.rows.format(count=f"{count:,}")

    def aside(self, text: str) -> str:
        """In brackets, behind other words."""
        return f"（{text}）" if self.language == "zh" else f" ({text})"

    def cut_period(self, cut: CutPeriod) -> str:
        """That the data do not fill a period; a template for the number of the statement."""
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
