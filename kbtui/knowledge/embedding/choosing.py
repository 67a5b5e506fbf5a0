"""Which runtime embeds passages on this machine: found by a test of about a second and kept in the cache folder."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import numpy as np

from kbtui.errors import EmbeddingError
from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.embedding.runner import Runner, cores
from kbtui.knowledge.embedding.runtimes import AGREEMENT, QUERY_RUNTIME, RuntimeKind, candidates, kind_named
from kbtui.settings import paths
from kbtui.settings.model import EmbeddingSettings
from kbtui.settings.private import private_folder

OpenRunner = Callable[[RuntimeKind], Runner]
"""Loads the model with a runtime."""

_ROUNDS = 2
_WORDS = (30, 60, 90, 120, 140, 160, 180, 200) * 2
"""Lengths of the samples, as passages of notes and code have them: up to what the model reads."""
_SAMPLE: Final = (
    "A deploy is rolled back by pinning the last green image; the on-call engineer announces it in the channel first, "
    "opens a ticket with the time, the error rate and the name of the change, and watches the dashboards for ten "
    "minutes. def retry(limit: int = 5) -> None: every attempt waits twice as long as the one before it, and the "
    "last error is raised with its cause. Migrations run in two steps, so that the version in production never meets "
    "a column it does not know (see ADR-7); the second step waits for the next release."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The runtime of passages and why.

    Attributes:
        runtime: Its name.
        why: In words.
        texts_per_s: What the test measured, by runtime; empty when there was nothing to compare.
    """

    runtime: str
    why: str
    texts_per_s: Mapping[str, float] = field(default_factory=dict)


def settled(settings: EmbeddingSettings) -> Choice | None:
    """What needs no test: the runtime that is set, or the only one there is. None when the fastest has to be found.

    Raises:
        EmbeddingError: The one that is set is not installed, or cannot run the precision that is set.
    """
    installed = [kind.name for kind in candidates(settings.precision)]
    if settings.runtime == "auto":
        if len(installed) > 1:
            return None
        return Choice(runtime=QUERY_RUNTIME, why=f"the only one installed that runs {settings.precision}")
    if settings.precision not in kind_named(settings.runtime).batch_tokens:
        raise EmbeddingError(
            f"{settings.runtime} does not run {settings.precision} models.",
            'Set `embedding.precision = "fp32"`, or `embedding.runtime = "auto"`.',
        )
    if settings.runtime not in installed:
        raise EmbeddingError(
            f"{settings.runtime} is not installed.",
            f'Run `pip install "kbtui[{settings.runtime}]"`, or set `embedding.runtime = "auto"`.',
        )
    return Choice(runtime=settings.runtime, why="as embedding.runtime says")


def choice_file() -> Path:
    """Where choices are kept, by processor, threads and versions."""
    return paths.cache_dir() / "runtime.json"


def remembered(settings: EmbeddingSettings) -> Choice | None:
    """What an earlier test on this machine, with these versions and threads, has found."""
    try:
        choice = Choice(**json.loads(choice_file().read_text("utf-8"))[_key(settings)])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return choice if choice.runtime in {kind.name for kind in candidates(settings.precision)} else None


def choose(open_runner: OpenRunner, settings: EmbeddingSettings, reference: Runner) -> tuple[Choice, Runner]:
    """The runtime for passages, loaded: as set, as remembered, or the fastest that agrees with ``reference``.

    Args:
        open_runner: Loads the model with a runtime.
        reference: Runs questions; the model was checked against sentence-transformers with it.

    Raises:
        EmbeddingError: The runtime that is set is not there or does not work.
    """
    choice = settled(settings) or remembered(settings)
    if choice is not None:
        try:
            return choice, _opened(open_runner, choice.runtime, reference)
        except Exception as error:
            if settings.runtime != "auto":
                raise EmbeddingError(
                    f"The embedding model does not run with {choice.runtime}: {error}", "Set `embedding.runtime`."
                ) from error
    choice, runners = _race(open_runner, settings, reference)
    _remember(settings, choice)
    return choice, runners[choice.runtime]


def _opened(open_runner: OpenRunner, name: str, reference: Runner) -> Runner:
    return reference if name == reference.name else open_runner(kind_named(name))


def _race(open_runner: OpenRunner, settings: EmbeddingSettings, reference: Runner) -> tuple[Choice, dict[str, Runner]]:
    """Every candidate over the same samples, in turns; those that fail or disagree are out."""
    texts = list(_samples())
    expected = reference.encode(texts)
    runners, refused = {reference.name: reference}, {}
    for kind in candidates(settings.precision):
        try:
            runner = _opened(open_runner, kind.name, reference)
            cosine = _lowest_cosine(runner.encode(texts), expected)
        except Exception as error:  # noqa: BLE001 - a library that does not work here is not chosen, whatever it raises
            refused[kind.name] = f"fails ({type(error).__name__})"
            continue
        if cosine >= AGREEMENT:
            runners[kind.name] = runner
        else:
            refused[kind.name] = f"disagrees (cosine {cosine:.4f})"
    best = dict.fromkeys(runners, float("inf"))
    for _ in range(_ROUNDS):
        for name, runner in runners.items():
            started = time.perf_counter()
            runner.encode(texts)
            best[name] = min(best[name], time.perf_counter() - started)
    rates = {name: round(len(texts) / seconds, 1) for name, seconds in best.items()}
    fastest = max(rates, key=lambda name: rates[name])
    said = [f"{name} {rate:.0f} texts/s" for name, rate in rates.items()]
    said += [f"{name} {reason}" for name, reason in refused.items()]
    return Choice(runtime=fastest, why=f"the fastest here: {', '.join(said)}", texts_per_s=rates), runners


def _samples() -> Iterator[str]:
    words = _SAMPLE.split()
    for number, count in enumerate(_WORDS):
        yield " ".join(islice(cycle(words[number * 3 :] + words[: number * 3]), count))


def _lowest_cosine(vectors: Vectors, expected: Vectors) -> float:
    lowest = float((vectors * expected).sum(axis=1).min())
    return lowest if np.isfinite(lowest) else -1.0


def _remember(settings: EmbeddingSettings, choice: Choice) -> None:
    file = choice_file()
    try:
        known = json.loads(file.read_text("utf-8"))
        known = known if isinstance(known, dict) else {}
    except (OSError, ValueError):
        known = {}
    partial = file.with_name(f"{file.name}.{os.getpid()}")
    with contextlib.suppress(OSError):  # read-only: then it is tested again at the next start
        private_folder(file.parent)
        partial.write_text(json.dumps({**known, _key(settings): asdict(choice)}, indent=2), "utf-8")
        partial.replace(file)


def _key(settings: EmbeddingSettings) -> str:
    versions = []
    for kind in candidates(settings.precision):
        with contextlib.suppress(PackageNotFoundError):
            versions.append(f"{kind.name} {version(kind.name)}")
    return f"{_processor()}, {settings.threads or cores()} threads, {', '.join(versions)}"


def _processor() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").split("\n"):
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
