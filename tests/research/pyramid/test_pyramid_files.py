import pytest
from samewise.research.pyramid import PyramidError, read_pyramid, read_pyramids, summary_score

from ...conftest import ROOT
from .pyramids import DOCTYPE, pyramid_of, pyramid_xml

FACTS = [
    ("The café burned down", "Fire destroyed the café", "The café on the hill was lost to a fire"),
    ("Nobody was hurt (1.5)", "No guest was hurt", ["All of the guests", "left the house in time"]),
    ("The owner's dog found help", None, "A dog brought neighbours & friends"),
]


@pytest.fixture
def write(tmp_path):
    def put(text, encoding="utf-8", name="a.pyr"):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return tmp_path / name

    return put


def test_reads_units_parts_and_summaries(write):
    found = read_pyramid(write(pyramid_xml(*FACTS)))
    assert [unit.uid for unit in found.units] == ["0", "1", "2"]
    assert [unit.label for unit in found.units] == ["The café burned down", "Nobody was hurt", FACTS[2][0]]
    assert [[each.text for each in unit.contributors] for unit in found.units] == [
        list(FACTS[0][1:]),
        ["No guest was hurt", "All of the guests left the house in time"],
        ["A dog brought neighbours & friends"],
    ]
    assert [unit.summaries for unit in found.units] == [{0, 1}, {0, 1}, {1}]
    assert [unit.weight for unit in found.units] == [2, 2, 1]
    assert found.summaries[0] == "Fire destroyed the café\nNo guest was hurt"
    assert found.of_summary(0) == ("0", "1")


def test_where_summaries_are_not_told_apart_contributors_are_counted(write):
    for text in (pyramid_xml(*FACTS, pattern=None), pyramid_xml(*FACTS, pattern="no such header")):
        found = read_pyramid(write(text))
        assert found.summaries == ()
        assert [unit.weight for unit in found.units] == [2, 2, 1]


def test_a_contributor_in_two_summaries_weighs_two(write):
    text = pyramid_xml(("Rain fell", "Rain fell", "It rained"))
    merged = text.replace('</contributor>\n<contributor label="It rained">\n', "")
    assert merged != text
    (unit,) = read_pyramid(write(merged)).units
    assert len(unit.contributors) == 1
    assert unit.weight == 2


def test_the_pyramid_of_a_peer_annotation_is_read(write):
    text = pyramid_xml(*FACTS, header="", doctype="")
    peers = '<annotation><text><line>Rain.</line></text><peerscu uid="0" label="(2) The café"></peerscu></annotation>'
    wrapped = f'<?xml version="1.0"?>\n<peerAnnotation>{text}{peers}</peerAnnotation>'
    assert read_pyramid(write(wrapped)) == read_pyramid(write(pyramid_xml(*FACTS), name="b.pyr"))


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [(None, "utf-8"), (None, "utf-8-sig"), (None, "cp1252"), ("ISO-8859-1", "latin-1"), ("windows-1252", "cp1252"),
     ("UTF-16", "utf-16"), ("utf-8", "utf-8")],
)  # fmt: skip
def test_encodings(write, declared, encoding):
    header = '<?xml version="1.0"?>' if declared is None else f'<?xml version="1.0" encoding="{declared}"?>'
    found = read_pyramid(write(pyramid_xml(*FACTS, header=header), encoding))
    assert found.units[0].label == "The café burned down"


def test_other_declarations_stand_in_no_way(write):
    for doctype in ("", '<!DOCTYPE pyramid SYSTEM "nowhere.dtd">', DOCTYPE):
        assert len(read_pyramid(write(pyramid_xml(*FACTS, doctype=doctype))).units) == 3


