"""What was found when everything that kbtui needs was checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One finding.

    Attributes:
        todo: What to do about it; empty when it is ok.
    """

    name: str
    status: Status
    detail: str
    todo: str = ""
