"""Arrays built from a user's own WordNet; NLTK's measures on the same files are the oracle."""

import itertools
import math
import shutil
import zipfile
from pathlib import Path

import nltk
import numpy as np
import pytest
from samewise.features.base.mapped_arrays import MappedError
from samewise.features.lexicon.sense_similarity import word_similarity
from samewise.features.lexicon.synset_similarity import MEASURES, similarity
from samewise.features.lexicon.wordnet import wordnet
from samewise.features.lexicon.wordnet_folder import UNCOUNTED, load_wordnet
from samewise.research.wordnet.wordnet_builder import build_wordnet

from ...features.lexicon import tiny_wordnet

DATABASE = Path("/usr/share/wordnet")
PLAIN, CONTENT = ("path", "lch", "wup"), ("res", "jcn", "lin")
SAMPLE = 400


@pytest.fixture(scope="module")
def nltk_data(tmp_path_factory):
    """A folder of NLTK's data with the tiny WordNet."""
    folder = tmp_path_factory.mktemp("nltk")
    tiny_wordnet.write_packages(folder)
    return folder


@pytest.fixture(scope="module")
def built(nltk_data, tmp_path_factory):
    target = tmp_path_factory.mktemp("built")
    return build_wordnet(target, information_content=["ic-tiny.dat"], data=nltk_data).wordnet


def numbered(net, *names):
    listed = net.names(np.arange(len(net.kinds)))
    return np.asarray([listed.index(name) for name in names])


