import json
import math
import shutil
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.base.mapped_arrays import MappedError, map_arrays
from samewise.features.base.token_sequences import text_hash, vocabulary
from samewise.features.lexicon.sense_similarity import word_similarity
from samewise.features.lexicon.synset_similarity import MEASURES, sense_pairs, similarity
from samewise.features.lexicon.wordnet import CLASS_OF_KIND, CLASSES, FOLDER, INFORMATION, wordnet

from tests.conftest import analysed

DATABASE = Path("/usr/share/wordnet")
SAMPLE = 7 * settings.default.max_examples  # pairs a part of speech; 21,000 in the profile `thorough`
THOROUGH = SAMPLE > 10_000
NLTK = ("path", "wup", "lch", "res", "lin", "jcn")
CONTENT = ("res", "lin", "jcn")

WN = wordnet()
SYNSETS = len(WN.kinds)
COMMON = np.flatnonzero(np.add.reduceat(WN.arrays["sense_counts"].astype(int), WN.arrays["sense_offsets"][:-1]) > 20)
CLASS = CLASS_OF_KIND[WN.kinds]
synsets = st.integers(0, SYNSETS - 1)
words = st.one_of(st.sampled_from(COMMON.tolist()), st.integers(-1, WN.size - 1))


def word(text):
    lemma, _, letter = text.rpartition(".")
    return int(WN.word_ids([lemma], [CLASSES.index(letter)])[0])


def all_words(texts):
    return np.asarray([word(text) for text in texts.split()])


def synset(name):
    lemma, letter, _ = name.rsplit(".", 2)
    listed = WN.senses(np.asarray([word(f"{lemma}.{letter.replace('s', 'a')}")])).values
    return int(listed[WN.names(listed).index(name)])


def similar(measure, x, y, information="semcor"):
    return float(similarity(WN, measure, np.asarray([synset(x)]), np.asarray([synset(y)]), information)[0])


# ---- facts


def test_senses_stand_in_the_order_of_wordnet():
    found = WN.senses(all_words("dog.n zzzz.n dog.v"))
    assert WN.names(found.take(np.array([0])).values) == [
        "dog.n.01", "frump.n.01", "dog.n.03", "cad.n.01", "frank.n.02", "pawl.n.01", "andiron.n.01",
    ]  # fmt: skip
    assert found.lengths.tolist() == [7, 0, 1]
    assert WN.names(found.values)[-1] == "chase.v.01"
    assert WN.sense_counts(all_words("dog.n")).values.tolist() == [42, 0, 0, 0, 0, 0, 0]


def test_words_are_found_by_lemma_and_part_of_speech():
    found = WN.word_ids(["hot dog", "hot_dog", "dog", "dog", "dog", "", "Dog"], [0, 0, 0, 1, 4, 0, 0])
    assert found[0] == found[1] >= 0
    assert (found[2:4] >= 0).all() and found[2] != found[3]
    assert (found[4:] == -1).all()
    assert WN.word_names(found[:4]) == ["hot_dog", "hot_dog", "dog", "dog"]
    assert WN.word_classes(found[:5]).tolist() == [0, 0, 0, 1, -1]


def test_the_hashes_of_a_batch_find_the_words():
    listed = vocabulary(analysed([("A dog sees \ud800 über", "cat")], "tokens"), "words")
    assert listed.hashes.tolist() == [text_hash(item) for item in listed.items]
    classes = np.zeros(len(listed.items), dtype=np.int8)
    assert WN.hashed_word_ids(listed.hashes, classes).tolist() == WN.word_ids(listed.items, classes).tolist()


def test_members_of_a_synset():
    found = WN.members(np.asarray([synset("car.n.01")]))
    assert WN.word_names(found.values) == ["car", "auto", "automobile", "machine", "motorcar"]


