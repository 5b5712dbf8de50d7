"""Words of differences as the user wrote them, where a glossary put others in their place."""

from collections.abc import Sequence

from ...features.analysis.analysis import normalise
from ...features.analysis.editable_sentence import EditableSentence
from ...features.base.sentences import PairBatch, Sentence
from ...features.linguistics.glossary import Glossary
from .facts import Difference


def as_written(
    found: Sequence[Sequence[Difference]], pairs: Sequence[Sequence[str]], batch: PairBatch, glossary: Glossary
) -> list[list[Difference]]:
    """Return differences whose words are those of the texts before they were rewritten.

    Their places stay those among the tokens of the rewritten texts, which `explain` shows.

    Parameters
    ----------
    found
        Differences of n pairs of the batch.
    pairs
        The n pairs of texts as they were given.
    batch
        The same, rewritten and analysed.
    glossary
        The glossary that rewrote them.
    """
    restored = []
    for differences, texts, (a, b) in zip(found, pairs, batch, strict=True):
        if differences:
            one, other = (_Words(text, sentence, glossary) for text, sentence in zip(texts, (a, b), strict=True))
            # What is two differences of "cash on delivery" is one of "COD".
            joined: dict[object, Difference] = {}
            for each in differences:
                new = each._replace(a=one.written(each.a, each.places_a), b=other.written(each.b, each.places_b))
                key = each if new == each else (new.kind, new.a, new.b)
                before = joined.get(key)
                places = (new.places_a, new.places_b)
                if before is not None:
                    places = (before.places_a + new.places_a, before.places_b + new.places_b)
                joined[key] = Difference(*new[:3], *places)
            differences = list(joined.values())
        restored.append(list(differences))
    return restored


class _Words:
    # A rewritten sentence, and for each token the place and the words of what it was put in the place of.

    def __init__(self, text: str, sentence: Sentence, glossary: Glossary) -> None:
        text = normalise(text)
        self._text = sentence.text
        self._replaced: list[tuple[int, int, str]] = []  # in the rewritten text
        if text == sentence.text or not glossary.rewrite(text).startswith(sentence.text):
            return
        self._spans, moved = EditableSentence(sentence).spans, 0
        for start, end, new in glossary.occurrences(text) if self._spans else ():
            if text[start:end] != new:
                self._replaced.append((start + moved, start + moved + len(new), text[start:end]))
            moved += len(new) - (end - start)

    def written(self, words: str, places: Sequence[int]) -> str:
        """Return the words at these places; the given ones if none of them was replaced."""
        replaced = [self._before(place) for place in places] if self._replaced else []
        if not any(each is not None for each in replaced):
            return words
        text, last, end = "", None, None
        for place, each in zip(places, replaced, strict=True):
            start, stop, word = each or (*self._spans[place], self._text[slice(*self._spans[place])])
            if each is None or each != last:
                text += word if start == end or not text else f" {word}"
            last, end = each, stop
        return text

    def _before(self, place: int) -> tuple[int, int, str] | None:
        start, end = self._spans[place]
        return next((each for each in self._replaced if each[0] < end and start < each[1]), None)
