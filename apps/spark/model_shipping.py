"""The driver's model on the executors: profiles are installed there, bundles and files travel, and all is checked."""

import pickle
import socket
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pyspark import Broadcast
from pyspark.sql import SparkSession

from ..._code_version import installed_version
from ...ensemble.core.predictor import PROBE_TOLERANCE
from ...ensemble.loading import Model, ModelRef, pickled, probe
from ...models.bundle import MANIFEST, BundleError, dumps, read_bundle
from ...models.profiles import ALL_PROFILES

_BUNDLE, _WHOLE = "bundle", "model.pickle"


class Shipment(NamedTuple):
    """All that a Python worker needs to load the driver's model, and to check that it is the same.

    Attributes
    ----------
    ref
        Reference to the model on the driver; None for one that travels whole.
    samewise, signature, probe
        Of the driver: the version, the model's signature and its scores of the probe.
    files
        Files that travel, by name in the folder that they are written to: those of a bundle and of user-supplied
        features, or the model itself; None if there are none.
    """

    ref: ModelRef | None
    samewise: str | None
    signature: str
    probe: tuple[float, ...]
    files: Broadcast[dict[str, bytes]] | None


def ship(spark: SparkSession, model: Model) -> Shipment:
    """Make a loaded model ready to travel.

    Raises
    ------
    samewise.models.bundle.BundleError
        If the files of its bundle have changed.
    ValueError
        If it has parts that live in this process alone.
    """
    ref: ModelRef | None = model.ref
    files = {_WHOLE: pickled(model)} if ref is None else _files(ref)
    sent = _sent(spark, model.signature, files) if files else None
    return Shipment(ref, installed_version("samewise"), model.signature, tuple(probe(model)), sent)


def _files(ref: ModelRef) -> dict[str, bytes]:
    """Return the files of a reference that are not installed on every node."""
    files = {}
    if ref.model not in ALL_PROFILES:
        bundle = read_bundle(ref.model)
        files = {MANIFEST: dumps(bundle.manifest).encode(), **bundle.files}
    named = {f"{_BUNDLE}/{name}": content for name, content in files.items()}
    own = {} if ref.features_file is None else {Path(ref.features_file).name: Path(ref.features_file).read_bytes()}
    return {**named, **own}


_broadcasts: dict[tuple[str, str], tuple[dict[str, bytes], Broadcast[dict[str, bytes]]]] = {}


def _sent(spark: SparkSession, signature: str, files: dict[str, bytes]) -> Broadcast[dict[str, bytes]]:
    # A stream asks for the same model with every batch of rows, and a broadcast stays on disk as long as its session.
    context = spark.sparkContext
    key = str(context.applicationId), signature
    for other in [other for other in _broadcasts if other[0] != key[0]]:
        del _broadcasts[other]
    if key not in _broadcasts or _broadcasts[key][0] != files:
        _broadcasts[key] = files, context.broadcast(files)
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
            scores = probe(model)
        except (ValueError, OSError, ImportError) as error:
            raise BundleError(f"{where} cannot load the model: {error}") from error
        _check(model, scores, shipment, where)
        _models[key] = model
    return _models[key]


def _check(model: Model, scores: list[float], shipment: Shipment, where: str) -> None:
    if model.signature != shipment.signature:
        apertium = " and the same Apertium" if "apertium" in (shipment.ref and shipment.ref.translate or "") else ""
        raise BundleError(
            f"{where} has the model {model.signature} and the driver {shipment.signature}; "
            f"install the same samewise{apertium} on all nodes"
        )
    differs = max(abs(mine - theirs) for mine, theirs in zip(scores, shipment.probe, strict=True))
    if differs > PROBE_TOLERANCE:
        raise BundleError(
            f"{where} must score the probe as the driver does, got a difference of {differs:.1g}; install the same "
            "versions of the libraries, and use processors of one kind, on all nodes"
        )


def _load(shipment: Shipment) -> Model:
    files = {} if shipment.files is None else shipment.files.value
    if shipment.ref is None:
        model: Model = pickle.loads(files[_WHOLE])
        return model
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        places = {"model": str(Path(folder, _BUNDLE))} if shipment.ref.model not in ALL_PROFILES else {}
        if shipment.ref.features_file is not None:
            places["features_file"] = str(Path(folder, Path(shipment.ref.features_file).name))
        return replace(shipment.ref, cache=None, **places).load()
