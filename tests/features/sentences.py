"""Annotated sentences written by hand, for tests that must not depend on a pipeline."""

import Stemmer
from samewise.features.base.sentences import Entity, Sentence

_stem = Stemmer.Stemmer("english").stemWord


def sentence(text, lemmas=None, tags=None, heads=None, relations=None, entities=None):
    """Build a sentence of the deepest level that the annotations allow.

    Parameters
    ----------
    text
        Tokens with blanks between them.
    lemmas
        One a token, with blanks between them; the words in lower case if there are tags and no lemmas.
    tags
        Penn Treebank tags, with blanks between them; ``NN`` for every token if there are lemmas and no tags.
    heads
        Index of the head of each token, counted from 0, the root's its own: a string or a sequence of integers. If
        there are relations or entities and no heads, every token hangs from the first.
    relations
        Basic Universal Dependencies relations, with blanks between them; ``dep`` but for the root if left out.
    entities
        ``(start, end, label)`` of each named entity, ``tokens[start:end]``.

    Examples
    --------
    >>> sentence("The dog barks", lemmas="the dog bark", tags="DT NN VBZ", heads="1 2 2", relations="det nsubj root")
    >>> sentence("Ada Byron sleeps", tags="NNP NNP VBZ", entities=[(0, 2, "PERSON")])
    """
    tokens = tuple(text.split())
    words = tuple(token.lower() for token in tokens)
    parsed = heads is not None or relations is not None or entities is not None
    lexical = parsed or lemmas is not None or tags is not None
    fields = {}
    if lexical:
        fields["lemmas"] = words if lemmas is None else tuple(lemmas.split())
        fields["tags"] = ("NN",) * len(tokens) if tags is None else tuple(tags.split())
    if parsed:
        given = heads.split() if isinstance(heads, str) else [0] * len(tokens) if heads is None else heads
        fields["heads"] = tuple(map(int, given))
        plain = ("root" if i == head else "dep" for i, head in enumerate(fields["heads"]))
        fields["relations"] = tuple(plain if relations is None else relations.split())
        fields["entities"] = tuple(Entity(*entity) for entity in entities or ())
    wrong = [name for name, values in fields.items() if name != "entities" and len(values) != len(tokens)]
    if wrong:
        raise ValueError(f"{wrong[0]} of {text!r} are {len(fields[wrong[0]])} and the tokens {len(tokens)}")
    return Sentence(" ".join(tokens), tokens, words, tuple(map(_stem, words)), **fields)
