"""The exported page as a browser shows it: a page around it uses its controls and writes down what is seen."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kbtui.sessions.recording import Recording
from kbtui.view.export import export_session
from tests.sessions.runs import answered, cancelled

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")

_AROUND = """<!doctype html><iframe src="page.html" width="1400" height="900"></iframe><pre id="seen"></pre><script>
addEventListener("load", () => {
  const page = document.querySelector("iframe").contentDocument, window_ = page.defaultView, seen = {};
  const all = (pick) => [...page.querySelectorAll(pick)];
  const shows = (part) => part.getClientRects().length > 0 && window_.getComputedStyle(part).visibility === "visible";
  const texts = (pick) => all(pick).filter(shows).map((part) => part.textContent.trim());
  const note = (name) => { seen[name] = {
    questions: texts("h2"), rail: texts("nav li"), proof: texts("#run-1 .proof code").slice(0, 1),
    answer: texts("#run-1 .answer"), calls: texts("#run-1 td code"), step: texts("#run-1 .steps output")[0],
    found: texts("[role=search] output")[0], controls: texts(".steps button"),
  }; };
  note("opened");
  const beside = (pick) => page.querySelector(pick).getBoundingClientRect();
  seen.columns = [beside("nav").right <= beside("#run-1").left, beside(".answer").right <= beside(".proof").left];
  page.querySelector('#run-1 [data-to]').click(); note("first stage");
  const press = (pick, times) => { for (let at = 0; at < times; at++) page.querySelector(pick).click(); };
  press("#run-1 .on", 5); note("later");
  press("#run-1 .on", 99); note("end");
  const type = (words) => {
    const field = page.querySelector("[role=search] input");
    field.value = words; field.dispatchEvent(new window_.Event("input"));
  };
  type("GREEN announces"); note("searched");
  type("zebra"); note("not found");
  type(""); note("cleared");
  seen.requests = window_.performance.getEntriesByType("resource").length;
  document.querySelector("#seen").textContent = JSON.stringify(seen);
});
</script>"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("page")
    events = (*answered(query="how are deploys rolled back, 谁宣布？"), *cancelled())
    page = export_session(Recording(path=folder / "s1.jsonl", events=events), "html")
    (folder / "page.html").write_text(page, encoding="utf-8")
    (folder / "around.html").write_text(_AROUND, encoding="utf-8")
    assert BROWSER is not None
    done = subprocess.run(
        [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--allow-file-access-from-files",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={folder / 'profile'}",
            "--window-size=1500,1000",
            "--virtual-time-budget=10000",
            "--dump-dom",
            (folder / "around.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stdout[-500:] + done.stderr[-2000:]
    return json.loads(html.unescape(found[1]))


def test_rail_conversation_and_proof_stand_beside_each_other(seen: Any) -> None:
    assert seen["columns"] == [True, True]
    assert seen["opened"]["questions"] == ["how are deploys rolled back, 谁宣布？", "stop me"]
    assert seen["opened"]["proof"] == ["runbooks/rollback.md:L12-L18"]
    assert seen["opened"]["step"] == "18 of 18 · run completed · 0.85 s"


def test_a_run_is_gone_through_step_by_step(seen: Any) -> None:
    first, later, end = (seen[name] for name in ("first stage", "later", "end"))
    assert (first["answer"], first["proof"], first["calls"]) == ([], [], [])
    assert first["step"] == "2 of 18 · request classified · 0.05 s"
    assert (later["calls"], later["answer"]) == (["hybrid_search"], []), later["step"]
    assert end == seen["opened"]


def test_the_search_leaves_the_questions_that_hold_the_words(seen: Any) -> None:
    assert seen["searched"]["questions"] == seen["searched"]["rail"] == ["how are deploys rolled back, 谁宣布？"]
    assert seen["searched"]["found"].endswith("in 1 of 2")
    assert (seen["not found"]["questions"], seen["not found"]["found"]) == ([], "0 in 0 of 2")
    assert seen["cleared"]["questions"] == seen["opened"]["questions"]


def test_nothing_is_fetched(seen: Any) -> None:
    assert seen["requests"] == 0
