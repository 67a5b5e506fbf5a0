"""Real files of many formats, made by the libraries that write them, or byte by byte where none is installed."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import tarfile
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from urllib.parse import quote

Piece = tuple[float, float, float, str]
"""Left, bottom, size in points, and what is written there, without brackets."""


def pdf(pages: Sequence[Sequence[Piece]], *, title: str = "", extra: str = "", objects: Sequence[str] = ()) -> bytes:
    """A PDF in Helvetica; ``extra`` goes into its trailer, ``objects`` behind its own ones."""
    bodies = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for page in pages:
        drawn = "\n".join(f"BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET" for x, y, size, text in page)
        kids.append(f"{len(bodies) + 1} 0 R")
        bodies.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {len(bodies) + 2} 0 R >>"
        )
        bodies.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    bodies[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    bodies += objects
    bodies.append(f"<< /Title ({title}) >>")
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1"))
    start = out.tell()
    out.write(f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n".encode())
    out.write("".join(f"{place:010d} 00000 n \n" for place in places).encode())
    out.write(
        f"trailer\n<< /Size {len(bodies) + 1} /Root 1 0 R /Info {len(bodies)} 0 R {extra} >>\n"
        f"startxref\n{start}\n%%EOF\n".encode()
    )
    return out.getvalue()


def column(x: float, y: float, lines: Sequence[str], size: float = 11) -> list[Piece]:
    """Lines one below the other."""
    return [(x, y - 14 * at, size, line) for at, line in enumerate(lines)]


def locked_pdf() -> bytes:
    """A PDF that asks for a password."""
    key = "41" * 32
    extra = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{key}> /U <{key}> /P -44 >> /ID [<{'00' * 16}> <{'00' * 16}>]"
    return pdf([column(72, 700, ["Nobody reads this."])], extra=extra)


def docx(*, title: str = "") -> bytes:
    """Headings, a list, a table and a paragraph, in this order."""
    import docx as library

    document = library.Document()
    document.core_properties.title = title
    document.add_heading("Deployment guide", 0)
    document.add_heading("Rollback", 1)
    document.add_paragraph("A rollback of the billing service takes eleven minutes.")
    document.add_paragraph("Drain the queue.", style="List Bullet")
    document.add_paragraph("Restore the snapshot.", style="List Bullet")
    document.add_heading("Contacts", 1)
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(table._cells, ("Role", "Person", "Duty manager", "Ingrid Solberg"), strict=True):
        cell.text = text
    document.add_paragraph("After the table nothing else is said.")
    return _saved(document)


def pptx() -> bytes:
    """Two slides: a title with points, and a table with notes."""
    import pptx as library
    from pptx.util import Inches

    deck = library.Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "Quarterly review"
    first.placeholders[1].text_frame.text = "Revenue of the harbour division grew by nine percent."
    first.placeholders[1].text_frame.add_paragraph().text = "Churn stayed flat."
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "Headcount"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(6), Inches(1)).table
    for at, text in enumerate(("Team", "People", "Cartography", "14")):
        table.cell(at // 2, at % 2).text = text
    second.notes_slide.notes_text_frame.text = "The cartography team moves to Bergen in May."
    return _saved(deck)


def xlsx() -> bytes:
    """A sheet of stations and one of notes."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Stations"
    for row in (("Station", "Altitude", "Keeper"), ("Gaustatoppen", 1883, "Liv Aasen"), ("Finse", 1222, "Odd Berge")):
        sheet.append(row)
    notes = book.create_sheet("Notes")
    notes["B7"] = "The Finse station is resupplied by the Bergen railway."
    return _saved(book)


def _saved(document: object) -> bytes:
    out = io.BytesIO()
    document.save(out)  # type: ignore[attr-defined]
    return out.getvalue()


def epub() -> bytes:
    """A book of two chapters, whose files are in another order than they are read."""
    chapters = {
        "b.xhtml": "<h1>The lighthouse</h1><p>The lamp of Ryvingen burns paraffin.</p>",
        "a.xhtml": "<h1>The storm</h1><p>The storm of 1907 broke the <em>northern</em> pier.</p>"
        "<ul><li>Two boats were lost.</li></ul><table><tr><td>Boat</td><td>Crew</td></tr>"
        "<tr><td>Havfruen</td><td>6</td></tr></table>",
    }
    manifest = "".join(
        f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in sorted(chapters)
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>Northern lights</dc:title></metadata><manifest>{manifest}</manifest>"
        f"<spine>{spine}</spine></package>"
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/content.opf"/></rootfiles></container>'
    )
    pages = {
        f"OEBPS/{name}": f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{body}</body></html>'
        for name, body in chapters.items()
    }
    return zipped(
        {"mimetype": "application/epub+zip", "META-INF/container.xml": container, "OEBPS/content.opf": package} | pages
    )


