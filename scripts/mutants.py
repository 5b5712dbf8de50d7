"""Changed versions of a module, one small change each: what ``make mutate`` runs the tests against.

The changes are those of mutmut (its `mutation_operators`), and three more for tables of constants. mutmut itself skips
functions with a decorator and everything outside functions; here these are most of the code that computes scores: every
feature has a decorator, and thresholds, weights and lists of words are constants of their modules.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst
import libcst.matchers as m
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper
from mutmut.mutation.file_mutation import MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode


class Mutant(NamedTuple):
    """A module with one change.

    Attributes
    ----------
    line
        Number of the first changed line.
    before, after
        Code before and after the change: the changed lines, stripped and joined by blanks, with `` #2`` and so on after
        those that occur more than once in the module.
    code
        The source of the changed module.
    """

    line: int
    before: str
    after: str
    code: str


def _fewer_words(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    # Each word of a list that is written as one text.
    text = node.evaluated_value
    words = text.split() if isinstance(text, str) else []
    if len(words) > 1 and "{" not in text:
        for k in range(len(words)):
            yield cst.SimpleString(repr(" ".join(words[:k] + words[k + 1 :])))


def _halved(node: cst.Float) -> Iterator[cst.Float]:
    yield node.with_changes(value=repr(node.evaluated_value / 2))


_LITERAL = m.SimpleString() | m.Integer() | m.Float()


def _fewer_elements(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    elements = node.elements
    keys = [element.key if isinstance(element, cst.DictElement) else element.value for element in elements]
    if len(elements) > 1 and all(m.matches(key, _LITERAL | m.Tuple()) for key in keys):
        for k in range(len(elements)):
            yield node.with_changes(elements=[*elements[:k], *elements[k + 1 :]])


OPERATORS = [
    *mutation_operators,
    (cst.SimpleString, _fewer_words),
    (cst.ConcatenatedString, _fewer_words),
    (cst.Float, _halved),
    ((cst.Set, cst.Dict, cst.Tuple, cst.List), _fewer_elements),
]


_TYPE = m.Subscript(value=m.Name("Literal") | m.Name("Callable") | m.Name("tuple"))


class _Visitor(MutationVisitor):
    # Decorated functions and constants too; no annotations, names of types, imports, decorators, words of errors and of
    # warnings, docstrings and casts, none of which changes a score.
    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Import | cst.ImportFrom | cst.Raise | cst.Decorator | cst.Annotation):
            return True
        if isinstance(node, cst.Expr) and isinstance(node.value, cst.BaseString):
            return True
        if m.matches(node, m.Call(func=m.Name("cast") | m.Attribute(attr=m.Name("warn")))):
            return True
        if isinstance(node, cst.Assign) and m.matches(node.value, _TYPE):
            return True
        if isinstance(node, cst.FunctionDef):
            return False
        return super()._skip_node_and_children(node)


_ALL_LINES = IgnoredCode(set(), set(), set())
_CACHED = m.Call(func=m.Attribute(attr=m.Name("memo")))


class _LeftOut(cst.CSTVisitor):
    # The names of cached values, and parts of a text that is written in several.
    def __init__(self) -> None:
        self.nodes: set[int] = set()

    def visit_Call(self, node: cst.Call) -> None:
        if m.matches(node, _CACHED) and node.args:
            self.nodes.update((id(node), *map(id, _nodes(node.args[0]))))

    def visit_ConcatenatedString(self, node: cst.ConcatenatedString) -> None:
        self.nodes.update(map(id, node.children))


def _nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of a source text that is valid Python, in the order of its lines."""
    wrapper = MetadataWrapper(cst.parse_module(source))
    visitor = _Visitor(OPERATORS, _ALL_LINES)
    module = wrapper.visit(visitor)
    spans = wrapper.resolve(ByteSpanPositionProvider)
    left_out = _LeftOut()
    module.visit(left_out)
    data, written = source.encode(), {source}
    seen: Counter[tuple[str, str]] = Counter()
    result = []
    for mutation in sorted(visitor.mutations, key=lambda mutation: spans[mutation.original_node].start):
        start, length = spans[mutation.original_node].start, spans[mutation.original_node].length
        changed = module.code_for_node(mutation.mutated_node).encode()
        code = (data[:start] + changed + data[start + length :]).decode()
        if id(mutation.original_node) in left_out.nodes or code in written or not _is_python(code):
            continue
        written.add(code)
        line, before, after = _changed(source, code)
        seen[before, after] += 1
        count = seen[before, after]
        result.append(Mutant(line, before, f"{after} #{count}" if count > 1 else after, code))
    return result


def _is_python(code: str) -> bool:
    try:
        compile(code, "mutant", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def _changed(source: str, code: str) -> tuple[int, str, str]:
    # Number of the first changed line, and the changed lines of both.
    old, new = source.splitlines(), code.splitlines()
    shortest = min(len(old), len(new))
    first = next((k for k in range(shortest) if old[k] != new[k]), shortest)
    last = next((k for k in range(shortest - first) if old[-1 - k] != new[-1 - k]), shortest - first)
    return first + 1, *(" ".join(" ".join(rows[first : len(rows) - last]).split()) for rows in (old, new))
