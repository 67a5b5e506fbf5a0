"""How each editor is told to open a file at a line: one row an editor, and one line to add another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorTemplate:
    """One kind of editor.

    Attributes:
        names: Programs that start it.
        args: What follows the program and the reader's own flags; ``{path}`` and ``{line}`` are put in.
        terminal: It draws in the terminal, so the screen has to make room for it.
        terminal_flags: Flags that make a graphical editor draw in the terminal after all.
        graphical_flags: Flags that make a terminal editor open a window after all.
    """

    names: tuple[str, ...]
    args: tuple[str, ...]
    terminal: bool
    terminal_flags: frozenset[str] = frozenset()
    graphical_flags: frozenset[str] = frozenset()


PLUS = ("+{line}", "{path}")
_GOTO = ("--goto", "{path}:{line}")
_COLON = ("{path}:{line}",)
_LINE = ("--line", "{line}", "{path}")
_EMACS_TTY = frozenset({"-nw", "--no-window-system", "-t", "-tty", "--tty"})


def _terminal(*names: str, args: tuple[str, ...] = PLUS, graphical: tuple[str, ...] = ()) -> EditorTemplate:
    return EditorTemplate(names=names, args=args, terminal=True, graphical_flags=frozenset(graphical))


def _graphical(*names: str, args: tuple[str, ...], terminal: frozenset[str] = frozenset()) -> EditorTemplate:
    return EditorTemplate(names=names, args=args, terminal=False, terminal_flags=terminal)


TEMPLATES: tuple[EditorTemplate, ...] = (
    _terminal("vi", "vim", "vim.basic", "vim.tiny", "vim.nox", "vimx", "nvi", "elvis", "vis", graphical=("-g",)),
    _terminal("nvim", "lvim"),
    _graphical("gvim", "mvim", "vim.gtk3", args=PLUS, terminal=frozenset({"-v"})),
    _graphical("nvim-qt", "neovide", args=("{path}", "--", "+{line}")),
    _graphical("emacs", args=PLUS, terminal=_EMACS_TTY),
    _graphical("emacsclient", args=PLUS, terminal=_EMACS_TTY),
    _terminal("mg", "zile", "jed", "qemacs", args=PLUS),
    _terminal("nano", "rnano", "pico"),
    _terminal("micro", args=("+{line}:1", "{path}")),
    _terminal("hx", "helix"),
    _terminal("kak", "kakoune"),
    _terminal("joe", "jmacs", "jpico", "jstar", "rjoe"),
    _terminal("ne", "dte", "mcedit"),
    _terminal("ed", "red", args=("{path}",)),
    _graphical(
        *("code", "code-insiders", "code-oss", "codium", "vscodium", "codium-insiders", "code-server"),
        *("cursor", "windsurf", "positron", "kiro", "trae", "antigravity"),
        args=_GOTO,
    ),
    _graphical("zed", "zeditor", "zedit", "zed-preview", args=_COLON),
    _graphical("subl", "sublime_text", "sublime-text", "sublime", args=_COLON),
    _graphical("atom", "pulsar", "lapce", args=_COLON),
    _graphical(
        *("idea", "idea64", "pycharm", "pycharm64", "charm", "goland", "webstorm", "clion", "rubymine", "phpstorm"),
        *("rider", "rustrover", "datagrip", "dataspell", "studio", "aqua", "fleet"),
        args=_LINE,
    ),
    _graphical("mate", "kate", "kwrite", "geany", args=_LINE),
    _graphical("gedit", "pluma", "xed", "bbedit", args=PLUS),
    _graphical("mousepad", args=("--line={line}", "{path}")),
    _graphical("notepad++", "notepad-plus-plus", args=("-n{line}", "{path}")),
)

BY_NAME: dict[str, EditorTemplate] = {name: row for row in TEMPLATES for name in row.names}

INSTALLED_ORDER: tuple[str, ...] = (
    *("nvim", "hx", "helix", "micro", "kak", "nano", "vim", "vi", "joe", "mg"),
    *("code", "codium", "cursor", "windsurf", "zed", "subl", "idea", "pycharm", "kate", "gedit", "emacs"),
)
"""Tried in this order when nothing says which. Editors that someone must have chosen to install come first, then
``nano``, which says on the screen how to leave it, then the rest; windows come last, for there may be no display."""