def test_ancestors_and_depths():
    # dog > domestic_animal > animal > organism > living_thing > whole > object > physical_entity > entity is the short
    # way, the long one leads over canine, carnivore, placental, mammal, vertebrate and chordate to animal.
    x = np.asarray([synset("dog.n.01"), synset("entity.n.01"), synset("good.a.01")])
    found = WN.ancestors(x)
    assert found.synsets.lengths.tolist() == [15, 1, 1]
    steps = dict(zip(WN.names(found.synsets.values[:15]), found.distances[:15].tolist(), strict=True))
    assert steps["dog.n.01"] == 0 and steps["animal.n.01"] == 2 and steps["entity.n.01"] == 8
    assert steps["carnivore.n.01"] == 2 and steps["chordate.n.01"] == 6
    assert WN.min_depth[x].tolist() == [8, 0, 0]
    assert WN.max_depth[x].tolist() == [13, 0, 0]
    assert (found.crossings <= found.distances).all()


@pytest.mark.parametrize("kind", INFORMATION)
def test_information_grows_downwards_from_nothing_at_the_root(kind):
    content = WN.information_content(kind)
    found = WN.ancestors(np.arange(SYNSETS))
    assert content[synset("entity.n.01")] == 0
    assert (content[found.synsets.values] <= np.repeat(content, found.synsets.lengths)).all()
    assert np.isfinite(content).all() and content.min() == 0


def test_information_by_hand():
    # No noun is tagged with frump.n.01 and nothing is below it; angstrom.n.01 is tagged six times.
    content = WN.information_content("semcor")
    total = WN.sense_counts(np.flatnonzero(WN.word_classes(np.arange(WN.size)) == 0)).values.sum()
    assert content[synset("frump.n.01")] == pytest.approx(math.log(total + 1), rel=1e-12)
    assert content[synset("angstrom.n.01")] == pytest.approx(math.log((total + 1) / 7), rel=1e-12)


def test_unknown_kinds_and_measures():
    nothing = np.empty(0, dtype=np.int64)
    with pytest.raises(ValueError, match="information content must be one of semcor, senses, words, got 'brown'"):
        WN.information_content("brown")
    for function in (similarity, word_similarity):
        with pytest.raises(ValueError, match="a similarity must be one of path, .*, got 'hso'"):
            function(WN, "hso", nothing, nothing)
        assert function(WN, "path", nothing, nothing).shape == (0,)


def test_relations():
    x = all_words("hot.a rise.v wet.a dog.n buy.v zzzz.n")
    y = all_words("cold.a fall.v parched.a cat.n sell.v zzzz.n")
    assert WN.antonyms(x, y).tolist() == [True, True, False, False, True, False]
    assert WN.antonyms(y, x, indirect=True).tolist() == [True, True, True, False, True, False]
    x, y = all_words("teach.v destroy.v teach.v zzzz.v"), all_words("teacher.n destruction.n dog.n teacher.n")
    assert WN.derivationally_related(x, y).tolist() == [True, True, False, False]
    assert WN.derivationally_related(y, x).tolist() == [True, True, False, False]
    x, y = all_words("musical.a quickly.r dog.n"), all_words("music.n quick.a cat.n")
    assert WN.pertainyms(x, y).tolist() == WN.pertainyms(y, x).tolist() == [True, True, False]
    x, y = all_words("big.a big.a dog.n"), all_words("gigantic.a small.a dog.n")
    assert WN.similar_to(x, y).tolist() == WN.similar_to(y, x).tolist() == [True, False, False]
    x, y = all_words("car.n dog.n zzzz.n dog.n"), all_words("automobile.n cat.n zzzz.n dog.v")
    assert WN.share_synset(x, y).tolist() == [True, False, False, False]
    x, y = all_words("animal.n dog.n dog.n zzzz.n entity.n"), all_words("dog.n animal.n dog.n dog.n entity.n")
    assert WN.hypernym_of(x, y).tolist() == [True, False, False, False, False]


# ---- similarity


