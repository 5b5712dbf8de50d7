"""Small sound bundles, and damage that keeps their hashes valid, so that it reaches what the numbers mean."""

import hashlib
import io
import json
import os
import struct
import warnings
import zipfile
from functools import cache

import numpy as np
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.manifest import new_manifest
from samewise.ensemble.core.predictive_distribution import PredictiveDistribution
from samewise.ensemble.core.predictor import Predictor
from samewise.features.analysis.analysis import analyse
from samewise.features.analysis.annotator import load_annotator
from samewise.features.base.caches import SentenceCache
from samewise.features.lexicon.dictionaries import pack_words
from samewise.features.lexicon.language_frequencies import LanguageFrequencies
from samewise.features.lexicon.word_frequencies import Frequencies
from samewise.features.linguistics.languages import Languages
from samewise.features.pipeline.catalogue import resolve
from samewise.features.pipeline.registry import RESOURCES, Resources
from samewise.models.member import make_member
from samewise.models.npz import unpack_arrays
from samewise.models.tree_ensembles.tree_arrays import TreeEnsemble

from ..conftest import PAIRS

COLUMNS = {
    "tokens": (
        *("bow.kept.cosine_distance", "bow.smooth.kept", "ngram.characters_cosine.n2", "ngram.inside_words.cosine"),
        *(
            "ngram.idf_weighted.ecnu_words_n1",
            "translation.nist.min",
            "unmatched.mass.max",
            "length.relative_difference.tokens",
        ),
    ),
    "lexical": (
        *("lemma_bow.kept.cosine_distance", "lemma_translation.nist.min", "information.lemmas.overlap"),
        *("embedding.unit_distilled.sif_minus_1", "cardinality.lemmas.kept", "information.words.cover_min"),
    ),
    "encoder": ("contextual.isotropic.centred", "contextual.isotropic.minus_1", "contextual.isotropic.whitened"),
    "languages": ("shared_space.cosine.centred", "shared_space.length.words", "shared_space.spelling.information"),
}
"""Columns of a sound bundle of each kind, which read all fitted resources between them."""

TEXTS = PAIRS[:2]
COUNTED = ("a", "the", "of", "chef", "tomatoes", "parliament", "bill", "on", "tuesday", "voted", "10")
CENTIBELS = (160, 130, 170, 500, 510, 400, 420, 210, 480, 450, 300)


def _resource(name, sentences):
    words, text = pack_words(COUNTED)
    centibels = np.asarray([CENTIBELS[COUNTED.index(word)] for word in words], dtype=np.int16)
    if name == "frequencies":
        return Frequencies({"words": text, "centibels": centibels})
    if name == "language_frequencies":
        arrays = {
            f"{code}_{key}": value
            for code in ("en", "es")
            for key, value in (("words", text), ("centibels", centibels))
        }
        return LanguageFrequencies(arrays)
    return RESOURCES[name].fit(sentences)


def _trees(rng, width, count, dtype, base):
    # Complete trees of depth 2: three inner nodes and four leaves.
    feature = np.tile([0, 0, 0, -1, -1, -1, -1], count).astype(np.int16)
    feature[feature == 0] = rng.integers(0, width, 3 * count)
    return TreeEnsemble(
        width,
        7 * np.arange(count, dtype=np.int32),
        feature,
        rng.random(3 * count).astype(np.float32),
        (5 * rng.random(4 * count) if base == 0 else rng.random(4 * count) - 0.5).astype(dtype),
        base,
        count if base == 0 else 1,
        cover=rng.integers(1, 9, 4 * count).astype(np.float32),
    )


