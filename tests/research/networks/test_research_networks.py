"""The neural parts of published systems: seeded, symmetric, the same in every batch, and what each computes."""

import subprocess
import sys

import numpy as np
import pytest
from samewise.features.base.sentences import PairBatch
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.research.networks.research_network import HYPERPARAMETERS, RESEARCH_NETWORKS, make_network

from tests.conftest import HOSTILE, PAIRS, analysed

NAMES = list(RESEARCH_NETWORKS)
ALL = {
    "units": 8,
    "hidden": 6,
    "epochs": 2,
    "batch_size": 7,
    "dropout": 0.1,
    "tag_units": 3,
    "attention_units": 4,
    "buckets": 200,
    "outputs": 6,
    "pool": 4,
    "most_words": 20,
}
LONG = [("so " * 30 + "dog", "a cat"), ("so " * 30 + "or not", "a cat")]
WORDS = "dog horse river music bread tower winter doctor engine garden".split()


def small(name, **params):
    """Settings that fit in a moment, of those that the network has."""
    return {key: value for key, value in {**ALL, **params}.items() if key in HYPERPARAMETERS[name]}


def matrix_of(pairs, level="parsed"):
    return FeatureMatrix(np.empty((len(pairs), 0), dtype=np.float32), (), analysed(pairs, level))


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason="PyTorch fits the networks")


@pytest.fixture(scope="module")
def matrix():
    others = [(a, c) for (a, _), (_, c) in zip(PAIRS, PAIRS[3:], strict=False)]
    return matrix_of(PAIRS + HOSTILE[:-3] + others + LONG)


@pytest.fixture(scope="module")
def y(matrix):
    return np.linspace(0, 5, len(matrix)).round(1)


@pytest.fixture(scope="module", params=NAMES)
def fitted(request, torch, matrix, y):
    return make_network(request.param, small(request.param)).fit(matrix, y)


def test_it_is_finite_and_not_constant(fitted, matrix):
    scores = fitted.predict(matrix)
    assert scores.shape == (len(matrix),) and scores.dtype == np.float64 and np.isfinite(scores).all()
    assert len(np.unique(scores)) > len(matrix) / 2


def test_the_same_seed_gives_the_same_scores(fitted, torch, matrix, y):
    torch.rand(1)
    state, cores = torch.get_rng_state(), torch.get_num_threads()
    expected = fitted.predict(matrix)
    again = make_network(fitted.name, small(fitted.name)).fit(matrix, y)
    np.testing.assert_array_equal(again.predict(matrix), expected)
    assert torch.equal(torch.get_rng_state(), state) and torch.get_num_threads() == cores
    other = make_network(fitted.name, small(fitted.name), random_state=1).fit(matrix, y)
    assert np.abs(other.predict(matrix) - expected).max() > 1e-4


def test_it_is_symmetric(fitted, matrix):
    pairs = matrix.pairs
    turned = FeatureMatrix(matrix.values, (), PairBatch(pairs.sentences, pairs.right, pairs.left))
    np.testing.assert_allclose(fitted.predict(turned), fitted.predict(matrix), rtol=0, atol=1e-6)


def test_a_score_does_not_depend_on_the_batch(fitted, matrix):
    expected, rng = fitted.predict(matrix), np.random.default_rng(0)
    for rows in [*np.arange(len(matrix))[:, None], *(rng.permutation(len(matrix))[:size] for size in (2, 5, 13))]:
        np.testing.assert_allclose(fitted.predict(matrix.take(rows)), expected[rows], rtol=0, atol=1e-5)


def test_many_pairs_are_read_in_parts(fitted, matrix, monkeypatch):
    from samewise.research.networks import (
        network_fitting as optimisation,
    )
    from samewise.research.networks import (
        recursive,
    )
    from samewise.research.networks import (
        research_network as research,
    )
    from samewise.research.networks import (
        unfolding_autoencoder as unfolding,
    )

    expected = fitted.predict(matrix)
    for module, name in (
        (research, "_PAIRS_AT_A_TIME"),
        (optimisation, "_PAIRS_AT_A_TIME"),
        (recursive, "_PAIRS_AT_A_TIME"),
        (unfolding, "_SENTENCES_AT_A_TIME"),
    ):
        monkeypatch.setattr(module, name, 9)
    np.testing.assert_allclose(fitted.predict(matrix), expected, rtol=0, atol=1e-5)


