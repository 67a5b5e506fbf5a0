"""The model of all settings, with defaults, bounds and descriptions.

Docs and ``kbtui config`` print the ``description`` of each; a key that is not here is an error (``load``). Every number
has a finite lower and upper bound, and every text and list a greatest length, because values determine durations and
allocations elsewhere, and a settings file may be untrusted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, convert
from msgspec.structs import force_setattr

MAX_TEXT_CHARS = 4_096
MAX_LIST_ITEMS = 1_000

Text = Annotated[str, Meta(max_length=MAX_TEXT_CHARS)]
TextsByName = Annotated[dict[Text, Text], Meta(max_length=MAX_LIST_ITEMS)]
Texts = Annotated[tuple[Text, ...], Meta(max_length=MAX_LIST_ITEMS)]


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the settings file."""


class ModelSettings(Section, frozen=True, kw_only=True):
    name: Annotated[Text, Meta(description="Chat model, `offline` or `provider:name`; it writes the answers.")] = (
        "offline"
    )
    small: Annotated[
        Text, Meta(description="Another `provider:name` for routing and grading; empty means the one that writes.")
    ] = ""
    base_url: Annotated[
        Text,
        Meta(description="Address of a server that speaks the provider's protocol, such as http://localhost:8080/v1."),
    ] = ""
    api_key_env: Annotated[
        Text,
        Meta(description="Environment variable that holds the key; empty means the provider's own, then the keyring."),
    ] = ""
    timeout_s: Annotated[
        float, Meta(gt=0, le=3_600, description="Longest time for one stage of the chat model, in seconds.")
    ] = 60.0
    temperature: Annotated[float, Meta(ge=0, le=2, description="How freely the model chooses its words.")] = 0.0
    max_output_tokens: Annotated[int, Meta(ge=1, le=200_000, description="Longest answer of one call, in tokens.")] = (
        1500
    )
    context_tokens: Annotated[
        int, Meta(ge=1, le=1_000_000, description="Room for passages in one prompt, in tokens.")
    ] = 6000
    structured: Annotated[
        Literal["auto", "schema", "tools", "text"],
        Meta(description="How plans and grades are asked for: by JSON schema, by tool call, or as text; `auto` tries."),
    ] = "auto"
    max_calls: Annotated[
        int, Meta(ge=1, le=1_000, description="Calls of the model in one run; past that the run goes on offline.")
    ] = 12
    max_run_tokens: Annotated[
        int,
        Meta(
            ge=0,
            le=1_000_000_000,
            description="Tokens in and out in one run, past which it goes on offline; 0 means no limit.",
        ),
    ] = 0
    mode: Annotated[
        Literal["auto", "loop", "pipeline"],
        Meta(
            description="How the model works: `loop` lets it call tools until it has enough, `pipeline` has it plan, "
            "grade and write; `auto` finds out once whether it can call a tool, and remembers that."
        ),
    ] = "auto"
    loop_calls: Annotated[
        int, Meta(ge=1, le=100, description="Calls of the model in one loop; before the last one it is told to answer.")
    ] = 8
    loop_tokens: Annotated[
        int,
        Meta(
            ge=0,
            le=1_000_000_000,
            description="Tokens in and out in one loop, near which the model is told to answer; 0 means no limit.",
        ),
    ] = 60_000
    loop_s: Annotated[
        float, Meta(gt=0, le=3_600, description="Seconds for one loop, near which the model is told to answer.")
    ] = 90.0
    max_run_usd: Annotated[
        float,
        Meta(
            ge=0,
            le=10_000,
            description="US dollars for one run, past which it goes on offline; needs the prices; 0 means no limit.",
        ),
    ] = 0.0
    price_in: Annotated[
        float, Meta(ge=0, le=10_000, description="US dollars for a million tokens in; 0 means not known.")
    ] = 0.0
    price_out: Annotated[
        float, Meta(ge=0, le=10_000, description="US dollars for a million tokens out; 0 means not known.")
    ] = 0.0
    cache: Annotated[bool, Meta(description="Keep answers of the model on disk and use them for equal prompts.")] = (
        False
    )

    def __post_init__(self) -> None:
        """Set ``offline`` for an empty name and any spelling of it, so that a comparison with ``offline`` suffices."""
        name = self.name.strip()
        force_setattr(self, "name", "offline" if name.lower() in ("", "offline") else name)


