"""Parts of libraries that are left for later: what works without them, and that they come when touched."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from kbtui.late_imports import LateImports, Plan

LIBRARY = {
    "tidepool/__init__.py": "from tidepool.boats import Boat\nfrom tidepool.harbour import moor\n",
    "tidepool/boats.py": (
        "from typing import Optional, Union\n"
        "from anchors import Anchor, cast_off\n"
        "import anchors.chains\n"
        "class Boat:\n"
        "    anchor: Optional[Anchor] = None\n"
        "    spare: 'Union[Anchor, None]' = None\n"
        "    def drop(self) -> 'Anchor | None':\n"
        "        self.anchor = Anchor(3)\n"
        "        return self.anchor\n"
        "    def has(self, thing) -> bool:\n"
        "        return isinstance(thing, Anchor)\n"
        "    def caught(self) -> str:\n"
        "        from anchors import fail\n"
        "        try:\n"
        "            fail()\n"
        "        except Snapped:\n"
        "            return 'caught'\n"
        "from anchors import Snapped\n"
    ),
    "tidepool/harbour.py": (
        "from anchors import buoys\n"
        "from anchors.chains import length\n"
        "def moor():\n"
        "    return length(2)\n"
        "def mark():\n"
        "    return buoys.COLOUR\n"
    ),
    "anchors/buoys.py": "COLOUR = 'red'\n",
    "tidepool-2.5.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: tidepool\nVersion: 2.5.1\n",
    "anchors/__init__.py": (
        "LOADED = True\n"
        "class Anchor:\n"
        "    def __init__(self, weight):\n"
        "        self.weight = weight\n"
        "class Snapped(Exception):\n"
        "    pass\n"
        "def cast_off():\n"
        "    return 'off'\n"
        "def fail():\n"
        "    raise Snapped\n"
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


def late(monkeypatch: pytest.MonkeyPatch, tried: str = "2.5") -> ModuleType:
    """The library, imported with ``anchors`` left for later."""
    plan = Plan(distribution="tidepool", tried=tried, later=("anchors",))
    monkeypatch.setattr(sys, "meta_path", [LateImports({"tidepool": plan}), *sys.meta_path])
    return import_module("tidepool")


def test_a_part_that_nothing_touches_is_not_loaded(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late(monkeypatch)
    assert not [name for name in sys.modules if name.partition(".")[0] == "anchors"]


def test_calling_a_placeholder_loads_the_part(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tidepool = late(monkeypatch)
    assert tidepool.moor() == 14
    assert sys.modules["anchors.chains"].LINKS == 7


def test_a_module_taken_from_its_package_comes_when_touched(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late(monkeypatch)
    assert import_module("tidepool.harbour").mark() == "red"


def test_a_class_that_is_used_is_the_real_one(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tidepool = late(monkeypatch)
    anchor = tidepool.Boat().drop()
    assert anchor.weight == 3
    assert type(anchor) is import_module("anchors").Anchor
    assert tidepool.Boat().has(anchor)
    assert not tidepool.Boat().has("rope")


def test_after_the_first_touch_nothing_is_left_of_the_placeholders(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tidepool = late(monkeypatch)
    tidepool.moor()
    boats, anchors = sys.modules["tidepool.boats"], import_module("anchors")
    assert boats.Anchor is anchors.Anchor
    assert boats.cast_off is anchors.cast_off
    assert boats.anchors is anchors
    assert tidepool.Boat().caught() == "caught"


def test_whoever_imports_the_part_gets_the_real_one(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late(monkeypatch)
    assert import_module("anchors").LOADED is True
    assert import_module("anchors.chains").LINKS == 7


def test_a_class_derived_while_importing_derives_from_the_real_one(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (library / "tidepool/boats.py").open("a") as file:
        file.write("class Grapnel(Anchor):\n    pass\n")
    tidepool = late(monkeypatch)
    assert import_module("tidepool.boats").Grapnel.__mro__[1] is import_module("anchors").Anchor
    assert tidepool.moor() == 14


def test_what_a_placeholder_cannot_do_is_imported_again_without(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (library / "tidepool/boats.py").open("a") as file:
        file.write("from anchors.chains import LINKS\nTWICE = LINKS * 2\n")
    late(monkeypatch)
    assert import_module("tidepool.boats").TWICE == 14


def test_a_stand_in_serves_the_library_with_the_plan_and_nobody_else(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(distribution="tidepool", tried="2.5", later=(), instead={"anchors.buoys": {"COLOUR": "grey"}})
    monkeypatch.setattr(sys, "meta_path", [LateImports({"tidepool": plan}), *sys.meta_path])
    assert import_module("tidepool").harbour.mark() == "grey"
    assert import_module("anchors.buoys").COLOUR == "red"


def test_a_library_that_fails_with_a_stand_in_gets_the_real_part(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(distribution="tidepool", tried="2.5", later=(), instead={"anchors.buoys": {}})
    with (library / "tidepool/harbour.py").open("a") as file:
        file.write("from anchors.buoys import COLOUR\n")
    monkeypatch.setattr(sys, "meta_path", [LateImports({"tidepool": plan}), *sys.meta_path])
    assert import_module("tidepool").harbour.COLOUR == "red"


def test_a_library_that_is_broken_says_so_as_ever(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (library / "tidepool/harbour.py").write_text("import no_such_module_anywhere\n")
    with pytest.raises(ModuleNotFoundError, match="no_such_module_anywhere"):
        late(monkeypatch)


@pytest.mark.parametrize("tried", ["2.4", "2.50", "3"])
def test_another_version_is_imported_as_ever(library: Path, monkeypatch: pytest.MonkeyPatch, tried: str) -> None:
    late(monkeypatch, tried)
    assert sys.modules["anchors"].LOADED is True


def test_a_version_that_is_unknown_is_imported_as_ever(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (library / "tidepool-2.5.1.dist-info/METADATA").unlink()
    (library / "tidepool-2.5.1.dist-info").rmdir()
    late(monkeypatch)
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
assert "t" in db.list_tables().tables
placeholder = lancedb.db.LanceNamespace
import lance_namespace
assert issubclass(type("Mine", (lance_namespace.LanceNamespace,), {}), placeholder)
assert lancedb.db.LanceNamespace is lance_namespace.LanceNamespace
assert lancedb.namespace.TableNotFoundError is lance_namespace.errors.TableNotFoundError
"""


def test_lancedb_does_all_we_need_and_its_catalogues_come_when_touched(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LANCEDB, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


LANGGRAPH = """
import sys
from kbtui.late_imports import install
install()
from kbtui.agent.graph import compiled_graph
graph = compiled_graph(True)
for name in ("langgraph_sdk", "langsmith.types", "langchain_text_splitters"):
    assert name not in sys.modules, name + " was loaded: another version of langgraph?"
assert "grade_evidence" in graph.get_graph().nodes
from kbtui.tools.base import as_tool, run_tool
from kbtui.domain.tooling import ToolOutput
from pydantic import BaseModel
class Args(BaseModel):
    query: str
tool = as_tool(name="one", description="d", args=Args, run=lambda query: ToolOutput(note=query))
assert run_tool(tool, {"query": "hello"}).note == "hello"
from langgraph_sdk import get_client
from langgraph.pregel.remote import RemoteGraph
import langsmith
assert langsmith.Client and RemoteGraph and get_client
"""


def test_langgraph_does_all_we_need_and_its_clients_come_when_touched() -> None:
    done = subprocess.run([sys.executable, "-c", LANGGRAPH], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
