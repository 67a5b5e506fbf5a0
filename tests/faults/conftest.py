"""Ways to run commands, as the tests of the command line have them."""

from __future__ import annotations

from tests.cli.conftest import invoke

__all__ = ["invoke"]
