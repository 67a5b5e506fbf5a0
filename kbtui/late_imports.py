"""Leaves parts of large libraries unloaded until something touches them, so that a command starts in half the time.

Half of what ``import lancedb`` takes goes into clients of cloud catalogues, and nearly half of what LangGraph takes
into clients of its servers, although neither is used here. While one of the libraries in `PLANS` is imported, such a
part is stood in for by empty modules whose names are placeholders. The first use of a placeholder (calling it, asking
for an attribute, subclassing, ``isinstance``) loads the real part and puts it in the place of every placeholder of it.
The empty modules are gone as soon as the library is imported, so whoever imports the part itself gets the real one.

A library that only checks how classes are written is stood in for by one that accepts all, for the library imported.

It is left alone when the version is not one that was tried, and when the import fails in any way it is done again
without. Only the command line installs this (`install`): a program that imports kbtui keeps its imports as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType, new_class
from typing import Any, Final

from msgspec import Struct

# What typing and dataclasses ask of anything in an annotation; a plain class has none of them either.
_ASKED_OF_TYPES: Final = frozenset(
    {
        "__args__",
        "__forward_arg__",
        "__origin__",
        "__parameters__",
        "__supertype__",
        "__typing_is_unpacked_typevartuple__",
        "__typing_prepare_subst__",
        "__typing_subst__",
        "__typing_unpacked_tuple_args__",
        "__unpacked__",
        "_is_protocol",
    }
)


class Plan(Struct, frozen=True, kw_only=True):
    """What one library can do without.

    Attributes:
        distribution: Its name as a package, and
        tried: how its version begins where this was tried.
        later: Modules, each with all below it, that are loaded when touched.
        instead: Modules by name, and what stands in them for this library alone.
    """

    distribution: str
    tried: str
    later: tuple[str, ...]
    instead: Mapping[str, Mapping[str, Any]] = {}

    def covers(self, name: str) -> bool:
        """True when the module ``name`` is loaded later."""
        return any(name == part or name.startswith(f"{part}.") for part in self.later)

    def was_tried(self) -> bool:
        """True when the installed version is one that this was tried with."""
        from importlib.metadata import PackageNotFoundError, version

        try:
            return f"{version(self.distribution)}.".startswith(f"{self.tried}.")
        except (PackageNotFoundError, TypeError):
            return False


PLANS: Final[Mapping[str, Plan]] = {
    # Catalogues behind an HTTP service and their 166 pydantic models.
    "lancedb": Plan(
        distribution="lancedb",
        tried="0.40",
        later=("lance_namespace", "lance_namespace_urllib3_client", "lancedb.namespace"),
        # Up to Python 3.11 it looks for overridden methods in the byte code of each class: a fifth of the import.
        instead={"overrides": {"override": lambda method: method, "EnforceOverrides": object}},
    ),
    # The client of a LangGraph server, the wire types of the tracing service, and text splitters for an annotation.
    "langgraph.graph": Plan(
        distribution="langgraph",
        tried="1.2",
        later=(
            "langgraph_sdk",
            "langchain_protocol",
            "langchain_text_splitters",
            "langsmith.types",
            "langsmith._internal._openapi_auth",
            "requests_toolbelt",
        ),
    ),
}


NO_PLUGINS: Final = "pydantic.plugin._loader"
"""What pydantic looks for plug-ins with. It imports the metadata of distributions and a parser of mail for that, also
where `PYDANTIC_DISABLE_PLUGINS` says that there are none to look for: a hundredth of a second of every start."""


def without_plugins() -> None:
    """Have pydantic look for no plug-ins in this process; does nothing once it was looked for some."""
    module = ModuleType(NO_PLUGINS)
    vars(module)["get_plugins"] = tuple
    sys.modules.setdefault(NO_PLUGINS, module)


def install(plans: Mapping[str, Plan] = PLANS) -> LateImports:
    """Put the plans into effect for imports to come in this process; once is enough."""
    for finder in sys.meta_path:
        if isinstance(finder, LateImports) and finder.plans is plans:
            return finder
    installed = LateImports(plans)
    sys.meta_path.insert(0, installed)
    return installed


class LateImports:
    """A finder of modules, first in ``sys.meta_path``."""

    def __init__(self, plans: Mapping[str, Plan]) -> None:
        self.plans = plans
        self._active: tuple[Plan, ...] = ()
        self._placeholders: list[tuple[Any, _Origin]] = []

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """An empty module for what is loaded later, a watched import for a library with a plan, None for all else."""
        if any(plan.covers(name) for plan in self._active):
            spec = PathFinder.find_spec(name, path, target)
            if spec is None:
                return None
            loader: Any = _EmptyLoader(self)
            empty = ModuleSpec(name, loader, is_package=True)
            empty.submodule_search_locations = list(spec.submodule_search_locations or ())
            return empty
        for plan in self._active:
            if name in plan.instead:
                stand_in: Any = _StandInLoader(plan.instead[name])
                return ModuleSpec(name, stand_in)
        found = self.plans.get(name)
        if found is None or not found.was_tried():
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            watched: Any = _WatchedLoader(spec.loader, found, self)
            spec.loader = watched
        return spec

    def placeholder(self, module: str, name: str) -> Any:
        """What stands for ``name`` of ``module`` until it is touched."""
        origin = self._origin(module, name)
        # Annotations and bases must be classes; what is written like one is taken for one.
        is_class = name[0].isupper() and not name.isupper()
        made: Any = _LateClass.of(origin) if is_class else _LateValue(origin)
        self._placeholders.append((made, origin))
        return made

    def remember(self, empty: ModuleType) -> None:
        """``empty`` stands for the module of its name."""
        self._placeholders.append((empty, self._origin(empty.__name__)))

    def _origin(self, module: str, name: str = "") -> _Origin:
        plan = next(plan for plan in self.plans.values() if plan.covers(module))
        return _Origin(module=module, name=name, plan=plan, imports=self)

    @contextmanager
    def active(self, plan: Plan) -> Iterator[None]:
        """While the library of ``plan`` is imported."""
        self._active = (*self._active, plan)
        try:
            yield
        finally:
            self.stop(plan)

    def stop(self, plan: Plan) -> None:
        """Empty modules of ``plan`` are found no more, by anyone."""
        self._active = tuple(other for other in self._active if other is not plan)
        for name, module in list(sys.modules.items()):
            if (isinstance(module, _EmptyModule) and plan.covers(name)) or isinstance(module, _StandIn):
                sys.modules.pop(name, None)

    def make_real(self, plan: Plan) -> None:
        """Load what ``plan`` left for later, and let nothing of the placeholders remain."""
        self.stop(plan)
        made = [(placeholder, origin) for placeholder, origin in self._placeholders if origin.plan is plan]
        self._placeholders = [pair for pair in self._placeholders if pair[1].plan is not plan]
        real: dict[int, Any] = {}
        for placeholder, origin in made:
            # What is not there is missed by whoever uses it, as ever.
            with suppress(ImportError, AttributeError):
                real[id(placeholder)] = origin.look_up()
        for module in list(sys.modules.values()):
            names = getattr(module, "__dict__", {})
            for name, value in list(names.items()):
                if id(value) in real:
                    names[name] = real[id(value)]


class _WatchedLoader:
    """Loads a library under its plan, and without it when that fails."""

    def __init__(self, loader: Any, plan: Plan, imports: LateImports) -> None:
        self._loader = loader
        self._plan = plan
        self._imports = imports

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        try:
            with self._imports.active(self._plan):
                self._loader.exec_module(module)
        except Exception:  # noqa: BLE001 - whatever it was, it may not happen without placeholders; if it does, it is told
            self._imports.make_real(self._plan)
            self._loader.exec_module(module)


class _EmptyLoader:
    """Makes an empty module."""

    def __init__(self, imports: LateImports) -> None:
        self._imports = imports

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _EmptyModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__late_imports__"] = self._imports
        self._imports.remember(module)


class _StandIn(ModuleType):
    """A module with other contents than its own."""


class _StandInLoader:
    """Makes a module of given contents."""

    def __init__(self, contents: Mapping[str, Any]) -> None:
        self._contents = contents

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(self._contents)


class _EmptyModule(ModuleType):
    """Any name that is asked of it is a placeholder."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        if (below := sys.modules.get(f"{self.__name__}.{name}")) is not None:
            return below
        imports: LateImports = vars(self)["__late_imports__"]
        placeholder = imports.placeholder(self.__name__, name)
        setattr(self, name, placeholder)
        return placeholder


