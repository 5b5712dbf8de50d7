"""Made-up sentence encoders: states that are looked up and mixed by hand, no network."""

import numpy as np
from samewise.features.encoders.onnx_transformer import read_tokenizer
from samewise.features.encoders.sentence_encoder import SentenceEncoder
from samewise.features.pipeline.user_supplied import UserEncoder
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

PIECES = ("[UNK]", "[CLS]", "[SEP]", *"abcdefghijklmnopqrstuvwxyz0123456789'.,!?", *map("##{}".format, "aeinst"))
WORDS = (
    "the",
    "cat",
    "dog",
    "sleep",
    "##s",
    "run",
    "##ning",
    "man",
    "is",
    "not",
    "can",
    "do",
    "ripe",
    "tomato",
    "##es",
)


def tokenizer_json(words=WORDS):
    """The tokenizer.json of a small vocabulary: lower case, words cut into pieces, special pieces around them."""
    tokenizer = Tokenizer(models.WordPiece({piece: k for k, piece in enumerate([*PIECES, *words])}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [("[CLS]", PIECES.index("[CLS]")), ("[SEP]", PIECES.index("[SEP]"))]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    return tokenizer.to_str().encode()


class LookUp:
    """In place of a network: the state of a piece is its row of a table and a little of those before and after it."""

    name = "a table"

    def __init__(self, table):
        self.table = table

    def __call__(self, input_ids, **others):
        rows = self.table[input_ids]
        around = np.pad(rows, ((0, 0), (1, 1), (0, 0)))
        return rows + np.float32(0.25) * (around[:, :-2] + around[:, 2:])


def made_up_encoder(seed=0, most=32, dimension=12, **settings):
    """An encoder of made-up states."""
    size = len(PIECES) + len(WORDS)
    table = np.random.default_rng(seed).normal(size=(size, dimension)).astype(np.float32)
    tokenizer = read_tokenizer(tokenizer_json(), most)
    return SentenceEncoder(LookUp(table), tokenizer, digest=f"made up {seed}", **settings)


def user_encoder(seed=0):
    """The same as a resource of the user's."""
    return UserEncoder(made_up_encoder(seed))