def replace(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


class Oracle:
    """NLTK's measures on packages of its data."""

    def __init__(self, folder, corpus="wordnet"):
        import nltk
        from nltk.corpus.reader.wordnet import WordNetCorpusReader, WordNetICCorpusReader

        class Reader(WordNetCorpusReader):
            def map_wn(self, version="wordnet"):
                return {}  # of interest to other languages only

        self.path = nltk.data.path
        self.before = list(self.path)
        self.path.insert(0, str(folder))
        self.reader = Reader(str(folder / "corpora" / corpus), omw_reader=object())
        self.contents = WordNetICCorpusReader(str(folder / "corpora" / "wordnet_ic"), r".*\.dat")

    def close(self):
        self.path[:] = self.before
        for file in [*self.reader._data_file_map.values(), self.reader._key_count_file]:
            if file is not None:
                file.close()

    def value(self, measure, one, other, content):
        from nltk.corpus.reader.wordnet import WordNetError

        a, b = self.reader.synset(one), self.reader.synset(other)
        try:
            value = getattr(a, f"{measure}_similarity")(b, *([content] if measure in CONTENT else []))
        except (WordNetError, ZeroDivisionError):
            return math.nan
        return math.nan if value is None else value


@pytest.fixture(scope="module")
def oracle(nltk_data):
    oracle = Oracle(nltk_data)
    yield oracle
    oracle.close()


# ---- parity with NLTK


@pytest.mark.parametrize("measure", [*PLAIN, *CONTENT])
def test_every_pair_of_synsets_has_the_similarity_of_nltk(built, oracle, measure):
    names = built.names(np.arange(len(built.kinds)))
    content = oracle.contents.ic("ic-tiny.dat")
    counted = [name for name in names if measure in PLAIN or name.split(".")[1] in "nv"]
    pairs = list(itertools.product(counted, counted))
    x, y = (numbered(built, *side) for side in zip(*pairs, strict=True))
    expected = [oracle.value(measure, one, other, content) for one, other in pairs]
    found = similarity(built, measure, x, y, "ic-tiny")
    np.testing.assert_allclose(found, expected, rtol=1e-12, err_msg=measure)
    assert len({value for value in expected if not math.isnan(value)}) > 5


@pytest.mark.parametrize("measure", [*PLAIN, *CONTENT])
def test_words_have_the_best_similarity_of_their_senses_in_nltk(built, oracle, measure):
    content = oracle.contents.ic("ic-tiny.dat")
    lemmas = ["dog", "cat", "teacher", "animal", "rex", "heat"]
    for one, other in itertools.product(lemmas, lemmas):
        senses = [
            [synset.name() for synset in oracle.reader.synsets(lemma, "n", check_exceptions=False)]
            for lemma in (one, other)
        ]
        values = [oracle.value(measure, a, b, content) for a, b in itertools.product(*senses)]
        x, y = built.word_ids([one, other], [0, 0])[:, None]
        expected = max(value for value in values if not math.isnan(value))
        assert word_similarity(built, measure, x, y, "ic-tiny")[0] == pytest.approx(expected, rel=1e-12), (one, other)


def test_senses_counts_and_depths_are_those_of_nltk(built, oracle):
    for lemma, letter in (("dog", "n"), ("dog", "v"), ("hot", "a"), ("beast", "n"), ("hotly", "r")):
        word = built.word_ids([lemma], ["nvar".index(letter)])
        expected = oracle.reader.synsets(lemma, letter, check_exceptions=False)
        assert built.names(built.senses(word).values) == [synset.name() for synset in expected]
        counts = [sum(form.count() for form in synset.lemmas() if form.name().lower() == lemma) for synset in expected]
        assert built.sense_counts(word).values.tolist() == counts
    every = list(oracle.reader.all_synsets())
    x = numbered(built, *(synset.name() for synset in every))
    assert sorted(x.tolist()) == list(range(len(built.kinds))) == list(range(len(tiny_wordnet.SYNSETS)))
    assert built.max_depth[x].tolist() == [synset.max_depth() for synset in every]
    assert built.min_depth[x].tolist() == [synset.min_depth() for synset in every]


# ---- values by hand


def test_relations(built):
    def words(text):
        pairs = [item.rsplit(".", 1) for item in text.split()]
        return built.word_ids([lemma for lemma, _ in pairs], ["nvar".index(letter) for _, letter in pairs])

    assert built.antonyms(words("hot.a hot.a"), words("cold.a hot.a")).tolist() == [True, False]
    assert built.antonyms(words("sizzling.a"), words("cold.a"), indirect=True).tolist() == [True]
    assert built.derivationally_related(words("teach.v teach.v"), words("teacher.n person.n")).tolist() == [True, False]
    assert built.pertainyms(words("hot.a hotly.r"), words("heat.n hot.a")).tolist() == [True, True]
    assert built.hypernym_of(words("companion.n cat.n"), words("rex.n dog.n")).tolist() == [True, False]
    assert built.word_names(built.members(numbered(built, "dog.n.01")).values) == ["dog", "domestic_dog"]


def test_information_content(built):
    assert built.information == ("ic-tiny", "semcor", "senses", "words")
    x = numbered(built, "dog.n.01", "animal.n.01", "entity.n.01", "rex.n.01", "teach.v.01", "hot.a.01")
    listed = built.information_content("ic-tiny")[x]
    # 40 nouns and 9 + 3 verbs; adjectives are not counted.
    expected = [math.log(40 / 11.5), math.log(40 / 25), 0, UNCOUNTED, math.log(4), 0]
    np.testing.assert_allclose(listed, expected, rtol=1e-12)
    # Dog 7, cad 2, cat 5: 14 nouns and 1 for the roots; under animal 12 and 1 for itself.
    tagged = built.information_content("semcor")[x[:3]]
    np.testing.assert_allclose(tagged, [math.log(15 / 8), math.log(15 / 13), 0], rtol=1e-12)
    assert not built.information_content("ic-tiny").flags.writeable
    with pytest.raises(ValueError, match=r"one of ic-tiny, semcor, senses, words, got 'ic-brown'; .* --information-c"):
        built.information_content("ic-brown")


def test_words_of_another_language(nltk_data, tmp_path):
    build = build_wordnet(tmp_path / "fra", language="fra", information_content=["ic-tiny.dat"], data=nltk_data)
    french = build.wordnet
    assert build.remarks == ["1 lines of fra name synsets that the database lacks; left out"]
    assert french.information == ("ic-tiny", "semcor")
    words = french.word_ids(["chien", "toutou", "animal de compagnie", "dog", "torride", "inconnu"], [0, 0, 0, 0, 2, 0])
    assert (words >= 0).tolist() == [True, True, True, False, True, False]
    names = french.names(french.senses(words).values)
    assert names == ["dog.n.01", "cad.n.01", "dog.n.01", "animal.n.01", "sizzling.s.01"]
    # A synset without a French word keeps its place among the hypernyms and has its name as a word.
    person = numbered(french, "person.n.01")
    assert french.names(person) == french.word_names(french.members(person).values) == ["person.n.01"]
    one, other = french.word_ids(["chien", "chat"], [0, 0])[:, None]
    assert word_similarity(french, "path", one, other)[0] == 1 / 5
    assert word_similarity(french, "res", one, other, "ic-tiny")[0] == pytest.approx(math.log(40 / 25))
    # The counts of senses are those of the English words.
    assert french.information_content("semcor")[numbered(french, "dog.n.01")][0] == pytest.approx(math.log(15 / 8))
    nothing = french.antonyms(words[:2], words[1:3]) | french.derivationally_related(words[:2], words[1:3])
    assert not nothing.any()
    every = np.arange(len(french.kinds))
    for measure in MEASURES:
        assert (
            len(similarity(french, measure, *(side.ravel() for side in np.meshgrid(every, every)))) == len(every) ** 2
        )
    assert "WordNet 3.0 Copyright" in (tmp_path / "fra" / "LICENSE").read_text()
    assert (tmp_path / "fra" / "LICENSE.fra").read_text() == "Made up for the tests.\n"


# ---- sources


def test_a_folder_a_package_and_a_zip_give_the_same_bytes(nltk_data, database, built, tmp_path):
    (tmp_path / "zipped" / "corpora").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / "zipped" / "corpora" / "wordnet31.zip", "w") as file:
        for name, text in tiny_wordnet.database().items():
            file.writestr(f"wordnet31/{name}", text)
    ways = [
        {"source": str(database)},
        {"data": nltk_data},
        {"corpus": "wordnet31", "data": tmp_path / "zipped"},
    ]
    digests = {build_wordnet(tmp_path / str(k), **way).wordnet.digest for k, way in enumerate(ways)}
    assert len(digests) == 1 and digests != {built.digest}


