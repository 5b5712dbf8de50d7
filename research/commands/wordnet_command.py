"""Command that makes arrays of a user-supplied WordNet."""

from pathlib import Path
from typing import Annotated

import typer

from ...ensemble.commands.console import print_json, say, show
from ...ensemble.commands.options import JsonOption


def wordnet(
    target: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="DIR", help="Folder for the arrays; an earlier build is replaced."),
    ],
    source: Annotated[
        str, typer.Option("--from", metavar="SOURCE", help="nltk, or a folder with the database files of WordNet.")
    ] = "nltk",
    corpus: Annotated[
        str,
        typer.Option(
            "--corpus", metavar="NAME", help="Package of NLTK's data: wordnet, wordnet31, english_wordnet, ..."
        ),
    ] = "wordnet",
    language: Annotated[
        str, typer.Option("--language", metavar="CODE", help="eng, or a language of the Open Multilingual Wordnet.")
    ] = "eng",
    information_content: Annotated[
        list[str] | None,
        typer.Option(
            "--information-content",
            metavar="[words=]FILE",
            help="File of information content, or its name in NLTK's wordnet_ic, such as ic-brown.dat; repeatable. "
            "With words= the features read it.",
        ),
    ] = None,
    nltk_data: Annotated[
        Path | None, typer.Option("--nltk-data", metavar="DIR", help="Folder of NLTK's data that is searched first.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make arrays of your own WordNet, for --wordnet."""
    from ...ensemble.tables.table_writer import check_output_folder
    from ..wordnet.wordnet_builder import build_wordnet

    check_output_folder(target)
    built, remarks = build_wordnet(
        target,
        source=source,
        corpus=corpus,
        language=language,
        information_content=information_content or (),
        data=nltk_data,
    )
    for remark in remarks:
        say(f"samewise: {remark}")
    if as_json:
        facts = {"digest": built.digest, "synsets": len(built.kinds), "words": built.size}
        print_json({**facts, "information_content": list(built.information)})
        return
    show(
        [
            ("digest", built.digest),
            ("synsets", f"{len(built.kinds):,}"),
            ("words", f"{built.size:,}"),
            ("information content", ", ".join(built.information)),
        ]
    )
