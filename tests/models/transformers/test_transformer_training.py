"""Training of later layers: batches, the learning rate, runs that were stopped, and tiny transformers."""

import os
import random

import numpy as np
import pytest
from samewise.features.encoders.sentence_encoder import shipped_encoder

from ...conftest import PAIRS
from ...features.made_up_encoders import made_up_encoder

torch = pytest.importorskip("torch", reason="networks are trained with torch, of the extra train")
transformers = pytest.importorskip("transformers", reason="the layers are those of transformers, of the extra train")
pytest.importorskip("onnx", reason="networks are written with onnx, of the extra train")

from samewise.models.transformers import transformer_training as training  # noqa: E402
from samewise.models.transformers.layers import LaterLayers, padded, states_of  # noqa: E402
from samewise.models.transformers.transformer_training import (  # noqa: E402
    Plan,
    Texts,
    batches,
    fit_once,
    some_of,
    threads,
    train,
)

CPU = torch.device("cpu")


pytestmark = pytest.mark.slow  # they need torch


class TestData:
    def test_texts_of_pairs(self):
        found = Texts.of([("b", "a"), ("a", "c"), ("b", "b")])
        assert found.texts == ["a", "b", "c"]
        assert found.pairs.tolist() == [[1, 0], [0, 2], [1, 1]]
        assert found.pairs.dtype == np.int64
        assert Texts.of([]).pairs.shape == (0, 2)

    def test_states_are_kept_in_half_the_room(self):
        texts = [text for pair in PAIRS for text in pair]
        found, exact = states_of(texts, shipped_encoder()), shipped_encoder().lower_states(texts)
        assert found.values.dtype == np.float16
        np.testing.assert_array_equal(found.values, exact.values.astype(np.float16))
        np.testing.assert_array_equal(found.offsets, exact.offsets)

    def test_states_of_many_texts_are_in_their_order(self):
        # More than are read at once.
        texts = [f"the cat {'is ' * (k % 7)}{k % 10}" for k in range(2_100)]
        found, exact = states_of(texts, made_up_encoder()), made_up_encoder().lower_states(texts)
        np.testing.assert_array_equal(found.values, exact.values.astype(np.float16))
        np.testing.assert_array_equal(found.offsets, exact.offsets)

    def test_rows_are_filled_up_with_zeros(self):
        parts = [np.full((1, 2), 3.0, np.float16), np.asarray([[1, 2], [3, 4], [5, 6]], np.float16)]
        states, mask = padded(parts, CPU)
        assert states.tolist() == [[[3, 3], [0, 0], [0, 0]], [[1, 2], [3, 4], [5, 6]]]
        assert mask.tolist() == [[1, 0, 0], [1, 1, 1]]
        assert (states.dtype, mask.dtype) == (torch.float32, torch.int64)

    def test_some_rows(self):
        assert sorted(some_of(7, 0)) == list(range(7))
        many = some_of(5_000, 3)
        assert len(many) == len(set(many)) == 400
        assert many == some_of(5_000, 3) != some_of(5_000, 4)


