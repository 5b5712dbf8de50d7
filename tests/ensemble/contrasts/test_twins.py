import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.ensemble.contrasts.edit import SCORES, all_changes
from samewise.ensemble.contrasts.twins import changed_twins, kept, kept_texts, kept_twins
from samewise.features.analysis.analysis import analyse

TEXT = "The doctor must buy 3 red lamps before she visits Tom in Paris."


def analysed(*texts):
    return list(analyse([(text, text) for text in texts], "lexical").sentences)


def test_every_kind_has_a_score_on_its_side_of_the_scale():
    assert set(SCORES) == set(all_changes())
    assert all((SCORES[name] > 4) is change.keeps for name, change in all_changes().items())
    assert sum(change.keeps for change in all_changes().values()) >= 10


def test_twins_of_one_sentence():
    (sentence,) = analysed(TEXT)
    changed = changed_twins(sentence, random.Random(0))
    assert {"number", "name", "modality", "co_hyponym"} <= {twin.kind for twin in changed}
    assert all(twin.text != TEXT and twin.text.endswith(".") for twin in changed)
    assert {"number_words", "synonym"} & {twin.kind for twin in kept_twins(sentence, random.Random(0))}
    assert changed == changed_twins(sentence, random.Random(0))
    assert [twin.kind for twin in changed_twins(sentence, random.Random(0), ["number"])] == ["number"]


def test_kept_edits_add_up():
    (sentence,) = analysed("I do not think that 3 men bought the car because of the rain.")
    one, three = kept(sentence, random.Random(1), 1), kept(sentence, random.Random(1), 3)
    words = set(sentence.words)
    shared = [len(words & set(text.lower().replace(".", " .").split())) for text in (one, three)]
    assert shared[1] < shared[0] < len(words)
    assert kept_texts([sentence], random.Random(1), 3) == [three]


def test_what_cannot_be_edited():
    (bare,) = analyse([("A cat sleeps.", "A cat sleeps.")]).sentences
    with pytest.raises(ValueError, match="must have tags"):
        changed_twins(bare, random.Random(0))
    (sentence,) = analysed("A cat sleeps.")
    with pytest.raises(ValueError, match="must change the meaning, got 'passive'"):
        changed_twins(sentence, random.Random(0), ["passive"])
    (empty,) = analysed("")
    assert changed_twins(empty, random.Random(0)) == kept_twins(empty, random.Random(0)) == []
    assert kept(empty, random.Random(0)) is None


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "The a dog Tom 5 3rd % $ not n't can will is was if , . ? \" ' ( ) and then before sold "
            "to me by who 's - 10,000 é 😀".split()
        ),
        max_size=25,
    )
)
def test_any_text_is_read(words):
    (sentence,) = analysed(" ".join(words))
    for twin in (*changed_twins(sentence, random.Random(0)), *kept_twins(sentence, random.Random(0))):
        assert twin.text.strip() == twin.text and twin.text != sentence.text
