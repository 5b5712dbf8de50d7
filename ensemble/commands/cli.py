"""The commands: parse, call, print. What they need is imported inside them, so that help does not wait for it."""

import signal
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from . import feature_commands, label_commands, systems_commands
from .ablate_command import ablate
from .console import print_json, reporting, show
from .evaluate_command import MEMBERS_ALONE, evaluate
from .explain_command import explain
from .gold_command import gold
from .hints import suggest_languages
from .learning_curve_command import learning_curve
from .options import (
    EncoderOption,
    JsonOption,
    LanguagesOption,
    ModelOption,
    OwnOption,
    ProfileOption,
    TranslateOption,
    VectorsOption,
    load_chosen,
)
from .predict_command import predict
from .pyramid_command import pyramid
from .select_command import select
from .serve_command import serve
from .train_command import train

if TYPE_CHECKING:
    from ..core.predictor import Predictor


class _Commands(TyperGroup):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # `--compare` alone compares the members; an option that may do without a value is more than typer offers.
        bare = [i for i, arg in enumerate(args) if arg == "--compare" and (args[i + 1 :] or ["-"])[0].startswith("-")]
        for place in reversed(bare):
            args = [*args[: place + 1], MEMBERS_ALONE, *args[place + 1 :]]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with reporting(bool(ctx.params.get("debug"))):
            return super().invoke(ctx)


app = typer.Typer(
    cls=_Commands,
    help="How alike two sentences are in meaning, from 0 (unrelated) to 5 (the same).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(feature_commands.app, name="features")
app.add_typer(systems_commands.app, name="systems")
app.add_typer(label_commands.app, name="label")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"samewise {version('samewise')}")
        raise typer.Exit()


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def score(
    a: Annotated[str, typer.Argument(metavar="A", help="One text.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other.")],
    model: ModelOption = None,
    profile: ProfileOption = None,
    own: OwnOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    languages: LanguagesOption = None,
    translate: TranslateOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score one pair: score, interval, flags."""
    chosen = load_chosen(model, profile, own, vectors, encoder, languages=languages, translate=translate)
    found = chosen.predict_pairs([(a, b)])
    value, low, high = (float(ends[0]) for ends in (found.score, found.low, found.high))
    flags = list(found.flags[0])
    suggest_languages(flags, languages, translate)
    if as_json:
        print_json({"score": value, "low": low, "high": high, "flags": flags, "signature": chosen.signature})
        return
    rows = [("score", f"{value:.2f}"), ("interval", f"{low:.2f} to {high:.2f}")]
    rows += [("flags", ", ".join(flags))] if flags else []
    show([*rows, ("model", chosen.signature)])


for command in (predict, explain, train, evaluate, ablate, learning_curve, serve, pyramid, gold, select):
    app.command()(command)


@app.command()
def info(
    folder: Annotated[str, typer.Argument(metavar="[DIR]", help="Folder of a model, or a profile.")] = "full",
    own: OwnOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Verify a model and print what is known of it."""
    from ..core.bundle_parts import USER_RESOURCES

    chosen = load_chosen(folder, None, own, vectors, encoder)
    if as_json:
        facts = {"signature": chosen.signature, "verified": True, "probe_difference": chosen.probe_difference()}
        print_json({**facts, "manifest": chosen.manifest})
        return
    manifest = chosen.manifest
    training, metrics = manifest.get("training", {}), manifest.get("metrics", {})
    size = sum(file.get("size", file.get("bytes", 0)) for file in manifest.get("files", {}).values())
    rows = [
        ("signature", chosen.signature),
        ("verified", "every file is as it was saved"),
        ("probe", f"scores here differ by at most {chosen.probe_difference():.1g} from those when it was made"),
        ("size", f"{size / 1e6:.2f} MB in {len(manifest.get('files', {}))} files"),
        ("features", f"{len(chosen.features)} with {len(chosen.columns)} columns"),
        ("members", ", ".join(member.name for member in chosen.members)),
        ("combined by", _combined_by(chosen)),
        ("trained on", str(training.get("data", "not recorded"))),
        ("command", str(training.get("command", "not recorded"))),
        ("licence", str(manifest.get("licence"))),
    ]
    if "pipeline" in manifest.get("foundations", {}):
        pipeline = manifest["foundations"]["pipeline"]
        rows.append(("parsed by", f"{pipeline['name']} {pipeline['digest']}"))
    for key, place in chosen.user_files.items():
        kind, name = USER_RESOURCES[key], training.get(key, {}).get("name")
        rows.append((kind.title, f"{name} {manifest['given'][kind.name]} at {place}"))
    figures = [
        (f"Pearson on {name}", f"{facts['pearson']:.4f} ({facts.get('data', 'unnamed')}, {facts.get('n', '?')} pairs)")
        for name, facts in metrics.items()
        if isinstance(facts, dict) and isinstance(facts.get("pearson"), float)
    ]
    show([*rows, *figures])


def _combined_by(model: "Predictor") -> str:
    names, weights = [member.name for member in model.members], model.combination.weights
    weighted = ", ".join(f"{name} {weight:.2f}" for name, weight in zip(names, weights, strict=False))
    rule = f"stack: {weighted}" if weights else "mean"
    return f"{rule}, calibrated" if model.combination.knots else rule


def main() -> None:
    """Run the command line."""
    # A polite end: what is half written is removed.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    app()
