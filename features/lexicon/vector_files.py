"""Word vectors in the formats that people have, and their conversion into a folder that is mapped into memory.

``docs/vectors.md`` tells the formats, the rules of case and what a folder holds. A file is read once, some thousand
rows at a time; the rows wait on disk until the order of the table is known.
"""

import gzip
import hashlib
import json
import tempfile
import zlib
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from ..token_sequences import text_hash
from .mapped_arrays import Mapped, map_arrays
from .word_vectors import MOST_COORDINATES, WordVectors, quantised

STORAGES = ("int8", "float16")
"""How the numbers of a folder are kept."""

LARGEST = 10_000
"""A number beyond it is a mistake, and its powers in the columns of K11 would not be finite in float32."""

_MANIFEST = "manifest.json"
_ROWS = 1 << 12  # at a time
_READ = 1 << 20
_LONGEST_LINE = 1 << 18  # 250 characters a number
_GZIP = b"\x1f\x8b"
_PRINTED = frozenset(b"\t\n\r" + bytes(range(32, 127)))
_OTHERS = {
    b"PK\x03\x04": "is a zip archive; unpack it and name the file inside",
    b"\xba\x16O/": "is a model of fastText; name the .vec file that was written with it",
    b"\x80": "is a pickle, which could run code; save the vectors again with gensim's save_word2vec_format",
    b"\x93NUMPY": "is an array without its words; save the vectors with gensim's save_word2vec_format",
}
_WORD, _INSIDE = "##", "▁"  # what marks a piece that continues a word; that begins one

_File = BufferedReader | gzip.GzipFile


class VectorFileError(ValueError):
    """Vectors that cannot be read; one sentence that names the file, the line and what to do."""


class Rows(NamedTuple):
    """Some consecutive words of a file and their vectors, shape (m, d), finite, float32."""

    words: list[str]
    values: np.ndarray


class Converted(NamedTuple):
    """What a conversion made: number of words, number of coordinates, and bytes on disk."""

    words: int
    dimension: int
    size: int


def read_vectors(path: str | Path) -> WordVectors:
    """Return the vectors of a file or folder.

    Parameters
    ----------
    path
        A folder of `convert_vectors`, which is mapped into memory and checked against its manifest; or any format that
        `convert_vectors` reads, which is read into memory as int8.

    Raises
    ------
    VectorFileError
        If it is missing, damaged or of no known format.
    samewise.features.lexicon.mapped_arrays.MappedError
        If a converted folder is not as its manifest says.
    """
    path = Path(path)
    if (path / _MANIFEST).is_file():
        return _made(path)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "vectors"
        convert_vectors(path, target)
        return _made(target, in_memory=True)


def _made(folder: Path, in_memory: bool = False) -> WordVectors:
    try:
        facts = json.loads((folder / _MANIFEST).read_bytes())
        names = set(facts["files"])
        pieces = facts.get("pieces", False)
    except (ValueError, LookupError, TypeError, AttributeError):
        names = set()
    if names not in ({"hashes.npy", "codes.npy", "scales.npy"}, {"hashes.npy", "values.npy"}):
        raise VectorFileError(
            f"the manifest of {str(folder)!r} describes no word vectors; name a folder that "
            f"`samewise features vectors` made"
        )
    mapped: Mapped = map_arrays(folder, "convert the vectors again")
    arrays = {name: np.array(values) if in_memory else values for name, values in mapped.arrays.items()}
    rows = arrays["codes"] if "codes" in arrays else arrays["values"]
    return WordVectors(arrays["hashes"], rows, arrays.get("scales"), mapped.digest, pieces)


