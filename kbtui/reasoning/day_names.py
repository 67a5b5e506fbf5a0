"""Reads the days of a question as a folder names its notes of days: *4 March 2025* is ``2025-03-04``."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import PurePosixPath
from typing import Final

from kbtui.knowledge.search.spelling import Respelling, Respelt
from kbtui.late_patterns import pattern
from kbtui.question.reader import read

_PREPOSITION: Final = pattern(r"(?i)^(?:on|of|from|for|at|in|during)\s+")
_FORMS: Final = ("%Y-%m-%d", "%Y_%m_%d", "%Y%m%d", "%Y.%m.%d")


def with_day_names(respelt: Respelt, paths: Iterable[str], today: date) -> Respelt:
    """A question with its days written as the names of the notes of these days; a day without a note stays as it is.

    Args:
        paths: The files of the folder.
        today: The date that *yesterday* is relative to.
    """
    periods = read(respelt.text, today=today).periods
    days = [(period.words, period.first) for period in periods if period.first and period.first == period.last]
    if not days:
        return respelt
    names = {PurePosixPath(path).stem for path in paths}
    text, changes = respelt.text, list(respelt.changes)
    for words, day in days:
        written = _PREPOSITION.sub("", words)
        name = next((name for form in _FORMS if (name := day.strftime(form)) in names), written)
        if name != written and written in text:
            text = text.replace(written, name, 1)
            changes.append(Respelling(written=written, read=name))
    return Respelt(text=text, changes=tuple(changes))
