"""What is kept in the cache costs nothing where it is lost, and does not grow without bounds."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from kbtui.settings.json_store import JsonStore
from kbtui.settings.secrets import learn_secret


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_a_value_is_kept_for_its_owner_alone_and_deleted_by_its_key(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    store = JsonStore(folder, dict[str, int], max_bytes=1000)
    assert store.get("a") is None
    store.put("a", {"x": 1})
    assert JsonStore(folder, dict[str, int], max_bytes=1000).get("a") == {"x": 1}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "a.json").stat().st_mode) == 0o600
    store.delete("a")
    store.delete("a")
    assert store.get("a") is None


def test_what_is_no_such_value_is_missing(tmp_path: Path) -> None:
    store = JsonStore(tmp_path, dict[str, int], max_bytes=1000)
    for text in ("", '{"x"', '{"x": "one"}', "[" * 100_000):
        (tmp_path / "a.json").write_text(text)
        assert store.get("a") is None


def test_the_oldest_files_are_deleted_whatever_wrote_them(tmp_path: Path) -> None:
    (tmp_path / "cache.db").write_bytes(b"x" * 50)
    for age, name in enumerate(("a", "b", "c")):
        JsonStore(tmp_path, str, max_bytes=100_000).put(name, "x" * 40)
        os.utime(tmp_path / f"{name}.json", (1e9 - age, 1e9 - age))
    os.utime(tmp_path / "cache.db", (1e8, 1e8))
    JsonStore(tmp_path, str, max_bytes=130).put("d", "x" * 40)
    assert names(tmp_path) == {"d.json", "a.json", "b.json"}
    JsonStore(tmp_path, str, max_bytes=100_000, max_age_s=60).put("e", "x")
    assert names(tmp_path) == {"d.json", "e.json"}


def test_a_secret_is_kept_in_no_file(tmp_path: Path) -> None:
    secret = "a-secret-that-a-server-repeated"
    learn_secret(secret)
    kept = JsonStore(tmp_path, dict[str, str], max_bytes=1000)
    kept.put("answer", {"text": f"Your key is {secret}."})
    assert secret not in (tmp_path / "answer.json").read_text()
    assert (kept.get("answer") or {})["text"].startswith("Your key is ")
