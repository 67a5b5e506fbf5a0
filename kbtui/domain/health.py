"""The results of `kbtui doctor`: checks of everything that kbtui needs."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Status = Literal["ok", "warn", "fail"]


class Check(Struct, frozen=True, kw_only=True):
    """The result of one check.

    Attributes:
        todo: What the user can do about it; empty where it is ok.
    """

    name: str
    status: Status
    detail: str
    todo: str = ""
