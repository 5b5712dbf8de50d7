import pickle

import pytest
from samewise._code_version import code_digest
from samewise.features import all_features, feature, resolve
from samewise.features.analysis.analysis import analyse
from samewise.features.pipeline.catalogue import load_features

OWN = '''
"""Length of the first word."""
from samewise.features import feature

@feature("same", source="an example")
def first_letter(pairs):
    """1 where both sentences begin with the same letter."""
    return [[float(a.text[:1] == b.text[:1])] for a, b in pairs]
'''


def test_columns_come_in_the_order_asked_and_features_in_that_of_the_catalogue():
    there, columns = resolve(["negation.*", "bow.one_hot"])
    back, turned = resolve(["bow.one_hot", "negation"])
    assert columns == ("negation.differs.parity", "negation.count.difference", "negation.count.total", turned[0])
    assert turned == (columns[-1], *columns[:-1])
    assert [value.full_name for value in there] == [value.full_name for value in back]


def test_patterns_take_away():
    _, columns = resolve(["negation.*", "-negation.differs.*"])
    assert columns == ("negation.count.difference", "negation.count.total")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nonsense.*", "no feature matches 'nonsense.*'; the sets are surface"),
        (["negation.*", "-negation.*"], "must leave at least one column, got"),
    ],
)
def test_bad_sets(spec, message):
    with pytest.raises(ValueError, match=message.replace("*", r"\*")):
        resolve(spec)


def test_every_feature_survives_pickling():
    for value in all_features():
        assert pickle.loads(pickle.dumps(value)) is value


def test_a_user_feature_in_one_file(tmp_path):
    path = tmp_path / "opening.py"
    path.write_text(OWN)
    (own,) = load_features(path)
    assert own.columns == ("opening.first_letter.same",)
    assert own(analyse([("abc", "axe"), ("abc", "b")])).tolist() == [[1.0], [0.0]]
    chosen, columns = resolve(["negation.differs", own])
    assert columns[-1] == "opening.first_letter.same"
    before = code_digest(own.compute)
    assert code_digest(load_features(_rewrite(path, "[:1]", "[:2]"))[0].compute) != before
    assert chosen[-1] is own


def _rewrite(path, old, new):
    path.write_text(path.read_text().replace(old, new))
    return path


def test_a_file_without_features_is_refused(tmp_path):
    path = tmp_path / "none.py"
    path.write_text("x = 1\n")
    with pytest.raises(ValueError, match="must declare a feature, got none"):
        load_features(path)


def test_a_taken_name_is_refused():
    @feature("parity")
    def differs(pairs):
        return [[0.0] for _ in pairs]

    object.__setattr__(differs, "family", "negation")
    with pytest.raises(ValueError, match=r"must have a name of its own, got 'negation\.differs' twice"):
        resolve([differs])


@pytest.mark.parametrize("names", [(), ("Upper",), ("a", "a"), ("a.b",)])
def test_bad_column_names_are_refused(names):
    with pytest.raises(ValueError, match="column names"):
        feature(*names)


def test_bad_level_is_refused():
    with pytest.raises(ValueError, match="the analysis level must be one of text, .*, got 'deep'; declare"):
        feature("x", level="deep")


def test_a_missing_resource_is_named():
    value = next(value for value in all_features() if value.needs)
    with pytest.raises(ValueError, match=f"{value.full_name} needs the fitted resource"):
        value(analyse([("a", "b")]))


def test_a_wrong_shape_is_named():
    @feature("x", "y")
    def broken(pairs):
        return [[0.0] for _ in pairs]

    with pytest.raises(ValueError, match=r"must have the shape \(1, 2\), got \(1, 1\); return one row for each pair"):
        broken(analyse([("a", "b")]))
