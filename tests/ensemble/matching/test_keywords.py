"""Keywords of `dedupe` and `match`: those of the options that the command line uses, with one default each."""

import inspect
from dataclasses import fields
from typing import get_type_hints

import pytest
from samewise.ensemble.loading import load
from samewise.ensemble.matching.options import DedupeOptions, MatchOptions

import samewise


@pytest.mark.parametrize(("function", "options"), [(samewise.dedupe, DedupeOptions), (samewise.match, MatchOptions)])
def test_keywords_are_the_options(function, options):
    keywords = inspect.signature(function).parameters
    types = get_type_hints(function)
    for field in fields(options):
        assert keywords[field.name].default == field.default
        assert types[field.name] == get_type_hints(options)[field.name]
    own = {"model", "column", "columns", "workers", "progress", "texts", "a", "b"}
    assert keywords.keys() - own == {field.name for field in fields(options)}


@pytest.mark.parametrize("call", [lambda: samewise.dedupe(["a"], same=3), lambda: samewise.match(["a"], ["a"], tops=3)])
def test_a_keyword_that_is_unknown(call):
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        call()


def test_options_reach_the_search():
    texts = ["The gate squeaks.", "The gate squeaks a lot of late.", "The gate squeaks!"]
    settings = {"model": load("surface"), "workers": 1, "views": ("words",), "prefilter": "none"}
    longest = samewise.dedupe(texts, same_from=1.0, keep="longest", keep_apart=(), **settings)
    assert longest.kept.tolist() == [1]
    found = samewise.match(texts[:1], texts, top=2, differences=True, **settings)
    assert (found.num_rows, found.column_names[-2:]) == (2, ["differences", "flags"])
    with pytest.raises(ValueError, match="keep must be one of first, longest, central, .*, got 'last'"):
        samewise.dedupe(texts, keep="last")