def test_values_of_the_nltk_documentation():
    assert similar("path", "dog.n.01", "cat.n.01") == 0.2
    assert similar("path", "hit.v.01", "slap.v.01") == 1 / 7
    assert similar("lch", "dog.n.01", "cat.n.01") == pytest.approx(2.0281482472922856, rel=1e-15)
    assert similar("lch", "hit.v.01", "slap.v.01") == pytest.approx(1.3121863889661687, rel=1e-15)
    assert similar("wup", "dog.n.01", "cat.n.01") == 24 / 28
    assert similar("wup", "hit.v.01", "slap.v.01") == 0.25


def test_content_measures_by_hand():
    # The deepest common hypernym of dog and cat is carnivore.
    content = WN.information_content("words")
    dog, cat, both = (content[synset(name)] for name in ("dog.n.01", "cat.n.01", "carnivore.n.01"))
    assert similar("res", "dog.n.01", "cat.n.01", "words") == both
    assert similar("lin", "dog.n.01", "cat.n.01", "words") == pytest.approx(2 * both / (dog + cat), rel=1e-14)
    assert similar("jcn", "dog.n.01", "cat.n.01", "words") == pytest.approx(1 / (dog + cat - 2 * both), rel=1e-12)


def test_li():
    # Carnivore has depth 11 and is two steps above each; car and railcar share the lemma car.
    assert similar("li", "dog.n.01", "cat.n.01") == pytest.approx(math.exp(-0.8) * math.tanh(0.45 * 11), rel=1e-15)
    shared = WN.max_depth[synset("wheeled_vehicle.n.01")]
    assert similar("li", "car.n.01", "car.n.02") == pytest.approx(math.exp(-0.2) * math.tanh(0.45 * shared), rel=1e-15)
    # A root that is not a noun's has depth 1.
    assert similar("li", "good.a.01", "good.a.01") == pytest.approx(math.tanh(0.45), rel=1e-15)
    assert similar("li", "good.a.01", "bad.a.01") == 0
    assert math.isnan(similar("li", "dog.n.01", "chase.v.01"))


def test_quirks_of_nltk():
    assert similar("path", "good.a.01", "bad.a.01") == 1 / 3
    assert similar("wup", "good.a.01", "bad.a.01") == 1 / 2
    assert similar("jcn", "dog.n.01", "dog.n.01") == 1e300
    assert math.isnan(similar("lin", "entity.n.01", "entity.n.01"))
    assert math.isnan(similar("res", "dog.n.01", "chase.v.01"))
    assert not math.isnan(similar("path", "dog.n.01", "chase.v.01"))


@pytest.mark.slow
@given(st.lists(st.tuples(synsets, synsets), max_size=20))
def test_ranges_of_synset_similarity(pairs):
    x, y = np.asarray(pairs, dtype=np.int64).reshape(-1, 2).T
    same_class = CLASS[x] == CLASS[y]
    for measure in MEASURES:
        values = similarity(WN, measure, x, y)
        known = values[~np.isnan(values)]
        assert (known >= (-1 if measure == "lch" else 0)).all()
        assert (known <= {"path": 1, "wup": 1, "lch": 4, "res": 12, "lin": 1, "li": 1, "jcn": 1e300}[measure]).all()
        if measure in ("path", "wup", "li"):
            assert not np.isnan(values[same_class]).any()
        if measure != "wup":
            np.testing.assert_array_equal(values, similarity(WN, measure, y, x))


def best_over_senses(measure, x, y, information):
    values = np.zeros(len(x))
    for rows, s, t, offsets in sense_pairs(WN, x, y):
        both = np.fmax(similarity(WN, measure, s, t, information), similarity(WN, measure, t, s, information))
        for start, stop in pairwise(offsets.tolist()):
            if stop > start and not np.isnan(both[start:stop]).all():
                values[rows[start]] = np.nanmax(both[start:stop])
    return np.where(WN.word_classes(x) == WN.word_classes(y), values, 0.0)