def convert_vectors(
    source: str | Path, target: str | Path, *, storage: str = "int8", most: int | None = None
) -> Converted:
    """Write vectors as a folder that `read_vectors` maps into memory; it appears complete or not at all.

    Parameters
    ----------
    source
        word2vec binary or text, GloVe or fastText text, any of them with gzip; or the folder of a static model with
        ``tokenizer.json`` and ``model.safetensors`` (model2vec). The content tells which, not the name.
    target
        The folder to make.
    storage
        One of `STORAGES`: whole numbers with a scale for each word, or 16-bit floating point numbers.
    most
        Read only so many words, the first; files list the most frequent first.

    Raises
    ------
    VectorFileError
        If the source is missing, damaged or of no known format, or the target is there.
    """
    source, target = Path(source), Path(target)
    if storage not in STORAGES:
        raise VectorFileError(f"storage {storage!r} is unknown; choose {' or '.join(STORAGES)}")
    if most is not None and most < 1:
        raise VectorFileError(f"{most} words are none; read at least 1")
    if target.is_file() or (target.is_dir() and any(target.iterdir())):
        raise VectorFileError(f"{str(target)!r} is there already; name another folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as place:
        made = Path(place) / "made"
        made.mkdir()
        with (Path(place) / "rows").open("w+b") as spool, _opened(source, most) as opened:
            facts = _write(made, opened, spool, storage)
        made.rename(target)
    return Converted(facts["words"], facts["dimension"], sum(file.stat().st_size for file in target.iterdir()))


class _Opened(NamedTuple):
    # What is read: its name, whether words are put together from pieces, what a row is called and the number of the
    # first, and the rows.
    name: str
    pieces: bool
    unit: str
    first: int
    rows: Iterator[Rows]


def _write(folder: Path, opened: _Opened, spool: IO[bytes], storage: str) -> dict[str, Any]:
    keys, spellings, is_lower, scales, dimension = array("Q"), array("Q"), array("b"), array("f"), 0
    for words, values in opened.rows:
        dimension = values.shape[1]
        bad = np.flatnonzero(~(np.abs(values) <= LARGEST).all(axis=1))
        if len(bad):
            k = bad[0]
            worst = next(value for value in values[k].tolist() if not abs(value) <= LARGEST)
            raise VectorFileError(
                f"{opened.unit} {opened.first + len(keys) + k} of {opened.name} holds the number {worst:g}, and "
                f"{LARGEST:,} is the largest; correct or remove it, or scale all vectors down"
            )
        rows = values
        if storage == "int8":
            rows, scale = quantised(values)
            scales.extend(scale.tolist())
        spool.write(np.ascontiguousarray(rows, dtype=storage).tobytes())
        for word in words:
            lower = word.lower()
            keys.append(text_hash(lower))
            spellings.append(text_hash(word))
            is_lower.append(word == lower)
    if not keys:
        raise VectorFileError(f"{opened.name} holds no words; get a complete copy")
    if opened.unit != "token":  # the tokens of a static model are what its tokenizer says
        _refuse_repeats(opened, np.frombuffer(spellings, dtype=np.uint64))
    hashes = np.frombuffer(keys, dtype=np.uint64)
    # By word; of several spellings of a word the lower-case one first, and then the first.
    order = np.lexsort((-np.frombuffer(is_lower, dtype=np.int8), hashes))
    chosen = order[np.diff(hashes[order], prepend=~hashes[order[0]]) != 0]
    arrays = {"hashes": hashes[chosen].astype("<u8")}
    if storage == "int8":
        arrays["scales"] = np.frombuffer(scales, dtype=np.float32)[chosen]
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values)
    spool.flush()
    spooled = np.memmap(spool, dtype=storage, mode="r", shape=(len(hashes), dimension))
    name = "codes" if storage == "int8" else "values"
    table = np.lib.format.open_memmap(
        folder / f"{name}.npy", mode="w+", dtype=spooled.dtype, shape=(len(chosen), dimension)
    )
    for start in range(0, len(chosen), _ROWS):
        table[start : start + _ROWS] = spooled[chosen[start : start + _ROWS]]
    table.flush()
    files = {}
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            files[path.name] = {"sha256": hashlib.file_digest(file, "sha256").hexdigest()}
    # Nothing of name or date: the same vectors give the same digest.
    facts = {
        "words": len(chosen), "dimension": dimension, "storage": storage, "pieces": opened.pieces, "files": files
    }  # fmt: skip
    (folder / _MANIFEST).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return facts


def _refuse_repeats(opened: _Opened, spellings: np.ndarray) -> None:
    order = np.argsort(spellings, kind="stable")
    again = np.flatnonzero(spellings[order[1:]] == spellings[order[:-1]])
    if len(again):
        k = again[np.argmin(order[1:][again])]
        one, two = (opened.first + row for row in (order[k], order[k + 1]))
        raise VectorFileError(f"{opened.unit}s {one} and {two} of {opened.name} list the same word; keep one of them")


@contextmanager
def _opened(path: Path, most: int | None) -> Iterator[_Opened]:
    if path.is_dir():
        yield _open_static_model(path, most)
        return
    name = repr(path.name)
    if not path.is_file():
        raise VectorFileError(f"there is no file or folder {str(path)!r}; name one with word vectors")
    with path.open("rb") as raw:
        packed = raw.read(2) == _GZIP
        raw.seek(0)
        try:
            if not packed:
                yield _open_file(raw, name, most)
                return
            with gzip.open(raw) as file:
                yield _open_file(file, name, most)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise VectorFileError(f"{name} cannot be unpacked ({error}); get a complete copy") from None


