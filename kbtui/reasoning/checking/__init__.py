"""Raw text of a chat model in, a checked and cited answer out: no mark is believed that the lines do not bear out."""

from __future__ import annotations

from kbtui.reasoning.checking.checked import CheckedAnswer, Doubt, Source
from kbtui.reasoning.checking.checker import AnswerChecker

__all__ = ["AnswerChecker", "CheckedAnswer", "Doubt", "Source"]