def test_counts_of_senses_may_be_missing(database, tmp_path):
    (database / "cntlist.rev").unlink()
    build = build_wordnet(tmp_path / "out", source=str(database))
    assert build.remarks == ["without cntlist.rev, the information content semcor is 0 throughout"]
    assert not build.wordnet.information_content("semcor").any()


def test_counts_that_grow_downwards_are_kept_and_remarked(nltk_data, tmp_path):
    (tmp_path / "ic-mixed.dat").write_text(tiny_wordnet.content({**tiny_wordnet.COUNTS, "cat": 7}))
    build = build_wordnet(tmp_path / "out", information_content=[str(tmp_path / "ic-mixed.dat")], data=nltk_data)
    assert build.remarks == ["ic-mixed counts 1 synsets more often than one of their hypernyms; NLTK's values are kept"]
    content = build.wordnet.information_content("ic-mixed")[numbered(build.wordnet, "cat.n.01")]
    assert content[0] == pytest.approx(math.log(40 / 7))


# ---- errors


def test_missing_packages_name_the_download(nltk_data, tmp_path, monkeypatch):
    monkeypatch.setattr("nltk.data.path", [])
    expected = (
        r"the package 'wordnet31' of NLTK must be in the folder corpora of one of .*, got none; fetch it on a machine"
    )
    with pytest.raises(ValueError, match=expected + r".* nltk.download\('wordnet31'\)"):
        build_wordnet(tmp_path / "out", corpus="wordnet31", data=nltk_data)
    (tmp_path / "corpora" / "wordnet").mkdir(parents=True)
    with pytest.raises(ValueError, match=r"must be a WordNet with the file data.noun, got none"):
        build_wordnet(tmp_path / "out", data=tmp_path)
    with pytest.raises(ValueError, match=r"or the name of one in NLTK's package wordnet_ic, got 'ic-none.dat'"):
        build_wordnet(tmp_path / "out", information_content=["ic-none.dat"], data=nltk_data)
    with pytest.raises(ValueError, match=r"the language must be one of eng, fra, got 'deu'"):
        build_wordnet(tmp_path / "out", language="deu", data=nltk_data)
    assert not (tmp_path / "out").exists()


