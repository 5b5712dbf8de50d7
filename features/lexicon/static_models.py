"""Token vectors of a static model: the folder of model2vec, or that of sentence-transformers."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from .vector_rows import ROWS_AT_A_TIME, OpenedVectors, Rows, VectorFileError, check_dimension

_INSIDE = "##"
"""Our mark of a piece that continues a word."""
_BEGIN, _BYTE_BEGIN = "▁", "Ġ"
"""Marks of a piece that begins a word in Unigram and BPE vocabularies, and in byte-level ones."""


def open_static_model(folder: Path, most: int | None) -> OpenedVectors:
    """Return the vectors of the tokens of a static model."""
    # sentence-transformers has it in a folder inside.
    inner = folder / "0_StaticEmbedding"
    folder = inner if inner.is_dir() else folder
    tokenizer, tensors = folder / "tokenizer.json", folder / "model.safetensors"
    for path in (tokenizer, tensors):
        if not path.is_file():
            raise VectorFileError(
                f"{str(folder)!r} must hold {path.name}; name a file, a folder of converted vectors or a static model"
            )
    name = repr(folder.name)
    tokens, pieces = _tokens(tokenizer)
    tokens = dict(islice(tokens.items(), most))
    table, rows, weights = _tensors(tensors)
    ids = np.asarray(list(tokens), dtype=np.int64)
    if len(ids) and ids.max() >= min(len(rows), len(weights)):
        raise VectorFileError(
            f"{name} must have a vector for each token, got {len(rows)} vectors and the token {ids.max()}; "
            "get a complete copy"
        )
    check_dimension(table.shape[1], name)

    def blocks() -> Iterator[Rows]:
        words = list(tokens.values())
        for start in range(0, len(ids), ROWS_AT_A_TIME):
            part = ids[start : start + ROWS_AT_A_TIME]
            with np.errstate(over="ignore"):
                values = (table[rows[part]] * weights[part, None]).astype(np.float32)
            yield Rows(words[start : start + ROWS_AT_A_TIME], values)

    return OpenedVectors(name, pieces, "token", 1, blocks())


def _tensors(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # The table, and for each token its row and its weight.
    try:
        from safetensors import SafetensorError, safe_open
    except ModuleNotFoundError:
        raise VectorFileError(
            f"{path.name} needs the library safetensors; install it with: pip install 'samewise[vectors]'"
        ) from None
    try:
        with safe_open(path, framework="numpy") as file:
            names = set(file.keys())
            table = next((name for name in ("embeddings", "embedding.weight") if name in names), None)
            if table is None:
                raise VectorFileError(
                    f"{path.name} must hold the table 'embeddings' or 'embedding.weight', got "
                    f"{', '.join(sorted(names)[:3])}; name the folder of a static model"
                )
            values = file.get_tensor(table)
            weights = file.get_tensor("weights") if "weights" in names else None
            rows = file.get_tensor("mapping") if "mapping" in names else None
    except (SafetensorError, TypeError, AttributeError) as error:
        raise VectorFileError(f"{path.name} cannot be read ({error}); get a complete copy in float32") from None
    if values.ndim != 2 or not len(values):
        raise VectorFileError(
            f"the table of {path.name} must have two dimensions, got the shape {values.shape}; get a complete copy"
        )
    rows = np.arange(len(values)) if rows is None else rows.astype(np.int64)
    if len(rows) and not 0 <= rows.min() <= rows.max() < len(values):
        raise VectorFileError(
            f"the mapping of {path.name} must hold numbers of vectors from 0 to {len(values) - 1}, got {rows.max()}; "
            "get a complete copy"
        )
    weights = np.ones(len(rows)) if weights is None else weights.astype(np.float64)
    if rows.ndim != 1 or weights.ndim != 1:
        raise VectorFileError(f"weights and mapping of {path.name} must have one dimension; get a complete copy")
    return values, rows, weights


def _tokens(path: Path) -> tuple[dict[int, str], bool]:
    # Each token that is text, by its number, continuations marked with ##; and whether tokens are pieces of words.
    try:
        facts = json.loads(path.read_bytes())
        model, added = facts["model"], facts.get("added_tokens") or []
        kind, listed = model["type"], model["vocab"]
        pairs = enumerate(entry[0] for entry in listed) if kind == "Unigram" else ((i, t) for t, i in listed.items())
        by_id: dict[int, str] = dict(sorted(pairs))
        outside = {int(token["id"]): str(token["content"]) for token in added}
        special = {int(token["id"]) for token in added if token.get("special")}
        prefix = model.get("continuing_subword_prefix") or ""
    except (ValueError, LookupError, TypeError, AttributeError):
        raise VectorFileError(
            f"{str(path)!r} must be a tokenizer of the library tokenizers; get a complete copy"
        ) from None
    tokens = _marked(by_id, kind, prefix)
    if tokens is None:
        raise VectorFileError(
            f"the tokens of {str(path)!r} must mark words by ##, ▁ or Ġ, got a {kind} vocabulary without such marks; "
            "save the vectors as text"
        )
    tokens.update(outside)
    kept = {i: token for i, token in sorted(tokens.items()) if i not in special and token.removeprefix(_INSIDE).strip()}
    return kept, kind != "WordLevel"


def _marked(tokens: dict[int, str], kind: str, prefix: str) -> dict[int, str] | None:
    # Tokens as text, those inside a word marked with ##; None for unknown marks.
    if kind == "WordPiece":
        return {i: _inside(t[len(prefix) :]) if prefix and t.startswith(prefix) else t for i, t in tokens.items()}
    if kind == "WordLevel":
        return tokens
    if any(token.startswith(_BEGIN) for token in tokens.values()):
        # The file marks where a word begins; we mark where one continues.
        return {i: t[1:] if t.startswith(_BEGIN) else _inside(t) for i, t in tokens.items()}
    if any(token.startswith(_BYTE_BEGIN) for token in tokens.values()):
        return _byte_tokens(tokens)
    return None


def _inside(piece: str) -> str:
    return f"{_INSIDE}{piece}"


def _byte_tokens(tokens: dict[int, str]) -> dict[int, str]:
    # The letter that stands for each byte in byte-level vocabularies (Radford et al., 2019).
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    letters = {chr(byte): byte for byte in shown} | {chr(256 + k): byte for k, byte in enumerate(hidden)}
    texts = {}
    for i, token in tokens.items():
        data = bytes(letters.get(letter, 32) for letter in token)
        text = data.decode("utf-8", "ignore")
        if text.encode() == data:
            texts[i] = text[1:] if token.startswith(_BYTE_BEGIN) else _inside(text)
    return texts