@cache
def sound(kind):
    """Return the manifest, the files and a cache of the sentences of a sound bundle."""
    from dataclasses import replace

    rng = np.random.default_rng(7)
    features, columns = resolve(list(COLUMNS[kind]))
    lexical = any(value.level != "tokens" for value in features)
    annotator = load_annotator(None) if lexical else None
    languages = Languages(("en", "es"), None) if kind == "languages" else None
    sentences = analyse(PAIRS, "lexical" if lexical else "tokens", annotator, languages=languages).sentences
    needed = sorted({need for value in features for need in value.needs})
    resources = Resources({name: _resource(name, sentences) for name in needed})
    members = tuple(
        replace(make_member(name), columns=columns, trees=_trees(rng, len(columns), count, dtype, base))
        for name, count, dtype, base in (
            ("rf", 3, np.float64, 0.0),
            ("gbm", 2, np.float64, 2.5),
            ("xgb", 2, np.float32, 2.5),
        )
    )
    combination = Combination("stack", (0.2, 0.5, 0.3), 0.1, (-1.0, 2.0, 6.0), (-0.5, 2.5, 5.5))
    interval = PredictiveDistribution(0.9, (2.0, 3.0), (0.5, 0.7), (tuple(k / 20 - 1 for k in range(41)),) * 2, 0.4)
    manifest = new_manifest(features, columns, kind, members, resources, combination, interval, 0, annotator)
    if languages is not None:
        manifest["languages"] = ["en", "es"]
    manifest["training"] = {
        "data": "made up",
        "rows": 15,
        "command": "samewise train",
        "vectors": {"name": "x", "path": "y"},
    }
    manifest["metrics"] = {"dev": {"data": "dev.csv", "n": 10, "pearson": 0.5, "groups": {"a": {"pearson": None}}}}
    manifest["fitted_members"] = ["rf", "gbm", "xgb", "cross_encoder"]
    manifest["member_means"] = {"cross_encoder": 2.5}
    manifest["contrasts"] = 0.05
    cache = SentenceCache()
    model = Predictor(features, columns, resources, members, interval, manifest, combination, cache).sealed()
    model.explain(TEXTS)
    manifest = json.loads(json.dumps(dict(model.manifest)))
    files = model._files()
    return manifest, files, {name: unpack_arrays(data) for name, data in files.items()}, cache


# ---- damage


CONTROL = "\x1b]0;owned\x07\x1b[31m"
ODD = (
    *(None, True, False, 0, 1, -1, 2, 3.5, -0.0, 1e308, -1e308, 5e-324, 2**31, 2**63, 2**64, -(2**63) - 1, 10**400),
    *("", "a", "1", CONTROL, "a\nb", "\u202eevil", "\ud800", "\x9b31m", "../x", "/etc/passwd", "x" * 70_000, "{{7*7}}"),
    *([], [None], [[]], [0], ["a"], [{}], {}, {"": 0}, {"name": CONTROL}, {"a": {"b": {"c": []}}}),
)
RAW = ("1e999", "NaN", "-Infinity", "[" * 300 + "]" * 300, '{"a":' * 500 + "0" + "}" * 500, "1" * 5_000, "0.1e-99999")


def _deep(value, levels):
    for _ in range(levels):
        value = [value]
    return value