@pytest.mark.slow
@given(st.lists(st.tuples(words, words), min_size=1, max_size=40), st.sampled_from(INFORMATION))
def test_word_similarity_is_the_best_over_senses(pairs, information):
    x, y = np.asarray(pairs).T
    for measure in MEASURES:
        found = word_similarity(WN, measure, x, y, information)
        np.testing.assert_array_equal(found, best_over_senses(measure, x, y, information), err_msg=measure)
        np.testing.assert_array_equal(found, word_similarity(WN, measure, y, x, information), err_msg=measure)
        alone = word_similarity(WN, measure, x[-1:], y[-1:], information)
        np.testing.assert_array_equal(found[-1:], alone, err_msg=measure)


@pytest.mark.parametrize("measure", MEASURES)
def test_word_similarity_of_many_common_words(measure):
    # Enough for several chunks, and for the words whose bound is not attained.
    rng = np.random.default_rng(0)
    x, y = rng.choice(COMMON, (2, 1_500))
    np.testing.assert_array_equal(word_similarity(WN, measure, x, y, "words"), best_over_senses(measure, x, y, "words"))


def test_word_similarity_of_unknown_words_and_other_parts_of_speech():
    x, y = all_words("dog.n zzzz.n zzzz.n dog.n"), all_words("zzzz.n dog.n zzzz.n dog.v")
    for measure in MEASURES:
        assert word_similarity(WN, measure, x, y).tolist() == [0, 0, 0, 0]


# ---- files


@pytest.mark.slow
def test_arrays_are_read_only_and_loaded_without_nltk():
    assert not any(array.flags.writeable for array in WN.arrays.values())
    assert not WN.information_content("semcor").flags.writeable
    code = (
        "import sys; from samewise.features.lexicon.wordnet import wordnet; wordnet().digest; "
        "sys.exit(any(name in sys.modules for name in ('nltk', 'wordfreq', 'scipy', 'sklearn')))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_licence_and_the_sources_are_shipped():
    assert "Princeton University" in (FOLDER / "LICENSE").read_text(encoding="utf-8")
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    assert {path.name for path in FOLDER.glob("*.npy")} == set(manifest["files"])
    assert "data.noun" in manifest["source"]


@pytest.fixture
def small(tmp_path):
    name = "max_depth.npy"
    shutil.copy(FOLDER / name, tmp_path)
    files = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))["files"]
    (tmp_path / "manifest.json").write_text(json.dumps({"files": {name: files[name]}}))
    return tmp_path


def test_a_folder_is_checked(small):
    mapped = map_arrays(small, "get it again")
    np.testing.assert_array_equal(mapped.arrays["max_depth"], WN.max_depth)
    assert mapped.digest != WN.digest
    data = bytearray((small / "max_depth.npy").read_bytes())
    data[-1] ^= 1
    (small / "max_depth.npy").write_bytes(data)
    with pytest.raises(MappedError, match=r"max_depth.npy' is not the file .*; get it again"):
        map_arrays(small, "get it again")
    (small / "max_depth.npy").unlink()
    with pytest.raises(MappedError, match=r"max_depth.npy' is missing; get it again"):
        map_arrays(small, "get it again")


@pytest.mark.parametrize("content", [None, "no JSON", "[]", '{"files": 3}', '{"files": {"a.npy": 3}}'])
def test_a_manifest_is_checked(tmp_path, content):
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(MappedError, match=r"manifest.json' is missing or not a manifest; get it again"):
        map_arrays(tmp_path, "get it again")


# ---- parity with NLTK


@pytest.fixture(scope="module")
def nltk_reader(tmp_path_factory):
    """NLTK's reader of the database files of WordNet 3.0."""
    if not DATABASE.is_dir():
        pytest.skip(f"the database of WordNet is not at {DATABASE}; Debian has it in the package wordnet-base")
    nltk = pytest.importorskip("nltk")
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Reader(WordNetCorpusReader):
        def map_wn(self, version="wordnet"):
            return {}  # of interest to other languages only, and asks for the corpus as NLTK packs it

    folder = tmp_path_factory.mktemp("database")
    for path in DATABASE.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    # Not part of Debian's package; nothing here asks for the names.
    (folder / "lexnames").write_text("".join(f"{i:02}\tfile{i}\t0\n" for i in range(45)))
    nltk.data.path.append(str(folder))  # NLTK opens files in folders that are listed only
    reader = Reader(str(folder), omw_reader=object())
    if not THOROUGH:
        # Takes it seconds to find out, by reading every synset.
        reader._max_depth = {("n", False): 19, ("v", True): 13, ("a", True): 1, ("s", True): 1, ("r", True): 1}
    yield reader
    nltk.data.path.remove(str(folder))
    for file in [*reader._data_file_map.values(), reader._key_count_file]:
        if file is not None:
            file.close()


