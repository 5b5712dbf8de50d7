"""Command that starts the scoring service."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..._messages import from_extra
from ...ensemble.commands.choices import names_of
from ...ensemble.commands.option_groups import option_groups
from ...ensemble.commands.options import KeepApartOption, WorkersOption, kinds_named, model_source

if TYPE_CHECKING:
    from ...ensemble.loading import ModelRef


@dataclass(frozen=True)
class RequestLimits:
    """Most that the service accepts."""

    pairs: Annotated[int, typer.Option("--max-pairs", metavar="N", min=1, help="The most pairs in a request.")] = 1_000
    characters: Annotated[
        int, typer.Option("--max-characters", metavar="N", min=1, help="The most characters in a text.")
    ] = 10_000
    body: Annotated[
        int, typer.Option("--max-body", metavar="N", min=1, help="The most bytes in the body of a request.")
    ] = 2_000_000
    waiting: Annotated[
        int,
        typer.Option(
            "--max-waiting", metavar="N", min=1, help="The most pairs that wait; beyond it the answer is 503."
        ),
    ] = 10_000
    connections: Annotated[
        int,
        typer.Option(
            "--max-connections",
            metavar="N",
            min=1,
            help="The most open connections; beyond it the slowest to send a request is closed.",
        ),
    ] = 1_000


@option_groups(source=model_source, limits=RequestLimits)
def serve(
    source: "ModelRef",
    host: Annotated[str, typer.Option("--host", metavar="NAME", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65_535, help="Port; 0 is any that is free.")
    ] = 8000,
    workers: WorkersOption = "auto",
    allowed_hosts: Annotated[
        str,
        typer.Option(
            "--allowed-hosts",
            metavar="A,B",
            help="Host names that requests may use, besides localhost, --host and IP addresses; * is any.",
        ),
    ] = "",
    index: Annotated[
        str | None,
        typer.Option("--index", metavar="DIR", help="Index made by `samewise index`, whose rows POST /match finds."),
    ] = None,
    key_file: Annotated[
        Path | None,
        typer.Option(
            "--api-key-file",
            metavar="FILE",
            help="Keys, one a line, of which each request must carry one; SAMEWISE_API_KEY may hold one too.",
        ),
    ] = None,
    keep_apart: KeepApartOption = None,
    *,
    limits: RequestLimits,
) -> None:
    """Answer requests for scores over HTTP.

    It also shows a page to try pairs on, and describes its paths at /docs. Without keys, everyone who reaches
    the port is answered.
    """
    with from_extra("serve", "the service"):
        from .access import read_keys
        from .server import ConnectionLimits, Limits
        from .server import serve as start

    start(
        source,
        host=host,
        port=port,
        workers=workers,
        limits=Limits(limits.pairs, limits.characters, limits.body),
        waiting_pairs=limits.waiting,
        connections=ConnectionLimits(limits.connections),
        allowed_hosts=names_of(allowed_hosts),
        index=index,
        keys=read_keys(key_file),
        keep_apart=kinds_named(keep_apart),
        ready=lambda address, signature: print(f"{address} answers with {signature}", flush=True),
    )
