"""Programming languages: how their files are called and how their definitions look.

A definition is recognised by its line alone, so that a file that does not compile still has some. ``name`` is what is
defined, ``kind`` the word for it where the line has one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_NAME = r"(?P<name>[A-Za-z_$][\w$]*)"
_QUALIFIED = r"(?P<name>[A-Za-z_$][\w$.:~]*)"


def _definitions(*patterns: str) -> re.Pattern[str]:
    # One alternation a language; group names may stand in it only once, so each pattern brings its own numbers.
    numbered = []
    for at, pattern in enumerate(patterns):
        numbered.append(pattern.replace("(?P<name>", f"(?P<name{at}>").replace("(?P<kind>", f"(?P<kind{at}>"))
    return re.compile(r"[ \t]*(?:" + "|".join(numbered) + ")")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language.

    Attributes:
        name: As it is shown and filtered by.
        extensions: Without the dot.
        filenames: Whole file names, lower case.
        interpreters: Programs a ``#!`` line may name.
        definitions: Matches a line that defines something; None where nothing is.
    """

    name: str
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    definitions: re.Pattern[str] | None = None


_JS = _definitions(
    r"(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?"
    rf"(?P<kind>class|interface|enum|namespace|(?:async\s+)?function\*?)\s+{_NAME}",
    rf"(?:export\s+)?(?P<kind>type)\s+{_NAME}\s*(?:<[^=]*>)?\s*=",
    rf"(?:export\s+)?(?:const|let|var)\s+{_NAME}\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>|\w+\s*=>)",
    rf"(?:(?:public|private|protected|static|async|get|set|readonly|override)\s+)*(?!(?:if|for|while|switch|catch|return|function|else|do|with)\b){_NAME}\s*\([^()]*\)\s*(?::[^{{;]+)?\{{\s*$",
)
_C_WORDS = r"(?!(?:if|for|while|switch|return|else|do|case|sizeof|new|delete|throw|using|typedef|goto|catch)\b)"
_C = _definitions(
    rf"(?:typedef\s+)?(?P<kind>struct|union|enum)\s+{_NAME}\s*\{{?\s*$",
    rf"#\s*(?P<kind>define)\s+{_NAME}\(",
    rf"{_C_WORDS}(?:[A-Za-z_][\w]*[\s*]+)+\**{_NAME}\s*\([^;{{}}]*\)?[^;{{}}]*\{{?\s*$",
)
_CPP = _definitions(
    rf"(?:template\s*<.*>\s*)?(?P<kind>class|struct|union|enum(?:\s+class)?|namespace|concept)\s+(?:[A-Z_]+\s+)?{_QUALIFIED}[^;()]*$",
    rf"#\s*(?P<kind>define)\s+{_NAME}\(",
    rf"{_C_WORDS}(?:[A-Za-z_][\w:<>,]*[\s*&]+)+[*&]*{_QUALIFIED}\s*\([^;{{}}]*\)?[^;{{}}]*\{{?\s*$",
)
_JVM_WORDS = """
public private protected internal static final abstract sealed open override partial readonly virtual async
data inline suspend default synchronized native case implicit lazy extern unsafe new inner annotation value
operator infix tailrec actual expect
"""
_JVM_MODIFIERS = rf"(?:(?:{'|'.join(_JVM_WORDS.split())})\s+)*"
_JAVA = _definitions(
    rf"{_JVM_MODIFIERS}(?P<kind>class|interface|enum|record|@interface|struct|namespace|delegate)\s+{_QUALIFIED}",
    rf"{_JVM_MODIFIERS}(?:<[^>]+>\s+)?{_C_WORDS}[A-Za-z_][\w<>\[\].,?]*\s+{_NAME}\s*\([^;]*\)?\s*(?:throws\s[^{{;]*)?(?:where\s[^{{;]*)?\{{?\s*$",
)
_LISP = _definitions(r"\((?P<kind>def[\w*-]*|cl-def\w+|ns|module|library)\s+\(?(?P<name>[^\s()]+)")