def test_missing_multilingual_data_names_the_download(nltk_data, tmp_path, monkeypatch):
    monkeypatch.setattr("nltk.data.path", [])
    shutil.copytree(nltk_data / "corpora" / "wordnet", tmp_path / "corpora" / "wordnet")
    with pytest.raises(ValueError, match=r"nltk.download\('omw-1.4'\)"):
        build_wordnet(tmp_path / "out", language="fra", data=tmp_path)
    with pytest.raises(ValueError, match=r"nltk.download\('wordnet_ic'\)"):
        build_wordnet(tmp_path / "out", information_content=["ic-brown.dat"], data=tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": "nowhere"}, r"must be nltk or a folder of database files, got 'nowhere'"),
        ({"source": ".", "language": "fra"}, r"the language of a folder of database files must be eng, got 'fra'"),
        ({"source": "."}, r"must have the file data.noun, got none"),
    ],
)
def test_sources_are_checked(tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=message):
        build_wordnet(tmp_path / "out", **options)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("data.noun", " n 01 entity", " x 01 entity", r"line 2 of data.noun must have the format of a WordNet data"),
        ("data.noun", " n 01 entity 0 000", " n 01 entity 0 zzz", r"line 2 of data.noun "),
        ("data.verb", "\n", "\n00000003 29 v\n", r"line 2 of data.verb .*got '00000003 29 v'"),
        ("index.adv", "hotly r 1 0 1 0 0", "hotly r 1 0 1 0 9", r"line 2 of index.adv "),
        ("index.adv", "hotly", "coolly", r"index.adv must list the synset \d{8} for 'hotly', got none"),
        ("cntlist.rev", " 7\n", " many\n", r"line \d of cntlist.rev "),
    ],
)  # fmt: skip
def test_malformed_files_are_refused(database, tmp_path, file, old, new, message):
    replace(database / file, old, new)
    with pytest.raises(ValueError, match=message):
        build_wordnet(tmp_path / "out", source=str(database))


def test_pointers_must_lead_to_a_synset_and_not_round(database, tmp_path):
    places = tiny_wordnet.offsets()
    data = (database / "data.noun").read_text()
    replace(database / "data.noun", f"@ {places['feline']:08}", "@ 00000009")
    with pytest.raises(ValueError, match=r"a pointer of data.noun at \d{8} must lead to a synset, got 00000009 n"):
        build_wordnet(tmp_path / "out", source=str(database))
    (database / "data.noun").write_text(data.replace("01 feline 0 001 @ 0", "01 feline 0 001 @ X"))
    replace(database / "data.noun", f"X{places['animal']:08}"[:1] + f"{places['animal']:08}"[1:], f"{places['cat']:08}")
    with pytest.raises(
        ValueError, match=r"a synset must not be its own hypernym, got (cat|feline).n.01 > .*; correct the dat"
    ):
        build_wordnet(tmp_path / "out", source=str(database))


@pytest.mark.parametrize(
    ("counts", "roots", "message"),
    [
        ({"entity": 40, "dog": 41}, ("entity",), r"must be between 0 and 40, the count of the roots, got 41"),
        ({"entity": 40, "dog": -1}, ("entity",), r"must be between 0 and 40, the count of the roots, got -1"),
        ({"entity": 40, "dog": "nan"}, ("entity",), r"must be between 0 and 40, the count of the roots, got nan"),
        ({"dog": 3}, ("entity",), r"must be between 0 and 0, the count of the roots, got 3"),
        ({"entity": "many"}, ("entity",), r"must be a file of information content, with lines such as"),
    ],
)
def test_counts_are_checked(nltk_data, tmp_path, counts, roots, message):
    path = tmp_path / "ic.dat"
    path.write_text(tiny_wordnet.content(counts, roots))
    with pytest.raises(ValueError, match=message):
        build_wordnet(tmp_path / "out", information_content=[str(path)], data=nltk_data)


def test_counts_of_another_version_are_refused(nltk_data, tmp_path):
    (tmp_path / "ic.dat").write_text("wnver::other\n1740n 10 ROOT\n1930n 3\n")
    expected = r"each count must belong to a synset of this database, got one for 00001740n and 1 more for synsets that"
    with pytest.raises(ValueError, match=expected):
        build_wordnet(tmp_path / "out", information_content=[str(tmp_path / "ic.dat")], data=nltk_data)


def test_kinds_of_content_have_different_names(nltk_data, tmp_path):
    with pytest.raises(ValueError, match=r"must have a name of its own, got 'ic-tiny' twice; rename one"):
        build_wordnet(tmp_path / "out", information_content=["ic-tiny.dat", "ic-tiny.dat"], data=nltk_data)


# ---- folders


