"""Makes dataclasses in a quarter of the time: a command makes hundreds of them before it does anything.

Until Python 3.13 each method of a dataclass is compiled from text of its own. Most are the same but for the names of
fields, and closures over these do as well; ``__init__`` is compiled when the first object of the class is made. Only
the command line and its workers install this: a program that imports kbtui keeps its dataclasses as they are.
"""

from __future__ import annotations

import dataclasses
import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from reprlib import recursive_repr
from typing import Any, Final

_OPERATORS: Final = {"==": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
Method = Callable[..., Any]


def install() -> None:
    """Take the place of what makes methods in ``dataclasses``, where it is what this was written for."""
    makers = (_repr_fn, _cmp_fn, _hash_fn, _frozen_get_del_attr)
    if _compiled is not None and all(
        _parameters(getattr(dataclasses, ours.__name__, None)) == _parameters(ours) for ours in makers
    ):
        for ours in (_init_fn, *makers):
            setattr(dataclasses, ours.__name__, ours)


def _parameters(function: Any) -> tuple[str, ...]:
    code = getattr(function, "__code__", None)
    return code.co_varnames[: code.co_argcount] if code is not None else ()


def _values_of(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of attributes as a tuple."""
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda one: tuple(getattr(one, name) for name in names)


_compiled: Final[Any] = getattr(dataclasses, "_init_fn", None) if sys.version_info < (3, 13) else None


def _init_fn(*described: Any) -> Method:
    real: Method | None = None

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        nonlocal real
        if real is None:
            real = _compiled(*described)
            real.__qualname__ = __init__.__qualname__
            for owner in type(self).__mro__:
                if owner.__dict__.get("__init__") is __init__:
                    owner.__init__ = real  # type: ignore[misc]
        real(self, *args, **kwargs)

    return __init__


def _repr_fn(fields: Iterable[Any], globals: Any) -> Method:  # noqa: ARG001
    names = [field.name for field in fields]

    @recursive_repr()
    def __repr__(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    return __repr__


def _cmp_fn(name: str, op: str, self_tuple: str, other_tuple: str, globals: Any) -> Method:  # noqa: ARG001
    values = _values_of([part.removeprefix("self.") for part in self_tuple[1:-1].split(",") if part])
    compare = _OPERATORS[op]

    def method(self: Any, other: Any) -> Any:
        return compare(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented

    method.__name__ = method.__qualname__ = name
    return method


def _hash_fn(fields: Iterable[Any], globals: Any) -> Method:  # noqa: ARG001
    values = _values_of([field.name for field in fields])

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _frozen_get_del_attr(cls: Any, fields: Iterable[Any], globals: Any) -> tuple[Method, Method]:  # noqa: ARG001
    names = frozenset(field.name for field in fields)

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__
