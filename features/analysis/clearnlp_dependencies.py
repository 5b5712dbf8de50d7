"""Conversion of ClearNLP dependencies, the scheme of spaCy's English packages, to basic Universal Dependencies.

The differences are those of Choi and Palmer (2012) against de Marneffe et al. (2021): prepositions and the copula head
their complements in the former and depend on them in the latter.
"""

from collections.abc import Sequence

_RENAMED = {
    "agent": "obl",
    "attr": "xcomp",
    "acomp": "xcomp",
    "auxpass": "aux:pass",
    "csubjpass": "csubj:pass",
    "dative": "iobj",
    "dobj": "obj",
    "intj": "discourse",
    "meta": "dep",
    "neg": "advmod",
    "nn": "compound",
    "npadvmod": "obl:unmarked",
    "nsubjpass": "nsubj:pass",
    "num": "nummod",
    "number": "compound",
    "oprd": "xcomp",
    "pcomp": "advcl",
    "pobj": "obl",
    "poss": "nmod:poss",
    "possessive": "case",
    "preconj": "cc:preconj",
    "predet": "det:predet",
    "prep": "advmod",
    "prt": "compound:prt",
    "quantmod": "advmod",
    "rcmod": "acl:relcl",
    "relcl": "acl:relcl",
    "tmod": "obl:unmarked",
}
_PREPOSITIONS = frozenset({"prep", "agent", "dative"})
_OWN = frozenset({"dobj", "pobj", "nsubjpass", "auxpass", "prep", "relcl", "attr", "acomp"})
_NOMINAL = ("NN", "PRP", "CD", "DT", "WP", "EX")


def is_clearnlp(labels: Sequence[str]) -> bool:
    """Return whether a parser with these labels follows ClearNLP."""
    return bool(_OWN & set(labels))


def to_universal(
    lemmas: Sequence[str], tags: Sequence[str], heads: Sequence[int], relations: Sequence[str]
) -> tuple[list[int], list[str]]:
    """Return heads and basic Universal Dependencies relations of one sentence."""
    tree = _Tree(lemmas, tags, heads, relations)
    for i in sorted(range(len(heads)), key=tree.depth, reverse=True):
        if relations[i] in _PREPOSITIONS:
            tree.lower_preposition(i)
    for i in sorted(range(len(heads)), key=tree.depth, reverse=True):
        if lemmas[i] == "be" and tags[i].startswith("VB"):
            tree.lower_copula(i)
    renamed = ["root" if label == "ROOT" else _RENAMED.get(label, label) for label in tree.relations]
    return tree.heads, renamed


class _Tree:
    def __init__(
        self, lemmas: Sequence[str], tags: Sequence[str], heads: Sequence[int], relations: Sequence[str]
    ) -> None:
        self.lemmas, self.tags = lemmas, tags
        self.heads, self.relations = list(heads), list(relations)

    def depth(self, i: int) -> int:
        n = 0
        while self.heads[i] != i and n < len(self.heads):
            i, n = self.heads[i], n + 1
        return n

    def children(self, i: int) -> list[int]:
        return [j for j, head in enumerate(self.heads) if head == i != j]

    def lower_preposition(self, i: int) -> None:
        # Bottom-up: the object of an inner preposition ("out of the house") is already an `obl` or `nmod` of this one.
        children = self.children(i)
        for wanted in (("pobj",), ("obl", "nmod"), ("pcomp",)):
            objects = [j for j in children if self.relations[j] in wanted]
            if objects:
                break
        else:
            return
        below, head = objects[0], self.heads[i]
        nominal = head != i and self.tags[head].startswith(_NOMINAL)
        if self.relations[below] == "pcomp":
            relation, upper_relation = ("acl" if nominal else "advcl"), "mark"
        elif self.relations[i] == "agent":
            relation, upper_relation = "obl:agent", "case"
        else:
            relation, upper_relation = ("nmod" if nominal else "obl"), "case"
        self._swap(i, below, relation, upper_relation)

    def lower_copula(self, i: int) -> None:
        complements = [j for j in self.children(i) if self.relations[j] in ("attr", "acomp")]
        if complements:
            self._swap(i, complements[0], self.relations[i], "cop")

    def _swap(self, upper: int, lower: int, relation: str, upper_relation: str) -> None:
        # `lower` takes the place of `upper`, which becomes its child with the other children.
        head = self.heads[upper]
        for j in self.children(upper):
            self.heads[j] = lower
        self.heads[lower] = lower if head == upper else head
        self.relations[lower] = self.relations[upper] if head == upper else relation
        self.heads[upper], self.relations[upper] = lower, upper_relation
