"""Description of the trained pipeline: figures on the development and test splits, data, terms, versions."""

import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

_TEMPLATE = Path(__file__).with_suffix(".md")


def write_card(
    out: Path, record: Mapping[str, Any], scores: Mapping[str, Mapping[str, Any]], data: Mapping[str, Any]
) -> None:
    """Write ``card.json`` and ``README.md`` beside the pipeline."""
    versions = {name: version(name) for name in ("spacy", "thinc", "blis", "numpy")} | {
        "python": platform.python_version()
    }
    card = {**record, "versions": versions, "data": data, "scores": scores}
    (out / "card.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    test = scores["gum_test"]["ents_per_type"]
    text = _TEMPLATE.read_text(encoding="utf-8").format(
        components=_components(out),
        figures=_table(scores),
        types=", ".join(f"{label} {value}" for label, value in test.items()),
        genres=", ".join(data["gum"]["genres"]),
        ewt_sentences=data["ewt"]["sentences"],
        ewt_words=data["ewt"]["words"],
        gum_sentences=data["gum"]["sentences"],
        gum_words=data["gum"]["words"],
        gold_tags=record["lemmas_gold_tags"],
        command=record["command"],
        seed=record["seed"],
        epochs=record["epochs"],
        epoch=record["epoch"],
        minutes=round(record["seconds"] / 60),
        versions=", ".join(f"{name} {value}" for name, value in versions.items()),
    )
    (out / "README.md").write_text(text, encoding="utf-8")


def _table(scores: Mapping[str, Mapping[str, Any]]) -> str:
    columns = {
        "tags": "tags",
        "lemmas": "lemmas",
        "UAS": "uas",
        "LAS": "las",
        "UAS, no punctuation": "uas_no_punct",
        "LAS, no punctuation": "las_no_punct",
        "entity P": "ents_p",
        "R": "ents_r",
        "F1": "ents_f",
    }
    lines = ["| split | sentences | words | " + " | ".join(columns) + " |", "|---|" + "---|" * (len(columns) + 2)]
    for name, found in scores.items():
        cells = [f"{found[key]:.1f}" if key in found else "" for key in columns.values()]
        split = name.replace("ewt", "EWT").replace("gum", "GUM").replace("_", " ")
        lines.append(f"| {split} | {found['sentences']:,} | {found['words']:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _components(out: Path) -> str:
    names = {
        "tok2vec": "word vectors in context: hashed norm, prefix, suffix, shape; four convolutions, width 96",
        "tagger": "Penn Treebank tags",
        "parser": "dependencies, by transitions",
        "ner": "entities, by transitions",
        "lemmas.json": "lemmas",
    }
    lines = ["| part | what | kB |", "|---|---|---|"]
    for name, what in names.items():
        path = out / name
        files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
        lines.append(f"| `{name}` | {what} | {sum(file.stat().st_size for file in files) / 1000:,.0f} |")
    return "\n".join(lines)
