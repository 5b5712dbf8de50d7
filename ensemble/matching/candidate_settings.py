"""Settings of the search for candidates."""

from dataclasses import dataclass

from .rare_words import RARE_WORDS
from .view_catalogue import chosen_views

MOST = 10
"""Close texts of a text in each view, if nothing else is asked."""


@dataclass(frozen=True)
class CandidateSettings:
    """Settings of the search for candidates.

    Attributes
    ----------
    views
        Names of views, ascending.
    most
        Largest number of close texts of a text in each view, from 1; some views find more, see `TextView.depth`.
    least
        Cosine that the texts of a candidate must have at least in the view that `deciding_view` names, if there is any.
    exact
        Whether products of all pairs are computed, whatever their number; None: up to `text_index.EXACT_PRODUCTS`.

    Raises
    ------
    ValueError
        If a view is unknown or `most` is below 1.
    """

    views: tuple[str, ...] = (RARE_WORDS, "words")
    most: int = MOST
    least: float = 0.0
    exact: bool | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "views", chosen_views(self.views))
        if self.most < 1:
            raise ValueError(f"the number of candidates must be at least 1, got {self.most}; give one such as {MOST}")
