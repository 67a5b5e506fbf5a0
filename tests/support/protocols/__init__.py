"""How chat models' servers say things on the wire: one file a protocol."""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.model_request import Api
from tests.support.protocols.anthropic import ANTHROPIC
from tests.support.protocols.google import GOOGLE
from tests.support.protocols.ollama import OLLAMA
from tests.support.protocols.openai import OPENAI
from tests.support.protocols.wire import Protocol

PROTOCOLS: Mapping[Api, Protocol] = {"openai": OPENAI, "ollama": OLLAMA, "anthropic": ANTHROPIC, "google": GOOGLE}
