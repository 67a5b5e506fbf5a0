"""Org, AsciiDoc and LaTeX as Markdown, converted line by line, so that line numbers are those of the file."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from kbtui.knowledge.reading.formats.base import MAX_CHARS, Extracted, plain
from kbtui.text.decoding import decode


class LineConverter:
    """Converts the lines of a file to Markdown, one after the other.

    Attributes:
        title: The title that the file states; empty where it states none.
        literal: What ends the open block of code; empty outside of such a block.
    """

    title = ""
    literal = ""

    def convert(self, line: str) -> str:
        """A line as Markdown; empty for one without text of its own."""
        return self._literal_line(line) if self.literal else self._text_line(line)

    def _literal_line(self, line: str) -> str:
        """A line within a block of code, or the one that ends it."""
        if not self._ends_literal(line):
            return line
        self.literal = ""
        return "```"

    def _ends_literal(self, line: str) -> bool:
        raise NotImplementedError

    def _text_line(self, line: str) -> str:
        raise NotImplementedError

    def _inline(self, text: str) -> str:
        """The text of a line with its inline mark-up as Markdown."""
        raise NotImplementedError


def extract_lines(converter_type: type[LineConverter], data: bytes, _path: str) -> Extracted:
    """The text of a file as Markdown, by a converter of its own."""
    converter = converter_type()
    lines = plain(decode(data).text[:MAX_CHARS]).split("\n")
    text = "\n".join(converter.convert(line).rstrip() for line in lines)
    return Extracted(text=text, kind="markdown", title=converter.title)


class _Org(LineConverter):
    _HEADING: Final = re.compile(r"(\*{1,8})\s+(.*)")
    _KEYWORD: Final = re.compile(r"\s*#\+(\w+):\s*(.*)")
    _BLOCK: Final = re.compile(r"\s*#\+begin_(\w+)\s*(\S*)", re.IGNORECASE)
    _END: Final = re.compile(r"\s*#\+end_\w+", re.IGNORECASE)
    _DRAWER: Final = re.compile(r"\s*:[\w-]+:(?:\s.*)?$")
    _RULE: Final = re.compile(r"\s*\|[-+]+\|\s*$")
    _LINK: Final = re.compile(r"\[\[([^\[\]]{1,500})\](?:\[([^\[\]]{1,500})\])?\]")
    _CODE: Final = re.compile(r"(?<![\w/])([~=])(\S(?:[^~=\n]*\S)?)\1(?!\w)")
    _KEPT_KEYWORDS: Final = frozenset(
        {"author", "date", "title", "subtitle", "description", "filetags", "keywords", "caption"}
    )

    def _ends_literal(self, line: str) -> bool:
        return self._END.match(line) is not None

    def _text_line(self, line: str) -> str:
        if match := self._BLOCK.match(line):
            if match[1].lower() in ("src", "example", "export"):
                self.literal = "end"
                return f"```{match[2] if match[1].lower() == 'src' else ''}"
            return ""
        if match := self._HEADING.match(line):
            return f"{'#' * min(len(match[1]), 6)} {self._inline(match[2])}"
        if match := self._KEYWORD.match(line):
            if match[1].lower() == "title":
                self.title = match[2]
            return f"{match[1].lower()}: {match[2]}" if match[1].lower() in self._KEPT_KEYWORDS else ""
        if line.lstrip().startswith("#+") or line.startswith("# ") or self._DRAWER.match(line):
            return ""
        if self._RULE.match(line):
            return re.sub(r"-+", "---", line.replace("+", "|"))
        return self._inline(line)

    def _inline(self, text: str) -> str:
        text = self._LINK.sub(lambda match: match[2] or match[1].rpartition("::")[2].removeprefix("file:"), text)
        return self._CODE.sub(r"`\2`", text)


class _AsciiDoc(LineConverter):
    _HEADING: Final = re.compile(r"(={1,6})\s+(\S.*)")
    _FENCE: Final = re.compile(r"(-{4,}|\.{4,}|`{3,}\S*|\+{4,}|/{4,})\s*$")
    _BLOCK_RULE: Final = re.compile(r"(={4,}|\*{4,}|_{4,}|--|[|,!]={3,})\s*$")
    _ATTRIBUTE: Final = re.compile(r":!?([\w-]+)!?:(?:\s+(.*))?$")
    _ABOVE: Final = re.compile(r"\[[^\[\]]*\]\s*$|\[\[[^\]]*\]\]\s*$")
    _TITLE: Final = re.compile(r"\.([^\s.].*)")
    _IMAGE: Final = re.compile(r"(?:image|include|video)::?\S*\[([^\]]*)\]")
    _LINK: Final = re.compile(r"(?:link:|xref:|mailto:|(?=https?://))(\S{1,500}?)\[([^\]]{0,500})\]")
    _CROSS: Final = re.compile(r"<<([^<>,]{1,300})(?:,\s*([^<>]{1,300}))?>>")
    _ITEM: Final = re.compile(r"\s*([*]{1,6}|[.]{1,6}|-)\s+(\S.*)")
    _ANCHOR: Final = re.compile(r"\[\[[^\]]{0,200}\]\]|anchor:\S+\[\]")

    def _ends_literal(self, line: str) -> bool:
        match = self._FENCE.match(line)
        return match is not None and match[1][:3] == self.literal

    def _literal_line(self, line: str) -> str:
        is_comment = self.literal == "///"
        text = super()._literal_line(line)
        return "" if is_comment else text

    def _text_line(self, line: str) -> str:
        if match := self._FENCE.match(line):
            self.literal = match[1][:3]
            return "" if match[1].startswith("/") else "```"
        if line.startswith("//") or self._ABOVE.match(line) or self._BLOCK_RULE.match(line):
            return ""
        if match := self._HEADING.match(line):
            if len(match[1]) == 1:
                self.title = self.title or self._inline(match[2])
            return f"{'#' * len(match[1])} {self._inline(match[2])}"
        if match := self._ATTRIBUTE.match(line):
            return f"{match[1]}: {match[2]}" if match[2] and match[1].isalpha() else ""
        if match := self._ITEM.match(line):
            depth = 0 if match[1] == "-" else len(match[1]) - 1
            return f"{'  ' * depth}{'1.' if match[1].startswith('.') else '-'} {self._inline(match[2])}"
        if line.startswith("|"):
            return f"| {' | '.join(self._inline(cell.strip()) for cell in line[1:].split('|'))} |"
        if match := self._TITLE.match(line):
            return self._inline(match[1])
        return "" if line.strip() == "+" else self._inline(line)

    def _inline(self, text: str) -> str:
        text = self._ANCHOR.sub("", self._IMAGE.sub(r"\1", text))
        text = self._LINK.sub(lambda match: match[2] or match[1], text)
        return self._CROSS.sub(lambda match: match[2] or match[1], text)


class _Latex(LineConverter):
    _LEVELS: Final = {
        "part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "frametitle": 2,
    }  # fmt: skip
    _HEADING: Final = re.compile(
        r"\s*\\(part|chapter|section|subsection|subsubsection|paragraph|frametitle)\*?(?:\[[^\]]*\])?\{(.*)\}(.*)$"
    )
    _BEGIN: Final = re.compile(r"\s*\\begin\{([\w*]+)\}")
    _VERBATIM: Final = frozenset({"verbatim", "verbatim*", "lstlisting", "minted", "Verbatim", "alltt"})
    _KEPT_KEYWORDS: Final = re.compile(r"\s*\\(title|author|date)\{(.*)\}\s*$")
    _COMMENT: Final = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
    _ITEM: Final = re.compile(r"\s*\\item\s*(?:\[([^\]]*)\])?\s*")
    _DROPPED: Final = re.compile(
        r"\\(?:label|index|vspace|hspace|includegraphics|input|include|usepackage|documentclass|bibliographystyle"
        r"|bibliography|pagestyle|thispagestyle|setlength|newcommand|renewcommand|begin|end|centering|noindent|maketitle"
        r"|tableofcontents|hline|toprule|midrule|bottomrule|cline|newpage|clearpage|pagebreak|bigskip|medskip|smallskip)"
        r"\b\*?(?:\[[^\]]*\])*(?:\{[^{}]*\})*"
    )
    _REFERENCE: Final = re.compile(r"\\(?:cite\w*|ref|eqref|pageref|autoref|cref)\*?(?:\[[^\]]*\])*\{([^{}]*)\}")
    _LINK: Final = re.compile(r"\\href\{([^{}]*)\}\{([^{}]*)\}")
    _FOOTNOTE: Final = re.compile(r"\\footnote\{([^{}]*)\}")
    _CODE: Final = re.compile(r"\\(?:texttt|verb|lstinline|code)(?:\{([^{}]*)\}|([|!+])(.*?)\2)")
    _COMMAND: Final = re.compile(r"\\[A-Za-z]+\*?(?:\[[^\]]*\])?\{([^{}]*)\}")
    _CELL: Final = re.compile(r"(?<!\\)&")
    _BARE: Final = re.compile(r"\\(?:[A-Za-z]+\*?\s?|[,;:!>/])")
    _PLAIN: Final = (
        (r"\\", "\n"), (r"\%", "%"), (r"\&", "&"), (r"\_", "_"), (r"\#", "#"), (r"\$", "$"), (r"\{", "{"),
        (r"\}", "}"), ("~", " "), ("``", "“"), ("''", "”"), ("---", "—"), ("--", "–"),
    )  # fmt: skip

    def __init__(self) -> None:
        self._in_preamble = False

    def _ends_literal(self, line: str) -> bool:
        return f"\\end{{{self.literal}}}" in line

    def _text_line(self, line: str) -> str:
        line = self._COMMENT.sub(r"\1", line)
        if "\\documentclass" in line:
            self._in_preamble = True
        if "\\begin{document}" in line:
            self._in_preamble = False
        if match := self._KEPT_KEYWORDS.match(line):
            if match[1] == "title":
                self.title = self._inline(match[2])
            return f"{match[1]}: {self._inline(match[2])}"
        if self._in_preamble:
            return ""
        if match := self._BEGIN.match(line):
            if match[1] in self._VERBATIM:
                self.literal = match[1]
                return "```"
            return self._inline(self._DROPPED.sub("", line))
        if match := self._HEADING.match(line):
            return f"{'#' * self._LEVELS[match[1]]} {self._inline(match[2])} {self._inline(match[3])}".rstrip()
        if match := self._ITEM.match(line):
            label = f"{self._inline(match[1])}: " if match[1] else ""
            return f"- {label}{self._inline(line[match.end() :])}"
        return self._inline(line)

    def _inline(self, text: str) -> str:
        if "\\" not in text and "~" not in text and "--" not in text and "``" not in text:
            return text
        if self._CELL.search(text) and "\\\\" in text:
            cells = self._CELL.split(text.replace("\\\\", ""))
            text = f"| {' | '.join(cell.strip() for cell in cells)} |"
        text = self._DROPPED.sub("", text)
        text = self._CODE.sub(lambda match: f"`{match[1] or match[3] or ''}`", text)
        text = self._FOOTNOTE.sub(r" (\1)", text)
        text = self._LINK.sub(r"\2 (\1)", self._REFERENCE.sub(r"[\1]", text))
        for _ in range(5):
            shorter = self._COMMAND.sub(r"\1", text)
            if shorter == text:
                break
            text = shorter
        for command, character in self._PLAIN:
            text = text.replace(command, character)
        return self._BARE.sub("", text).replace("\n", " ")


extract_org: Final = partial(extract_lines, _Org)
"""The text of an Org file, as Markdown."""

extract_asciidoc: Final = partial(extract_lines, _AsciiDoc)
"""The text of an AsciiDoc file, as Markdown."""

extract_latex: Final = partial(extract_lines, _Latex)
"""The text of a LaTeX file, as Markdown."""