class TestBatches:
    @pytest.mark.parametrize(("count", "size"), [(0, 4), (1, 4), (4, 4), (9, 4), (500, 8), (7, 1)])
    def test_every_row_once(self, count, size):
        lengths = np.random.default_rng(count).integers(2, 60, count).tolist()
        found = list(batches(lengths, size, random.Random(1)))
        assert sorted(row for rows in found for row in rows) == list(range(count))
        assert all(0 < len(rows) <= size for rows in found)
        assert len(found) == -(-count // size)

    def test_rows_of_about_one_length_in_random_order(self):
        lengths = np.random.default_rng(0).integers(2, 200, 800).tolist()
        found = list(batches(lengths, 8, random.Random(1)))
        spread = [max(lengths[row] for row in rows) - min(lengths[row] for row in rows) for rows in found]
        assert np.mean(spread) < 200 / 8  # 150 for batches drawn at random
        means = [np.mean([lengths[row] for row in rows]) for rows in found]
        assert abs(np.corrcoef(means, np.arange(len(means)))[0, 1]) < 0.4

    def test_chance_decides(self):
        lengths = [3] * 50
        first, again, other = (list(batches(lengths, 4, random.Random(seed))) for seed in (1, 1, 2))
        assert first == again != other


class Places(torch.nn.Module):
    """Two numbers whose loss falls in a straight line; a third is not trained."""

    def __init__(self):
        super().__init__()
        self.old = torch.nn.Parameter(torch.zeros(1))
        self.new = torch.nn.Parameter(torch.zeros(1))
        self.fixed = torch.nn.Parameter(torch.ones(1), requires_grad=False)


def steps_of(plan, rows=10):
    """Change of both numbers of `Places` by each step."""
    model, path = Places(), []

    def loss_of(_):
        path.append([model.old.item(), model.new.item()])
        return -(model.old + model.new).sum() * 1e3

    train(model, [model.new], [5] * rows, loss_of, plan, 0)
    assert model.fixed.item() == 1
    path.append([model.old.item(), model.new.item()])
    return np.diff(path, axis=0)


class TestTrain:
    def test_the_rate_rises_and_falls(self):
        # A slope that stays the same moves Adam by the rate: 10 steps, of which 2 warm up.
        found = steps_of(Plan(1, 1, 1e-3, warm_up=0.2)) / 1e-3
        expected = [0.5 * 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
        np.testing.assert_allclose(found[:, 0], expected, rtol=1e-2)
        # What begins at random, ten times as fast.
        np.testing.assert_allclose(found[:, 1], 10 * np.asarray(expected), rtol=1e-2)

    def test_the_rate_keeps_a_share(self):
        found = steps_of(Plan(2, 2, 1e-3, warm_up=0.0, last=0.75))[:, 0] / 1e-3
        np.testing.assert_allclose(found, [1, 0.9, 0.8, *[0.75] * 7], rtol=1e-2)

    def test_every_row_is_read_in_each_epoch(self):
        model, seen = Places(), []

        def loss_of(rows):
            seen.append(rows)
            assert model.training
            return (model.old - model.new).sum()

        train(model.eval(), [], [6] * 9, loss_of, Plan(3, 4, 1e-3), 5)
        assert [len(rows) for rows in seen].count(1) == 3 and len(seen) == 9
        epochs = [sorted(sum(seen[k : k + 3], [])) for k in (0, 3, 6)]
        assert epochs == [list(range(9))] * 3
        assert seen[:3] != seen[3:6]
        assert not model.training

    def test_a_run_that_was_stopped_goes_on(self, tmp_path, monkeypatch):
        monkeypatch.setattr(training, "_STEPS_A_CHECKPOINT", 3)
        x, y = torch.randn(20, 6, generator=torch.Generator().manual_seed(0)), torch.arange(20.0)

        def run(checkpoint=None, stop=None):
            torch.manual_seed(7)
            layers = [torch.nn.Linear(6, 8), torch.nn.Tanh(), torch.nn.Dropout(0.5), torch.nn.Linear(8, 1)]
            model, seen, reported = torch.nn.Sequential(*layers), [], []

            def loss_of(rows):
                if len(seen) == stop:
                    raise KeyboardInterrupt
                seen.append(rows)
                return torch.nn.functional.mse_loss(model(x[rows])[:, 0], y[rows])

            def report(*facts):
                reported.append(facts)

            plan = Plan(2, 2, 1e-2)
            try:
                train(model, list(layers[-1].parameters()), [1] * 20, loss_of, plan, 4, checkpoint, report)
            except KeyboardInterrupt:
                return None, seen, reported
            return {name: value.numpy() for name, value in model.state_dict().items()}, seen, reported

        whole, rows, reported = run()
        assert [facts[:2] for facts in reported] == [(3, 20), (6, 20), (9, 20), (12, 20), (15, 20), (18, 20)]
        assert all(loss > 0 for *_, loss in reported)
        path = tmp_path / "run.pt"
        assert len(run(path, stop=8)[1]) == 8
        assert os.listdir(tmp_path) == ["run.pt"]
        assert len(run(path, stop=1)[1]) == 1  # stopped again, before the next checkpoint
        found, more, _ = run(path)
        assert more == rows[6:]  # not the steps before the checkpoint
        for name, value in whole.items():
            np.testing.assert_array_equal(found[name], value, err_msg=name)
        # One that was done has nothing left but what follows its last checkpoint.
        found, more, _ = run(path)
        assert more == rows[18:]
        np.testing.assert_array_equal(found["0.weight"], whole["0.weight"])


class TestThreads:
    def test_so_many_cores(self):
        before = torch.get_num_threads()
        for asked, given in [(2, 2), (None, 1), (0, 1), (-1, os.cpu_count())]:
            with threads(asked):
                assert torch.get_num_threads() == given
            assert torch.get_num_threads() == before
        with pytest.raises(RuntimeError), threads(2):
            raise RuntimeError
        assert torch.get_num_threads() == before


class TestFitOnce:
    PAIRS = (("a", "b"), ("c", "\ud800"))
    Y = np.asarray([1.0, 2.5])

    @pytest.fixture
    def made(self):
        """Seeds and files of checkpoints of all fits."""
        return []

    def fit(self, made, params, pairs=PAIRS, y=Y, seed=3):
        def network(seed, checkpoint):
            made.append((seed, checkpoint))
            if checkpoint is not None:
                checkpoint.write_bytes(b"half done")
            return b"network %d" % len(made)

        return fit_once("bi_encoder", "a digest", pairs, y, None, params, seed, network)

    def test_what_is_done_is_not_done_again(self, made, tmp_path):
        params = {"epochs": 1, "checkpoints": str(tmp_path / "new" / "folder")}
        assert self.fit(made, params) == self.fit(made, params) == b"network 1"
        [(seed, checkpoint)] = made
        assert seed == 3 and checkpoint.parent == tmp_path / "new" / "folder"
        # The checkpoint of a run that is done is no longer there.
        [path] = checkpoint.parent.iterdir()
        assert path.read_bytes() == b"network 1"

    def test_other_data_settings_or_seeds_are_done(self, made, tmp_path):
        params = {"epochs": 1, "checkpoints": str(tmp_path)}
        self.fit(made, params)
        self.fit(made, {**params, "epochs": 2})
        self.fit(made, params, seed=4)
        self.fit(made, params, pairs=(("a", "b"), ("c", "d")))
        self.fit(made, params, pairs=(("b", "a"), ("c", "\ud800")))
        self.fit(made, params, y=np.asarray([1.0, 2.6]))
        assert len(made) == 6
        assert len({checkpoint for _, checkpoint in made}) == 6
        assert self.fit(made, params) == b"network 1"
        # The place of the folder does not matter.
        moved = tmp_path.rename(tmp_path.with_name(f"{tmp_path.name} moved"))
        assert self.fit(made, {**params, "checkpoints": str(moved)}) == b"network 1"

    def test_a_start_is_known_by_its_content(self, made, tmp_path):
        one, other = tmp_path / "one", tmp_path / "other"
        for folder in (one, other):
            folder.mkdir()
            (folder / "weights").write_bytes(b"weights")
        params = {"start": str(one), "checkpoints": str(tmp_path / "kept")}
        assert self.fit(made, params) == self.fit(made, {**params, "start": str(other)}) == b"network 1"
        (other / "weights").write_bytes(b"other weights")
        assert self.fit(made, {**params, "start": str(other)}) == b"network 2"
        assert self.fit(made, {**params, "start": "a package"}) == b"network 3"

    @pytest.mark.parametrize(("folder", "seed"), [(None, 3), ("kept", None)])
    def test_without_a_folder_or_a_seed_nothing_is_kept(self, made, tmp_path, folder, seed):
        params = {"checkpoints": folder and str(tmp_path / folder)}
        assert [self.fit(made, params, seed=seed) for _ in range(2)] == [b"network 1", b"network 2"]
        assert [checkpoint for _, checkpoint in made] == [None, None]
        assert list(tmp_path.iterdir()) == []
        seeds = [each for each, _ in made]
        assert seeds == [3, 3] if seed else seeds[0] != seeds[1]

    def test_a_fit_that_was_stopped_keeps_its_checkpoint(self, made, tmp_path):
        def stopped(seed, checkpoint):
            checkpoint.write_bytes(b"half done")
            raise KeyboardInterrupt

        params = {"checkpoints": str(tmp_path)}
        with pytest.raises(KeyboardInterrupt):
            fit_once("bi_encoder", "a digest", self.PAIRS, self.Y, params, 3, stopped)
        [path] = tmp_path.iterdir()
        assert path.read_bytes() == b"half done"
        assert self.fit(made, params) == b"network 1"
        assert made == [(3, path)]


SIZES = {
    "vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 3, "intermediate_size": 48,
    "max_position_embeddings": 80, "initializer_range": 0.2,
}  # fmt: skip


@pytest.fixture(params=["BertModel", "MPNetModel"])
def tiny(request):
    torch.manual_seed(0)
    kind = getattr(transformers, request.param)
    return kind(kind.config_class(**SIZES), add_pooling_layer=False).eval()


class TestLaterLayers:
    @pytest.mark.parametrize("first", [0, 1, 2])
    @torch.inference_mode()
    def test_they_are_the_rest_of_the_model(self, tiny, first):
        ids = torch.from_numpy(np.random.default_rng(0).integers(2, 40, (2, 33)))
        whole = tiny(input_ids=ids, output_hidden_states=True)
        layers = LaterLayers(tiny, first).eval()
        assert len(layers.layers) == 3 - first
        found = layers(whole.hidden_states[first], torch.ones(2, 33, dtype=torch.int64))
        torch.testing.assert_close(found, whole.last_hidden_state, atol=1e-5, rtol=1e-5)

    @torch.inference_mode()
    def test_what_rows_are_filled_up_with_is_not_read(self, tiny):
        layers, chance = LaterLayers(tiny, 1).eval(), np.random.default_rng(0)
        parts = [chance.normal(size=(length, 24)).astype(np.float32) for length in (9, 4, 1)]
        states, mask = padded(parts, CPU)
        together = layers(states + 7.0 * (1 - mask[..., None]), mask)
        for row, part in enumerate(parts):
            alone = layers(*padded([part], CPU))[0]
            torch.testing.assert_close(together[row, : len(part)], alone, atol=1e-5, rtol=1e-5)

    def test_relative_places_stay_as_they_are(self, tiny):
        layers = LaterLayers(tiny, 1)
        if isinstance(tiny, transformers.BertModel):
            assert layers.relative is None
            return
        table = tiny.encoder.relative_attention_bias.weight
        assert layers.relative.shape == (3, 511)
        assert not table.requires_grad
        assert any(value is table for value in layers.parameters())  # it goes to the device where the layers go


class TestPrecision:
    @pytest.mark.parametrize(("fast", "kind"), [(True, torch.bfloat16), (False, torch.float32)])
    def test_products_are_short_where_that_is_fast(self, monkeypatch, fast, kind):
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": fast})
        with training.mixed_precision(CPU):
            assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == kind
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32

    def test_a_processor_that_says_nothing_is_not_fast(self, monkeypatch):
        monkeypatch.setattr(torch.cpu, "get_capabilities", dict)
        with training.mixed_precision(CPU):
            assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32

    def test_a_gpu_is_used_if_there_is_one(self, monkeypatch):
        for found, kind in ((True, "cuda"), (False, "cpu")):
            monkeypatch.setattr(torch.cuda, "is_available", lambda found=found: found)
            assert training.training_device().type == kind
