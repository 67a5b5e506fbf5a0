"""What an analysis says of itself, in the language of the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from kbtui.domain.analysis import CutPeriod
from kbtui.text.language import has_cjk
from kbtui.text.word_lists import toml_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Phrases of one language; those with braces are templates.

    Attributes:
        calculations: Names of calculations.
        open: What the answer to an open request says.
    """

    language: Literal["en", "zh"]
    read_basic: str
    read_detailed: str
    no_chart: str
    stop: str
    gap: str
    list_joint: str
    last_joint: str
    quote: str
    found: str
    row: str
    rows: str
    no_rows: str
    shown_rows: str
    cut_rows: str
    extremes: str
    compared: str
    grown: str
    shared: str
    unsure: str
    unsure_part: str
    unlinked: str
    choose: str
    failed: str
    read_as: str
    yes: str
    no: str
    tied: str
    differs: str
    so_far: str
    begins: str
    understood: str
    link: str
    link_joint: str
    no_source: str
    no_question: str
    others: str
    cut: str
    calculations: Mapping[str, str]
    open: Mapping[str, str]

    def counted(self, count: int) -> str:
        """So many rows."""
        return self.row if count == 1 else self.rows.format(count=f"{count:,}")

    def cut_period(self, cut: CutPeriod) -> str:
        """That the data do not fill a period; a template for the number of the statement."""
        return (self.so_far if cut.ends else self.begins).format(period=cut.says, day=cut.day.isoformat())

    def calculation(self, name: str) -> str:
        if name.startswith("percentile_"):
            return self.calculations["percentile"].format(name.removeprefix("percentile_"))
        return self.calculations.get(name, name)


@cache
def words_of(language: str) -> Words:
    """The phrases of ``zh``, or else of English."""
    known: Literal["en", "zh"] = "zh" if language == "zh" else "en"
    return Words(language=known, **toml_in(__package__, "wording.toml")[known])


def language_of(query: str) -> str:
    """The language to answer in: ``zh`` for a question with Chinese in it, else ``en``."""
    return "zh" if has_cjk(query) else "en"
