"""The model of all settings, with defaults, bounds and descriptions.

Docs and ``kbtui config`` print the ``description`` of each; a key that is not here is an error (``load``). Every number
has a finite lower and upper bound, and every text and list a greatest length, because values determine durations and
allocations elsewhere, and a settings file may be untrusted.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

MAX_TEXT_CHARS = 4_096
MAX_LIST_ITEMS = 1_000

Text = Annotated[str, Field(max_length=MAX_TEXT_CHARS)]
TextsByName = Annotated[dict[Text, Text], Field(max_length=MAX_LIST_ITEMS)]
Texts = Annotated[tuple[Text, ...], Field(max_length=MAX_LIST_ITEMS)]


class Section(BaseModel):
    """A table of the settings file."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class ModelSettings(Section):
    name: Text = Field("offline", description="Chat model, `offline` or `provider:name`; it writes the answers.")
    small: Text = Field(
        "", description="Another `provider:name` for routing and grading; empty means the one that writes."
    )
    base_url: Text = Field(
        "", description="Address of a server that speaks the provider's protocol, such as http://localhost:8080/v1."
    )
    api_key_env: Text = Field(
        "", description="Environment variable that holds the key; empty means the provider's own, then the keyring."
    )
    timeout_s: float = Field(
        60.0, gt=0, le=3_600, description="Longest time for one stage of the chat model, in seconds."
    )
    temperature: float = Field(0.0, ge=0, le=2, description="How freely the model chooses its words.")
    max_output_tokens: int = Field(1500, ge=1, le=200_000, description="Longest answer of one call, in tokens.")
    context_tokens: int = Field(6000, ge=1, le=1_000_000, description="Room for passages in one prompt, in tokens.")
    structured: Literal["auto", "schema", "tools", "text"] = Field(
        "auto",
        description="How plans and grades are asked for: by JSON schema, by tool call, or as text; `auto` tries.",
    )
    max_calls: int = Field(
        12, ge=1, le=1_000, description="Calls of the model in one run; past that the run goes on offline."
    )
    max_run_tokens: int = Field(
        0,
        ge=0,
        le=1_000_000_000,
        description="Tokens in and out in one run, past which it goes on offline; 0 means no limit.",
    )
    mode: Literal["auto", "loop", "pipeline"] = Field(
        "auto",
        description="How the model works: `loop` lets it call tools until it has enough, `pipeline` has it plan, grade "
        "and write; `auto` finds out once whether it can call a tool, and remembers that.",
    )
    loop_calls: int = Field(
        8, ge=1, le=100, description="Calls of the model in one loop; before the last one it is told to answer."
    )
    loop_tokens: int = Field(
        60_000,
        ge=0,
        le=1_000_000_000,
        description="Tokens in and out in one loop, near which the model is told to answer; 0 means no limit.",
    )
    loop_s: float = Field(
        90.0, gt=0, le=3_600, description="Seconds for one loop, near which the model is told to answer."
    )
    max_run_usd: float = Field(
        0.0,
        ge=0,
        le=10_000,
        description="US dollars for one run, past which it goes on offline; needs the prices; 0 means no limit.",
    )
    price_in: float = Field(0.0, ge=0, le=10_000, description="US dollars for a million tokens in; 0 means not known.")
    price_out: float = Field(
        0.0, ge=0, le=10_000, description="US dollars for a million tokens out; 0 means not known."
    )
    cache: bool = Field(False, description="Keep answers of the model on disk and use them for equal prompts.")

    @field_validator("name")
    @classmethod
    def _normalise_offline(cls, name: str) -> str:
        """``offline`` for an empty name and any spelling of it, so that a comparison with ``offline`` suffices."""
        name = name.strip()
        return "offline" if name.lower() in ("", "offline") else name


class EmbeddingSettings(Section):
    model: Text = Field(
        "bundled",
        description="`bundled` (all-MiniLM-L6-v2, and a multilingual model for Chinese, Japanese and Korean), or the "
        "name or folder of a sentence-transformers model, which needs `kbtui[models]`.",
    )
    precision: Literal["int8", "fp32"] = Field(
        "int8", description="Arithmetic of the bundled model; `fp32` needs `kbtui[models]`."
    )
    runtime: Literal["auto", "onnxruntime", "openvino"] = Field(
        "auto",
        description="Library that embeds passages; `auto` is OpenVINO where it is installed, for `fp32`.",
    )
    threads: int = Field(0, ge=0, le=256, description="Threads for embedding; 0 means one for each core.")


class IndexSettings(Section):
    max_file_mb: float = Field(5.0, gt=0, le=1_000, description="Larger files are skipped, and counted as skipped.")
    hidden: bool = Field(False, description="Index hidden files and folders too.")
    exclude: Texts = Field((), description="More patterns to skip, in .gitignore syntax.")
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
    rrf_k: int = Field(60, ge=1, le=10_000, description="The constant k of reciprocal rank fusion.")
    vector_weight: float = Field(0.4, ge=0, le=1, description="Weight of the vector side in convex fusion.")


class AgentSettings(Section):
    max_iterations: int = Field(3, ge=1, le=10, description="Passes before the best answer so far is written.")
    use_adaptive_rag: bool = Field(
        True, description="False runs the linear graph plan, tool_exec, evaluate, synthesize."
    )
    timeout_s: float = Field(
        120.0,
        gt=0,
        le=86_400,
        description="Longest time for a run, in seconds; time spent on indexing does not count.",
    )
    debug: bool = Field(
        False, description="Write prompts and raw answers of the chat model to the audit log; the same as `--debug`."
    )


class EditorSettings(Section):
    command: Text = Field("", description="Command that opens a line: may hold {path} and {line}.")
    viewer: Text = Field("", description="Command that shows a page of a PDF: may hold {path} and {page}.")


class UiSettings(Section):
    theme: Text = Field("kbtui-dusk", description="Name of the colour theme.")
    language: Literal["auto", "en", "zh"] = Field(
        "auto",
        description="Language of the screen and of `--linear`, English or Chinese; `auto` is that of the locale. "
        "Answers keep the language of the question.",
    )
    window: bool = Field(
        True, description="Name folder and question in the window's title, and show there how far something is."
    )
    notify_after_s: float = Field(
        10.0,
        ge=0,
        le=86_400,
        description="What takes longer, in seconds, says so when it ends and you look elsewhere; 0 turns that off.",
    )


class WebSettings(Section):
    fetch_enabled: bool = Field(False, description="Allow web_fetch to open web pages.")
    allow_private: bool = Field(False, description="Let web tools reach private and loopback addresses.")
    search: Literal["off", "duckduckgo", "searxng", "tavily"] = Field(
        "off", description="Service that web_search asks; `tavily` needs TAVILY_API_KEY."
    )
    searxng_url: Text = Field("", description="Address of the SearxNG instance that web_search asks.")


class SessionSettings(Section):
    record: bool = Field(True, description="Record every run to a session file.")


class Settings(Section):
    """All settings in effect; frozen, so that a change makes a new object."""

    model: ModelSettings = ModelSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    index: IndexSettings = IndexSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    agent: AgentSettings = AgentSettings()
    editor: EditorSettings = EditorSettings()
    ui: UiSettings = UiSettings()
    web: WebSettings = WebSettings()
    sessions: SessionSettings = SessionSettings()
    data_sources: Texts = Field((), description="Data sources opened with every folder.")
    keys: TextsByName = Field(
        {},
        description="Keys of the screen's commands, by the names that `kbtui keys` lists; several with commas between "
        "them.",
    )
