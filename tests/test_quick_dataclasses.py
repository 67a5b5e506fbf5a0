"""Dataclasses that are made quickly behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from kbtui import quick_dataclasses

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 13), reason="Python makes them quickly itself")


def classes() -> SimpleNamespace:
    """Dataclasses of the kinds that there are, made now."""

    @dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
    class Boat:
        name: str
        crew: tuple[str, ...] = ()
        tags: list[str] = dataclasses.field(default_factory=list, hash=False)

    @dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
    class Tug(Boat):
        pull: float = 1.5

    @dataclasses.dataclass(order=True)
    class Berth:
        number: int
        side: str = "port"
        seen: Any = dataclasses.field(default=None, compare=False, repr=False)

        def __post_init__(self) -> None:
            self.number = abs(self.number)

    @dataclasses.dataclass(frozen=True)
    class One:
        """Of one field."""

        value: Any

    @dataclasses.dataclass
    class Empty:
        pass

    return SimpleNamespace(Boat=Boat, Tug=Tug, Berth=Berth, One=One, Empty=Empty)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    for name, function in ORIGINAL.items():
        monkeypatch.setattr(dataclasses, name, function)
    quick_dataclasses.install()
    made = classes()
    assert made.Boat.__eq__.__module__ == quick_dataclasses.__name__
    return made


ORIGINAL = {
    name: getattr(dataclasses, name) for name in ("_init_fn", "_repr_fn", "_cmp_fn", "_hash_fn", "_frozen_get_del_attr")
}

USES: list[Callable[[SimpleNamespace], Any]] = [
    lambda of: repr(of.Boat(name="Ada", crew=("x",))),
    lambda of: repr(of.Tug(name="Bea", pull=2)),
    lambda of: repr(of.Empty()),
    lambda of: of.Boat(name="a") == of.Boat(name="a"),
    lambda of: of.Boat(name="a") == of.Tug(name="a"),
    lambda of: of.Boat(name="a") == "a",
    lambda of: hash(of.Boat(name="a", crew=("x",), tags=["t"])),
    lambda of: hash(of.One(3)),
    lambda of: hash(of.One([])),
    lambda of: of.One((1,)) == of.One(1),
    lambda of: of.Empty() == of.Empty(),
    lambda of: sorted([of.Berth(3), of.Berth(-1, "b"), of.Berth(1, "a", seen=9)]),
    lambda of: of.Berth(1) < of.Boat(name="a"),
    lambda of: setattr(of.Boat(name="a"), "name", "b"),
    lambda of: delattr(of.One(1), "value"),
    lambda of: setattr(of.One(1), "other", 2),
    lambda of: of.Boat(),
    lambda of: of.Boat(name="a", wrong=1),
    lambda of: of.Berth(1, 2, 3, 4),
    lambda of: dataclasses.asdict(dataclasses.replace(of.Tug(name="t", tags=["x"]), pull=3)),
    lambda of: [of.Boat(name="a").tags is of.Boat(name="a").tags, of.Boat.__match_args__, of.Berth.__match_args__],
    lambda of: copy.deepcopy(of.Tug(name="t", tags=["x"])),
    lambda of: [of.Boat(name=n).name for n in "ab"] + [str(inspect.signature(of.Boat.__init__))],
    lambda of: (of.Boat.__init__.__qualname__, of.Tug(name="t").__class__.__init__.__name__, of.One.__eq__.__name__),
]


def outcome(use: Callable[[SimpleNamespace], Any], of: SimpleNamespace) -> str:
    try:
        return repr(use(of))
    except (AttributeError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("use", USES, ids=range(len(USES)))
def test_they_do_what_those_of_the_standard_library_do(use: Callable[[SimpleNamespace], Any], quick: Any) -> None:
    with pytest.MonkeyPatch.context() as undone:
        for name, function in ORIGINAL.items():
            undone.setattr(dataclasses, name, function)
        plain = classes()
    assert outcome(use, quick) == outcome(use, plain)


def test_one_that_holds_itself_can_be_shown(quick: SimpleNamespace) -> None:
    berth = quick.Berth(1)
    round_trip = quick.One(berth)
    berth.side = round_trip
    assert repr(berth).count("...") == 1


def test_a_version_of_python_with_other_makers_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, function in ORIGINAL.items():
        monkeypatch.setattr(dataclasses, name, function)

    def other(fields: Any, globals: Any, more: Any) -> Any:
        raise AssertionError("not called")

    monkeypatch.setattr(dataclasses, "_repr_fn", other)
    quick_dataclasses.install()
    assert dataclasses._repr_fn is other  # type: ignore[attr-defined]
    assert dataclasses._cmp_fn is ORIGINAL["_cmp_fn"]  # type: ignore[attr-defined]
