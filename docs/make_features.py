"""Write docs/features.md from what the features declare; a test compares the two."""

import importlib
from pathlib import Path

from samewise.features import FEATURE_SETS, all_features, resolve

HEAD = """# The catalogue of features

Made by `python docs/make_features.py` from what the features declare. `samewise features list` prints the same facts
for the installed version, and `samewise features extract` the values.

A column is named `family.feature.column`. All columns are symmetric, finite, and inside the range given; measures that
have a direction appear as `_min` and `_max` of both. Columns of a set come in the order of this page.
"""


def _range(low: float, high: float) -> str:
    return f"{low:g} to {high:g}".replace("inf", "∞")


def render() -> str:
    """Return the page."""
    lines = [HEAD, "## Sets\n", "| set | columns | patterns |", "|---|---|---|"]
    for name, patterns in FEATURE_SETS.items():
        lines.append(f"| `{name}` | {len(resolve(name)[1])} | {' '.join(f'`{pattern}`' for pattern in patterns)} |")
    families: dict[str, list[str]] = {}
    for value in all_features():
        if value.family not in families:
            module = importlib.import_module(value.compute.__module__)
            about = " ".join((module.__doc__ or "").split())
            heading = ["| feature | columns | range | level | needs | source | definition |", "|" + "---|" * 7]
            families[value.family] = [f"\n## {value.family}\n", about, "", *heading]
        facts = [
            f"`{value.name}`",
            " ".join(f"`{name}`" for name in value.names),
            _range(value.low, value.high),
            value.level,
            " ".join(value.needs) or "–",
            value.source,
            " ".join((value.compute.__doc__ or "").split()),
        ]
        families[value.family].append("| " + " | ".join(fact.replace("|", "\\|") for fact in facts) + " |")
    return "\n".join([*lines, *(line for family in families.values() for line in family)]) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("features.md").write_text(render(), encoding="utf-8")