class _Origin(Struct, frozen=True, kw_only=True, eq=False):
    """Where the real object of a placeholder is; the module itself where ``name`` is empty."""

    module: str
    name: str
    plan: Plan
    imports: LateImports

    def real(self) -> Any:
        """The real object; everything of its plan is real from now on."""
        self.imports.make_real(self.plan)
        return self.look_up()

    def look_up(self) -> Any:
        """The real object, once empty modules are found no more.

        Raises:
            ImportError, AttributeError: There is none.
        """
        module = import_module(self.module)
        if not self.name:
            return module
        if not hasattr(module, self.name):
            with suppress(ModuleNotFoundError):
                return import_module(f"{self.module}.{self.name}")
        return getattr(module, self.name)


_ORIGIN: Final = "__late_origin__"


def _origin(placeholder: Any) -> _Origin:
    origin: _Origin = (
        object.__getattribute__(placeholder, _ORIGIN)
        if isinstance(placeholder, _LateValue)
        else type.__getattribute__(placeholder, _ORIGIN)
    )
    return origin


class _LateClass(type):
    """The class of placeholders that are classes, so that annotations and bases accept them."""

    @staticmethod
    def of(origin: _Origin) -> _LateClass:
        """A placeholder for the class at ``origin``."""
        return type.__new__(_LateClass, origin.name, (), {"__module__": origin.module, _ORIGIN: origin})

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> Any:
        """A class that derives from a placeholder derives from the real class."""
        real = tuple(_origin(base).real() if isinstance(base, _LateClass) else base for base in bases)
        return new_class(name, real, options, lambda body: body.update(namespace))

    def __getattr__(cls, name: str) -> Any:
        if name in _ASKED_OF_TYPES:
            raise AttributeError(name)
        return getattr(_origin(cls).real(), name)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return _origin(cls).real()(*args, **kwargs)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _origin(cls).real())

    def __subclasscheck__(cls, subclass: type) -> bool:
        return subclass is cls or issubclass(subclass, _origin(cls).real())


class _LateValue:
    """A placeholder for a function, or anything else that is no class."""

    def __init__(self, origin: _Origin) -> None:
        object.__setattr__(self, _ORIGIN, origin)

    def __getattr__(self, name: str) -> Any:
        if name in _ASKED_OF_TYPES:
            raise AttributeError(name)
        return getattr(_origin(self).real(), name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _origin(self).real()(*args, **kwargs)
