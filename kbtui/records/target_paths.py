"""The paths at which the target of a relation may lie: a path from another root, a module of a language."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator


def path_suffixes(target: str) -> Iterator[str]:
    """The ends of a path, longest first, of two components or more: the folder may lie below the written root."""
    parts = target.strip("/").split("/")
    for start in range(1, len(parts) - 1):
        yield "/".join(parts[start:])


def module_paths(target: str, folder: str, language: str) -> Iterator[str]:
    """Paths at which the module could be, likeliest first."""
    match language:
        case "python":
            base = target.replace(".", "/")
            yield from (f"{base}.py", f"{base}/__init__.py", f"{folder}/{base}.py".lstrip("/"))
        case "rust":
            parts = [part for part in target.split("::") if part not in ("crate", "self", "super")]
            for count in range(len(parts), 0, -1):
                base = "/".join(parts[:count])
                yield from (posixpath.join(folder, f"{base}.rs"), posixpath.join(folder, base, "mod.rs"))
                yield from (f"src/{base}.rs", f"src/{base}/mod.rs")
        case "java" | "kotlin" | "scala":
            base = target.replace(".", "/")
            yield from (f"{base}.java", f"{base}.kt", f"{base}.scala")
        case "c" | "cpp" | "c++" | "objective-c":
            yield from (
                posixpath.normpath(posixpath.join(folder, target)),
                target,
                f"include/{target}",
                f"src/{target}",
            )
        case _:
            yield target
            yield from (target + suffix for suffix in (".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue", ".svelte"))
            yield from (f"{target}/index{suffix}" for suffix in (".ts", ".tsx", ".js", ".jsx"))
