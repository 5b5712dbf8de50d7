"""Tables of words and phrases with what they stand for."""

from collections.abc import Iterator, Sequence


class PhraseTable:
    """Phrases by name, read from lines ``name: phrase|phrase``; a phrase may have several names.

    Attributes
    ----------
    names
        For each phrase, as a tuple of words, its names in the order of the lines.
    """

    def __init__(self, table: str) -> None:
        self.names: dict[tuple[str, ...], tuple[str, ...]] = {}
        for line in table.strip().splitlines():
            name, _, phrases = line.partition(": ")
            for phrase in phrases.split("|"):
                key = tuple(phrase.split())
                self.names[key] = (*self.names.get(key, ()), name)
        self._longest: dict[str, int] = {}
        for key in self.names:
            self._longest[key[0]] = max(self._longest.get(key[0], 0), len(key))

    def sizes(self, words: Sequence[str], place: int) -> Iterator[int]:
        """Return the numbers of words of the phrases that start at a place, the longest first."""
        longest = min(self._longest.get(words[place], 0), len(words) - place)
        return (size for size in range(longest, 0, -1) if tuple(words[place : place + size]) in self.names)

    def phrases(self, words: Sequence[str]) -> Iterator[tuple[tuple[int, ...], str]]:
        """Return the places and the first name of each phrase, the longest first where several start."""
        place = 0
        while place < len(words):
            size = next(self.sizes(words, place), 0)
            if size:
                yield tuple(range(place, place + size)), self.names[tuple(words[place : place + size])][0]
            place += max(size, 1)
