"""Expected scores of rebuilt systems, so that a bug is not taken for a weak model."""

from typing import NamedTuple


class Band(NamedTuple):
    """Range in which the score of a run is expected.

    Attributes
    ----------
    table, row, column
        The published row that the run is put beside, and the column; see `evaluation.published_scores.read_table`.
    low, high
        Of 100 times the Pearson correlation; None where there is no end.
    note
        What it depends on.
    """

    table: str
    row: str
    column: str
    low: float
    high: float | None = None
    note: str = ""

    @property
    def expected(self) -> str:
        """The band in words."""
        return f"at least {self.low:g}" if self.high is None else f"{self.low:g} to {self.high:g}"

    def verdict(self, value: float) -> str:
        """Return ``within``, ``below`` or ``above`` for 100 times a correlation, as it is printed with two decimals."""
        shown = round(value, 2)
        return "below" if shown < self.low else "above" if self.high is not None and shown > self.high else "within"


_PARSER = "with a comparable parser and list of paraphrases"
_WORDS = "depends on vocabulary and tokenisation"

BANDS = (
    Band("sts2017", "cosine baseline", "5", 72.3, 72.9),
    Band("sts2017", "cosine baseline", "3", 70.9, 71.5),
    Band("sts2017", "cosine baseline", "1", 60.2, 60.8),
    Band("sts2017", "ECNU", "5", 85.0, None, "mean of three trees and four networks"),
    Band("stsbenchmark", "ALN3 alone (idf aligner)", "dev", 77.7, 81.7, _PARSER),
    Band("stsbenchmark", "ALN3 alone (idf aligner)", "test", 74.2, 78.2, _PARSER),
    Band("stsbenchmark", "ECNU GB", "test", 80.0, None, "on all columns of ECNU"),
    Band("stsbenchmark", "ECNU EN-seven", "test", 81.0, None, "mean of three trees and four networks"),
    Band("stsbenchmark", "GloVe average", "test", 37.6, 43.6, _WORDS),
    Band("stsbenchmark", "word2vec average", "test", 53.5, 59.5, _WORDS),
)
"""Below one is a bug rather than a weak model; far above, test pairs may have been among the training pairs."""
