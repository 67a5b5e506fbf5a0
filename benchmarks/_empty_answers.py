"""Questions whose right answer is that there is nothing, made from others: those who write questions ask for rows.

Without them a ranker learns that no rows are a sign of a wrong statement, and then gives the rows of a worse one to a
question like "customers who never ordered" that nothing meets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from _pools import Pool

SHARE: Final = 0.05
"""Of the questions with a condition: how many of them are there a second time, with right candidates without rows."""
_ROWS: Final = "rows_"
_CONDITION: Final = "role_filter"
_SEED: Final = 7


def empty_answers(pools: Sequence[Pool]) -> list[Pool]:
    """Copies of some of the questions in which nothing meets the conditions of the right candidates."""
    chance = np.random.default_rng(_SEED)
    drawn = chance.random(len(pools)) < SHARE
    return [emptied(pool) for pool, is_drawn in zip(pools, drawn, strict=True) if is_drawn and _has_condition(pool)]


def emptied(pool: Pool) -> Pool:
    """The question over data in which its right candidates have no rows, and those that are one figure have 0."""
    right = np.zeros(len(pool.matrix), bool)
    right[: len(pool.right)] = pool.right
    about_rows = np.array([name.startswith(_ROWS) for name in pool.names])
    figures = right & (_column(pool, "rows_scalar") > 0)
    matrix = pool.matrix.copy()
    matrix[np.ix_(right & ~figures, about_rows)] = 0
    matrix[right & ~figures, pool.names.index("rows_none")] = 1
    matrix[figures, pool.names.index("rows_zero")] = 1
    return replace(pool, matrix=matrix)


def _has_condition(pool: Pool) -> bool:
    if not pool.answerable or not pool.right.any() or not {"rows_none", "rows_zero"} <= set(pool.names):
        return False
    right = np.flatnonzero(pool.right)
    return bool(_column(pool, _CONDITION)[right].any())


def _column(pool: Pool, name: str) -> np.ndarray:
    return pool.matrix[:, pool.names.index(name)] if name in pool.names else np.zeros(len(pool.matrix))
