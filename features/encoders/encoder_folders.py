"""User-supplied sentence encoders: a local folder of sentence-transformers with an ONNX file, or its name on a hub.

A folder holds ``tokenizer.json``, ``onnx/model.onnx`` or ``model.onnx``, and optionally ``modules.json``,
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
"""Greatest number of pieces of a text; a folder may set a smaller one."""

_NETWORKS = ("onnx/model.onnx", "model.onnx")
_BY_BATCH = b"DynamicQuantize"
"""Beginning of the names of operations that take a scale from the whole batch: a text would depend on the others."""

_KNOWN = ("Transformer", "Pooling", "Normalize")  # vectors are normalised in any case
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_WANTED = ["*.json", "1_Pooling/*.json", *(f"{name}*" for name in _NETWORKS)]


class EncoderError(ValueError):
    """Error of an encoder that cannot be loaded: one sentence that names the folder and the remedy."""


def find_encoder(name: str | Path) -> Path:
    """Return the folder of an encoder."""
    path = Path(name)
    if path.is_dir():
        return path.resolve()
    if path.exists():
        raise EncoderError(f"an encoder must be a folder, got the file {str(name)!r}; name the folder around it")
    missing = f"an encoder must be a folder, got {str(name)!r}, which does not exist"
    if not _HUB_NAME.fullmatch(str(name)):
        raise EncoderError(f"{missing}; name the folder of a sentence encoder, or one on the hub as owner/name")
    try:
        from huggingface_hub import snapshot_download
    except ModuleNotFoundError:
        raise EncoderError(
            f"{missing}; name a folder, or pip install huggingface_hub to fetch it from the hub"
        ) from None
    try:
        return Path(snapshot_download(str(name), allow_patterns=_WANTED)).resolve()
    except Exception as error:  # errors of many libraries: network, hub, disk
        what = " ".join(str(error).split())[:200]
        raise EncoderError(f"{missing}, and the hub did not return it ({what}); name a local folder") from None


def load_encoder(name: str | Path) -> SentenceEncoder:
    """Return the encoder of a local folder, or of one on the hub; see `find_encoder`.

    Raises
    ------
    EncoderError
        If the folder does not exist, a file is missing or damaged, or the pooling is unknown.
    """
    folder = find_encoder(name)
    modules = _settings(folder, "modules.json", [])
    kinds = [str(_get(module, "type", "")).rpartition(".")[2] for module in modules if isinstance(module, dict)]
    unknown = [kind for kind in kinds if kind not in _KNOWN]
    if unknown:
        raise EncoderError(
            f"the modules of {str(folder)!r} must be among {', '.join(_KNOWN)}, got {unknown[0]!r}; "
            "name another encoder"
        )
    try:
        data = (folder / "tokenizer.json").read_bytes()
    except OSError:
        message = f"{str(folder)!r} must hold tokenizer.json; save the encoder with a fast tokenizer"
        raise EncoderError(message) from None
    model_file = next((folder / place for place in _NETWORKS if (folder / place).is_file()), None)
    if model_file is None:
        raise EncoderError(
            f"{str(folder)!r} must hold {' or '.join(_NETWORKS)}; export one with "
            f"SentenceTransformer({folder.name!r}, backend='onnx').save_pretrained({folder.name!r})"
        )
    limit = _get(_settings(folder, "sentence_bert_config.json", {}), "max_seq_length", None)
    prompt, pooling = _prompt(folder), _pooling(folder)
    network = model_file.read_bytes()
    digest = hashlib.sha256(f"{limit} {pooling} {prompt}".encode("utf-8", "surrogatepass") + data)
    # The weights of a large network are in files beside it that begin with its name; others are refused.
    parts = sorted(model_file.parent.glob(f"{model_file.name}*"))
    for path in parts:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    try:
        encoder = SentenceEncoder(
            Network(network, repr(str(model_file)), None, folder, model_file),
            read_tokenizer(data, min(limit, LONGEST) if isinstance(limit, int) and limit > 2 else LONGEST),
            pooling=pooling,
            prompt=prompt,
            digest=digest.hexdigest()[:16],
            alone=_BY_BATCH in network,
        )
        encoder.dimension  # noqa: B018 run once, so that errors show now
    except ValueError as error:
        raise EncoderError(f"the sentence encoder {str(folder)!r} cannot be used: {error}") from None
    return encoder


def _settings(folder: Path, name: str, otherwise: Any) -> Any:
    path = folder / name
    if not path.is_file():
        return otherwise
    try:
        settings = json.loads(path.read_bytes())
    except (OSError, ValueError):
        settings = None
    if not isinstance(settings, type(otherwise)):
        raise EncoderError(f"{str(path)!r} must be a JSON file of sentence-transformers; get a complete copy")
    return settings


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
        raise EncoderError(
            f"the pooling of {str(folder)!r} must be mean or cls, got {' and '.join(map(str, modes))}; "
            "name another encoder"
        )
    return str(modes[0])


def _prompt(folder: Path) -> str:
    settings = _settings(folder, "config_sentence_transformers.json", {})
    name = settings.get("default_prompt_name")
    prompts = _get(settings, "prompts", {})
    if name is None:
        return ""
    if not isinstance(prompts, dict) or not isinstance(prompts.get(name), str):
        raise EncoderError(f"{str(folder)!r} must hold its default prompt {name!r}; get a complete copy")
    return str(prompts[name])
