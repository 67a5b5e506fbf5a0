"""What is settled before any command runs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
from kbtui.__main__ import leave_untraced
leave_untraced()
from langchain_core.callbacks import CallbackManager
print(CallbackManager.configure().handlers)
"""


@pytest.mark.parametrize(
    "variable", ["LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING"]
)
def test_no_step_is_traced_to_a_service_though_the_environment_asks_for_it(variable: str) -> None:
    environ = {**os.environ, variable: "true", "LANGSMITH_ENDPOINT": "http://127.0.0.1:9", "LANGSMITH_API_KEY": "x"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environ, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr
