"""The driver's model on the executors: what is installed there is named, all else travels, and both is checked."""

import socket
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pyspark import Broadcast
from pyspark.sql import SparkSession

from ....models.bundle import MANIFEST, BundleError, read_bundle
from ...core.predictor import ALL_PROFILES, Predictor, installed_version
from .. import load_model

TOLERANCE = 1e-6
"""An executor whose scores of `predictor.PROBE` differ from the driver's by more than this is refused."""


class Cargo(NamedTuple):
    """Files that travel: those of a bundle by name, none for a profile; and the user's features, a name and a text."""

    bundle: Mapping[str, bytes]
    own: tuple[str, bytes] | None


class Shipment(NamedTuple):
    """What a Python worker needs to have the driver's model, and to know that it has it.

    Attributes
    ----------
    profile
        A model that the executors have installed; None for one that travels.
    given
        What `load_model` is told by keyword: where the user's word vectors and encoder are, languages and translator.
    samewise, signature, probe
        Of the driver: the version, the model's signature and its scores of `predictor.PROBE`.
    cargo
        What travels, if anything does.
    """

    profile: str | None
    given: tuple[tuple[str, str], ...]
    samewise: str | None
    signature: str
    probe: tuple[float, ...]
    cargo: Broadcast[Cargo] | None


def ship(
    spark: SparkSession,
    model: str | Path | Predictor,
    features_file: str | Path | None = None,
    vectors: str | Path | None = None,
    encoder: str | Path | None = None,
    languages: str | None = None,
    translate: str | None = None,
) -> Shipment:
    """Load a model and make it ready to travel.

    Parameters
    ----------
    spark
        A classic session.
    model, features_file, vectors, encoder, languages, translate
        As for `score`.

    Raises
    ------
    samewise.models.bundle.BundleError
        If the model cannot be loaded from what would travel.
    """
    told = {"vectors": vectors, "encoder": encoder, "languages": languages, "translate": translate}
    given: dict[str, Any] = {key: value for key, value in told.items() if value is not None}
    whole = None
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(model, Predictor):
            model.save(Path(folder, "model"))
            whole = model.signature if languages is None and translate is None else None
            given = {**model.given, **given}
            model = Path(folder, "model")
        # Also a model that is loaded already: it shows that the bundle and the file of features are enough.
        loaded = load_model(model, features_file, **given)
        if whole is not None and loaded.signature != whole:
            raise BundleError(
                f"of the model {whole} only {loaded.signature} can travel; leave out models and translators that "
                "executors cannot find by name"
            )
        profile = str(model) if str(model) in ALL_PROFILES else None
        names = () if profile else (MANIFEST, *read_bundle(model).manifest["files"])
        bundle = {name: Path(model, name).read_bytes() for name in names}
    own = None if features_file is None else (Path(features_file).name, Path(features_file).read_bytes())
    return Shipment(
        profile,
        tuple((key, str(place)) for key, place in loaded.given.items()),
        installed_version("samewise"),
        loaded.signature,
        tuple(loaded.probe()),
        _sent(spark, loaded.signature, Cargo(bundle, own)) if bundle or own else None,
    )


_broadcasts: dict[tuple[str, str], tuple[Cargo, Broadcast[Cargo]]] = {}


def _sent(spark: SparkSession, signature: str, cargo: Cargo) -> Broadcast[Cargo]:
    # A stream asks for the same model with every batch of rows, and a broadcast stays on disk as long as its session.
    context = spark.sparkContext
    key = str(context.applicationId), signature
    for other in [other for other in _broadcasts if other[0] != key[0]]:
        del _broadcasts[other]
    if key not in _broadcasts or _broadcasts[key][0] != cargo:
        _broadcasts[key] = cargo, context.broadcast(cargo)
    return _broadcasts[key][1]


_models: dict[tuple[object, ...], Predictor] = {}


def unpacked(shipment: Shipment) -> Predictor:
    """Return the model, in a Python worker of an executor; it is loaded once and stays for all later tasks.

    Raises
    ------
    samewise.models.bundle.BundleError
        If it cannot be loaded here, or is not what the driver has; the message names the host.
    """
    key = shipment.signature, shipment.samewise, shipment.probe
    if key not in _models:
        where = f"the executor on {socket.gethostname()}"
        here = installed_version("samewise")
        if here != shipment.samewise:
            raise BundleError(
                f"{where} has samewise {here} and the driver {shipment.samewise}; install the same on all nodes"
            )
        try:
            model = _load(shipment)
            probe = model.probe()
        except (ValueError, OSError, ImportError) as error:
            raise BundleError(f"{where} cannot load the model: {error}") from error
        _check(model, probe, shipment, where)
        _models[key] = model
    return _models[key]


def _check(model: Predictor, probe: list[float], shipment: Shipment, where: str) -> None:
    if model.signature != shipment.signature:
        apertium = " and the same Apertium" if "apertium" in dict(shipment.given).get("translate", "") else ""
        raise BundleError(
            f"{where} has the model {model.signature} and the driver {shipment.signature}; "
            f"install the same samewise{apertium} on all nodes"
        )
    differs = max(abs(mine - theirs) for mine, theirs in zip(probe, shipment.probe, strict=True))
    if differs > TOLERANCE:
        raise BundleError(
            f"{where} scores the same pairs otherwise than the driver, by up to {differs:.1g}; "
            "install the same versions of what samewise depends on, and use processors of one kind, on all nodes"
        )


def _load(shipment: Shipment) -> Predictor:
    bundle, own = Cargo({}, None) if shipment.cargo is None else shipment.cargo.value
    with tempfile.TemporaryDirectory() as folder:
        for name, content in bundle.items():
            path = Path(folder, "model", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        features_file = None
        if own is not None:
            features_file = Path(folder, own[0])
            features_file.write_bytes(own[1])
        given: dict[str, Any] = dict(shipment.given)
        return load_model(shipment.profile or Path(folder, "model"), features_file, **given)
