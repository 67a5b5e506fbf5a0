"""Fits the upper layers of the cross-encoder (`kbtui/knowledge/embedding/cross.py`); 40 minutes on two cores.

    python benchmarks/fit_cross.py --pointed DIR... --sets DIR [--held NAME...] [--epochs N] [--write]

``--pointed`` are folders with ``questions.jsonl`` and ``folders/`` (``benchmarks/data/pointed_*`` and what their
``fetch.sh`` brings); ``--sets`` is the folder with ``xquad_en``, ``clapnq_dev`` and ``wice_dev``. Folders of ``--held``
are only measured. None of these is among the folders that answers are measured on; the folder ``licenses`` is left out,
because one of those holds some of the same texts.

The lower layers are the committed int8 model and stay as they are; the upper layers begin as those of all-MiniLM-L6-v2.
For each question, what answers should have a higher logit than what does not, and than 0; where nothing answers, as in
some of the steps, all should lie below 0 (cross-entropy over the sentences and a logit of 0).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import warnings
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch
from _original import original_folder
from _pointed import Group, claims, counts, natural, passages, pointed
from make_model import quantise
from torch import nn
from transformers import BertModel

from kbtui.knowledge.embedding.cross import INPUTS, QUESTION_TOKENS, TEXT_TOKENS
from kbtui.knowledge.embedding.model_files import CROSS_FILE, CROSS_FOLDER, read_model
from kbtui.knowledge.embedding.runner import Runner
from kbtui.knowledge.embedding.runtimes import EARLY_LAYERS

LEFT_OUT = ("licenses",)
WIDTH = 12
"""Sentences of a question in one step, up to three of them right, most of the rest those that share most with it."""

RIGHT, ALIKE = 3, 0.7
QUESTIONS = 8
"""Questions in one step."""

UNANSWERED = 0.3
"""Share of the questions in a step whose right sentences are kept back."""

CHUNK = 32
"""Pairs that are read at once, of like length so that little padding is."""

RATE, HEAD_RATE = 1e-4, 1e-3
DIMENSION = 384


class Upper(nn.Module):
    """Layers over the early states of a question and of a text, and a logit from the means of both."""

    def __init__(self) -> None:
        super().__init__()
        original = BertModel.from_pretrained(
            str(original_folder()), attn_implementation="eager", add_pooling_layer=False
        )
        self.layers = nn.ModuleList(original.encoder.layer[EARLY_LAYERS:])
        self.side = nn.Parameter(torch.zeros(2, DIMENSION))
        self.logit = nn.Sequential(nn.Dropout(0.1), nn.Linear(3 * DIMENSION, 1))
        nn.init.normal_(self.logit[1].weight, std=0.02)
        with torch.no_grad():
            # The product of both means: it begins as their likeness.
            self.logit[1].weight[0, 2 * DIMENSION :] += 0.5
            self.logit[1].bias.zero_()

    def forward(self, question: Any, text: Any, asked: Any = None, read: Any = None) -> Any:
        """Logits ``(batch,)``; ``asked`` and ``read`` are masks, needed where states are padded."""
        states = torch.cat([question + self.side[0], text + self.side[1]], 1)
        mask = None if asked is None else (1 - torch.cat([asked, read], 1))[:, None, None, :] * -1e4
        for layer in self.layers:
            states = layer(states, attention_mask=mask)
            states = states[0] if isinstance(states, tuple) else states
        length = question.shape[1]
        first, second = _mean(states[:, :length], asked), _mean(states[:, length:], read)
        return self.logit(torch.cat([first, second, first * second], 1))[:, 0]


def _mean(states: Any, mask: Any) -> Any:
    return states.mean(1) if mask is None else (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)


class Early:
    """Early states of questions and texts, kept in half precision."""

    def __init__(self) -> None:
        self._runner = Runner(read_model())
        self._known: dict[tuple[str, int], Any] = {}

    def add(self, texts: Iterable[str], tokens: int) -> None:
        new = [text for text in dict.fromkeys(texts) if (text, tokens) not in self._known]
        with ThreadPoolExecutor() as pool:
            for text, states in zip(new, pool.map(lambda text: self._runner.early(text, tokens)[1], new), strict=True):
                self._known[text, tokens] = torch.from_numpy(states.astype(np.float16))

    def padded(self, texts: Sequence[str], tokens: int) -> tuple[Any, Any]:
        """States ``(texts, tokens, dimension)`` and the mask of what is no padding."""
        every = [self._known[text, tokens] for text in texts]
        length = max(len(states) for states in every)
        batch, mask = torch.zeros(len(every), length, DIMENSION), torch.zeros(len(every), length)
        for row, states in enumerate(every):
            batch[row, : len(states)] = states.float()
            mask[row, : len(states)] = 1
        return batch, mask

    def logits(self, net: Upper, pairs: Sequence[tuple[str, str]]) -> Any:
        order = sorted(range(len(pairs)), key=lambda at: len(self._known[pairs[at][1], TEXT_TOKENS]))
        chunks = []
        for at in range(0, len(order), CHUNK):
            own = [pairs[number] for number in order[at : at + CHUNK]]
            question, asked = self.padded([question for question, _ in own], QUESTION_TOKENS)
            text, read = self.padded([text for _, text in own], TEXT_TOKENS)
            chunks.append(net(question, text, asked, read))
        return torch.cat(chunks)[np.argsort(order)]


def drawn(group: Group, draw: Any) -> tuple[list[int], Any]:
    """Places of the sentences of one step, and the share of the answer that each and the logit of 0 should have."""
    right = draw.permutation(np.flatnonzero(group.worth > 0))
    right = right[np.argsort(-group.worth[right], kind="stable")][:RIGHT]
    if draw.random() < UNANSWERED:
        right = right[:0]
    wrong = np.flatnonzero(group.worth == 0)
    wanted = WIDTH - len(right)
    alike = draw.permutation(wrong[np.argsort(-group.words[wrong], kind="stable")][:30])[: int(wanted * ALIKE)]
    others = draw.permutation(np.setdiff1d(wrong, alike))[: wanted - len(alike)]
    places = [*map(int, right), *map(int, alike), *map(int, others)]
    share = np.zeros(len(places) + 1)
    share[: len(right)] = group.worth[right] / (group.worth[right].sum() or 1.0)
    share[-1] = 1.0 - share.sum()
    return places, torch.tensor(share, dtype=torch.float32)


def loss_of(net: Upper, early: Early, groups: Sequence[Group], draw: Any) -> Any:
    """Mean cross-entropy over the groups."""
    chosen = [drawn(group, draw) for group in groups]
    pairs = [
        (group.question, group.texts[at]) for group, (places, _) in zip(groups, chosen, strict=True) for at in places
    ]
    logits = early.logits(net, pairs).split([len(places) for places, _ in chosen])
    none = torch.zeros(1)
    total = sum(
        (share * torch.cat([part, none]).log_softmax(0)).sum() for part, (_, share) in zip(logits, chosen, strict=True)
    )
    return -total / len(groups)


def fitted(groups: Sequence[Group], held: Sequence[Group], early: Early, epochs: int) -> Upper:
    """The upper layers, fitted."""
    torch.manual_seed(0)
    draw = np.random.default_rng(0)
    net = Upper().train()
    steps = epochs * -(-len(groups) // QUESTIONS)
    optimiser = torch.optim.AdamW(
        [
            {"params": net.layers.parameters(), "lr": RATE},
            {"params": [net.side], "lr": 5 * RATE},
            {"params": net.logit.parameters(), "lr": HEAD_RATE},
        ],
        weight_decay=0.01,
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / (0.1 * steps)) * max(0.0, (steps - step) / steps)
    )
    for epoch in range(epochs):
        order, total = draw.permutation(len(groups)), 0.0
        for at in range(0, len(order), QUESTIONS):
            own = [groups[number] for number in order[at : at + QUESTIONS]]
            loss = loss_of(net, early, own, draw)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total += loss.item() * len(own)
        print(f"epoch {epoch + 1}: loss {total / len(order):.3f}", flush=True)
        report("held out", held, [judged(net, early, group) for group in held])
        net.train()
    return net.eval()


@torch.inference_mode()
def judged(net: Upper, early: Early, group: Group) -> Any:
    net.eval()
    return early.logits(net, [(group.question, text) for text in group.texts]).numpy()


def report(name: str, groups: Sequence[Group], scores: Sequence[Any]) -> None:
    """Print how well scores find what answers."""
    ranks = [
        1 + int((group.worth[np.argsort(-one, kind="stable")] > 0).argmax())
        for group, one in zip(groups, scores, strict=True)
    ]
    if ranks:
        first, mean = np.mean([rank == 1 for rank in ranks]), np.mean([1 / rank for rank in ranks])
        print(f"{name}: {len(ranks)} questions, first right {first:.3f}, MRR {mean:.3f}", flush=True)


def export(net: Upper, target: Path) -> None:
    """Write the layers in int8, for one question and one text at a time."""
    scratch = target.with_suffix(".float")
    sample = (torch.randn(1, 9, DIMENSION), torch.randn(1, 17, DIMENSION))
    with warnings.catch_warnings(action="ignore"):
        torch.onnx.export(
            net.eval(),
            sample,
            str(scratch),
            dynamo=False,
            opset_version=17,
            input_names=list(INPUTS),
            output_names=["logit"],
            dynamic_axes={INPUTS[0]: {1: "asked"}, INPUTS[1]: {1: "read"}},
        )
    quantise(scratch, target)
    scratch.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pointed", type=Path, nargs="+", required=True, metavar="DIR")
    parser.add_argument("--sets", type=Path, required=True, metavar="DIR")
    parser.add_argument("--held", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="write the layers that the program reads")
    args = parser.parse_args()
    os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    groups = [group for base in args.pointed for group in pointed(base, LEFT_OUT)]
    held = [group for group in groups if group.source in args.held]
    groups = [group for group in groups if group.source not in args.held]
    groups += [*passages(args.sets / "xquad_en"), *natural(args.sets / "clapnq_dev"), *claims(args.sets / "wice_dev")]
    random.Random(0).shuffle(groups)
    print(counts(groups), flush=True)
    early = Early()
    early.add((group.question for group in [*groups, *held]), QUESTION_TOKENS)
    early.add((text for group in [*groups, *held] for text in group.texts), TEXT_TOKENS)
    report("words in common", held, [group.words for group in held])
    net = fitted(groups, held, early, args.epochs)
    if args.write:
        CROSS_FOLDER.mkdir(exist_ok=True)
        export(net, CROSS_FOLDER / CROSS_FILE)
        digest = hashlib.sha256((CROSS_FOLDER / CROSS_FILE).read_bytes()).hexdigest()
        (CROSS_FOLDER / "meta.json").write_text(json.dumps({"files": {CROSS_FILE: digest}}, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
