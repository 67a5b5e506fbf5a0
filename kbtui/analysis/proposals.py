"""What a follow-up over data may mean: questions in full, of which one is chosen by how well it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

PICTURES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "bar": "bar chart",
        "line": "line chart",
        "pie": "pie chart",
        "scatter": "scatter plot",
        "histogram": "histogram",
        "stacked_bar": "stacked bar chart",
        "grouped_bar": "grouped bar chart",
    },
    "zh": {
        "bar": "柱状图",
        "line": "折线图",
        "pie": "饼图",
        "scatter": "散点图",
        "histogram": "直方图",
        "stacked_bar": "堆叠柱状图",
        "grouped_bar": "分组柱状图",
    },
}
"""What kinds of charts are called in a question."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One question in full; ``was`` is what of the question before it leaves out."""

    text: str
    was: str = ""


@dataclass(frozen=True, slots=True)
class Proposals:
    """What one follow-up may mean.

    Attributes:
        means: What is new in it.
        certain: It is a follow-up, however badly its proposals read; the first is taken then.
        steps: It is asked of what was found: the question before comes first, then this one.
    """

    found: tuple[Proposal, ...]
    means: str
    certain: bool = False
    steps: bool = False

    def ending(self, words: str) -> Proposals:
        """The same, with the words at the end of each."""
        return replace(self, found=tuple(replace(one, text=one.text + words) for one in self.found))

    @classmethod
    def sure(cls, text: str, means: str, was: str = "") -> Proposals:
        """One that nothing else can be meant by."""
        return cls((Proposal(text, was),), means=means, certain=True)