class EmbeddingSettings(Section, frozen=True, kw_only=True):
    model: Annotated[
        Text,
        Meta(
            description="`bundled` (all-MiniLM-L6-v2, and a multilingual model for Chinese, Japanese and Korean), or "
            "the name or folder of a sentence-transformers model, which needs `kbtui[models]`."
        ),
    ] = "bundled"
    threads: Annotated[int, Meta(ge=0, le=256, description="Threads for embedding; 0 means one for each core.")] = 0


class IndexSettings(Section, frozen=True, kw_only=True):
    max_file_mb: Annotated[
        float, Meta(gt=0, le=1_000, description="Larger files are skipped, and counted as skipped.")
    ] = 5.0
    hidden: Annotated[bool, Meta(description="Index hidden files and folders too.")] = False
    exclude: Annotated[Texts, Meta(description="More patterns to skip, in .gitignore syntax.")] = ()
    chunk_chars: Annotated[
        int,
        Meta(
            ge=200,
            le=8000,
            description="Target length of a chunk, in characters; what the bundled model reads of one is about 1,000.",
        ),
    ] = 800
    auto: Annotated[bool, Meta(description="Index or refresh the folder when it is opened or asked.")] = True
    commands: Annotated[
        TextsByName,
        Meta(
            description='Commands that print the text of files, by pattern: `"*.rst2" = "mytool {path}"`. Without '
            "`{path}` a file comes on standard input. No shell reads them."
        ),
    ] = {}
    command_s: Annotated[
        float, Meta(gt=0, le=600, description="Longest time for such a command and one file, in seconds.")
    ] = 20.0


class RetrievalSettings(Section, frozen=True, kw_only=True):
    top_k: Annotated[int, Meta(ge=1, le=200, description="Passages each search brings back.")] = 10
    fusion: Annotated[
        Literal["auto", "rrf", "convex"],
        Meta(description="How the two sides of hybrid_search are merged; `auto` is what wins on the dev sets."),
    ] = "auto"
    rrf_k: Annotated[int, Meta(ge=1, le=10_000, description="The constant k of reciprocal rank fusion.")] = 60
    vector_weight: Annotated[float, Meta(ge=0, le=1, description="Weight of the vector side in convex fusion.")] = 0.4


class AgentSettings(Section, frozen=True, kw_only=True):
    max_iterations: Annotated[
        int, Meta(ge=1, le=10, description="Passes before the best answer so far is written.")
    ] = 3
    use_adaptive_rag: Annotated[
        bool, Meta(description="False runs the linear graph plan, tool_exec, evaluate, synthesize.")
    ] = True
    timeout_s: Annotated[
        float,
        Meta(gt=0, le=86_400, description="Longest time for a run, in seconds; time spent on indexing does not count."),
    ] = 120.0
    debug: Annotated[
        bool,
        Meta(description="Write prompts and raw answers of the chat model to the audit log; the same as `--debug`."),
    ] = False


class EditorSettings(Section, frozen=True, kw_only=True):
    command: Annotated[Text, Meta(description="Command that opens a line: may hold {path} and {line}.")] = ""
    viewer: Annotated[Text, Meta(description="Command that shows a page of a PDF: may hold {path} and {page}.")] = ""


class UiSettings(Section, frozen=True, kw_only=True):
    theme: Annotated[Text, Meta(description="Name of the colour theme.")] = "kbtui-dusk"
    language: Annotated[
        Literal["auto", "en", "zh"],
        Meta(
            description="Language of the screen and of `--linear`, English or Chinese; `auto` is that of the locale. "
            "Answers keep the language of the question."
        ),
    ] = "auto"
    window: Annotated[
        bool, Meta(description="Name folder and question in the window's title, and show there how far something is.")
    ] = True
    pictures: Annotated[
        Literal["auto", "kitty", "sixel", "cells"],
        Meta(
            description="How lines and points of charts are drawn: as pictures (Kitty's protocol, sixel), or in cells; "
            "`auto` draws pictures where the terminal is known to show them, or says so. Needs `kbtui[charts]`."
        ),
    ] = "auto"
    notify_after_s: Annotated[
        float,
        Meta(
            ge=0,
            le=86_400,
            description="What takes longer, in seconds, says so when it ends and you look elsewhere; 0 turns that off.",
        ),
    ] = 10.0