def test_a_file_takes_the_place_of_the_content_that_features_read(database, tmp_path):
    more = tmp_path / "ic-more.dat"
    more.write_text(tiny_wordnet.content({key: count + 1 for key, count in tiny_wordnet.COUNTS.items()}))
    built = build_wordnet(tmp_path / "out", source=str(database), information_content=[f"words={more}"]).wordnet
    assert built.information == ("semcor", "senses", "words")
    dog = built.names(np.arange(len(built.kinds))).index("dog.n.01")
    # 12.5 of the 41 nouns.
    assert built.information_content("words")[dog] == pytest.approx(math.log(41 / 12.5))
    some = tmp_path / "ic-some.dat"
    some.write_text(tiny_wordnet.content())
    with pytest.raises(ValueError, match=r"ic-some.dat: .* must be above 0 for every noun and verb, got 0 for"):
        build_wordnet(tmp_path / "out", source=str(database), information_content=[f"words={some}"])


def test_an_earlier_build_is_replaced_and_other_folders_are_not(nltk_data, tmp_path):
    target = tmp_path / "out"
    build_wordnet(target, information_content=["ic-tiny.dat"], data=nltk_data)
    assert build_wordnet(target, data=nltk_data).wordnet.information == ("semcor", "senses", "words")
    assert not (target / "information_ic-tiny.npy").exists()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    for place in ("other", "other/notes.txt"):
        with pytest.raises(ValueError, match=r"must be a new or empty folder or that of a built WordNet, got "):
            build_wordnet(tmp_path / place, data=nltk_data)
    assert (tmp_path / "other" / "notes.txt").read_text() == "mine"


def test_changed_arrays_are_refused(built, nltk_data, tmp_path):
    build_wordnet(tmp_path, information_content=["ic-tiny.dat"], data=nltk_data)
    assert load_wordnet(tmp_path).digest == built.digest
    (tmp_path / "kinds.npy").write_bytes(b"changed")
    with pytest.raises(
        MappedError, match=r"kinds.npy' is not the file that its manifest describes; make the folder ag"
    ):
        load_wordnet(tmp_path)


def test_other_folders_of_arrays_are_not_loaded():
    from samewise.features.lexicon.wordnet import FOLDER

    with pytest.raises(
        MappedError, match=r"must hold the arrays of a built WordNet, got a folder without synset_names"
    ):
        load_wordnet(FOLDER)


# ---- whole databases, where they are


def test_the_shipped_arrays_follow_from_the_database(tmp_path):
    if not (DATABASE / "cntlist.rev").is_file():
        pytest.skip(f"the database of WordNet 3.0 is not at {DATABASE}; Debian has it in the package wordnet-base")
    build = build_wordnet(tmp_path, source=str(DATABASE)).wordnet
    shipped = wordnet()
    assert build.arrays.keys() - shipped.arrays.keys() == {"synset_names"}
    for name, array in shipped.arrays.items():
        assert array.dtype == build.arrays[name].dtype
        np.testing.assert_array_equal(array, build.arrays[name], err_msg=name)
    every = np.arange(len(shipped.kinds))
    assert build.names(every) == shipped.names(every)


def test_whole_packages_have_the_similarity_of_nltk(tmp_path):
    for package in ("wordnet", "wordnet_ic"):
        try:
            shutil.copytree(nltk.data.find(f"corpora/{package}"), tmp_path / "corpora" / package)
        except LookupError:
            pytest.skip(f"the package {package} is not in a folder of NLTK's data")
    names = sorted(path.name for path in (tmp_path / "corpora" / "wordnet_ic").glob("*.dat"))
    build = build_wordnet(tmp_path / "out", information_content=names, data=tmp_path).wordnet
    oracle = Oracle(tmp_path)
    try:
        rng = np.random.default_rng(0)
        x, y = rng.choice(np.flatnonzero(build.kinds < 2), (2, SAMPLE))
        named = list(zip(build.names(x), build.names(y), strict=True))
        for measure in (*PLAIN, *CONTENT):
            for name in names if measure in CONTENT else names[:1]:
                content = oracle.contents.ic(name)
                expected = [oracle.value(measure, one, other, content) for one, other in named]
                found_values = similarity(build, measure, x, y, Path(name).stem)
                np.testing.assert_allclose(found_values, expected, rtol=1e-9, err_msg=f"{measure} {name}")
    finally:
        oracle.close()