def _open_file(file: _File, name: str, most: int | None) -> _Opened:
    first = file.readline(_LONGEST_LINE)
    for begins, what in _OTHERS.items():
        if first.startswith(begins):
            raise VectorFileError(f"{name} {what}")
    fields = first.split()
    if not fields:
        raise VectorFileError(f"{name} begins with no word; get a complete copy")
    if len(fields) == 2 and all(field.isdigit() and len(field) < 19 for field in fields):
        count, dimension = map(int, fields)
        _check_dimension(dimension, name)
        if count == 0:
            raise VectorFileError(f"{name} holds no words; get a complete copy")
        # After a word and a blank, text goes on with digits and blanks, and a binary file with bytes of any kind.
        after = file.peek(16 * dimension + 256).partition(b" ")[2]
        numbers = after.partition(b"\n")[0].split()
        is_text = len(numbers) == dimension and all(map(_is_number, numbers))
        if not is_text and not _PRINTED.issuperset(after[: 4 * dimension]):
            return _Opened(
                name, False, "word", 1, _batched(_binary_rows(file, name, count, dimension), dimension, most)
            )
        return _Opened(name, False, "line", 2, _batched(_text_rows(file, name, b"", dimension, count), dimension, most))
    dimension = 0
    while dimension < len(fields) - 1 and _is_number(fields[-1 - dimension]):
        dimension += 1
    if not dimension:
        raise VectorFileError(f"line 1 of {name} is no word with its numbers: {first[:40]!r}; name a file of vectors")
    _check_dimension(dimension, name)
    return _Opened(name, False, "line", 1, _batched(_text_rows(file, name, first, dimension, None), dimension, most))


def _check_dimension(dimension: int, name: str) -> None:
    if not 1 <= dimension <= MOST_COORDINATES:
        raise VectorFileError(
            f"{name} has vectors of {dimension} coordinates; from 1 to {MOST_COORDINATES} can be compared exactly"
        )


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _batched(rows: Iterator[tuple[bytes, Any]], dimension: int, most: int | None) -> Iterator[Rows]:
    words: list[str] = []
    values = np.empty((_ROWS, dimension), dtype=np.float32)
    with np.errstate(over="ignore"):  # what is too large for float32 becomes infinite, which is refused
        for word, row in islice(rows, most):
            values[len(words)] = row
            # What is no UTF-8 stays apart from every other word.
            words.append(word.decode("utf-8", "surrogateescape"))
            if len(words) == _ROWS:
                yield Rows(words, values)
                words = []
    if words:
        yield Rows(words, values[: len(words)])


def _text_rows(
    file: _File, name: str, first: bytes, dimension: int, count: int | None
) -> Iterator[tuple[bytes, list[float]]]:
    # Lines end at line feeds alone, and blanks are those of ASCII: a word may hold any other character.
    said = "the header says" if count is not None else "line 1 has"
    number, found = (0 if first else 1), 0
    line = first or file.readline(_LONGEST_LINE)
    while line:
        number += 1
        if len(line) >= _LONGEST_LINE:
            raise VectorFileError(f"line {number} of {name} is too long for a vector; name a file of vectors")
        fields = line.rsplit(None, dimension)
        if not line.strip() and not file.read(_READ).strip():
            break
        # A word may hold blanks (GloVe 840B has some), but does not end in a number after one.
        inside = fields[0].split() if fields else []
        if len(fields) <= dimension or (len(inside) > 1 and _is_number(inside[-1])):
            have = len(line.split()) - 1
            raise VectorFileError(
                f"line {number} of {name} holds {max(have, 0)} numbers and {said} {dimension}; correct or remove it"
            )
        try:
            values = list(map(float, fields[1:]))
        except ValueError:
            bad = next(field for field in fields[1:] if not _is_number(field))
            raise VectorFileError(
                f"line {number} of {name} holds {bad[:40].decode('utf-8', 'replace')!r} where a number should be; "
                f"correct or remove it"
            ) from None
        found += 1
        if count is not None and found > count:
            raise VectorFileError(f"{name} holds more than the {count} words that its first line says; correct that")
        yield b" ".join(inside), values
        line = file.readline(_LONGEST_LINE)
    if count is not None and found < count:
        raise VectorFileError(
            f"{name} ends after {found} of the {count} words that its first line says; get a complete copy"
        )


def _binary_rows(file: _File, name: str, count: int, dimension: int) -> Iterator[tuple[bytes, np.ndarray]]:
    # Each word, a blank and little-endian 32-bit numbers; some writers end it with a line feed.
    buffer, start, size = b"", 0, 4 * dimension
    for number in range(1, count + 1):
        end = buffer.find(b" ", start)
        while end < 0 or end + 1 + size > len(buffer):
            if end < 0 and len(buffer) - start > _LONGEST_LINE:
                raise VectorFileError(f"word {number} of {name} has no end; get a complete copy")
            more = file.read(_READ)
            if not more:
                raise VectorFileError(
                    f"{name} ends inside word {number} of the {count} that its first line says; get a complete copy"
                )
            buffer, start = buffer[start:] + more, 0
            end = buffer.find(b" ")
        yield buffer[start:end].lstrip(b"\n"), np.frombuffer(buffer, dtype="<f4", count=dimension, offset=end + 1)
        start = end + 1 + size
    if (buffer[start:] + file.read(_READ)).strip(b"\n"):
        raise VectorFileError(f"{name} goes on after the {count} words that its first line says; correct that")


