"""Make the encoder of the distribution samewise-best: the first layers of all-mpnet-base-v2 as int8 networks.

Some hundred sentences of STS Benchmark train, without their scores, give the ranges of its activations; nothing is
trained. The same weights (Apache 2.0) and libraries give the same bytes.
"""

import argparse
from pathlib import Path

import torch
from make_encoder import calibration_texts, encoder_files, write_encoder
from samewise.features.encoders.large_encoder import LAYER_FILES

TARGET = Path(__file__).parents[1] / "weights" / "best" / "samewise_best" / "encoder"


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    parser.add_argument("--start", type=Path, required=True, help="folder of the weights")
    parser.add_argument("--target", type=Path, default=TARGET, help="where to write")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    texts = calibration_texts(options.data, seed=options.seed)
    write_encoder(options.target, encoder_files(options.start, texts, LAYER_FILES))


if __name__ == "__main__":
    main()