def test_an_empty_batch_has_no_scores(fitted, matrix):
    assert fitted.predict(matrix.take(np.empty(0, dtype=np.int64))).shape == (0,)


def test_the_columns_of_the_matrix_are_not_read(fitted, matrix):
    other = FeatureMatrix(np.ones((len(matrix), 2), dtype=np.float32), ("a.b.c", "a.b.d"), matrix.pairs)
    np.testing.assert_array_equal(fitted.predict(other), fitted.predict(matrix))


def test_words_beyond_the_limit_are_not_read(fitted):
    if fitted.level == "parsed":
        pytest.skip("the words that are read may hang from others that are not")
    scores = fitted.predict(matrix_of(LONG))
    assert scores[0] == pytest.approx(scores[1], abs=1e-6)


def test_it_says_what_analysis_it_reads(fitted, matrix, y):
    # As much as it says is enough, and less is refused.
    levels = ("tokens", "lexical", "parsed")
    scores = np.linspace(0, 5, len(PAIRS))
    enough = matrix_of(PAIRS, fitted.level)
    assert np.isfinite(fitted.fit(enough, scores).predict(enough)).all()
    for level in levels[: levels.index(fitted.level)]:
        with pytest.raises(
            ValueError, match=f"pairs for {fitted.name} must have the analysis level '{fitted.level}', got '{level}';"
        ):
            fitted.predict(matrix_of(PAIRS, level))


LEARNS = {
    "ma_lstm": {"learning_rate": 0.01},
    "lstm": {"learning_rate": 0.01},
    "recursive_autoencoder": {"epochs": 2},
    "trigram": {"learning_rate": 0.001},
    "trigram_convolution": {"learning_rate": 0.001},
}


