"""Parts of LanceDB that are left out: what works without them, and who gets the real ones."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from kbtui import late_imports
from kbtui.late_imports import LateImports

LIBRARY = {
    "tidepool/__init__.py": "from tidepool.boats import Boat\nfrom tidepool.harbour import moor\n",
    "tidepool/boats.py": (
        "from typing import Optional\n"
        "from anchors import Anchor, Snapped, override\n"
        "import anchors.chains\n"
        "class Boat:\n"
        "    anchor: Optional[Anchor] = None\n"
        "    @override\n"
        "    def has(self, thing) -> bool:\n"
        "        return isinstance(thing, Anchor)\n"
        "    def sail(self) -> str:\n"
        "        try:\n"
        "            raise OSError\n"
        "        except (SnappedError, OSError):\n"
        "            return 'sails'\n"
        "from anchors import SnappedError\n"
    ),
    "tidepool/harbour.py": "def moor():\n    from anchors.chains import length\n    return length(2)\n",
    "tidepool-2.5.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: tidepool\nVersion: 2.5.1\n",
    "anchors/__init__.py": (
        "LOADED = True\n"
        "class Anchor: pass\n"
        "class Snapped: pass\n"
        "class SnappedError(Exception): pass\n"
        "def override(method):\n    return method\n"
    ),
    "anchors/chains.py": "LINKS = 7\ndef length(metres):\n    return metres * LINKS\n",
}


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small library, ``tidepool``, that uses another, ``anchors``; forgotten again behind the test."""
    for name, text in LIBRARY.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tidepool", "anchors")]:
        del sys.modules[name]


def imported(monkeypatch: pytest.MonkeyPatch, tried: str = "2.5.") -> ModuleType:
    """The library, imported without ``anchors``."""
    for name, value in {"LIBRARY": "tidepool", "TRIED": tried, "LEFT_OUT": ("anchors",)}.items():
        monkeypatch.setattr(late_imports, name, value)
    monkeypatch.setattr(sys, "meta_path", [LateImports(), *sys.meta_path])
    return import_module("tidepool")


def test_a_part_that_is_left_out_is_not_loaded(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tidepool = imported(monkeypatch)
    assert not [name for name in sys.modules if name.partition(".")[0] == "anchors"]
    assert not tidepool.Boat().has("rope")
    assert tidepool.Boat().sail() == "sails"


def test_whoever_imports_the_part_gets_the_real_one(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tidepool = imported(monkeypatch)
    assert import_module("anchors").LOADED is True
    assert tidepool.moor() == 14


def test_an_import_that_needs_the_part_is_done_again_with_it(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (library / "tidepool/boats.py").open("a") as file:
        file.write("from anchors.chains import LINKS\nTWICE = LINKS * 2\n")
    imported(monkeypatch)
    assert import_module("tidepool.boats").TWICE == 14


def test_a_library_that_is_broken_says_so_as_ever(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (library / "tidepool/harbour.py").write_text("import no_such_module_anywhere\n")
    with pytest.raises(ModuleNotFoundError, match="no_such_module_anywhere"):
        imported(monkeypatch)


@pytest.mark.parametrize("tried", ["2.4.", "2.50.", "3."])
def test_another_version_is_imported_as_ever(library: Path, monkeypatch: pytest.MonkeyPatch, tried: str) -> None:
    imported(monkeypatch, tried)
    assert sys.modules["anchors"].LOADED is True


def test_a_version_that_is_unknown_is_imported_as_ever(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (library / "tidepool-2.5.1.dist-info/METADATA").unlink()
    (library / "tidepool-2.5.1.dist-info").rmdir()
    imported(monkeypatch)
    assert sys.modules["anchors"].LOADED is True


LANCEDB = """
import sys
from kbtui.late_imports import install
install()
import lancedb, pyarrow as pa
assert "lance_namespace_urllib3_client" not in sys.modules, "nothing was left for later: another version of lancedb?"
db = lancedb.connect(sys.argv[1])
rows = [{"key": n, "terms": f"word{n} all", "vector": [float(n), 1.0]} for n in range(20)]
table = db.create_table("t", pa.Table.from_pylist(rows, schema=pa.schema(
    [("key", pa.int64()), ("terms", pa.string()), ("vector", pa.list_(pa.float32(), 2))])))
table.add(pa.Table.from_pylist([{"key": 99, "terms": "late", "vector": [0.0, 0.0]}], schema=table.schema))
table.delete("key = 3")
table.create_scalar_index("key")
table.create_fts_index("terms", base_tokenizer="whitespace", stem=False, remove_stop_words=False)
table.optimize()
assert table.count_rows() == 20 and db.open_table("t").version > 1
assert table.search([5.0, 1.0]).limit(1).to_list()[0]["key"] == 5
assert [row["key"] for row in table.search("word7", query_type="fts").limit(3).to_list()] == [7]
assert len(table.to_arrow()) == 20
assert "lance_namespace_urllib3_client" not in sys.modules, "something that we use touches the catalogues"
import lance_namespace
assert lance_namespace.LanceNamespace.__module__.startswith("lance_namespace"), "whoever imports it gets the real one"
"""


def test_lancedb_does_all_we_need_without_its_catalogues(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LANCEDB, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
