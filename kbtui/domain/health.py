"""The results of `kbtui doctor`: checks of everything that kbtui needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The result of one check.

    Attributes:
        todo: What the user can do about it; empty where it is ok.
    """

    name: str
    status: Status
    detail: str
    todo: str = ""
