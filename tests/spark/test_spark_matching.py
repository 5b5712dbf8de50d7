"""Matching by Spark: on the executors of `test_spark.py`, with the results of this machine to the last bit."""

import os
import shutil

import numpy as np
import pyarrow as pa
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.loading import load
from samewise.ensemble.matching.candidates import find_candidates
from samewise.ensemble.matching.dedupe_files import dedupe_file
from samewise.ensemble.matching.index import Index
from samewise.ensemble.matching.match_files import match_file
from samewise.ensemble.matching.options import DedupeOptions, MatchOptions
from samewise.ensemble.matching.pair_scores import score_candidates
from samewise.ensemble.matching.text_index import CandidateSettings, TextIndex
from samewise.ensemble.matching.texts import TextCollection, codes_by_view
from samewise.ensemble.scoring.worker_processes import Workers
from samewise.models.bundle import BundleError
from typer.testing import CliRunner

pytest.importorskip("pyspark", reason="pyspark is not installed")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("there is no Java", allow_module_level=True)

from samewise.apps.spark import model_shipping, spark_matching
from samewise.apps.spark.spark_matching import SparkEngine  # noqa: E402

from .test_spark import jobs, spark  # noqa: E402

__all__ = ["spark"]  # a fixture

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

SENTENCES = """\
The bakery opens at seven in the morning.|The bakery opens at 7 in the morning.
A tram stopped between two stations.|Between two stations, a tram stopped.
Our neighbour sold his old blue van.|Our neighbour has sold his old, blue van.
Heavy rain flooded the underground car park.|The underground car park was flooded by heavy rain.
She learned to swim when she was forty.|She learnt swimming at the age of forty.
The library lends out telescopes.|You can borrow telescopes from the library.
Two climbers were rescued on Monday.|Two climbers were rescued on Tuesday.
The contract ends after twelve months.|The contract ends after 24 months.
Visitors must not feed the goats.|Visitors may feed the goats.
A fox crossed the empty square at night.|At night a fox crossed the empty square.
He paid 300 euros for the bicycle.|He paid 450 euros for the bicycle.
The orchestra rehearses every Thursday.|Every Thursday the orchestra rehearses.
Tickets are sold out until March.|Until March all tickets are sold out.
The ferry to the island was cancelled.|The island ferry was called off.
Children painted the wall of the school.|The wall of the school was painted by children.
The oven has to be cleaned by hand.|The oven must be cleaned by hand.
Nobody answered the phone at the hotel.|At the hotel no one answered the phone.
The mayor promised a new bridge.|A new bridge was promised by the mayor.
Wind turbines need little maintenance.|Wind turbines hardly need any maintenance.
The recipe calls for three ripe pears.|Three ripe pears are needed for the recipe.
My sister repairs violins in Cremona.|In Cremona my sister repairs violins.
The museum shows maps of the Moon.|Maps of the Moon are on display in the museum.
The last bus leaves at half past ten.|The last bus departs at half past ten.
A storm damaged the roof of the barn.|The roof of the barn was damaged by a storm.
The team lost its first match.|The team won its first match.
Snow is rare on this coast.|It rarely snows on this coast.
The printer is out of paper again.|Again there is no paper in the printer.
Olive trees can live for centuries.|An olive tree may live for hundreds of years.
The judge postponed the hearing.|The hearing was postponed by the judge.
They grow saffron behind the house.|Behind the house they grow saffron."""

PAIRS = [line.split("|") for line in SENTENCES.splitlines()]
VIEWS = ("characters", "rare_words", "words")


@pytest.fixture(scope="module")
def surface():
    return load("surface")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A table of all sentences with some of them again, and the two sides of the pairs as tables."""
    folder = tmp_path_factory.mktemp("tables")
    first, second = zip(*PAIRS, strict=True)
    again = [first[3], second[8], first[3].replace(" ", "  "), first[20]]
    for name, texts in {"all": [*first, *second, *again], "a": [*first, again[0]], "b": [*second, *first[:5]]}.items():
        lines = [f'{row},"{text}"' for row, text in enumerate(texts, 100)]
        (folder / f"{name}.csv").write_text("\n".join(["key,text", *lines, ""]), encoding="utf-8")
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def assert_equal_summaries(found, expected):
    differing = {name for name, value in found.as_dict().items() if value != expected.as_dict()[name]}
    assert differing <= {"seconds"}


@pytest.mark.parametrize("tasks", [1, 3])
@pytest.mark.parametrize(
    "options",
    [
        DedupeOptions(same_from=3.0, unsure_from=2.0),
        DedupeOptions(same_from=2.5, keep="central", views=VIEWS, exact=False, per_view=4, prefilter="surface"),
    ],
    ids=["products", "graphs and a screen"],
)
def test_the_files_of_dedupe(spark, tables, tmp_path, surface, tasks, options):
    before = jobs(spark)
    summaries = []
    for name, engine in {"here": None, "there": SparkEngine(spark, tasks)}.items():
        (tmp_path / name).mkdir()
        target = tmp_path / name / "kept.csv"
        summary = dedupe_file(
            tables / "all.csv", target, model=surface, column="text", options=options, workers=1, engine=engine
        )
        summaries.append(summary)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert set(contents(tmp_path / "here")) == {"kept.csv", "kept.removed.csv", "kept.review.csv"}
    # Equal texts count where one of them stands for the group.
    assert summaries[0].removed > 10 and summaries[0].equal == (4 if options.keep == "first" else 3)
    assert bool(summaries[0].recall) == (options.exact is False)
    assert_equal_summaries(*summaries)
    # The search, the scores, and the differences of those that are the same or for review, found once.
    assert jobs(spark) - before >= 3


@pytest.mark.parametrize("tasks", [1, 3])
@pytest.mark.parametrize(
    "options",
    [MatchOptions(differences=True), MatchOptions(top=None, probability_of=2.5, views=VIEWS, exact=False, per_view=3)],
    ids=["products", "graphs and both ways"],
)
@pytest.mark.parametrize("indexed", [False, True], ids=["table", "index"])
def test_the_file_of_match(spark, tables, tmp_path, surface, tasks, options, indexed):
    second = tables / "b.csv"
    if indexed:
        second = tmp_path / "index"
        first, others = zip(*PAIRS, strict=True)
        Index.build([*others, *first[:5]], views=options.views or ("rare_words", "words")).save(second)
    summaries = []
    for name, engine in {"here": None, "there": SparkEngine(spark, tasks)}.items():
        target = tmp_path / f"{name}.csv"
        columns = ("text", None if indexed else "text")
        found = match_file(
            *(tables / "a.csv", second, target),
            **{"model": surface, "options": options, "columns": columns, "workers": 1, "engine": engine},
        )
        summaries.append(found)
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
    assert summaries[0].pairs > 20 and summaries[0].others == 35
    assert_equal_summaries(*summaries)


@pytest.mark.parametrize("tasks", [1, 3])
def test_batches_of_several_jobs_come_back_in_order(spark, surface, tasks):
    texts = TextCollection.of([text for pair in PAIRS for text in pair])
    candidates = find_candidates(texts, CandidateSettings(VIEWS, 10, 0.0))
    assert len(candidates.first) > 10 * 20  # more batches than fit into a job of one task
    found, seen = {}, []
    for name, pool in {"here": Workers(surface, 1), "there": SparkEngine(spark, tasks).pool(surface)}.items():
        with pool:
            found[name] = score_candidates(
                candidates, pool, progress=lambda done, count: seen.append(done), batch_size=20
            )
    here, there = found["here"], found["there"]
    for name in ("score", "low", "high", "deviation", "flags"):
        assert np.array_equal(getattr(here, name), getattr(there, name)), name
    assert there.flag_sets == here.flag_sets
    half = len(seen) // 2
    assert seen[:half] == seen[half:] == sorted(seen[:half])


@pytest.mark.parametrize("exact", [None, False])
@pytest.mark.parametrize("most", [1, 5])
def test_no_link_depends_on_the_partitions(spark, exact, most):
    queries, texts = (sorted(set(side)) for side in zip(*PAIRS, strict=True))
    codes, own = (codes_by_view(side, VIEWS, None) for side in (queries, texts))
    settings = CandidateSettings(VIEWS, most, 0.3, exact)
    expected = TextIndex(texts, own, VIEWS).links(queries, codes, settings, 1)
    assert len(expected.queries) >= len(queries)
    for tasks in (1, 4, 30):
        found = SparkEngine(spark, tasks).links(TextIndex(texts, own, VIEWS), queries, codes, settings, 2)
        assert np.array_equal(found.queries, expected.queries)
        assert np.array_equal(found.texts, expected.texts)
        assert found.recall == expected.recall


def test_nothing_to_search(spark):
    codes = codes_by_view([], VIEWS, None)
    for texts in ([], ["A tram stopped."]):
        own = codes_by_view(texts, VIEWS, None)
        links = SparkEngine(spark, 2).links(TextIndex(texts, own, VIEWS), [], codes, CandidateSettings(VIEWS), 1)
        assert (len(links.queries), len(links.texts), links.recall) == (0, 0, {})


def test_graphs_are_not_searched_by_products_instead(monkeypatch):
    monkeypatch.setattr(spark_matching, "can_index", lambda: False)
    with pytest.raises(ModuleNotFoundError, match="^No module named 'usearch'$"):
        spark_matching._unpacked("a search", None, CandidateSettings(exact=False))


def test_an_executor_with_something_else_is_refused_in_one_sentence(spark, surface, monkeypatch):
    monkeypatch.setattr(model_shipping, "installed_version", lambda name: "9.9")
    batch = pa.record_batch({"a": [PAIRS[0][0]], "b": [PAIRS[0][1]]})
    with SparkEngine(spark, 1).pool(surface) as pool:
        with pytest.raises(BundleError, match=r"^the executor on \S+ has samewise \S+ and the driver 9.9; install"):
            list(pool.scores([batch]))


def test_the_commands(spark, tables, tmp_path):
    for arguments in (["dedupe", "all.csv", "--column", "text"], ["match", "a.csv", "b.csv", "--column", "text,text"]):
        command, *names = arguments
        written = []
        for engine in ("local", "spark"):
            target = tmp_path / f"{command}.{engine}.csv"
            options = ["--model", "surface", "-o", str(target), "--engine", engine, "--json"]
            places = [str(tables / name) if name.endswith(".csv") else name for name in names]
            done = CliRunner().invoke(app, [command, *places, *options])
            assert done.exit_code == 0, done.output
            written.append(target.read_bytes())
        assert written[0] == written[1]


@pytest.mark.parametrize("command", [["match", "a.csv", "b.csv"], ["dedupe", "a.csv"]], ids=["match", "dedupe"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "spark", "--resume"], "must be local with --resume, --sentence-cache or --workers"),
        (["--engine", "spark", "--workers", "2"], "must be local with --resume, --sentence-cache or --workers"),
        (
            ["--engine", "spark", "--sentence-cache", "folder"],
            "must be local with --resume, --sentence-cache or --workers",
        ),
        (["--engine", "spark", "--dry-run"], "as a dry run measures this machine"),
        (["--master", "yarn"], "must be given with --engine spark"),
        (["--engine", "flink"], "must be one of local, spark, got 'flink'"),
    ],
)
def test_options_that_do_not_go_together(command, options, message):
    done = CliRunner().invoke(app, [*command, "-o", "out.csv", *options], env={"COLUMNS": "300"})
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())
