"""Sentence encoders of others: a local folder of sentence-transformers with an ONNX file, or its name on a hub.

Read are ``tokenizer.json``, ``onnx/model.onnx`` or ``model.onnx``, and where they are there ``modules.json``,
``1_Pooling/config.json``, ``sentence_bert_config.json`` and ``config_sentence_transformers.json``. No code of the
folder is run. A text is encoded as sentence-transformers does: vectors of all-MiniLM-L6-v2 differ by 2e-7.
"""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from .onnx_transformer import Network, read_tokenizer
from .sentence_encoder import POOLINGS, SentenceEncoder

LONGEST = 512
"""A text is cut after so many pieces, or after fewer if the folder says so."""

_NETWORKS = ("onnx/model.onnx", "model.onnx")
_BY_BATCH = b"DynamicQuantize"
"""Operations whose names begin so take a scale from the whole batch, so that a text would depend on those beside it."""

_KNOWN = ("Transformer", "Pooling", "Normalize")  # normalised they are in any case
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_WANTED = ["*.json", "1_Pooling/*.json", *(f"{name}*" for name in _NETWORKS)]


class EncoderError(ValueError):
    """An encoder that cannot be loaded; one sentence that names the folder and what to do."""


def find_encoder(name: str | Path) -> Path:
    """Return the folder of an encoder.

    Parameters
    ----------
    name
        A local folder; or the name of one on the hub, such as ``sentence-transformers/all-mpnet-base-v2``, which is
        fetched once if huggingface_hub is installed. A local folder is never looked up there.

    Raises
    ------
    EncoderError
        If there is none.
    """
    path = Path(name)
    if path.is_dir():
        return path.resolve()
    if path.exists():
        raise EncoderError(f"{str(name)!r} is a file; name the folder of a sentence encoder")
    missing = f"there is no folder {str(name)!r}"
    if not _HUB_NAME.fullmatch(str(name)):
        raise EncoderError(f"{missing}; name the folder of a sentence encoder, or one on the hub as owner/name")
    try:
        from huggingface_hub import snapshot_download
    except ModuleNotFoundError:
        raise EncoderError(
            f"{missing}, and to fetch it from the hub takes huggingface_hub; pip install huggingface_hub"
        ) from None
    try:
        return Path(snapshot_download(str(name), allow_patterns=_WANTED)).resolve()
    except Exception as error:  # of many libraries: network, hub, disk
        what = " ".join(str(error).split())[:200]
        raise EncoderError(f"{missing}, and the hub does not give it ({what}); name a local folder") from None


def load_encoder(name: str | Path) -> SentenceEncoder:
    """Return the encoder of a local folder, or of one on the hub; see `find_encoder`.

    Raises
    ------
    EncoderError
        If there is none, a file is missing or damaged, or it pools in a way that is not known here.
    """
    folder = find_encoder(name)
    modules = _settings(folder, "modules.json", [])
    kinds = [str(_get(module, "type", "")).rpartition(".")[2] for module in modules if isinstance(module, dict)]
    unknown = [kind for kind in kinds if kind not in _KNOWN]
    if unknown:
        raise EncoderError(f"{str(folder)!r} has the module {unknown[0]!r}; known here are {', '.join(_KNOWN)}")
    data = _bytes(folder, "tokenizer.json", "save the encoder with a fast tokenizer")
    found = next((folder / each for each in _NETWORKS if (folder / each).is_file()), None)
    if found is None:
        raise EncoderError(
            f"{str(folder)!r} has no {' or '.join(_NETWORKS)}; export one with "
            f"SentenceTransformer({folder.name!r}, backend='onnx').save_pretrained({folder.name!r})"
        )
    limit = _get(_settings(folder, "sentence_bert_config.json", {}), "max_seq_length", None)
    prompt, pooling = _prompt(folder), _pooling(folder)
    network = found.read_bytes()
    digest = hashlib.sha256(f"{limit} {pooling} {prompt}".encode("utf-8", "surrogatepass") + data)
    # The weights of a large network stand in a file beside it, which only its path leads to.
    parts = sorted(found.parent.glob(f"{found.name}*"))
    for path in parts:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    try:
        encoder = SentenceEncoder(
            Network(network, repr(str(found)), found if len(parts) > 1 else None),
            read_tokenizer(data, min(limit, LONGEST) if isinstance(limit, int) and limit > 2 else LONGEST),
            pooling=pooling,
            prompt=prompt,
            digest=digest.hexdigest()[:16],
            alone=_BY_BATCH in network,
        )
        encoder.dimension  # noqa: B018 it is run once, so that what is wrong shows now
    except ValueError as error:
        raise EncoderError(f"the sentence encoder {str(folder)!r} cannot be used: {error}") from None
    return encoder


def _bytes(folder: Path, name: str, remedy: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError:
        raise EncoderError(f"{str(folder)!r} has no {name}; {remedy}") from None


def _settings(folder: Path, name: str, otherwise: Any) -> Any:
    path = folder / name
    if not path.is_file():
        return otherwise
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        found = None
    if not isinstance(found, type(otherwise)):
        raise EncoderError(f"{str(path)!r} is no JSON file as sentence-transformers writes it; get a complete copy")
    return found


def _get(settings: dict[str, Any], name: str, otherwise: Any) -> Any:
    value = settings.get(name)
    return otherwise if value is None else value


def _pooling(folder: Path) -> str:
    settings = _settings(folder, "1_Pooling/config.json", {})
    mode = settings.get("pooling_mode")
    modes = list(mode) if isinstance(mode, list) else [mode] if mode is not None else []
    old = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
    modes += [old.get(key, key) for key, value in settings.items() if key.startswith("pooling_mode_") and value is True]
    if not modes:
        return POOLINGS[0]
    if len(modes) > 1 or modes[0] not in POOLINGS:
        raise EncoderError(f"{str(folder)!r} pools by {' and '.join(map(str, modes))}; known here are mean and cls")
    return str(modes[0])


def _prompt(folder: Path) -> str:
    settings = _settings(folder, "config_sentence_transformers.json", {})
    name = settings.get("default_prompt_name")
    prompts = _get(settings, "prompts", {})
    if name is None:
        return ""
    if not isinstance(prompts, dict) or not isinstance(prompts.get(name), str):
        raise EncoderError(f"{str(folder)!r} has no prompt {name!r}, which it asks for; get a complete copy")
    return str(prompts[name])