@pytest.mark.parametrize("name", NAMES)
def test_it_learns(torch, name):
    # That two texts of the same words are alike, and two of different words are not.
    places = [[(k + step) % 10 for step in steps] for steps in ((0, 1, 3, 5), (0, 2, 4, 7)) for k in range(10)]
    named = [[WORDS[place] for place in four] for four in places]
    pairs = [(f"the {a} and the {b}", f"the {c} and the {d}") for a, b, c, d in named]
    pairs += [(a, a + " .") for a, _ in pairs] + [(b, b + " !") for _, b in pairs]
    scores = np.repeat([0.5, 4.5], [len(pairs) // 3, len(pairs) // 3 * 2])
    params = {"epochs": 15, "batch_size": 5, "units": 16, "hidden": 16, "learning_rate": 0.005, "dropout": 0.0}
    params = {**ALL, **params, "buckets": 2_000, "outputs": 16, **LEARNS.get(name, {})}
    matrix = matrix_of(pairs)
    found = make_network(name, small(name, **params)).fit(matrix, scores).predict(matrix)
    assert np.corrcoef(found, scores)[0, 1] > 0.9
    if not name.startswith("trigram"):  # whose cosines are on no scale
        assert abs(found.mean() - scores.mean()) < 0.5


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_a_tree_lstm_by_hand(torch):
    from samewise.research.networks.tree_lstm import ChildSum, Forest, TreeBatch

    torch.manual_seed(0)
    network = ChildSum(3, 2)
    values = np.random.default_rng(0).normal(size=(8, 3)).astype(np.float32)
    trees = [[1, -1, 1, 4, 2], [-1], [1, -1]]
    weights = {name: value.detach().numpy().astype(np.float64) for name, value in network.named_parameters()}

    def state(tree, vectors, node):
        # The equations of Tai et al. (2015), node by node.
        children = [state(tree, vectors, k) for k, parent in enumerate(tree) if parent == node]
        gates = weights["inputs.weight"] @ vectors[node] + weights["inputs.bias"]
        total = sum((h for h, _ in children), np.zeros(2))
        i, o, u = np.split(gates[:6] + weights["states.weight"] @ total, 3)
        kept = sum((_sigmoid(gates[6:] + weights["forget.weight"] @ h) * c for h, c in children), np.zeros(2))
        cell = _sigmoid(i) * np.tanh(u) + kept
        return _sigmoid(o) * np.tanh(cell), cell

    forest = Forest(trees)
    order = np.array([2, 0, 1, 0])
    levels = forest.levels(order)
    batch = TreeBatch(
        [torch.from_numpy(values[n]) for n in levels.nodes], [torch.from_numpy(p) for p in levels.parents]
    )
    found = network(batch).detach().numpy()
    expected = [state(trees[k], values[forest.offsets[k] :], trees[k].index(-1))[0] for k in order]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_trees_have_one_root_whatever_the_heads(torch):
    from samewise.research.networks.tree_lstm import depths, single_root

    assert single_root([1, 1, 1], 9) == [1, -1, 1]
    assert single_root([0, 1, 1], 9) == [-1, 0, 1]  # a second root hangs from the first
    assert single_root([3, 3, 1, 3], 3) == [-1, 0, 1]  # the root is cut off
    assert single_root([1, 2, 1, 3], 9) == [1, 3, 1, -1]  # a circle is opened
    assert single_root([], 9) == []
    assert depths([1, -1, 1, 4, 2]) == [1, 0, 1, 3, 2]
    for heads in ([1, 2, 0], [1, 0, 3, 2], [2, 2, 1, 0]):
        found = single_root(heads, 9)
        assert found.count(-1) == 1 and min(depths(found)) == 0 and len(depths(found)) == len(heads)


def test_trees_are_made_binary(torch):
    from samewise.research.networks.unfolding_autoencoder import binarised

    # "the dog saw a cat": (the dog), saw and (a cat), and then the subject.
    assert binarised([1, 2, -1, 4, 2]) == [(3, 4), (2, 5), (0, 1), (7, 6)]
    assert binarised([-1]) == []
    # Both dependents on the left: the nearer one first.
    assert binarised([2, 2, -1]) == [(1, 2), (0, 3)]


def test_an_unfolding_autoencoder_by_hand(torch):
    from samewise.research.networks.network_fitting import ReadWords
    from samewise.research.networks.unfolding_autoencoder import Nodes, Unfolding

    pairs = analysed([("the old dog saw a cat in the garden", "yes"), ("", "dogs bark loudly")])
    read = ReadWords.fit(pairs, HYPERPARAMETERS["recursive_autoencoder"])
    nodes = Nodes.of(pairs, read)
    torch.manual_seed(0)
    network = Unfolding(read.dimension)
    left, right = nodes.children
    words = nodes.vectors[torch.from_numpy(nodes.rows)]

    def code(node):
        if left[node] < 0:
            return words[node]
        return torch.tanh(network.encode(torch.cat([code(left[node]), code(right[node])])))

    def loss(node, value):
        if left[node] < 0:
            return ((value - words[node]) ** 2).sum()
        a, b = torch.tanh(network.decode(value)).chunk(2)
        return loss(left[node], a) + loss(right[node], b)

    inner = np.flatnonzero(left >= 0)
    assert nodes.tokens.tolist() == [9, 1, 1, 3] and len(inner) == 8 + 2
    expected = sum(loss(node, code(node)) for node in inner)
    found = network(*nodes(np.array([3, 0, 2, 1])))
    np.testing.assert_allclose(found.item(), expected.item(), rtol=1e-5)
    batch, which = nodes.read(np.array([3, 0, 2, 1]))
    for node, value in zip(which, torch.cat(network.codes(batch)), strict=True):
        np.testing.assert_allclose(value.detach().numpy(), code(node).detach().numpy(), atol=1e-6)


def test_the_reconstruction_gets_better(torch):
    from samewise.research.networks.network_fitting import ReadWords
    from samewise.research.networks.unfolding_autoencoder import Nodes, fit_unfolding

    pairs, settings = analysed(PAIRS), {**HYPERPARAMETERS["recursive_autoencoder"], "batch_size": 5}
    read = ReadWords.fit(pairs, settings)
    nodes = Nodes.of(pairs, read)
    every = np.arange(len(pairs.sentences))
    losses = [fit_unfolding(pairs, read, {**settings, "epochs": k}, 0)(*nodes(every)).item() for k in (0, 2, 6)]
    assert losses[1] < 0.95 * losses[0] and losses[2] < 0.95 * losses[1]


@pytest.mark.parametrize(
    ("values", "size", "expected"),
    [
        ([[1, 2, 3], [4, 0, 6], [7, 8, 5]], 3, [[1, 2, 3], [4, 0, 6], [7, 8, 5]]),
        ([[1, 2, 3, 4], [4, 0, 6, 5], [7, 8, 5, 9], [3, 3, 3, 1]], 2, [[0, 3], [3, 1]]),
        ([[1, 2]], 2, [[1, 2], [1, 2]]),
        ([[5, 2, 3]], 2, [[5, 2], [5, 2]]),
        ([[0.5]], 3, [[0.5] * 3] * 3),
    ],
)
def test_dynamic_pooling(torch, values, size, expected):
    from samewise.research.networks.recursive import dynamic_pool, symmetric

    found = dynamic_pool(np.asarray(values, dtype=float), size)
    assert found.tolist() == expected
    assert symmetric(found).tolist() == symmetric(found.T).tolist() and len(symmetric(found)) == size**2


def test_wordnet_corrects_the_cosines_of_words(torch):
    from samewise.features.base.token_sequences import vocabulary
    from samewise.features.families.award_penalty import STEP
    from samewise.features.lexicon.word_vectors import shipped_vectors
    from samewise.features.word_similarity.word_cosines import cosine
    from samewise.research.networks.recursive import corrected

    pairs = analysed([("the car stopped", "an automobile stopped"), ("a dog", "the banana ripened")])
    first, second = corrected(pairs, "distilled", 64)
    assert first.shape == (3, 3) and second.shape == (2, 3)
    place = {item: k for k, item in enumerate(vocabulary(pairs, "words").items)}
    for value, (x, y), change in ((first[1, 1], ("car", "automobile"), STEP), (second[1, 1], ("dog", "banana"), -STEP)):
        plain = cosine(pairs, shipped_vectors("distilled"), "words", np.array([place[x]]), np.array([place[y]]))[0]
        assert value == pytest.approx(np.clip(max(plain, 0) + change, 0, 1))
    assert first[2, 2] == 1.0
    assert [cells.shape for cells in corrected(pairs, "distilled", 1)] == [(1, 1), (1, 1)]


def test_award_changes_the_scores(torch, matrix, y):
    plain, awarded = (
        make_network("recursive_autoencoder", {**small("recursive_autoencoder"), "award": award}).fit(matrix, y)
        for award in (False, True)
    )
    scores = awarded.predict(matrix)
    assert np.abs(scores - plain.predict(matrix)).max() > 0.01
    np.testing.assert_allclose(awarded.predict(matrix.take(np.arange(5))), scores[:5], rtol=0, atol=1e-5)


def test_a_recurrent_convolution_by_hand(torch):
    from samewise.research.networks.alignment_network import RecurrentConvolution

    torch.manual_seed(0)
    network = RecurrentConvolution(3, 2)
    torch.nn.init.normal_(network.bias)
    values = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    weights = {name: value.detach().numpy().astype(np.float64) for name, value in network.named_parameters()}
    state = one = two = np.zeros(2)
    expected = []
    for value in values:
        gate, first, second = np.split(weights["inputs.weight"] @ value + weights["inputs.bias"], 3)
        kept = _sigmoid(gate + weights["gate.weight"] @ state)
        one, two = kept * one + (1 - kept) * first, kept * two + (1 - kept) * (one + second)
        state = np.tanh(two + weights["bias"])
        expected.append(state)
    found = network(torch.from_numpy(values)[None])[0].detach().numpy()
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("unaligned", [False, True])
def test_links_are_read_in_the_order_of_either_sentence(torch, unaligned):
    from samewise.features.alignment.aligner import align
    from samewise.research.networks.alignment_network import ReadLinks
    from samewise.research.networks.network_fitting import ReadWords

    pairs = analysed([("A boy bought a car.", "A car was bought."), ("", "dogs"), ("", "")])
    links = [(link.i, link.j) for link in align(*pairs[0])]
    words = ReadWords.fit(pairs, HYPERPARAMETERS["alignment_rnn"])
    linked = ReadLinks(words, unaligned)(pairs)
    a, b = pairs.left[0], pairs.right[0]
    starts = words.words(pairs).words.ids.offsets
    expected = [(starts[a] + i, starts[b] + j) for i, j in links]
    alone_a = [(starts[a] + i, -1) for i in range(6) if i not in {i for i, _ in links}]
    alone_b = [(-1, starts[b] + j) for j in range(5) if j not in {j for _, j in links}]
    forth, back = (tokens.values[: tokens.offsets[1]].tolist() for tokens in linked.tokens)
    ordered = sorted(expected + alone_a) + alone_b if unaligned else sorted(expected)
    assert forth == [list(link) for link in ordered]
    turned = sorted((j, i) for i, j in expected + unaligned * alone_b) + unaligned * [(-1, i) for i, _ in alone_a]
    assert back == [list(link) for link in turned]
    steps, _ = linked(np.array([0, 1, 2]))
    assert steps.lengths.tolist() == [len(ordered), 1, 1]
    assert (steps.words[1:, 1:] == 0).all() and (steps.words[2] == 0).all()
    assert bool((steps.words[1] == 0).all()) != unaligned
    # The verb is the root of both: the same relation, and no heads.
    step = ordered.index((starts[a] + 2, starts[b] + 3))
    assert steps.same[0, step] == 1 and (steps.heads[0, step] == 0).all() and (steps.words[0, step] != 0).any()


def test_letter_trigrams(torch):
    from samewise.research.networks.letter_trigrams import letter_trigrams

    assert letter_trigrams("a") == ["#a#"] and letter_trigrams("cat") == ["#ca", "cat", "at#"]


@pytest.mark.parametrize("window", [0, 1, 2, 3])
def test_trigram_networks_by_hand(torch, window):
    from samewise.features.base.token_sequences import text_hash
    from samewise.research.networks.letter_trigrams import Encoder, ReadTrigrams, letter_trigrams

    pairs = analysed([("the cat sat", "cat"), ("", "the the dog barks here")], "tokens")
    torch.manual_seed(0)
    network = Encoder(50, 4, 3, window)
    torch.nn.init.normal_(network.bias)
    weights = {name: value.detach().numpy() for name, value in network.named_parameters()}
    size = max(window, 1)
    found = network(ReadTrigrams(50, 4)(pairs).reader(np.arange(4))).detach().numpy()
    for sentence, encoding in zip(pairs.sentences, found, strict=True):
        counts = np.zeros((len(sentence.words[:4]), 50))
        for k, word in enumerate(sentence.words[:4]):
            for one in letter_trigrams(word):
                counts[k, text_hash(one) % 50] += 1
        words = (counts @ weights["trigrams.weight"]).reshape(len(counts), size, 4)
        if window:
            padded = np.zeros((max(len(words), 1) + window - 1, size, 4))
            padded[window // 2 : window // 2 + len(words)] = words
            steps = [sum(padded[t + k, k] for k in range(window)) for t in range(max(len(words), 1))]
            hidden = np.tanh(np.asarray(steps) + weights["bias"]).max(0)
        else:
            hidden = np.tanh(words.sum((0, 1)) + weights["bias"])
            hidden = np.tanh(weights["hidden.weight"] @ hidden + weights["hidden.bias"])
        expected = np.tanh(weights["output.weight"] @ hidden + weights["output.bias"])
        np.testing.assert_allclose(encoding, expected, atol=1e-5)


def test_pairs_that_share_a_sentence_are_no_negatives(torch):
    from samewise.research.networks.letter_trigrams import softmax_loss

    found = torch.nn.functional.normalize(torch.randn(3, 2, 5, generator=torch.Generator().manual_seed(0)), dim=2)
    u, v = found[:, 0].double().numpy(), found[:, 1].double().numpy()
    alike = np.exp(2.0 * u @ v.T)
    # Pairs 0 and 2 share a sentence.
    alike[0, 2] = alike[2, 0] = 0
    own = np.diag(alike)
    expected = (np.log(alike.sum(1) / own).mean() + np.log(alike.sum(0) / own).mean()) / 2
    value = softmax_loss(found, np.array([0, 2, 4]), np.array([1, 3, 0]), 2.0)
    assert value.item() == pytest.approx(expected, rel=1e-5)


def test_manhattan_similarity_of_equal_sentences_is_one(torch):
    train = matrix_of(PAIRS, "tokens")
    made = make_network("ma_lstm", small("ma_lstm")).fit(train, np.linspace(0, 5, len(PAIRS)))
    scores = made.predict(matrix_of([("a dog", "a dog"), ("a dog", "a cat")], "tokens"))
    assert scores[0] == pytest.approx(5, abs=1e-5) and 0 <= scores[1] < 5


def test_attention_has_two_cells(torch, matrix, y):
    gru, lstm = (make_network("attention", {**small("attention"), "cell": cell}) for cell in ("gru", "lstm"))
    assert np.abs(gru.fit(matrix, y).predict(matrix) - lstm.fit(matrix, y).predict(matrix)).max() > 1e-4
    with pytest.raises(ValueError, match="cell of attention must be one of gru, lstm, got 'rnn';"):
        make_network("attention", {"cell": "rnn"}).fit(matrix, y)


def test_trigrams_need_paraphrases(torch, matrix):
    with pytest.raises(ValueError, match="trigram must have at least two pairs with a score of 4 or more, got 0;"):
        make_network("trigram", small("trigram")).fit(matrix, np.full(len(matrix), 3.9))


def test_settings_are_checked():
    assert list(HYPERPARAMETERS) == NAMES
    assert make_network("lstm", {"units": 4}).params == {**HYPERPARAMETERS["lstm"], "units": 4}
    with pytest.raises(ValueError, match="setting of lstm must be one of vectors, .*, got 'width';"):
        make_network("lstm", {"width": 3})
    with pytest.raises(ValueError, match="network must be one of lstm, ma_lstm, .*, got 'rnn';"):
        make_network("rnn")


@pytest.mark.parametrize("scores", [[1.0], [], np.full(99, 5.1), np.full(99, np.nan)])
def test_wrong_scores_are_refused(matrix, scores):
    with pytest.raises(ValueError, match=f"scores must be {len(matrix)} numbers between 0 and 5, got "):
        make_network("lstm").fit(matrix, np.asarray(scores)[: len(matrix)])


def test_what_cannot_be_read_is_refused(matrix):
    with pytest.raises(ValueError, match="'bigru' is not fitted; call `fit` first"):
        make_network("bigru").predict(matrix)
    with pytest.raises(ValueError, match="the matrix must hold texts for a network"):
        make_network("bigru").predict(FeatureMatrix(np.empty((3, 0), dtype=np.float32), ()))
    with pytest.raises(ValueError, match="scores must be one or more numbers"):
        make_network("bigru").fit(matrix.take(np.empty(0, dtype=np.int64)), np.empty(0))


def test_without_torch_one_sentence_says_what_to_install(monkeypatch, matrix, y):
    monkeypatch.delitem(sys.modules, "samewise.research.networks.tree_lstm", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModuleNotFoundError, match=r"'tree_lstm' needs torch; pip install 'samewise\[train\]'"):
        make_network("tree_lstm").fit(matrix, y)


def test_a_network_is_made_without_torch():
    code = (
        "import sys; from samewise.research.networks.research_network import RESEARCH_NETWORKS, make_network; "
        "levels = {make_network(name).level for name in RESEARCH_NETWORKS}; "
        "found = {'torch', 'sklearn', 'spacy'} & set(sys.modules); sys.exit(str(found) if found else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
