"""Expected scores of rebuilt systems, which separate bugs from weak models."""

from typing import NamedTuple


class Band(NamedTuple):
    """Range in which the score of a run is expected.

    Attributes
    ----------
    table, row, column
        The published row to compare the run with, and the column; see `evaluation.published_scores.read_table`.
    low, high
        Ends of the range of 100 times the Pearson correlation; None for no end.
    note
        Conditions of the range.
    """

    table: str
    row: str
    column: str
    low: float
    high: float | None = None
    note: str = ""

    @property
    def expected(self) -> str:
        """Description of the range."""
        return f"at least {self.low:g}" if self.high is None else f"{self.low:g} to {self.high:g}"

    def verdict(self, value: float) -> str:
        """Return ``within``, ``below`` or ``above`` for 100 times a correlation, rounded to two decimals."""
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
"""Expected ranges. A score below one suggests a bug; a score far above suggests test pairs among the training pairs."""