GOOD = pyramid_xml(*FACTS)
BOMB = '<!DOCTYPE pyramid [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE pyramid [<!ENTITY a SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be well-formed XML, got an error in line 1: no element found;"),
        (GOOD[:-20], "must be well-formed XML, got "),
        ("uid,label\n1,Rain", "must be well-formed XML, got an error in line 1"),
        ("<html><body/></html>", "must hold a pyramid, got <html>;"),
        ("<peerAnnotation></peerAnnotation>", "must hold a pyramid, got <peerAnnotation>;"),
        ("<pyramid><text/></pyramid>", "must hold a pyramid with content units"),
        (pyramid_xml(*FACTS, doctype=BOMB), "must not declare or use entities, got 'a' .line 2."),
        (pyramid_xml(*FACTS, doctype=OUTSIDE), "must not declare or use entities, got 'a'"),
        (GOOD.replace("<line>No guest", "<line>&nbsp;No guest"), "undefined entity"),
        (pyramid_xml(*FACTS, doctype='<!DOCTYPE pyramid SYSTEM "x.dtd">').replace("<line>No", "<line>&x;No"), "'x'"),
        (GOOD.replace('uid="1"', 'uid="0"'), "uids of content units must be distinct, got '0' twice"),
        (GOOD.replace('<scu uid="1"', "<scu"), "a content unit must have the attribute 'uid'"),
        (GOOD.replace('<scu uid="2" label="The owner\'s dog found help"', '<scu uid="2"'),
         "unit '2' must have the attribute 'label'"),
        (GOOD.replace("contributor", "giver"), "unit '0' must have contributors with parts, got no contributor"),
        (GOOD.replace("<part", "<piece"), "unit '0' must have .*, got a contributor without a part"),
        (GOOD.replace('<part label="No guest was hurt"', "<part"),
         "a part of the content unit '1' must have the attribute 'label'"),
        (GOOD.replace('start="', 'begin="'), "a part of the content unit '0' must have the attribute 'start'"),
        (GOOD.replace('end="', 'end="x'), "must be whole numbers, got '.*' to 'x"),
        (GOOD.replace('start="', 'start="-'), "must be whole numbers, got '-"),
        (GOOD.replace('start="', 'start="0" was="', 1).replace("-----", "x\n-----", 1),
         "must start in a summary, at [0-9]+ or later, got 0;"),
        (pyramid_xml(*FACTS, pattern="[-"), "must be a regular expression, got '\\[-'"),
        (pyramid_xml(*FACTS, header='<?xml version="1.0" encoding="klingon"?>'), "encoding"),
        (pyramid_xml(*FACTS, header='<?xml version="1.0" encoding="big5"?>'), "must have a readable encoding"),
        (b"<pyramid>\x81</pyramid>", "must be UTF-8 or Windows-1252 .* got the byte 0x81 at 9;"),
        (GOOD.replace("Rain", "R").replace("hurt", "h\0rt"), "must be well-formed XML, got .*not well-formed"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_in_a_sentence(write, text, message):
    path = write(text)
    with pytest.raises(PyramidError, match=message) as caught:
        read_pyramid(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(PyramidError, match="gone.pyr cannot be read: No such file"):
        read_pyramid(tmp_path / "gone.pyr")
    with pytest.raises(PyramidError, match="cannot be read"):
        read_pyramid(tmp_path)


def test_a_pyramid_that_comes_twice_counts_once(write):
    paths = [write(GOOD, name="a.pyr"), write(pyramid_xml(*FACTS, doctype=""), name="b.pan")]
    paths.append(write(pyramid_xml(*FACTS[:2]), name="c.pyr"))
    found, notes = read_pyramids(paths)
    assert [len(pyramid.units) for pyramid in found] == [3, 2]
    assert len(notes) == 1
    assert "b.pan holds the same pyramid as" in notes[0]


def test_summary_scores_by_hand():
    # Weights 3, 2, 2 and 1, as in the method's papers: a perfect choice of two units weighs 3 + 2.
    pyramid = pyramid_of(("a", "a1", "a2", "a3"), ("b", "b1", "b2"), ("c", "c1", "c2"), ("d", "d1"))
    assert summary_score(pyramid, ["0", "1"]) == 1.0
    assert summary_score(pyramid, ["0", "3"]) == 4 / 5
    assert summary_score(pyramid, ["3"]) == 1 / 3
    assert summary_score(pyramid, ["1", "3", "1"]) == 3 / 5
    assert summary_score(pyramid, ["1"], others=2) == 2 / 7
    assert summary_score(pyramid, ["0", "1", "2", "3"], others=9) == 1.0
    assert summary_score(pyramid, []) == 0.0
    assert summary_score(pyramid, [], others=1) == 0.0
    with pytest.raises(ValueError, match="must be in the pyramid, got '9';"):
        summary_score(pyramid, ["0", "9"])
    with pytest.raises(ValueError, match="others must be 0 or more, got -1;"):
        summary_score(pyramid, ["0"], others=-1)


@pytest.mark.parametrize(("name", "units", "summaries"), [("marrow-bay", 30, 5), ("aldenby", 20, 4)])
def test_the_example_pyramids_say_what_stands_in_their_summaries(name, units, summaries):
    pyramid = read_pyramid(ROOT / "docs" / "examples" / "pyramid" / f"{name}.pyr")
    assert (len(pyramid.units), len(pyramid.summaries)) == (units, summaries)
    for unit in pyramid.units:
        assert len(unit.summaries) == len(unit.contributors) == unit.weight
        for part in (part for each in unit.contributors for part in each.parts):
            assert part.text in pyramid.summaries[part.summary]