def places(value, path=()):
    """Yield the path of every value in a JSON value."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for k in range(len(value)):
            yield from places(value[k], (*path, k))


def _holder(value, path):
    for key in path[:-1]:
        value = value[key]
    return value


def damage_manifest(rng, manifest):
    """Change, remove, add or exchange values of a manifest, at any depth."""
    everywhere = [path for path in places(manifest) if path]
    # Long lists of columns and files would take nearly all of the damage.
    tops = sorted({path[0] for path in everywhere})
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        top = rng.choice(tops)
        path = rng.choice([path for path in everywhere if path[0] == top])
        try:
            holder = _holder(manifest, path)
            value = holder[path[-1]]
        except (LookupError, TypeError):
            continue
        if not isinstance(holder, (dict, list)):  # what stood there is a text by now
            continue
        what = rng.randrange(9)
        if what == 0:
            del holder[path[-1]]
        elif what == 1 and isinstance(holder, dict):
            holder[rng.choice((CONTROL, "", "x", "name", "digest", "\ud800", "pipeline", "user_vectors"))] = value
        elif what == 2 and isinstance(holder, list):
            holder.append(value)
        elif what == 3 and isinstance(value, str) and value:
            place = rng.randrange(len(value) + 1)
            holder[path[-1]] = value[:place] + rng.choice((CONTROL, "\n", "\u2028", "ä", " ")) + value[place:]
        elif what == 4 and isinstance(value, (int, float)):
            holder[path[-1]] = rng.choice((-value, value * 1e30, value + 1, value / 3, str(value), [value]))
        elif what == 5:
            holder[path[-1]] = _deep(value, rng.choice((1, 2, 30, 150)))
        elif what == 6:
            other = rng.choice(everywhere)
            try:
                holder[path[-1]] = json.loads(json.dumps(_holder(manifest, other)[other[-1]]))
            except (LookupError, TypeError):
                continue
        else:
            holder[path[-1]] = rng.choice(ODD)
    return manifest


def damage_array(rng, array):
    """Return an array of another type, shape, length, order or content."""
    with np.errstate(all="ignore"):
        return _damaged_array(rng, array)


def _damaged_array(rng, array):
    array = np.array(array)
    what = rng.randrange(12)
    if what == 0:
        return array.astype(rng.choice(("b1", "i1", "u1", "i2", "i4", "i8", "u8", "f2", "f4", "f8")))
    if what == 1:
        return array[: rng.randrange(len(array) + 1)] if array.ndim else array.reshape(1)
    if what == 2:
        return np.concatenate([array, array[: rng.randrange(1, 4)]]) if array.ndim else np.tile(array, 2)
    if what == 3:
        return array.reshape(rng.choice(((-1,), (1, -1), (-1, 1), (1, 1, -1))))
    if what == 4:
        return array[::-1] if array.ndim else -array.astype(np.int64)
    if what == 5:
        return array[:0] if array.ndim else np.empty(0, array.dtype)
    if what == 6:
        return np.asarray(rng.choice((0, 1, -1, 2.5, np.nan, 300, True)))
    if what == 7:
        return array.T.copy() if array.ndim > 1 else np.stack([array, array])
    if not array.size:
        return np.zeros(rng.choice((1, 5)), dtype=array.dtype)
    flat = array.reshape(-1)
    for _ in range(rng.choice((1, 1, 3, 20))):
        k = rng.randrange(flat.size)
        if array.dtype.kind == "f":
            most = float(np.finfo(array.dtype).max)
            flat[k] = rng.choice((np.nan, np.inf, -np.inf, most, -most, most / 8, 0.0, -1.0, 1e-38, 1e4, -3e4))
        elif array.dtype.kind in "iu":
            facts = np.iinfo(array.dtype)
            flat[k] = rng.choice((facts.min, facts.max, 0, 1, facts.max // 2, flat[rng.randrange(flat.size)]))
            if rng.random() < 0.3:
                flat[k] ^= array.dtype.type(1 << rng.randrange(8 * array.itemsize - 1))
        else:
            flat[k] = not flat[k]
    return flat.reshape(array.shape)


def _npy(array):
    content = io.BytesIO()
    np.lib.format.write_array(content, np.asarray(array), version=(1, 0), allow_pickle=False)
    return content.getvalue()


HEADERS = (
    "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (10**30,), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (True,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<U9', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
    "{'descr': ('<f8', (2,)), 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<m8[s]', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': 'x\\x1b[31m', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f8', 'fortran_order': 7, 'shape': (1,), }",
    "{'descr': '<f8', 'shape': (1,), }",
    "(" * 90,
    "'",
    "{" * 150 + "}" * 150,
    "[" * 4000,
    "-" * 5000 + "1",
    "{'a': 1L}",
    "\\",
    "import os",
    "",
    "0" * 9000,
)


def with_header(text, data):
    header = text.encode("latin1")
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def damage_zip(rng, arrays):
    """Return arrays as a file whose structure is damaged: its entries, their sizes, the headers of arrays."""
    entries = [(f"{name}.npy", _npy(array)) for name, array in arrays.items()]
    what, method = rng.randrange(12), zipfile.ZIP_DEFLATED
    k = rng.randrange(len(entries))
    if what == 0:
        entries.append(entries[k])
    elif what == 1:
        entries.append((entries[k][0].removesuffix(".npy"), entries[k][1]))
    elif what == 2:
        entries[k] = entries[k][0], with_header(rng.choice(HEADERS), entries[k][1][128:])
    elif what == 3:
        entries[k] = entries[k][0], entries[k][1][: rng.randrange(len(entries[k][1]))]
    elif what == 4:
        entries.append((rng.choice(("../x.npy", CONTROL, "secret.npy", "", "a/b", "\ud7ff")), _npy(np.zeros(1 << 16))))
    elif what == 5:
        method = rng.choice((zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_STORED))
    elif what == 6:
        entries[k] = (
            entries[k][0],
            entries[k][1][:6] + rng.choice((b"\x02\x00", b"\x03\x00", b"\x09\x09")) + entries[k][1][8:],
        )
    elif what == 7:
        entries += [(f"n{i}.npy", b"") for i in range(rng.choice((20, 300)))]
    elif what == 8:
        del entries[k]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method, compresslevel=1) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of two entries with one name
        archive.comment = b"x" * rng.choice((0, 0, 0, 9))
        for name, data in entries:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    data = bytearray(stream.getvalue())
    if what == 9:
        # The size that an entry of the directory claims.
        place = data.find(b"PK\x01\x02")
        data[place + 24 : place + 28] = struct.pack("<I", rng.choice((0, 1, 2**31, 2**32 - 1, 2**30)))
    elif what == 10:
        for _ in range(rng.choice((1, 4))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif what == 11:
        data = data[: rng.randrange(len(data))] + rng.choice(
            (b"", b"PK\x05\x06" + bytes(18), b"PK\x06\x07" + bytes(40))
        )
    return bytes(data)


def _packed(arrays):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, array in arrays.items():
            archive.writestr(f"{name}.npy", _npy(array))
    return stream.getvalue()


def damaged(rng, kind):
    """Return the text of a manifest and the files of a bundle with valid sizes and hashes, damaged in what they say."""
    original, files, arrays, _ = sound(kind)
    manifest, files = json.loads(json.dumps(original)), dict(files)
    where = rng.randrange(10)
    if where < 4:
        damage_manifest(rng, manifest)
    if where == 0 or where > 3:
        name = rng.choice(sorted(arrays))
        parts = dict(arrays[name])
        if rng.random() < 0.25:
            files[name] = damage_zip(rng, parts)
        else:
            for _ in range(rng.choice((1, 1, 1, 2, 5))):
                key = rng.choice(sorted(parts))
                parts[key] = damage_array(rng, parts[key])
            if rng.random() < 0.1:
                parts[rng.choice(sorted(parts)) + rng.choice(("", "2", CONTROL))] = np.zeros(3)
            files[name] = _packed(parts)
    listed = manifest.get("files")
    if isinstance(listed, dict):
        for name, data in files.items():
            if isinstance(listed.get(name), dict) and rng.random() < 0.99:
                listed[name] |= {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    text = json.dumps(manifest)
    if rng.random() < 0.02:
        text = text.replace(rng.choice(('"mean"', "0.9", "0.05", "2.5", "null")), rng.choice(RAW), 1)
    return text, files


def write(folder, text, files, rng):
    """Write a bundle; once in a while one of its files is no plain file."""
    for name in os.listdir(folder):
        os.unlink(folder / name)
    (folder / "manifest.json").write_text(text, encoding="utf-8", errors="replace")
    for name, data in files.items():
        (folder / name).write_bytes(data)
    odd = rng.randrange(200)
    if odd < 3:
        path = folder / rng.choice((*files, "manifest.json"))
        path.unlink()
        if odd == 0:
            path.symlink_to(folder.parent / "secret.bin")
        elif odd == 1:
            os.mkfifo(path)
        else:
            path.symlink_to("/dev/zero")
