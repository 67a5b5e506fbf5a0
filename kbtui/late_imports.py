"""Leaves out parts of large libraries that nothing here uses, so that a command starts sooner.

More than half of what ``import lancedb`` takes goes into clients of cloud catalogues. While it is imported, these are
stood in for by empty modules whose names are classes without anything in them. The empty modules are gone as soon as it
is imported, so whoever imports such a part itself gets the real one.

It is left alone when its version is not the one that was tried, and imported once more without this when the import
fails. Only the command line installs this (`install`): a program that imports kbtui keeps its imports as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, Final

LIBRARY: Final = "lancedb"
TRIED: Final = "0.40."
"""How its version begins where this was tried."""
LEFT_OUT: Final = ("lance_namespace", "lance_namespace_urllib3_client", "lancedb.namespace", "overrides")
"""Catalogues behind an HTTP service with their 166 pydantic models; and what, up to Python 3.11, looks for overridden
methods in the byte code of each class: a fifth of the import."""

NO_PLUGINS: Final = "pydantic.plugin._loader"
"""What pydantic looks for plug-ins with. It imports the metadata of distributions and a parser of mail for that, also
where `PYDANTIC_DISABLE_PLUGINS` says that there are none to look for: a hundredth of a second of every start."""


def without_plugins() -> None:
    """Have pydantic look for no plug-ins in this process; does nothing once it was looked for some."""
    module = ModuleType(NO_PLUGINS)
    vars(module)["get_plugins"] = tuple
    sys.modules.setdefault(NO_PLUGINS, module)


def install() -> None:
    """Put this into effect for an import to come in this process; once is enough."""
    if not any(isinstance(finder, LateImports) for finder in sys.meta_path):
        sys.meta_path.insert(0, LateImports())


def _was_tried() -> bool:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{version(LIBRARY)}.".startswith(TRIED)
    except (PackageNotFoundError, TypeError):
        return False


class LateImports:
    """A finder of modules, first in ``sys.meta_path``, and the loader of the empty ones."""

    def __init__(self) -> None:
        self._is_active = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """An empty module for what is left out, a watched import for the library, None for all else."""
        if self._is_active and any(name == part or name.startswith(f"{part}.") for part in LEFT_OUT):
            empty: Any = self
            return ModuleSpec(name, empty, is_package=True)
        if name != LIBRARY or self._is_active or not _was_tried():
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            watched: Any = _WatchedLoader(spec.loader, self)
            spec.loader = watched
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """An empty module."""
        return _EmptyModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is in it."""

    @contextmanager
    def active(self) -> Iterator[None]:
        """While the library is imported."""
        self._is_active = True
        try:
            yield
        finally:
            self._is_active = False
            for name in [name for name, module in sys.modules.items() if isinstance(module, _EmptyModule)]:
                del sys.modules[name]


class _WatchedLoader:
    """Loads the library without the parts that are left out, and with them when that fails."""

    def __init__(self, loader: Any, imports: LateImports) -> None:
        self._loader = loader
        self._imports = imports

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        try:
            with self._imports.active():
                self._loader.exec_module(module)
        except Exception:  # noqa: BLE001 - whatever it was, it may not happen with the real parts; if it does, it is told
            for name in [name for name in sys.modules if name.startswith(f"{LIBRARY}.")]:
                del sys.modules[name]
            self._loader.exec_module(module)


class _EmptyModule(ModuleType):
    """Any name in it is a class, or an error, with nothing in it; a decorator of methods gives the method back."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        bases = (Exception,) if name.endswith("Error") else ()
        stand_in: Any = (lambda method: method) if name == "override" else type(name, bases, {})
        setattr(self, name, stand_in)
        return stand_in