class Counts(dict):
    """Our counts as a dictionary of NLTK's, by the offset of the synset; 0 is the root."""

    def __init__(self, reader, letter, kind):
        self.reader, self.letter, self.counts = reader, letter, WN.arrays[f"information_{kind}"].astype(float)
        self[0] = self.counts[SYNSETS + CLASSES.index(letter)]

    def __missing__(self, offset):
        self[offset] = self.counts[synset(self.reader.synset_from_pos_and_offset(self.letter, offset).name())]
        return self[offset]


@pytest.fixture(scope="module")
def nltk_content(nltk_reader):
    """Our counts as NLTK's dictionaries of information content."""
    return {kind: {letter: Counts(nltk_reader, letter, kind) for letter in CLASSES} for kind in INFORMATION}


@pytest.fixture(scope="module")
def twin(nltk_reader):
    """Function from a synset of ours to NLTK's."""
    return cache(lambda number: nltk_reader.synset(WN.names(np.asarray([number]))[0]))


def of_nltk(measure, a, b, content):
    from nltk.corpus.reader.wordnet import WordNetError

    try:
        value = getattr(a, f"{measure}_similarity")(b, *([content] if measure in CONTENT else []))
    except (WordNetError, ZeroDivisionError):
        return math.nan
    return math.nan if value is None else value


def sampled(letter, size):
    rng = np.random.default_rng(0)
    if letter is None:
        return rng.integers(0, SYNSETS, (2, size))
    x, y = rng.choice(np.flatnonzero(CLASS == CLASSES.index(letter)), (2, size))
    # A quarter each: a hypernym of the first, a hypernym of the second, and some of one synset with itself.
    quarter = size // 4
    for one, other, at in ((x, y, slice(quarter)), (y, x, slice(quarter, 2 * quarter))):
        above = WN.ancestors(one[at]).synsets
        other[at] = above.values[above.offsets[:-1] + rng.integers(0, above.lengths)]
    y[-size // 50 :] = x[-size // 50 :]
    return x, y


@pytest.mark.parametrize("letter", [*CLASSES, None])
def test_synset_similarity_is_that_of_nltk(twin, nltk_content, letter):
    x, y = sampled(letter, SAMPLE)
    kinds = INFORMATION if THOROUGH else ("senses",)
    for measure in NLTK:
        for kind in kinds if measure in CONTENT else ("semcor",):
            expected = [
                of_nltk(measure, twin(s), twin(t), nltk_content[kind])
                for s, t in zip(x.tolist(), y.tolist(), strict=True)
            ]
            found = similarity(WN, measure, x, y, kind)
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12, err_msg=measure)