class WebSettings(Section, frozen=True, kw_only=True):
    fetch_enabled: Annotated[bool, Meta(description="Allow web_fetch to open web pages.")] = False
    allow_private: Annotated[bool, Meta(description="Let web tools reach private and loopback addresses.")] = False
    search: Annotated[
        Literal["off", "duckduckgo", "searxng", "tavily"],
        Meta(description="Service that web_search asks; `tavily` needs TAVILY_API_KEY."),
    ] = "off"
    searxng_url: Annotated[Text, Meta(description="Address of the SearxNG instance that web_search asks.")] = ""


class PublishedSettings(Section, frozen=True, kw_only=True):
    names: Annotated[
        TextsByName,
        Meta(description='Names of published collections, such as `handbook = "s3://bucket/handbook"`, for `--kb`.'),
    ] = {}
    keep: Annotated[
        int, Meta(ge=1, le=1_000, description="Generations that `kbtui publish` leaves on object storage.")
    ] = 3
    cache_mb: Annotated[
        float,
        Meta(gt=0, le=10_000_000, description="Most that published collections take on this machine, in megabytes."),
    ] = 4_096.0
    check_s: Annotated[
        float, Meta(ge=1, le=86_400, description="Seconds between two looks for a newer generation while one is open.")
    ] = 30.0


class McpServer(Section, frozen=True, kw_only=True):
    """One ``[mcp.servers.NAME]``: a command that is started, or an address."""

    command: Texts = ()
    url: Text = ""
    env: Texts = ()
    token_env: Text = ""
    tools: Texts = ()
    send: Literal["user", "any"] = "user"
    timeout_s: Annotated[float, Meta(gt=0, le=600)] = 30.0

    def __post_init__(self) -> None:
        if bool(self.command) == bool(self.url):
            raise ValueError("command or url must be given, and not both")
        if self.url and not self.url.lower().startswith(("http://", "https://")):
            raise ValueError("url must begin with http:// or https://")


class McpSettings(Section, frozen=True, kw_only=True):
    servers: Annotated[
        dict[Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,19}$")], McpServer],
        Meta(
            max_length=20,
            description="MCP servers of others whose tools a chat model may call, one `[mcp.servers.NAME]` each with "
            "`command` or `url`; see docs/mcp.md for `env`, `token_env`, `tools`, `send` and `timeout_s`.",
        ),
    ] = {}


class SessionSettings(Section, frozen=True, kw_only=True):
    record: Annotated[bool, Meta(description="Record every run to a session file.")] = True


_TABLES: Final[Mapping[str, type[Section]]] = {
    "model": ModelSettings,
    "embedding": EmbeddingSettings,
    "index": IndexSettings,
    "retrieval": RetrievalSettings,
    "agent": AgentSettings,
    "editor": EditorSettings,
    "ui": UiSettings,
    "web": WebSettings,
    "mcp": McpSettings,
    "sessions": SessionSettings,
    "published": PublishedSettings,
}


class Settings(Section, frozen=True, kw_only=True):
    """All settings in effect; frozen, so that a change makes a new object."""

    model: ModelSettings = ModelSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    index: IndexSettings = IndexSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    agent: AgentSettings = AgentSettings()
    editor: EditorSettings = EditorSettings()
    ui: UiSettings = UiSettings()
    web: WebSettings = WebSettings()
    mcp: McpSettings = McpSettings()
    sessions: SessionSettings = SessionSettings()
    published: PublishedSettings = PublishedSettings()
    data_sources: Annotated[Texts, Meta(description="Data sources opened with every folder.")] = ()
    keys: Annotated[
        TextsByName,
        Meta(
            description="Keys of the screen's commands, by the names that `kbtui keys` lists; several with commas "
            "between them."
        ),
    ] = {}

    def __post_init__(self) -> None:
        """Convert sections that a program gave as dictionaries, with the checks that a file gets."""
        for name, table in _TABLES.items():
            if isinstance(value := getattr(self, name), dict):
                force_setattr(self, name, convert(value, table, strict=False))


def settings_of(values: Mapping[str, Any]) -> Settings:
    """The settings of nested tables; numbers and booleans may be text, as in environment variables.

    Raises:
        msgspec.ValidationError: A key is unknown, or a value is not allowed; the message ends with its location, as
            `` `$.section.key` ``.
    """
    return convert(values, Settings, strict=False)
