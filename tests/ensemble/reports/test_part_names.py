import re

import pytest
from samewise.ensemble.reports.html_pages import part_name, part_names
from samewise.features.pipeline.catalogue import all_features
from samewise.models.member import MEMBERS

PARTS = {feature.family for feature in all_features()} | set(MEMBERS) | {"rules"}


def test_every_family_and_member_has_one_name():
    assert set(part_names()) == PARTS
    titles = [name.title for name in part_names().values()]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_title_is_no_name_of_the_code_and_a_meaning_is_one_line(name):
    title, meaning = part_name(name)
    assert "_" not in title and title[0].isupper() and len(title) <= 40
    # The lines stand on phones too, and are no sentences.
    assert 10 <= len(meaning) <= 90 and not re.search(r"[\n<>]|\.$", meaning)


def test_parts_that_are_not_ours_keep_their_names():
    assert part_name("my_own_family") == ("my own family", "")
    assert part_name("my_own_family").note("my_own_family") == ""
    assert part_name("number.shared.all_words") == ("number.shared.all_words", "")
    assert part_name("style").note("style") == "style: differences of punctuation, capitals, digits and stop words"