def notebook() -> bytes:
    """Text, code with what it printed, and code that failed."""
    cells = [
        {
            "cell_type": "markdown",
            "source": ["# Tide model\n", "\n", "The tide model is fitted on forty years of gauges."],
        },
        {
            "cell_type": "code",
            "source": ["residual = observed - predicted\n", 'print("mean residual", residual.mean())'],
            "outputs": [{"output_type": "stream", "text": ["mean residual 0.042\n"]}],
        },
        {
            "cell_type": "code",
            "source": "plot()",
            "outputs": [{"output_type": "error", "ename": "ImportError", "evalue": "no gnuplot"}],
        },
    ]
    return json.dumps({"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}).encode()


def message(subject: str, text: str, *, html: str = "", attached: str = "") -> bytes:
    """A mail in base64, from Kari to the harbour office."""
    mail = EmailMessage()
    mail["From"], mail["To"] = "Kari Nordmann <kari@example.org>", "harbour@example.org"
    mail["Date"], mail["Subject"] = "Tue, 04 Mar 2025 09:12:00 +0100", subject
    if text:
        mail.set_content(text, cte="base64")
    if html:
        mail.set_content(html, subtype="html", cte="base64")
    if attached:
        mail.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename=attached)
    return mail.as_bytes()


def mbox(messages: Sequence[bytes]) -> bytes:
    """A mailbox."""
    return b"".join(b"From kari@example.org Tue Mar  4 09:12:00 2025\n" + one + b"\n\n" for one in messages)


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def retyped(package: bytes, main_type: str) -> bytes:
    """An Office document whose main part is said to be of another type: a template, a show, one with macros."""
    with zipfile.ZipFile(io.BytesIO(package)) as old:
        members = {name: old.read(name) for name in old.namelist()}
    types = members["[Content_Types].xml"].decode()
    return zipped(members | {"[Content_Types].xml": re.sub(r'"[^"]+\.main\+xml"', f'"{main_type}"', types)})


def tarred(members: Mapping[str, bytes], mode: str = "w:gz") -> bytes:
    """A TAR archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def drawio(*, packed: bool = True) -> bytes:
    """A drawing of two boxes on the page Network."""
    model = (
        '<mxGraphModel><root><mxCell id="0"/>'
        '<mxCell id="2" value="&lt;b&gt;Gateway&lt;/b&gt;&lt;br&gt;forwards to Oslo"/>'
        '<object id="3" label="Archive node keeps nine replicas"/></root></mxGraphModel>'
    )
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = b64encode(packing.compress(quote(model).encode()) + packing.flush()).decode() if packed else model
    return f'<mxfile><diagram id="a" name="Network">{body}</diagram></mxfile>'.encode()


CANVAS = json.dumps(
    {
        "nodes": [
            {"id": "1", "type": "text", "text": "# Migration\nThe migration freezes writes for ninety seconds."},
            {"id": "2", "type": "file", "file": "runbooks/freeze.md"},
        ],
        "edges": [{"fromNode": "1", "toNode": "2", "label": "see"}],
    }
).encode()

SVG = b"""<svg xmlns="http://www.w3.org/2000/svg"><title>Turbine hall</title>
<text x="1" y="2"><tspan>Valve K7 closes</tspan> <tspan>at nine bar</tspan></text></svg>"""

ORG = b"""#+TITLE: Field notes
* Reindeer
:PROPERTIES:
:ID: 1
:END:
The herd of [[https://example.org/finse][Finse]] counted =412= animals in June.
** Gear
#+BEGIN_SRC sh
# not a heading
ls
#+END_SRC
"""

ADOC = b"""= Ferry manual
:toc:

== Ramp

[NOTE]
The ramp of the ferry carries link:https://example.org[forty tonnes].

----
= not a heading
----

|===
|Deck |Cars
|Upper |80
|===
"""

LATEX = rb"""\documentclass{article}
\newcommand{\x}{y}
\title{On glaciers}
\begin{document}
\section{Mass balance}
The glacier \emph{lost} two metres of ice\footnote{in 2019} in one year~\cite{hansen}. % check
\begin{itemize}
\item Snow depth is measured in April.
\end{itemize}
\begin{verbatim}
\section{not a heading}
\end{verbatim}
\end{document}
"""

MANUAL = rb""".\" comment
.TH FJORDCTL 8 2025-01-01
.SH NAME
fjordctl \- control the locks of the fjord
.SH OPTIONS
.TP
.BR \-\-drain " " \fIMINUTES\fR
Drains the lower lock for this many minutes before it opens.
.SH SEE ALSO
.BR fjordd (8)
"""

MDOC = rb""".Dd January 1, 2025
.Dt LOCKD 8
.Os
.Sh NAME
.Nm lockd
.Nd daemon of the locks
.Sh DESCRIPTION
The
.Nm
daemon listens on port 7411, see
.Xr fjordctl 8 .
"""

POD = b"""=head1 NAME

Harbour::Buoy - lights of buoys

=head1 METHODS

=over 4

=item flash

A buoy of Skudenes calls C<flash> every F<nine> seconds, see L<Harbour::Lamp/"Colours"> and L<its
log|Harbour::Log>.

=item *

Greater is written E<gt>.

=back

  $buoy->flash;

=begin html

<b>never shown</b>

=end html

The end.
"""
SUBTITLES = b"""1
00:01:02,500 --> 00:01:05,000
<i>The ice road opens</i>
in the second week of January.

2
00:02:10,000 --> 00:02:12,000
Nobody drives at night.
"""

WEBVTT = b"""WEBVTT

NOTE made by hand

intro
01:02.500 --> 01:05.000 align:start
<v Eva>The ferry carries eleven lorries.</v>
"""

XML = b"""<?xml version="1.0"?>
<config xmlns:x="urn:x">
  <server name="narvik">
    <port>8471</port>
    <retries>3</retries>
  </server>
</config>
"""


def compressed(data: bytes, ending: str) -> bytes:
    """``data`` packed by ``gz``, ``bz2`` or ``xz``."""
    return {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}[ending](data)
