import numpy as np
import pytest
from samewise.features.encoders import onnx_transformer as transformer
from samewise.features.encoders.onnx_transformer import Network
from samewise.features.matrix import FeatureMatrix, extract
from samewise.models.member import load_member, make_member
from samewise.models.neural.cross_encoder import SETTINGS, CrossEncoder, declared
from samewise.models.neural.word_piece_inputs import MOST_PIECES, joined, piece_ids

from ...conftest import HOSTILE, PAIRS, analysed

GOLD = np.linspace(0.0, 5.0, len(PAIRS))


def matrix(pairs):
    return extract(analysed(pairs, "tokens"), ())


def test_inputs_are_those_of_a_bert():
    [dog, cat] = piece_ids(["A dog.", "the CAT"])
    ids, segments = joined(dog, cat)
    assert (ids[0], ids[len(dog) + 1], ids[-1]) == (101, 102, 102)
    assert ids[1 : len(dog) + 1] == dog == [1037, 3899, 1012]
    assert segments == [0] * (len(dog) + 2) + [1] * (len(cat) + 1)


def test_long_texts_are_cut_and_empty_ones_have_no_pieces():
    assert [len(ids) for ids in piece_ids(["word " * 1_000, ""])] == [MOST_PIECES, 0]


def test_settings_are_checked():
    assert make_member("cross_encoder", {"epochs": 7}).params == {**SETTINGS, "epochs": 7}
    with pytest.raises(ValueError, match="has no setting 'epoch'; it has start, epochs"):
        make_member("cross_encoder", {"epoch": 7})


def test_an_unfitted_one_says_so():
    with pytest.raises(ValueError, match="is not fitted"):
        make_member("cross_encoder").predict(matrix(PAIRS))
    with pytest.raises(ValueError, match="is not fitted"):
        make_member("cross_encoder").to_bytes()


def test_a_matrix_without_its_pairs_is_refused():
    bare = FeatureMatrix(np.zeros((2, 0), np.float32), ())
    with pytest.raises(ValueError, match="this matrix holds numbers alone; extract it from pairs"):
        CrossEncoder("cross_encoder", SETTINGS, network=Network(b"", "it", None)).predict(bare)


@pytest.mark.parametrize("data", [b"", b"not a network", b"\x08\x07" * 50])
def test_a_damaged_file_is_refused(data):
    with pytest.raises(
        ValueError, match="file of member 'cross_encoder' must be an ONNX file, got bytes that are none"
    ):
        load_member("cross_encoder", data, ())


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    pytest.importorskip("torch", reason="a cross-encoder is fitted with torch, of the extra train")
    transformers = pytest.importorskip("transformers", reason="its start is read by transformers, of the extra train")
    folder = tmp_path_factory.mktemp("start")
    config = transformers.BertConfig(
        num_hidden_layers=1, hidden_size=384, num_attention_heads=12, intermediate_size=64, attn_implementation="eager"
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def settings(start):
    return {"start": str(start), "epochs": 30, "batch_size": 8, "learning_rate": 1e-3}


@pytest.fixture(scope="module")
def fitted(settings):
    return make_member("cross_encoder", settings).fit(matrix(PAIRS), GOLD)


@pytest.mark.filterwarnings("ignore")
class TestFitted:
    def test_it_learns(self, fitted):
        assert np.corrcoef(fitted.predict(matrix(PAIRS)), GOLD)[0, 1] > 0.7

    def test_both_orders_and_any_batch_give_the_same_bits(self, fitted):
        pairs = [*PAIRS, *HOSTILE, ("", ""), ("word " * 500, "word")]
        found = fitted.predict(matrix(pairs))
        assert np.isfinite(found).all()
        turned = fitted.predict(matrix([(b, a) for a, b in pairs[::-1]]))[::-1]
        np.testing.assert_array_equal(turned, found)
        alone = [fitted.predict(matrix([pair]))[0] for pair in pairs]
        assert alone == found.tolist()

    def test_a_run_of_one_row_gives_the_same_bits(self, fitted, monkeypatch):
        pairs = [(f"{a} {i}", b) for i in range(6) for a, b in PAIRS]
        found = fitted.predict(matrix(pairs))
        monkeypatch.setattr(transformer, "by_length", lambda lengths, most: np.arange(len(lengths))[:, None])
        np.testing.assert_array_equal(fitted.predict(matrix(pairs)), found)

    def test_the_file_gives_the_same_scores(self, fitted):
        read = load_member("cross_encoder", fitted.to_bytes(), (), fitted.params)
        np.testing.assert_array_equal(read.predict(matrix(PAIRS)), fitted.predict(matrix(PAIRS)))

    def test_the_same_seed_gives_the_same_bytes(self, fitted, settings, start):
        again = make_member("cross_encoder", settings).fit(matrix(PAIRS), GOLD)
        assert again.to_bytes() == fitted.to_bytes()
        assert again.params["start"] == start.name

    def test_an_unknown_start_is_named(self, start):
        with pytest.raises(ValueError, match="start must be .* a folder or owner/name of a hub, got 'nowhere'"):
            make_member("cross_encoder", {"start": "nowhere"}).fit(matrix(PAIRS), GOLD)

    def test_runs_are_averaged(self, settings):
        made = make_member("cross_encoder", {**settings, "epochs": 5, "runs": 2}).fit(matrix(PAIRS), GOLD)
        assert np.isfinite(made.predict(matrix(PAIRS))).all()

    def test_whole_numbers_cost_little(self, fitted, start):
        # The int8 network against the same computed by torch in floating point, from the means over runs on.
        from samewise.models.neural import cross_encoder_training as pair_reader

        model = pair_reader.read_start(str(start)).eval()
        pieces = piece_ids([a for a, _ in PAIRS]), piece_ids([b for _, b in PAIRS])
        data = pair_reader.to_network(model, *pieces, seed=0)
        unfitted = CrossEncoder("cross_encoder", SETTINGS, network=Network(data, "it", declared())).predict(
            matrix(PAIRS)
        )
        both = [(a, b) for a, b in zip(*pieces, strict=True)] + [(b, a) for a, b in zip(*pieces, strict=True)]
        import torch

        with torch.inference_mode():
            exact = np.asarray([float(model(*pair_reader.padded([joined(a, b)]))) for a, b in both])
        np.testing.assert_allclose(unfitted, exact.reshape(2, -1).mean(axis=0), atol=0.05)
