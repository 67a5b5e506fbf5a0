"""Formats of files whose text must be extracted, one row each.

To add one, write what takes the text out in ``kbtui.knowledge.reading.formats``, and put a row into `FORMATS`. Users
add some by a command in their settings (``index.commands``), other packages by the entry point group ``kbtui.loaders``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from kbtui.late_patterns import pattern
from kbtui.plugins import EntryPoint, entry_points

ENTRY_POINT_GROUP: Final = "kbtui.loaders"
NO_COMMANDS: Final[Mapping[str, str]] = MappingProxyType({})


class Format(Struct, frozen=True, kw_only=True):
    """One format.

    Attributes:
        name: What people call it.
        suffixes: How names of such files end, in lower case.
        extract: ``module:function`` in ``kbtui.knowledge.reading.formats``, given the bytes of a file and its path.
        binary: Its files are no text: they are read whatever their first bytes look like.
        in_place: Lines of the text are those of the file, so an editor opens the file itself.
        is_archive: It holds other files.
        needs: Module that must be installed.
        extra: Of kbtui, which brings that module.
        command: Command of the settings that prints the text, instead of ``extract``.
        plugin: Entry point of another package whose function takes the text out, instead of ``extract``.
    """

    name: str
    suffixes: tuple[str, ...]
    extract: str = ""
    binary: bool = False
    in_place: bool = False
    is_archive: bool = False
    needs: str = ""
    extra: str = ""
    command: str = ""
    plugin: EntryPoint | None = None

    @property
    def foreign(self) -> str:
        """The command, or package and function, by which others than kbtui take the text out; else empty."""
        return self.command or (" ".join(self.plugin) if self.plugin is not None else "")

    @property
    def is_installed(self) -> bool:
        """True when its files can be read by what is installed."""
        return not self.needs or _is_there(self.needs)


@cache
def _is_there(module: str) -> bool:
    return find_spec(module) is not None


def _row(name: str, suffixes: str, extract: str, **more: object) -> Format:
    return Format(name=name, suffixes=tuple(suffixes.split()), extract=extract, **more)  # type: ignore[arg-type]


FORMATS: Final[tuple[Format, ...]] = (
    _row("PDF", ".pdf", "pdf:extract", binary=True, needs="pypdfium2", extra="documents"),
    _row("Word", ".docx .docm .dotx .dotm", "word:extract", binary=True, needs="docx", extra="documents"),
    _row(
        "PowerPoint",
        ".pptx .pptm .ppsx .ppsm .potx .potm",
        "slides:extract",
        binary=True,
        needs="pptx",
        extra="documents",
    ),
    _row("Excel", ".xlsx .xlsm .xltx .xltm", "sheets:extract", binary=True),
    _row("EPUB", ".epub", "books:extract", binary=True),
    _row("notebook", ".ipynb", "notebooks:extract"),
    _row("mail", ".eml", "mail:extract"),
    _row("mailbox", ".mbox", "mail:extract_box"),
    _row("TAR", ".tar .tar.gz .tgz .tar.bz2 .tar.xz", "archives:extract_tar", binary=True, is_archive=True),
    _row("ZIP", ".zip", "archives:extract_zip", binary=True, is_archive=True),
    _row("compressed file", ".gz .bz2 .xz", "archives:extract_compressed", binary=True, is_archive=True),
    _row("Org", ".org", "markups:extract_org", in_place=True),
    _row("AsciiDoc", ".adoc .asciidoc .asc", "markups:extract_asciidoc", in_place=True),
    _row("LaTeX", ".tex .ltx", "markups:extract_latex", in_place=True),
    _row("POD", ".pod", "pod:extract_pod", in_place=True),
    _row("subtitles", ".srt .vtt", "subtitles:extract", in_place=True),
    _row("SVG", ".svg", "markup_data:extract_svg"),
    _row("draw.io", ".drawio .dio", "markup_data:extract_drawio"),
    _row("canvas", ".canvas", "markup_data:extract_canvas"),
    _row("XML", ".xml", "markup_data:extract_xml", in_place=True),
)

_MANUAL: Final = Format(name="manual page", suffixes=(), extract="roff:extract", in_place=True)
_MANUAL_NAME: Final = pattern(r"\.(?:[1-9](?:[pxm]|ssl|pm|perl|posix|gcc|tcl|tk)?|man|mdoc|roff)$")
_BY_SUFFIX: Final = {suffix: row for row in FORMATS for suffix in row.suffixes}


def format_of(path: str, commands: Mapping[str, str] = NO_COMMANDS) -> Format | None:
    """The format of a file whose text has to be taken out of it, by its name; None for files that are read as they are.

    A file may turn out to be none of its format, and is read as it is then.

    Args:
        commands: Commands of the settings by pattern, which go before all formats. kbtui's own formats go before those
            of other packages.
    """
    name = path.rpartition("/")[2].lower()
    if commands and (row := _by_command(path, name, commands)) is not None:
        return row
    stem, _, last = name.rpartition(".")
    if not stem:
        return None
    doubled, last = f".{stem.rpartition('.')[2]}.{last}", f".{last}"
    others = plugin_formats()
    row = _BY_SUFFIX.get(doubled) or others.get(doubled) or _BY_SUFFIX.get(last) or others.get(last)
    if row is None and _MANUAL_NAME.search(name):
        return _MANUAL
    return row


def _by_command(path: str, name: str, commands: Mapping[str, str]) -> Format | None:
    for glob, command in commands.items():
        lowered = glob.lower()
        if command.strip() and fnmatchcase(path.lower() if "/" in lowered else name, lowered):
            return Format(name=glob, suffixes=(), binary=True, command=command)
    return None


@cache
def plugin_formats() -> Mapping[str, Format]:
    """The formats of other packages by suffix, which is the name of their entry point; the first of a name counts."""
    formats: dict[str, Format] = {}
    for entry in entry_points(ENTRY_POINT_GROUP):
        suffix = plugin_suffix(entry)
        if suffix not in _BY_SUFFIX and suffix not in formats:
            formats[suffix] = Format(name=suffix.lstrip("."), suffixes=(suffix,), binary=True, plugin=entry)
    return formats


def plugin_suffix(entry: EntryPoint) -> str:
    """The suffix that an entry point of a loader is for: ``.kjr``, whether or not its name has the dot."""
    return f".{entry.name.strip().lstrip('.').lower()}"


def foreign_recipe(commands: Mapping[str, str]) -> str:
    """An identifier of all commands and loaders of other packages; empty where there are none."""
    return "\n".join(
        [*(f"{pattern}\0{command}" for glob, command in commands.items())]
        + [f"{suffix}\0{row.foreign}" for suffix, row in sorted(plugin_formats().items())]
    )
