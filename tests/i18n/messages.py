"""The forms of the messages that are made below the screen: errors and their hints, warnings, findings of the doctor.

A form is the English text with ``{}`` in the place of each value. Which rooms are looked through is said here: what
only the command line says, and what tools answer a chat model with, is English.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping

from tests.i18n.sources import PACKAGE, Source

_LEFT_OUT = re.compile(
    r"cli/(?!checks)|demo/|domain/|records/(?!scoping)|tools/(?!web_search|web_services|base|mcp_servers)|ui/|i18n/"
)
_ERRORS = {
    node.name
    for node in ast.parse((PACKAGE / "errors.py").read_text("utf-8")).body
    if isinstance(node, ast.ClassDef) and node.name != "UsageError"
}
_SAID: Mapping[str, tuple[slice, frozenset[str]]] = {
    **dict.fromkeys(_ERRORS | {"Failure"}, (slice(0, 2), frozenset({"message", "hint"}))),
    "Warned": (slice(0, 0), frozenset({"message"})),
    **dict.fromkeys(("ok", "warn", "fail"), (slice(0, 3), frozenset[str]())),
    **dict.fromkeys(("warn_unless", "fail_unless"), (slice(1, 4), frozenset[str]())),
}
"""Which arguments of these calls are shown: by place, and by name."""
_LEAST_LETTERS = 7
"""Of a form with values: with fewer, other texts would be taken for it."""
_OF_A_SHELL = ("pip install", "export ")


def forms() -> list[Source]:
    """Every form, in the order of the files."""
    found = list(_of_kinds())
    for path in sorted(PACKAGE.rglob("*.py")):
        place = str(path.relative_to(PACKAGE))
        if not _LEFT_OUT.match(place):
            found += _of_module(ast.parse(path.read_text("utf-8")), place)
    return found


def parts() -> set[str]:
    """What findings of the doctor may be put together of, beyond the forms."""
    found: set[str] = set()
    for path in (PACKAGE / "cli").glob("checks*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant | ast.JoinedStr):
                found.update(_forms_of(node, {}))
    return found


def _of_kinds() -> Iterator[Source]:
    """Why files of a kind are left out, and what to do."""
    place = "knowledge/reading/left_out.toml"
    for kind in tomllib.loads((PACKAGE / place).read_text("utf-8"))["kind"]:
        yield from (Source(kind[field], place) for field in ("why", "remedy"))


def _of_module(module: ast.Module, place: str) -> Iterator[Source]:
    constants = {
        target.id: value
        for node in module.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and (value := node.value) is not None
    }
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in ("ok", "warn", "fail", "warn_unless", "fail_unless") and not place.startswith("cli/checks"):
            continue
        places, names = _SAID.get(name, (slice(0, 0), frozenset()))
        for said in [*node.args[places], *(word.value for word in node.keywords if word.arg in names)]:
            for form in _forms_of(said, constants):
                if _says_something(form):
                    yield Source(form, f"{place}:{node.lineno}")


def _says_something(form: str) -> bool:
    letters = len(re.findall(r"[A-Za-z]", form.replace("{}", "")))
    return letters >= (_LEAST_LETTERS if "{}" in form else 1) and not form.startswith(_OF_A_SHELL)


def _forms_of(node: ast.expr, constants: Mapping[str, ast.expr]) -> list[str]:
    """What the expression can be, each value as ``{}``; nothing for one that says nothing by itself."""
    match node:
        case ast.Constant(value=str() as text):
            return [text]
        case ast.JoinedStr(values=values):
            return ["".join(one.value if isinstance(one, ast.Constant) else "{}" for one in values)]  # type: ignore[misc]
        case ast.IfExp(body=body, orelse=otherwise):
            return [*_forms_of(body, constants), *_forms_of(otherwise, constants)]
        case ast.BoolOp(values=values):
            return [form for one in values for form in _forms_of(one, constants)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            ends = _forms_of(right, constants) if isinstance(right, ast.Constant | ast.JoinedStr) else ["{}"]
            return [f"{start}{end}" for start in _forms_of(left, constants) for end in ends]
        case ast.Name(id=name) if name in constants:
            return _forms_of(constants[name], {})
    return []
