"""Labels of codes in the comment of a column: ``1=low, 2=normal`` or 状态 0:待付款 1:已付款."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kbtui import late_patterns

Labels = tuple[tuple[Any, str], ...]
"""Values of a column with their labels."""

_MAX_LABEL: Final = 40
_CODE: Final = r"(?<![\w.])['\"]?(?P<code>-?\d{1,4}|[A-Z]{1,3})['\"]?"
_LABEL: Final = late_patterns.pattern(
    rf"{_CODE}\s*(?:=>?|:|：|->|→|-|–|—|\.)\s*(?P<label>[^\W\d_][^,;，；、|/\n=:：()（）]*?)"
    r"(?=\s*(?:[,;，；、|/\n)）.]|$|['\"]?(?:\b-?\d{1,4}|\b[A-Z]{1,3})['\"]?\s*(?:=|:|：|->|→|-|–|—)))"
)


def labels_in(comment: str, values: Iterable[Any]) -> tuple[Labels, str]:
    """The labels in a comment, with the comment without them; no labels if they explain none or few of the values.

    Args:
        values: Values of the column, as they are stored.
    """
    found = list(_LABEL.finditer(comment))
    label_of = {match["code"]: match["label"].strip().strip("'\"").lower()[:_MAX_LABEL] for match in found}
    if len(label_of) < 2:
        return (), comment
    stored = {str(value): value for value in values if value is not None}
    labels = tuple((stored[code], label) for code, label in label_of.items() if code in stored)
    if not stored or len(labels) < len(stored) - 1:
        return (), comment
    first, last = found[0].start(), found[-1].end()
    return labels, (comment[:first] + comment[last:]).strip(" :：-–—,;，；、()（）.")