LANGUAGES: Final[tuple[Language, ...]] = (
    Language(
        name="python",
        extensions=("py", "pyi", "pyw", "pyx", "pxd"),
        filenames=("sconstruct", "sconscript", "wscript"),
        interpreters=("python", "python3", "python2", "pypy", "uv"),
        definitions=_definitions(rf"(?P<kind>class|(?:async\s+)?def|cdef\s+class|cpdef)\s+{_NAME}"),
    ),
    Language(
        name="starlark",
        extensions=("bzl", "star"),
        filenames=("build", "build.bazel", "workspace", "tiltfile"),
        definitions=_definitions(rf"(?P<kind>def)\s+{_NAME}"),
    ),
    Language(name="javascript", extensions=("js", "mjs", "cjs", "jsx"), interpreters=("node", "bun"), definitions=_JS),
    Language(
        name="typescript", extensions=("ts", "tsx", "mts", "cts"), interpreters=("deno", "ts-node"), definitions=_JS
    ),
    Language(name="vue", extensions=("vue",), definitions=_JS),
    Language(name="svelte", extensions=("svelte",), definitions=_JS),
    Language(name="java", extensions=("java",), definitions=_JAVA),
    Language(
        name="kotlin",
        extensions=("kt", "kts"),
        definitions=_definitions(
            rf"{_JVM_MODIFIERS}(?P<kind>(?:enum\s+)?class|interface|object|typealias)\s+{_NAME}",
            rf"{_JVM_MODIFIERS}(?P<kind>fun)\s+(?:<[^>]+>\s+)?(?P<name>[\w.<>]+)",
        ),
    ),
    Language(
        name="scala",
        extensions=("scala", "sc", "sbt"),
        definitions=_definitions(rf"{_JVM_MODIFIERS}(?P<kind>class|trait|object|def|enum|type)\s+{_NAME}"),
    ),
    Language(
        name="groovy",
        extensions=("groovy", "gradle"),
        filenames=("jenkinsfile",),
        interpreters=("groovy",),
        definitions=_JAVA,
    ),
    Language(name="csharp", extensions=("cs", "csx"), definitions=_JAVA),
    Language(
        name="fsharp",
        extensions=("fs", "fsi", "fsx"),
        definitions=_definitions(
            rf"(?P<kind>let(?:\s+rec)?|type|module|member)\s+(?:inline\s+|private\s+)*{_QUALIFIED}"
        ),
    ),
    Language(
        name="visual basic",
        extensions=("vb", "bas", "vbs"),
        definitions=_definitions(
            rf"(?i:(?:(?:public|private|shared|friend)\s+)*(?P<kind>class|module|sub|function|structure)\s+){_NAME}"
        ),
    ),
    Language(name="c", extensions=("c", "h"), definitions=_C),
    Language(
        name="cpp",
        extensions=("cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "inl", "ipp", "cu", "cuh"),
        definitions=_CPP,
    ),
    Language(
        name="objective-c",
        extensions=("m", "mm"),
        definitions=_definitions(
            rf"@(?P<kind>interface|implementation|protocol)\s+{_NAME}", r"[-+]\s*\([^)]*\)\s*(?P<name>\w+)"
        ),
    ),
    Language(
        name="go",
        extensions=("go",),
        definitions=_definitions(
            r"(?P<kind>func)\s+(?P<name>(?:\([^)]*\)\s*)?\w+)",
            rf"(?P<kind>type)\s+{_NAME}\s+(?:struct|interface|func|map|=|\w)",
        ),
    ),
    Language(
        name="rust",
        extensions=("rs",),
        definitions=_definitions(
            r"(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:(?:const|async|unsafe|extern(?:\s+\"[^\"]*\")?)\s+)*"
            rf"(?P<kind>fn|struct|enum|union|trait|mod|type|macro_rules!)\s+{_NAME}",
            r"(?:unsafe\s+)?(?P<kind>impl)(?:<[^{]*?>)?\s+(?P<name>[^{]+?)\s*(?:\{|where\b|$)",
        ),
    ),
    Language(
        name="swift",
        extensions=("swift",),
        interpreters=("swift",),
        definitions=_definitions(
            r"(?:(?:public|private|internal|fileprivate|open|static|final|override|mutating|indirect|@\w+)\s+)*"
            r"(?P<kind>class|struct|enum|protocol|extension|func|actor)\s+(?P<name>[\w.<>]+)"
        ),
    ),
    Language(
        name="ruby",
        extensions=("rb", "rake", "gemspec", "ru"),
        filenames=("rakefile", "gemfile", "vagrantfile", "podfile", "brewfile", "fastfile"),
        interpreters=("ruby", "jruby"),
        definitions=_definitions(r"(?P<kind>class|module|def)\s+(?P<name>[\w.:?!=<]+)"),
    ),
    Language(
        name="crystal",
        extensions=("cr",),
        definitions=_definitions(r"(?P<kind>class|module|struct|def)\s+(?P<name>[\w.:?!=]+)"),
    ),
    Language(
        name="php",
        extensions=("php", "phtml"),
        interpreters=("php",),
        definitions=_definitions(
            r"(?:(?:public|private|protected|static|final|abstract|readonly)\s+)*"
            r"(?P<kind>class|interface|trait|enum|function|namespace)\s+&?(?P<name>[\w\\]+)"
        ),
    ),
    Language(
        name="perl",
        extensions=("pl", "pm", "t"),
        interpreters=("perl",),
        definitions=_definitions(r"(?P<kind>sub|package)\s+(?P<name>[\w:]+)"),
    ),
    Language(
        name="lua",
        extensions=("lua",),
        interpreters=("lua", "luajit"),
        definitions=_definitions(
            r"(?:local\s+)?(?P<kind>function)\s+(?P<name>[\w.:]+)", r"(?:local\s+)?(?P<name>[\w.]+)\s*=\s*function\b"
        ),
    ),
    Language(
        name="shell",
        extensions=("sh", "bash", "zsh", "ksh", "fish", "bats"),
        filenames=(".bashrc", ".zshrc", ".profile", ".bash_profile", "pkgbuild"),
        interpreters=("sh", "bash", "zsh", "dash", "ksh", "fish", "bats"),
        definitions=_definitions(
            r"(?P<kind>function)\s+(?P<name>[\w:.-]+)", r"(?P<name>[A-Za-z_][\w:.-]*)\s*\(\)\s*[{(]?\s*$"
        ),
    ),
    Language(
        name="powershell",
        extensions=("ps1", "psm1", "psd1"),
        interpreters=("pwsh",),
        definitions=_definitions(r"(?i:(?P<kind>function|filter|class|enum))\s+(?P<name>[\w:-]+)"),
    ),
    Language(name="batch", extensions=("bat", "cmd"), definitions=_definitions(r":(?P<name>[A-Za-z_]\w*)\s*$")),
    Language(
        name="sql",
        extensions=("sql", "ddl", "psql"),
        definitions=_definitions(
            r"(?i:create\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|unique|materialized|external)\s+)*"
            r"(?P<kind>table|view|function|procedure|trigger|index|schema|type|database|role|sequence)\s+(?:if\s+not\s+exists\s+)?)"
            r"(?P<name>[\w.\"`\[\]]+)",
            r"(?i:(?P<kind>alter\s+table)\s+(?:only\s+)?)(?P<name>[\w.\"`\[\]]+)",
        ),
    ),
    Language(
        name="r",
        extensions=("r",),
        interpreters=("rscript",),
        definitions=_definitions(r"(?P<name>[\w.]+)\s*(?:<-|=)\s*(?P<kind>function)\b"),
    ),
    Language(
        name="julia",
        extensions=("jl",),
        interpreters=("julia",),
        definitions=_definitions(
            r"(?P<kind>function|macro|(?:mutable\s+)?struct|module|abstract\s+type)\s+(?P<name>[\w.!]+)"
        ),
    ),
    Language(
        name="haskell",
        extensions=("hs", "lhs", "elm", "purs"),
        interpreters=("runhaskell",),
        definitions=_definitions(
            r"(?P<kind>data|newtype|class|instance|type(?:\s+alias)?|module)\s+(?P<name>[A-Z][\w.']*)",
            r"(?P<name>[a-z_][\w']*)\s+::?\s+\S",
        ),
    ),
    Language(
        name="ocaml",
        extensions=("ml", "mli"),
        interpreters=("ocaml",),
        definitions=_definitions(
            r"(?P<kind>let(?:\s+rec)?|type|module(?:\s+type)?|val|exception|class)\s+(?P<name>[\w']+)"
        ),
    ),
    Language(
        name="elixir",
        extensions=("ex", "exs"),
        interpreters=("elixir",),
        definitions=_definitions(
            r"(?P<kind>defmodule|defp?|defmacrop?|defprotocol|defimpl|defstruct)\s+(?P<name>[\w.?!]+)"
        ),
    ),
    Language(
        name="erlang",
        extensions=("erl", "hrl"),
        interpreters=("escript",),
        definitions=_definitions(
            r"-(?P<kind>module|record|define|type|spec)\s*\(?(?P<name>\w+)", r"(?P<name>[a-z]\w*)\(.*->\s*$"
        ),
    ),
    Language(name="clojure", extensions=("clj", "cljs", "cljc", "edn"), definitions=_LISP),
    Language(
        name="lisp",
        extensions=("lisp", "lsp", "cl", "el", "scm", "ss", "rkt"),
        interpreters=("sbcl", "guile", "racket"),
        definitions=_LISP,
    ),
    Language(
        name="dart",
        extensions=("dart",),
        definitions=_definitions(
            rf"(?:abstract\s+)?(?P<kind>class|mixin|extension|enum|typedef)\s+{_NAME}",
            rf"{_C_WORDS}[A-Za-z_][\w<>?,]*\s+{_NAME}\s*\([^;]*\)?\s*(?:async\s*)?\{{?\s*$",
        ),
    ),
    Language(
        name="zig",
        extensions=("zig",),
        definitions=_definitions(
            rf"(?:pub\s+)?(?:export\s+|inline\s+)?(?P<kind>fn)\s+{_NAME}",
            rf"(?:pub\s+)?const\s+{_NAME}\s*=\s*(?P<kind>struct|enum|union)",
        ),
    ),
    Language(
        name="nim",
        extensions=("nim", "nims"),
        definitions=_definitions(r"(?P<kind>proc|func|method|iterator|template|macro|type)\s+(?P<name>[\w`]+)"),
    ),
    Language(name="d", extensions=("d",), definitions=_JAVA),
    Language(
        name="fortran",
        extensions=("f", "for", "f90", "f95", "f03", "f08"),
        definitions=_definitions(
            rf"(?i:(?:(?:recursive|pure|elemental|integer|real|logical|double\s+precision)\s+)*(?P<kind>subroutine|function|module|program|type))(?:\s*::)?\s+{_NAME}"
        ),
    ),
    Language(
        name="pascal",
        extensions=("pas", "pp", "dpr"),
        definitions=_definitions(
            r"(?i:(?P<kind>procedure|function|constructor|destructor|unit|program))\s+(?P<name>[\w.]+)"
        ),
    ),
    Language(
        name="ada",
        extensions=("adb", "ads"),
        definitions=_definitions(r"(?i:(?P<kind>procedure|function|package(?:\s+body)?|task|type))\s+(?P<name>[\w.]+)"),
    ),
    Language(
        name="solidity",
        extensions=("sol",),
        definitions=_definitions(
            rf"(?:abstract\s+)?(?P<kind>contract|interface|library|function|event|modifier|struct|enum)\s+{_NAME}"
        ),
    ),
    Language(
        name="protobuf",
        extensions=("proto",),
        definitions=_definitions(r"(?P<kind>message|enum|service|rpc|extend)\s+(?P<name>[\w.]+)"),
    ),
    Language(
        name="graphql",
        extensions=("graphql", "gql"),
        definitions=_definitions(
            rf"(?:extend\s+)?(?P<kind>type|interface|union|enum|input|scalar|query|mutation|fragment|subscription)\s+{_NAME}"
        ),
    ),
    Language(
        name="thrift",
        extensions=("thrift",),
        definitions=_definitions(rf"(?P<kind>struct|enum|service|exception|union|typedef)\s+{_NAME}"),
    ),
    Language(
        name="terraform",
        extensions=("tf", "tfvars", "hcl"),
        definitions=_definitions(
            r"(?P<kind>resource|data|module|variable|output|provider|locals|terraform|job|group|task)\b(?P<name>(?:\s+\"[^\"]*\")*)\s*\{"
        ),
    ),
    Language(name="nix", extensions=("nix",)),
    Language(
        name="make",
        extensions=("mk", "mak"),
        filenames=("makefile", "gnumakefile", "justfile"),
        interpreters=("make",),
        definitions=_definitions(r"(?<!\t)(?P<name>[A-Za-z0-9_./%$(){}-]+(?: [A-Za-z0-9_./%-]+)*)\s*:(?!=)"),
    ),
    Language(
        name="cmake",
        extensions=("cmake",),
        filenames=("cmakelists.txt",),
        definitions=_definitions(
            r"(?i:(?P<kind>function|macro|add_executable|add_library|project))\s*\(\s*(?P<name>[\w.${}-]+)"
        ),
    ),
    Language(
        name="dockerfile",
        extensions=("dockerfile",),
        filenames=("dockerfile", "containerfile"),
        definitions=_definitions(r"(?P<kind>FROM)\s+(?P<name>\S+(?:\s+(?:AS|as)\s+\S+)?)"),
    ),
    Language(
        name="css",
        extensions=("css", "scss", "sass", "less", "tcss"),
        definitions=_definitions(
            r"(?P<kind>@(?:media|mixin|function|keyframes|layer|supports))\s*(?P<name>[^{]*)\{?\s*$"
        ),
    ),
    Language(
        name="vim",
        extensions=("vim",),
        filenames=(".vimrc", ".gvimrc"),
        definitions=_definitions(r"(?P<kind>function|command|augroup)!?\s+(?P<name>[\w:#.]+)"),
    ),
    Language(
        name="tcl",
        extensions=("tcl",),
        interpreters=("tclsh", "wish"),
        definitions=_definitions(r"(?P<kind>proc|namespace eval)\s+(?P<name>\S+)"),
    ),
    Language(
        name="awk",
        extensions=("awk",),
        interpreters=("awk", "gawk"),
        definitions=_definitions(rf"(?P<kind>function)\s+{_NAME}"),
    ),
    Language(
        name="assembly", extensions=("s", "asm", "nasm"), definitions=_definitions(r"(?P<name>[A-Za-z_][\w.$]*):")
    ),
    Language(
        name="verilog",
        extensions=("v", "sv", "svh", "vh"),
        definitions=_definitions(rf"(?P<kind>module|function|task|package|class|interface)\s+(?:automatic\s+)?{_NAME}"),
    ),
    Language(
        name="vhdl",
        extensions=("vhd", "vhdl"),
        definitions=_definitions(
            rf"(?i:(?P<kind>entity|architecture|package|process|function|procedure|component))\s+{_NAME}"
        ),
    ),
    Language(
        name="config",
        extensions=("ini", "cfg", "conf", "cnf", "properties", "desktop", "service", "socket", "timer", "editorconfig"),
        filenames=(".editorconfig", ".gitconfig", ".gitmodules", ".npmrc", ".flake8", ".coveragerc", ".pylintrc"),
        definitions=_definitions(r"\[(?P<name>[^\[\]\n]+)\]\s*(?:[#;].*)?$"),
    ),
    Language(name="xml", extensions=("xml", "xsd", "xsl", "xslt", "svg", "plist", "csproj", "wsdl", "rss", "atom")),
    Language(
        name="diff",
        extensions=("diff", "patch"),
        definitions=_definitions(r"(?P<kind>diff --git|Index:)\s+(?P<name>\S+)"),
    ),
)

_BY_EXTENSION: Final[Mapping[str, Language]] = {ext: language for language in LANGUAGES for ext in language.extensions}
_BY_FILENAME: Final[Mapping[str, Language]] = {name: language for language in LANGUAGES for name in language.filenames}
_BY_INTERPRETER: Final[Mapping[str, Language]] = {
    program: language for language in LANGUAGES for program in language.interpreters
}
_SHEBANG = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*)?([A-Za-z][\w+-]*)")


def find_language(path: str, text: str) -> Language | None:
    """The language of a file by its name, extension or ``#!`` line; None when it is no code."""
    name = path.rpartition("/")[2].lower()
    if found := _BY_FILENAME.get(name):
        return found
    stem, dot, extension = name.rpartition(".")
    if dot and (found := _BY_EXTENSION.get(extension)):
        return found
    if stem in ("dockerfile", "makefile", "containerfile") or name.startswith("dockerfile."):
        return _BY_FILENAME["makefile" if stem == "makefile" else "dockerfile"]
    if text.startswith("#!") and (match := _SHEBANG.match(text[:200])):
        program = match[1].lower().rstrip("0123456789.")
        return _BY_INTERPRETER.get(match[1].lower()) or _BY_INTERPRETER.get(program)
    return None
