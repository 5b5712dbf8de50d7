import pytest
from samewise.features.analysis.analysis import analyse
from samewise.research.parse.phrase_trees import constituency_trees, derived_trees, read_brackets

from ...features.sentences import sentence


def brackets(trees, row=0):
    """Write a tree in brackets, words as they are."""
    start, stop = trees.offsets[row], trees.offsets[row + 1]
    children = {}
    for node, parent in enumerate(trees.parents[start:stop].tolist()):
        children.setdefault(parent, []).append(node)

    def write(node):
        label = trees.labels[start + node]
        below = "".join(f" {write(child)}" for child in children.get(node, ()))
        return f"({label}{below})" if below else label

    return " ".join(write(root) for root in children.get(-1, ()))


def derived(*args, **kwargs):
    return brackets(derived_trees([sentence(*args, **kwargs)]))


@pytest.mark.parametrize(
    ("text", "tags", "heads", "relations", "expected"),
    [
        (
            "The dog barks loudly .",
            "DT NN VBZ RB .",
            "1 2 2 2 2",
            "det nsubj root advmod punct",
            "(S (NP (DT the) (NN dog)) (VP (VBZ barks) (RB loudly)) (. .))",
        ),
        (  # the copula heads a phrase above that of the predicate
            "She is a doctor",
            "PRP VBZ DT NN",
            "3 3 3 3",
            "nsubj cop det root",
            "(S (NP (PRP she)) (VP (VBZ is) (NP (DT a) (NN doctor))))",
        ),
        (  # prepositions above, possessives inside
            "Ada 's house in Rome",
            "NNP POS NN IN NNP",
            "2 0 2 4 2",
            "nmod:poss case root case nmod",
            "(NP (NP (NNP ada) (POS 's)) (NN house) (PP (IN in) (NP (NNP rome))))",
        ),
        (  # conjunctions and commas stand beside the conjuncts
            "cats , dogs and birds sing",
            "NNS , NNS CC NNS VBP",
            "5 2 0 4 0 5",
            "nsubj punct conj cc conj root",
            "(S (NP (NNS cats) (, ,) (NNS dogs) (CC and) (NNS birds)) (VP (VBP sing)))",
        ),
        (
            "he sings and she dances",
            "PRP VBZ CC PRP VBZ",
            "1 1 4 4 1",
            "nsubj root cc nsubj conj",
            "(S (S (NP (PRP he)) (VP (VBZ sings))) (CC and) (S (NP (PRP she)) (VP (VBZ dances))))",
        ),
        (
            "in Paris and in Rome",
            "IN NNP CC IN NNP",
            "1 1 4 4 1",
            "case root cc case conj",
            "(PP (PP (IN in) (NP (NNP paris))) (CC and) (PP (IN in) (NP (NNP rome))))",
        ),
        (
            "Now he leaves because it rains",
            "RB PRP VBZ IN PRP VBZ",
            "2 2 2 5 5 2",
            "advmod nsubj root mark nsubj advcl",
            "(S (RB now) (NP (PRP he)) (VP (VBZ leaves) (SBAR (IN because) (S (NP (PRP it)) (VP (VBZ rains))))))",
        ),
        (
            "try to win",
            "VB TO VB",
            "0 2 0",
            "root mark xcomp",
            "(VP (VB try) (VP (TO to) (VP (VB win))))",
        ),
        ("xyz qux", "FW FW", "0 0", "root dep", "(X (FW xyz) (FW qux))"),
        ("Stop", "UH", "0", "root", "(UH stop)"),
    ],
)
def test_derived_trees(text, tags, heads, relations, expected):
    assert derived(text, tags=tags, heads=heads, relations=relations) == expected


def test_further_roots_hang_from_the_first():
    assert derived("go on", tags="VB RP", heads="0 1", relations="root root") == "(VP (VB go) (RP on))"


def test_every_word_stands_once_and_every_tree_has_one_root():
    texts = ["", "word", "The cook , whom nobody knew , left and never came back .", "? ! ...", "a b c d e " * 60]
    batch = analyse([(text, "He said so.") for text in texts], level="parsed")
    trees = derived_trees(batch.sentences)
    for row, one in enumerate(batch.sentences):
        span = slice(trees.offsets[row], trees.offsets[row + 1])
        assert tuple(label for label, word in zip(trees.labels[span], trees.words[span], strict=True) if word) == (
            one.words
        )
        parents = trees.parents[span]
        assert (parents < 0).sum() == bool(one.tokens)
        for node in range(len(parents)):
            steps = 0
            while node >= 0:
                node, steps = parents[node], steps + 1
                assert steps <= len(parents)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(S (NP-SBJ (NNS Dogs)) (VP (VBP bark)))", "(S (NP (NNS dogs)) (VP (VBP bark)))"),
        ("( (S\n  (NP=2 (NN x))))", "(ROOT (S (NP (NN x))))"),
        ("(NP (-LRB- -LRB-) (NN a))", "(NP (-LRB- -lrb-) (NN a))"),
    ],
)
def test_brackets(text, expected):
    tree = read_brackets(text)
    assert brackets(tree) == expected
    assert tree.words.tolist() == [label.islower() for label in tree.labels]


@pytest.mark.parametrize(
    "text",
    ["", "word", "(", ")", "()", "(S)", "(())", "(S (NP (NN a))", "(S a))", "(S a) (S b)", "(S (NP) a)", "a (S b)"],
)
def test_malformed_brackets(text):
    assert read_brackets(text) is None


def test_given_trees_come_first_and_malformed_ones_are_derived():
    plain = sentence("Dogs bark", tags="NNS VBP", heads="1 1", relations="nsubj root")
    given = plain._replace(constituents="(ROOT (S (NP (NNS Dogs)) (VP (VBP bark))))")
    broken = plain._replace(constituents="(ROOT (S (NP (NNS Dogs)) (VP (VBP bark)))")
    empty = sentence("", heads="")
    trees = constituency_trees([given, plain, empty, broken, given])
    read, made = "(ROOT (S (NP (NNS dogs)) (VP (VBP bark))))", "(S (NP (NNS dogs)) (VP (VBP bark)))"
    assert [brackets(trees, row) for row in range(5)] == [read, made, "", made, read]
