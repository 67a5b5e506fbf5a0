"""Every setting, its default and what it means. The text of each ``description`` is what the docs and ``kbtui
config`` show; a key that is not here is an error (``load``)."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Section(BaseModel):
    """A table of the settings file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelSettings(Section):
    name: str = Field("offline", description="Chat model, `offline` or `provider:name`.")
    timeout_s: float = Field(60.0, gt=0, description="Longest wait for one call of the chat model, in seconds.")


class EmbeddingSettings(Section):
    model: str = Field(
        "bundled", description="`bundled` (all-MiniLM-L6-v2), or the name or folder of a sentence-transformers model."
    )
    precision: Literal["int8", "fp32"] = Field("int8", description="Arithmetic of the exported model.")
    runtime: Literal["auto", "onnxruntime", "openvino"] = Field(
        "auto", description="Library that embeds passages; `auto` is the fastest of those installed, by a short test."
    )
    threads: int = Field(0, ge=0, description="Threads for embedding; 0 means one for each core.")


class IndexSettings(Section):
    max_file_mb: float = Field(5.0, gt=0, description="Larger files are skipped, and counted as skipped.")
    hidden: bool = Field(False, description="Index hidden files and folders too.")
    exclude: tuple[str, ...] = Field((), description="More patterns to skip, in .gitignore syntax.")
    chunk_chars: int = Field(
        800,
        ge=200,
        le=8000,
        description="Target length of a chunk, in characters; what the bundled model reads of one is about 1,000.",
    )
    auto: bool = Field(True, description="Index or refresh the folder when it is opened or asked.")


class RetrievalSettings(Section):
    top_k: int = Field(10, ge=1, le=200, description="Passages each search brings back.")
    fusion: Literal["auto", "rrf", "convex"] = Field(
        "auto", description="How the two sides of hybrid_search are merged; `auto` is what wins on the dev sets."
    )
    rrf_k: int = Field(60, ge=1, description="The constant k of reciprocal rank fusion.")
    vector_weight: float = Field(0.4, ge=0, le=1, description="Weight of the vector side in convex fusion.")


class AgentSettings(Section):
    max_iterations: int = Field(3, ge=1, le=10, description="Passes before the best answer so far is written.")
    use_adaptive_rag: bool = Field(
        True, description="False runs the linear graph plan, tool_exec, evaluate, synthesize."
    )
    timeout_s: float = Field(
        120.0, gt=0, description="Longest time for a run, in seconds; time spent on indexing does not count."
    )


class EditorSettings(Section):
    command: str = Field("", description="Command that opens a line: may hold {path} and {line}.")


class UiSettings(Section):
    theme: str = Field("kbtui-dusk", description="Name of the colour theme.")


class WebSettings(Section):
    fetch_enabled: bool = Field(False, description="Allow web_fetch to open web pages.")
    allow_private: bool = Field(False, description="Let web_fetch reach private and loopback addresses.")


class SessionSettings(Section):
    record: bool = Field(True, description="Record every run to a session file.")


class Settings(Section):
    """All settings in effect. Frozen: a change makes a new one."""

    model: ModelSettings = ModelSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    index: IndexSettings = IndexSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    agent: AgentSettings = AgentSettings()
    editor: EditorSettings = EditorSettings()
    ui: UiSettings = UiSettings()
    web: WebSettings = WebSettings()
    sessions: SessionSettings = SessionSettings()
    data_sources: tuple[str, ...] = Field((), description="Data sources opened with every folder.")