def test_li_is_that_of_its_definition(twin):
    x, y = np.concatenate([sampled(letter, SAMPLE // 7) for letter in CLASSES], axis=1)
    found = similarity(WN, "li", x, y)
    for s, t, value in zip(x.tolist(), y.tolist(), found.tolist(), strict=True):
        a, b = twin(s), twin(t)
        common = a.common_hypernyms(b)
        depth = max((c.max_depth() + (c.pos() != "n") for c in common), default=0)
        names = [{name.lower() for name in synset.lemma_names()} for synset in (a, b)]
        steps = a.shortest_path_distance(b)
        length = min(steps, 1) if names[0] & names[1] and steps is not None else steps
        expected = math.exp(-0.2 * length) * math.tanh(0.45 * depth) if common else 0.0
        assert value == pytest.approx(expected, rel=1e-12), (a, b)


def test_facts_are_those_of_nltk(nltk_reader, twin):
    rng = np.random.default_rng(0)
    chosen = np.arange(SYNSETS) if THOROUGH else rng.integers(0, SYNSETS, SAMPLE)
    twins = [twin(number) for number in chosen.tolist()]
    assert WN.max_depth[chosen].tolist() == [synset.max_depth() for synset in twins]
    assert WN.min_depth[chosen].tolist() == [synset.min_depth() for synset in twins]
    if THOROUGH:
        every = {(synset.pos(), synset.offset()) for synset in nltk_reader.all_synsets()}
        assert {(synset.pos(), synset.offset()) for synset in twins} == every
    chosen = np.concatenate([rng.choice(COMMON, SAMPLE // 7), rng.integers(0, WN.size, SAMPLE // 7)])
    senses, counts = WN.senses(chosen), WN.sense_counts(chosen).values.tolist()
    names, found = WN.word_names(chosen), iter(zip(senses.values.tolist(), counts, strict=True))
    for name, code in zip(names, WN.word_classes(chosen).tolist(), strict=True):
        # NLTK adds the senses of the words that it takes this one for a form of, some of them a second time.
        for synset in dict.fromkeys(nltk_reader.synsets(name, CLASSES[code], check_exceptions=False)):
            forms = [lemma for lemma in synset.lemmas() if lemma.name().lower() == name]
            if forms:
                ours, count = next(found)
                assert (twin(ours), count) == (synset, sum(lemma.count() for lemma in forms))
    assert next(found, None) is None


def test_relations_are_those_of_nltk(twin):
    rng = np.random.default_rng(0)
    for number in rng.integers(0, SYNSETS, SAMPLE).tolist():
        synset = twin(number)
        for lemma in synset.lemmas():
            for relation, listed in (
                (WN.antonyms, lemma.antonyms()),
                (WN.derivationally_related, lemma.derivationally_related_forms()),
                (WN.pertainyms, lemma.pertainyms()),
            ):
                for other in listed:
                    x, y = (
                        WN.word_ids([form.name().lower()], [CLASSES.index(form.synset().pos().replace("s", "a"))])
                        for form in (lemma, other)
                    )
                    assert relation(x, y)[0], (lemma, other)


@pytest.mark.parametrize("letter", CLASSES)
def test_word_similarity_is_that_of_nltk(twin, nltk_content, letter):
    rng = np.random.default_rng(0)
    pool = COMMON[WN.word_classes(COMMON) == CLASSES.index(letter)]
    x, y = rng.choice(pool, (2, SAMPLE // 20))
    senses = [[twin(s) for s in WN.senses(np.asarray([w])).values.tolist()] for w in (*x, *y)]
    for measure in NLTK:
        expected = []
        for one, other in zip(senses[: len(x)], senses[len(x) :], strict=True):
            both = [(a, b) for a in one for b in other] + [(b, a) for a in one for b in other]
            values = [of_nltk(measure, a, b, nltk_content["semcor"]) for a, b in both]
            expected.append(max((value for value in values if not math.isnan(value)), default=0.0))
        np.testing.assert_allclose(word_similarity(WN, measure, x, y), expected, rtol=1e-9, err_msg=measure)


def test_relations_among_words_are_those_of_every_two():
    lemmas = "car automobile vehicle dog animal oak tree run walk move bank institution".split()
    words = np.unique(WN.word_ids(lemmas * 2, [0] * len(lemmas) + [1] * len(lemmas)))
    words = words[words >= 0]
    u, v = (side.ravel() for side in np.mgrid[: len(words), : len(words)])
    for found, holds in (
        (WN.hypernyms_among(words), WN.hypernym_of(words[v], words[u])),
        (WN.synonyms_among(words), WN.share_synset(words[u], words[v])),
    ):
        met = set(zip(*(side.tolist() for side in found), strict=True))
        assert met == set(zip(u[holds].tolist(), v[holds].tolist(), strict=True))
        assert holds.any()
    nothing = np.empty(0, dtype=np.int64)
    assert [len(side) for side in WN.hypernyms_among(nothing)] == [0, 0]
