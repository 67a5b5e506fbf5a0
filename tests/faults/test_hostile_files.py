"""Files made to exhaust what takes text out of them: each fails alone, named, and the next one is read."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.cutting import Cut, Failure, cut_all
from kbtui.knowledge.reading.extraction_worker import extract_file_text
from kbtui.knowledge.reading.formats import Extracted, extract_text, sheets
from kbtui.knowledge.reading.walker import walk
from kbtui.settings.model import IndexSettings
from tests.support import documents as made

_LAUGHS: Final = (
    '<!DOCTYPE a [<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12)) + "]>"
)
_W: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def read(folder: Path, files: dict[str, bytes]) -> dict[str, Cut | Failure]:
    """The files as they are indexed, in workers."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    listed = walk(folder, IndexSettings(max_file_mb=20)).files
    return {file.path: result for file, result in cut_all(listed, IndexSettings(), CancelToken())}


def text_of(result: Cut | Failure) -> str:
    return "\n".join(chunk.text for chunk in result.reading.chunks) if isinstance(result, Cut) else ""


def with_part(package: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """A package with one of its parts changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            data = old.read(part)
            new.writestr(part, change(data) if part == name else data)
    return out.getvalue()


def bomb(megabytes: int) -> bytes:
    """A part that packs to a thousandth."""
    return b" " * (megabytes << 20)


@pytest.mark.parametrize(
    ("name", "package", "part"),
    [
        ("a.docx", made.docx(), "word/document.xml"),
        ("a.pptx", made.pptx(), "ppt/slides/slide1.xml"),
        ("a.xlsx", made.xlsx(), "xl/worksheets/sheet1.xml"),
        ("a.epub", made.epub(), "OEBPS/a.xhtml"),
        ("a.zip", made.zipped({"x.txt": b"text"}), "x.txt"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_package_that_unpacks_out_of_proportion_is_refused_unopened(name: str, package: bytes, part: str) -> None:
    with pytest.raises(KnowledgeBaseError, match="out of proportion to its size"):
        extract_text(with_part(package, part, lambda data: data + bomb(64)), name)


def test_a_compressed_bomb_is_read_up_to_the_limit_alone(tmp_path: Path) -> None:
    found = read(tmp_path, {"a.log.gz": made.compressed(bomb(40), "gz"), "b.md": b"# Fine\n"})
    assert isinstance(found["a.log.gz"], Failure)
    assert "unpacks to more than" in found["a.log.gz"].reason
    assert "Fine" in text_of(found["b.md"])


def test_an_archive_in_an_archive_stays_closed() -> None:
    inner = made.zipped({"deep.txt": b"very deep"})
    found = extract_text(made.zipped({"inner.zip": inner, "note.txt": b"on top"}), "a.zip")
    assert found is not None
    assert "on top" in found.text
    assert "very deep" not in found.text
    assert "Not read of this archive: 1 member" in found.text


def test_members_whose_names_lead_out_of_the_archive_are_text_like_any_other(tmp_path: Path) -> None:
    found = read(tmp_path, {"a.tar.gz": made.tarred({"../../etc/passwd": b"root of all"}), "b.md": b"x"})
    assert "root of all" in text_of(found["a.tar.gz"])
    assert not (tmp_path.parent.parent / "etc").exists()


def test_entities_of_packages_reach_no_file_and_are_not_multiplied(tmp_path: Path) -> None:
    secret = tmp_path.parent / "secret.txt"
    secret.write_text("the secret of the outside")
    external = f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'

    def with_entities(doctype: str, entity: str) -> Callable[[bytes], bytes]:
        def change(data: bytes) -> bytes:
            head, _, rest = data.decode().partition("?>")
            text = rest.replace("eleven minutes", f"eleven &{entity}; minutes").replace("northern", f"&{entity};")
            return f"{head}?>{doctype}{text}".encode()

        return change

    files = {
        "outside.docx": with_part(made.docx(), "word/document.xml", with_entities(external, "x")),
        "laughs.docx": with_part(made.docx(), "word/document.xml", with_entities(_LAUGHS, "l11")),
        "outside.svg": f"{external}<svg><text>a &x; b</text></svg>".encode(),
        "laughs.svg": f"<svg>{_LAUGHS}</svg>".encode(),
        "laughs.drawio": f"{_LAUGHS}<mxfile><diagram>&l11;</diagram></mxfile>".encode(),
        "laughs.xml": f'<?xml version="1.0"?>{_LAUGHS}<a><b>&l11;</b></a>'.encode(),
        "outside.xml": f'<?xml version="1.0"?>{external}<a><b>&x;</b></a>'.encode(),
        "fine.md": b"# Fine\n",
    }
    found = read(tmp_path, files)
    assert "Fine" in text_of(found["fine.md"])
    for name, result in found.items():
        text = text_of(result)
        assert "secret of the outside" not in text, name
        assert len(text) < 20_000, name


def test_a_pdf_of_a_million_objects_ends_and_the_next_file_is_read(tmp_path: Path) -> None:
    objects = ["<< /A 1 >>"] * 1_000_000
    data = made.pdf([made.column(72, 700, ["One line among a million objects."])], objects=objects)
    found = read(tmp_path, {"million.pdf": data, "fine.md": b"# Fine\n"})
    result = found["million.pdf"]
    assert "One line among" in text_of(result) or isinstance(result, Failure)
    assert "Fine" in text_of(found["fine.md"])


def test_a_pdf_whose_pages_are_their_own_parents_ends(tmp_path: Path) -> None:
    looped = made.pdf([made.column(72, 700, ["text"])]).replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]")
    found = read(tmp_path, {"loop.pdf": looped, "fine.md": b"# Fine\n"})
    assert isinstance(found["loop.pdf"], Cut | Failure)
    assert "Fine" in text_of(found["fine.md"])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("deep.ipynb", b'{"cells": ' + b"[" * 100_000),
        ("deep.canvas", b'{"nodes": ' + b"[" * 100_000),
        ("deep.svg", b"<svg>" + b"<g>" * 100_000),
        ("deep.xml", b"<a>\n" * 100_000),
        ("deep.eml", b"Subject: x\n" + b"Content-Type: multipart/mixed; boundary=a\n\n--a\n" * 1_000),
        ("odd.ipynb", json.dumps({"cells": [1, None, {"source": {"a": 1}}]}).encode()),
        ("odd.canvas", json.dumps({"nodes": {"a": 1}, "edges": 7}).encode()),
        ("odd.eml", b"From: \xff\xfe<<<>>>\nDate: 99999999999999\nSubject: =?utf-8?b?////?=\n\nbody"),
        ("odd.srt", b"99:99:99,999 --> \n" * 1_000),
        ("odd.8", b".TH\n.SH\n.B\n.BR \"\n\\f\n\\*[\n.It\n.Xr\n.Nm\n"),
        ("odd.tex", b"\\documentclass{a}\\begin{document}\\emph{\n" * 2_000),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_odd_files_are_read_or_fail_alone(tmp_path: Path, name: str, data: bytes) -> None:
    found = read(tmp_path, {name: data, "fine.md": b"# Fine\n"})
    result = found[name]
    assert isinstance(result, Cut | Failure)
    if isinstance(result, Failure):
        assert "RecursionError" not in result.reason
        assert "took longer" not in result.reason
    assert "Fine" in text_of(found["fine.md"])


def test_a_reader_of_a_broken_file_gets_an_error_for_people(tmp_path: Path) -> None:
    (tmp_path / "locked.pdf").write_bytes(made.locked_pdf())
    file = walk(tmp_path, IndexSettings()).files[0]
    with pytest.raises(KnowledgeBaseError) as error:
        extract_file_text(file)
    assert error.value.message == "locked.pdf cannot be read: protected by a password."
    assert error.value.hint == "save it without one"


def test_a_sheet_of_many_rows_is_bounded_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import openpyxl

    monkeypatch.setattr(sheets, "_MAX_ROWS", 100)

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Log")
    sheet.append(["Day", "Event"])
    for number in range(150):
        sheet.append([f"day {number}", "nothing"])
    out = io.BytesIO()
    book.save(out)
    found = extract_text(out.getvalue(), "big.xlsx")
    assert isinstance(found, Extracted)
    assert "day 99;" in found.text
    assert "day 100;" not in found.text
    assert "Only the first 100 rows are read; ask all of them with --data big.xlsx." in found.text
