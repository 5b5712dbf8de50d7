import gzip
import hashlib
import random
import runpy
import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.lexicon import paraphrases as module
from samewise.features.lexicon.paraphrases import FILE, SHA256, Paraphrases, paraphrases

from ...conftest import ROOT

SOURCE = "ppdb/ppdb-1.0-xxxl-lexical.synonym-pairs.gz"


SCRIPT = runpy.run_path(str(ROOT / "scripts" / "make_paraphrases.py"))


def table(pairs):
    return Paraphrases(**SCRIPT["compile_pairs"](pairs))


def test_a_table_by_hand():
    small = table([("big", "large"), ("großes", "big"), ("car", "auto"), ("a", "big")])
    assert len(small) == 4
    assert small.partners("big") == {"large", "großes", "a"}
    assert small.partners("großes") == {"big"}
    assert small.partners("bi") == small.partners("") == small.partners("\n") == small.partners("car\ngroßes") == set()
    assert small.pair("car", "auto") and small.pair("auto", "car")
    assert not small.pair("car", "car") and not small.pair("car", "big")
    x = small.ids(["big", "car", "car", "plane", "auto"])
    y = small.ids(["a", "auto", "big", "plane", "auto"])
    assert x.tolist()[3] == -1
    assert small.related(x, y).tolist() == small.related(y, x).tolist() == [True, True, False, False, False]
    assert small.related(x[:, None], y).shape == (5, 5)


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1, max_size=4)
distinct = st.tuples(words, words).filter(lambda pair: pair[0] != pair[1])


@given(pairs=st.lists(distinct, min_size=1, max_size=200), more=st.lists(words, min_size=1, max_size=20))
def test_equals_a_set_of_pairs(pairs, more):
    listed = {frozenset(pair) for pair in pairs}
    small = table(pairs)
    assert len(small) == len(listed)
    every = list(dict.fromkeys([word for pair in pairs for word in pair] + more))
    ids = small.ids(every)
    related = small.related(ids[:, None], ids)
    for i, a in enumerate(every):
        assert small.partners(a) == {b for b in every if frozenset((a, b)) in listed and a != b}
        assert related[i].tolist() == [small.pair(a, b) for b in every]
    known = ids[ids >= 0]
    x, y = small.pairs_among(known)
    among = set(zip(x.tolist(), y.tolist(), strict=True))
    assert len(among) == len(x)
    assert among == set(zip(*(side.tolist() for side in np.nonzero(small.related(known[:, None], known))), strict=True))


def test_an_empty_table_and_empty_arrays():
    nothing = Paraphrases(*(np.empty(0, dtype=kind) for kind in (np.uint8, np.uint8, np.uint32)))
    assert len(nothing) == 0
    assert nothing.ids(["a", ""]).tolist() == [-1, -1]
    assert nothing.partners("a") == frozenset()
    assert [len(side) for side in nothing.pairs_among(np.empty(0, dtype=np.int64))] == [0, 0]
    assert paraphrases().related(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)).tolist() == []


def test_the_shipped_table():
    shipped = paraphrases()
    assert shipped is paraphrases()
    assert len(shipped) == 202_445
    assert shipped.digest == SHA256[:16]
    assert shipped.pair("automobile", "car")
    assert "boss" in shipped.partners("chief")
    assert not shipped.pair("automobile", "banana")
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() in FILE.with_name("README.md").read_text()


def test_a_changed_file_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "FILE", tmp_path / "table.npz")
    module.FILE.write_bytes(b"something else")
    with pytest.raises(ValueError, match="table.npz must have the SHA-256 .*, got .*; install the package again"):
        paraphrases.__wrapped__()


@pytest.mark.slow
def test_every_listed_pair_is_found_and_no_other(data):
    lines = gzip.decompress((data / SOURCE).read_bytes()).decode().replace("\r\n", "\n").strip("\n").split("\n")
    pairs = [line.split("\t") for line in lines]
    assert len(pairs) == 210_372
    listed = {frozenset(pair) for pair in pairs}
    shipped = paraphrases()
    assert len(shipped) == len(listed)
    a, b = (shipped.ids([pair[side] for pair in pairs]) for side in (0, 1))
    assert shipped.related(a, b).all() and shipped.related(b, a).all()
    choose = random.Random(0)
    known = sorted({word for pair in pairs for word in pair})
    others = [(choose.choice(known), choose.choice(known)) for _ in range(9_000)]
    others += [(choose.choice(known), "".join(choose.choices(string.ascii_lowercase, k=6))) for _ in range(1_000)]
    others = [pair for pair in others if frozenset(pair) not in listed]
    assert len(others) > 9_900
    assert not shipped.related(shipped.ids([x for x, _ in others]), shipped.ids([y for _, y in others])).any()
    for x, y in choose.sample(pairs, 300):
        assert shipped.pair(x, y) and shipped.pair(y, x)


def test_the_shipped_table_is_what_the_script_makes(data):
    made = SCRIPT["compile_pairs"](SCRIPT["read_pairs"](data / SOURCE))
    with np.load(FILE) as shipped:
        assert set(shipped.files) == set(made)
        for name, array in made.items():
            np.testing.assert_array_equal(shipped[name], array)


def test_a_damaged_list_is_refused(tmp_path):
    path = tmp_path / "list.gz"
    path.write_bytes(gzip.compress(b"car\tauto\ncar auto\n"))
    with pytest.raises(ValueError, match="line 2 of .*list.gz must be word, tab, word"):
        SCRIPT["read_pairs"](path)