def _open_static_model(folder: Path, most: int | None) -> _Opened:
    # As model2vec lays it out, or sentence-transformers, which has it in a folder of its own.
    inner = folder / "0_StaticEmbedding"
    folder = inner if inner.is_dir() else folder
    tokenizer, tensors = folder / "tokenizer.json", folder / "model.safetensors"
    for path in (tokenizer, tensors):
        if not path.is_file():
            raise VectorFileError(
                f"{str(folder)!r} has no {path.name}; name a file, a folder of converted vectors or a static model"
            )
    name = repr(folder.name)
    tokens, pieces = _tokens(tokenizer)
    tokens = dict(islice(tokens.items(), most))
    table, rows, weights = _tensors(tensors)
    ids = np.asarray(list(tokens), dtype=np.int64)
    if len(ids) and ids.max() >= min(len(rows), len(weights)):
        raise VectorFileError(f"{name} has {len(rows)} vectors and a token {ids.max()}; get a complete copy")
    _check_dimension(table.shape[1], name)

    def blocks() -> Iterator[Rows]:
        words = list(tokens.values())
        for start in range(0, len(ids), _ROWS):
            part = ids[start : start + _ROWS]
            with np.errstate(over="ignore"):
                values = (table[rows[part]] * weights[part, None]).astype(np.float32)
            yield Rows(words[start : start + _ROWS], values)

    return _Opened(name, pieces, "token", 1, blocks())


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
                    f"{path.name} has no table 'embeddings' or 'embedding.weight' but {', '.join(sorted(names)[:3])}; "
                    f"name the folder of a static model"
                )
            values = file.get_tensor(table)
            weights = file.get_tensor("weights") if "weights" in names else None
            rows = file.get_tensor("mapping") if "mapping" in names else None
    except (SafetensorError, TypeError, AttributeError) as error:
        raise VectorFileError(f"{path.name} cannot be read ({error}); get a complete copy in float32") from None
    if values.ndim != 2 or not len(values):
        raise VectorFileError(f"the table of {path.name} has the shape {values.shape}; get a complete copy")
    rows = np.arange(len(values)) if rows is None else rows.astype(np.int64)
    if len(rows) and not 0 <= rows.min() <= rows.max() < len(values):
        raise VectorFileError(f"the mapping of {path.name} leaves its {len(values)} vectors; get a complete copy")
    weights = np.ones(len(rows)) if weights is None else weights.astype(np.float64)
    if rows.ndim != 1 or weights.ndim != 1:
        raise VectorFileError(f"weights or mapping of {path.name} are no list; get a complete copy")
    return values, rows, weights


def _tokens(path: Path) -> tuple[dict[int, str], bool]:
    # Each token that is text, by its number, continuations marked with ##; and whether there are any pieces.
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
        raise VectorFileError(f"{str(path)!r} is no tokenizer; get a complete copy") from None
    found: dict[int, str] = {}
    if kind == "WordPiece":
        for i, token in by_id.items():
            found[i] = _WORD + token[len(prefix) :] if prefix and token.startswith(prefix) else token
    elif kind == "WordLevel":
        found = by_id
    elif any(token.startswith(_INSIDE) for token in by_id.values()):
        # A mark stands where a word begins, and ours where one goes on.
        found = {i: token[1:] if token.startswith(_INSIDE) else _WORD + token for i, token in by_id.items()}
    elif any(token.startswith("Ġ") for token in by_id.values()):
        letters = _byte_letters()
        for i, token in by_id.items():
            data = bytes(letters.get(letter, 32) for letter in token)
            text = data.decode("utf-8", "ignore")
            if text.encode() == data:
                found[i] = text[1:] if token.startswith("Ġ") else _WORD + text
    else:
        raise VectorFileError(
            f"the tokens of {str(path)!r} ({kind}) have no marks of words that are known (## ▁ Ġ); "
            f"save the vectors as text"
        )
    found.update(outside)
    kept = {i: token for i, token in sorted(found.items()) if i not in special and token.removeprefix(_WORD).strip()}
    return kept, kind != "WordLevel"


def _byte_letters() -> dict[str, int]:
    # The letter that stands for each byte in byte-level vocabularies (Radford et al., 2019).
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {chr(byte): byte for byte in shown} | {chr(256 + k): byte for k, byte in enumerate(hidden)}
