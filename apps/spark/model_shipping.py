"""The driver's model on the executors: profiles are installed there, bundles and files travel, and all is checked."""

import socket
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pyspark import Broadcast
from pyspark.sql import SparkSession

from ..._code_version import installed_version
from ...ensemble.core.predictor import PROBE_TOLERANCE
from ...ensemble.loading import Model, ModelLike, ModelSource, loaded_model, source_of
from ...models.bundle import MANIFEST, BundleError, dumps, read_bundle
from ...models.profiles import ALL_PROFILES


class Cargo(NamedTuple):
    """Files that travel: those of each bundle, by the field of `ModelSource` that names it, and the user's features.

    Attributes
    ----------
    bundles
        Content by file name, by field; profiles are installed on the executors and do not travel.
    own
        Name and content of the file of user-supplied features.
    """

    bundles: Mapping[str, Mapping[str, bytes]]
    own: tuple[str, bytes] | None


class Shipment(NamedTuple):
    """All that a Python worker needs to load the driver's model, and to check that it is the same.

    Attributes
    ----------
    source
        Source of the model on the driver; files that travel have another place on the executors.
    samewise, signature, probe
        Of the driver: the version, the model's signature and its scores of the probe.
    cargo
        The files that travel, if there are any.
    """

    source: ModelSource
    samewise: str | None
    signature: str
    probe: tuple[float, ...]
    cargo: Broadcast[Cargo] | None


def ship(spark: SparkSession, model: ModelLike, source: ModelSource) -> Shipment:
    """Load a model and make it ready to travel.

    Parameters
    ----------
    spark
        A classic session.
    model, source
        As for `loaded_model`.

    Raises
    ------
    samewise.models.bundle.BundleError
        If the model cannot be loaded from what would travel.
    ValueError
        If no file can hold the model.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = source_of(loaded_model(model, source), Path(folder), source.features_file)
        # Loaded once more where it was written to files: it shows that these are enough.
        loaded = source.load()
        bundles = {field: _files(place) for field, place in _bundles(source).items()}
    own = None if source.features_file is None else Path(source.features_file)
    cargo = Cargo(bundles, None if own is None else (own.name, own.read_bytes()))
    return Shipment(
        source,
        installed_version("samewise"),
        loaded.signature,
        tuple(loaded.probe()),
        _sent(spark, loaded.signature, cargo) if bundles or own else None,
    )


def _bundles(source: ModelSource) -> dict[str, str]:
    fields: dict[str, str | None] = {"model": source.model}
    if source.languages is not None or source.translate is not None:
        fields |= {"multilingual": source.multilingual, "translations": source.translations}
    return {field: place for field, place in fields.items() if place is not None and place not in ALL_PROFILES}


def _files(folder: str) -> dict[str, bytes]:
    bundle = read_bundle(folder)
    return {MANIFEST: dumps(bundle.manifest).encode(), **bundle.files}


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


_models: dict[tuple[object, ...], Model] = {}


def unpacked(shipment: Shipment) -> Model:
    """Return the model, in a Python worker of an executor; it is loaded once and stays for all later tasks.

    Raises
    ------
    samewise.models.bundle.BundleError
        If the model cannot be loaded here, or is not the one that the driver has; the message names the host.
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


def _check(model: Model, probe: list[float], shipment: Shipment, where: str) -> None:
    if model.signature != shipment.signature:
        apertium = " and the same Apertium" if "apertium" in (shipment.source.translate or "") else ""
        raise BundleError(
            f"{where} has the model {model.signature} and the driver {shipment.signature}; "
            f"install the same samewise{apertium} on all nodes"
        )
    differs = max(abs(mine - theirs) for mine, theirs in zip(probe, shipment.probe, strict=True))
    if differs > PROBE_TOLERANCE:
        raise BundleError(
            f"{where} must score the probe as the driver does, got a difference of {differs:.1g}; install the same "
            "versions of the libraries, and use processors of one kind, on all nodes"
        )


def _load(shipment: Shipment) -> Model:
    cargo = Cargo({}, None) if shipment.cargo is None else shipment.cargo.value
    with tempfile.TemporaryDirectory() as folder:
        places = {}
        for field, files in cargo.bundles.items():
            places[field] = str(Path(folder, field))
            for name, content in files.items():
                path = Path(folder, field, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        if cargo.own is not None:
            own = Path(folder, cargo.own[0])
            own.write_bytes(cargo.own[1])
            places["features_file"] = str(own)
        return replace(shipment.source, cache=None, **places).load()
