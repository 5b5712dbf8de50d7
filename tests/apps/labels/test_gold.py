"""Agreement, screening and gold scores, against worked examples, reference libraries and a plain implementation."""

import csv
import json
from collections import defaultdict
from statistics import fmean, median, pstdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import binary_distance, interval_distance
from samewise.apps.labels import Annotation, Annotations, gold, krippendorff_alpha, read_annotations, screen
from samewise.apps.labels.agreement import Panel, half_up
from samewise.apps.labels.simulated_annotators import KINDS, colluding, constant, honest, random, simulate
from samewise.ensemble.commands.cli import app
from samewise.ensemble.tables.labelled_pairs import read_pairs
from samewise.ensemble.tables.table_reader import TableError
from scipy.stats import pearsonr
from sklearn.metrics import cohen_kappa_score
from typer.testing import CliRunner

AS_PUBLISHED = {"confidence": 0.5, "min_common": 2}


def table(**labels):
    """Make annotations of one text an annotator, a digit a pair, a point where there is no label."""
    return Annotations.of(
        Annotation(name, f"p{k:02d}", float(x)) for name, text in labels.items() for k, x in enumerate(text) if x != "."
    )


def kept(judgements):
    return {each.annotator for each in judgements if each.kept}


def dropped(judgements):
    return {each.annotator for each in judgements if not each.kept}


# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C: four observers, twelve units.
KRIPPENDORFF = {"a": "123321412...", "b": "1233224125.3", "c": ".3332342251.", "d": "12332441251."}


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_is_that_of_the_published_example(level, published):
    assert krippendorff_alpha(table(**KRIPPENDORFF), level) == pytest.approx(published, abs=5e-4)


@pytest.mark.parametrize(("level", "distance"), [("nominal", binary_distance), ("interval", interval_distance)])
def test_alpha_is_that_of_nltk(level, distance):
    found = simulate(60, 8, [random], per_pair=3, seed=4).annotations
    reference = AnnotationTask([(row.annotator, row.pair, row.label) for row in found.rows()], distance=distance)
    assert krippendorff_alpha(found, level) == pytest.approx(reference.alpha(), abs=1e-12)


def test_alpha_is_undefined_where_nothing_differs_or_nothing_is_shared():
    assert np.isnan(krippendorff_alpha(table(a="333", b="333")))
    assert np.isnan(krippendorff_alpha(table(a="12..", b="..34")))


@pytest.mark.parametrize("aggregate", ["median", "mean"])
def test_leave_one_out_figures_are_those_of_the_libraries(aggregate):
    found = simulate(80, 9, [random, constant], per_pair=4, seed=1).annotations
    members = np.asarray([k != 3 for k in range(9)])  # one is compared from outside
    ours = Panel(found, aggregate).agreement(members)
    by_pair = defaultdict(dict)
    for row in found.rows():
        by_pair[row.pair][row.annotator] = row.label
    inside = {name for name, member in zip(found.annotators, members, strict=True) if member}
    for k, name in enumerate(found.annotators):
        own, reference = [], []
        for labels in by_pair.values():
            others = [label for other, label in labels.items() if other != name and other in inside]
            if name in labels and others:
                own.append(labels[name])
                reference.append(median(others) if aggregate == "median" else fmean(others))
        assert ours.common[k] == len(own)
        rounded = half_up(np.asarray(reference))
        assert ours.kappa[k] == pytest.approx(cohen_kappa_score(own, rounded), abs=1e-8)
        if len(set(own)) == 1:
            assert np.isnan(ours.pearson[k]) and ours.constant[k]
        else:
            assert ours.pearson[k] == pytest.approx(pearsonr(own, reference).statistic, abs=1e-8)


def test_the_standard_error_of_kappa_by_hand():
    # Half of eight agree, with even margins on both sides: observed .5, by chance .5.
    found = Panel(table(a="00001111", b="00110011")).agreement(np.ones(2, dtype=bool))
    assert found.kappa[0] == 0.0
    assert found.kappa_error[0] == pytest.approx((0.5 * 0.5 / (8 * 0.5**2)) ** 0.5)


def test_halves_are_rounded_up():
    assert half_up(np.asarray([0.0, 0.49, 0.5, 1.5, 2.5, 4.5, 5.0])).tolist() == [0, 0, 1, 2, 3, 5, 5]


def test_screening_by_hand():
    # a, b and c say the same; d says the opposite: its correlation with each is -1.
    judged = screen(table(a="012345", b="012345", c="012345", d="543210"), **AS_PUBLISHED)
    assert [(each.annotator, each.kept) for each in judged] == [("a", True), ("b", True), ("c", True), ("d", False)]
    assert [each.pearson for each in judged] == [1.0, 1.0, 1.0, -1.0]
    assert [each.kappa for each in judged][:3] == [1.0, 1.0, 1.0]
    assert judged[3].note == "correlation -1.00, under 0.8"
    assert {each.note for each in judged[:3]} == {""}


def test_kappa_drops_who_is_always_a_grade_too_high():
    judged = screen(table(a="012340123", b="012340123", c="012340123", high="123451234"), **AS_PUBLISHED)
    assert dropped(judged) == {"high"}
    assert judged[3].pearson == 1.0 and judged[3].kappa < 0
    assert judged[3].note.startswith("kappa -0.")


def test_without_a_third_nobody_tells_which_of_two_is_wrong():
    assert kept(screen(table(a="012345", b="543210"), **AS_PUBLISHED)) == set()
    assert kept(screen(table(a="012345", b="012345"), **AS_PUBLISHED)) == {"a", "b"}


def test_the_confidence_decides_what_a_figure_under_the_limit_means():
    texts = {"a": "001122334455", "b": "001122334455", "c": "001122334455", "d": "350021334255"}
    reference = pearsonr([int(x) for x in texts["a"]], [int(x) for x in texts["d"]]).statistic
    assert 0.3 < reference < 0.8
    strict, lenient = (screen(table(**texts), confidence=p) for p in (0.5, 0.999))
    assert dropped(strict) == {"d"} and dropped(lenient) == set()
    assert lenient[3].pearson == pytest.approx(reference, abs=1e-8)
    assert lenient[3].note == f"correlation {reference:.2f}, under 0.8, but on 12 pairs that may be chance"


def test_who_cannot_be_judged_is_dropped_with_the_reason():
    found = table(
        a="012345012345",
        b="012345012345",
        c="012345012345",
        few="012345......",
        same="222222222222",
        alone="............012345012345",
    )
    notes = {each.annotator: each.note for each in screen(found) if not each.kept}
    assert notes == {
        "few": "6 pairs in common with the annotators kept; 10 are needed to judge",
        "same": "the same label on all 12 pairs",
        "alone": "0 pairs in common with the annotators kept; 10 are needed to judge",
    }


def test_an_annotator_is_not_blamed_when_the_others_cannot_tell_pairs_apart():
    alike = {f"p{k:02d}": 3.0 for k in range(11)}
    (judged,) = screen(table(a="32334323433"), known=alike)
    assert not judged.kept and "judges nobody" in judged.note


def test_controls_stand_in_for_the_others():
    truth = "0123450123450123"
    wrong = "5432105432105432"
    found = table(honest=truth, one=wrong, two=wrong, three=wrong)
    assert kept(screen(found)) == {"one", "two", "three"}  # the majority rules where nothing is known
    known = {f"p{k:02d}": float(x) for k, x in enumerate(truth[:12])}
    assert kept(screen(found, known=known)) == {"honest"}


def test_who_fails_on_controls_alone_comes_back_if_the_others_agree():
    truth, slips = "012345" * 20, "350021304255"
    found = table(a=truth, b=truth, c=truth, d=slips + truth[12:])
    known = {f"p{k:02d}": float(x) for k, x in enumerate(truth[:12])}
    on_controls = Panel(found, known=known).agreement(np.ones(4, dtype=bool), controls_only=True)
    assert on_controls.common.tolist() == [12] * 4 and on_controls.pearson[3] < 0.5
    assert kept(screen(found, known=known, confidence=0.5)) == set("abcd")


def test_honest_annotators_stay_who_fail_in_bad_company():
    for seed in range(3):
        made = simulate(150, 12, [random] * 5, seed=seed)
        judged = screen(made.annotations)
        assert dropped(judged) == made.bad
        everyone = Panel(made.annotations).agreement(np.ones(12, dtype=bool)).pearson
        honest_at_first = [
            r for name, r in zip(made.annotations.annotators, everyone, strict=True) if name not in made.bad
        ]
        assert min(honest_at_first) < 0.8  # all at once, the rule would have dropped these


@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
@pytest.mark.parametrize("share", [0.05, 0.2, 0.4])
def test_exactly_the_bad_are_dropped(kind, share):
    bad = round(20 * share)
    ways = [list(KINDS.values())[k % len(KINDS)] if kind == "mixed" else KINDS[kind] for k in range(bad)]
    for seed in range(4):
        made = simulate(300, 20, ways, seed=seed)
        assert dropped(screen(made.annotations)) == made.bad, seed


def test_noisy_but_honest_annotators_stay():
    made = simulate(300, 20, [random] * 8, noise=(0.7, 0.8), seed=2)
    assert dropped(screen(made.annotations)) == made.bad


def test_a_colluding_majority_wins_unless_there_are_controls():
    made = simulate(200, 10, [colluding()] * 6, seed=0)
    assert dropped(screen(made.annotations)) != made.bad
    known = dict(list(made.truth.items())[::5])
    assert dropped(screen(made.annotations, known=known)) == made.bad


def test_the_simulator_makes_what_it_promises():
    made = simulate(101, 9, [constant, random], per_pair=4, seed=3)
    counts = np.bincount(made.annotations.what)
    assert counts.tolist() == [4] * 101
    assert np.ptp(np.bincount(made.annotations.who)) <= 5  # one task
    assert len(made.bad) == 2 and set(made.annotations.labels) <= set(range(6))
    again = simulate(101, 9, [constant, random], per_pair=4, seed=3)
    assert again.annotations.labels.tolist() == made.annotations.labels.tolist() and again.bad == made.bad
    with pytest.raises(ValueError, match="annotators must be at least 5 for 5 a pair and 0 unreliable ones, got 3"):
        simulate(10, 3, per_pair=5)
    assert set(honest(0.0)(np.asarray([0.2, 2.5, 4.9]), np.random.default_rng(0))) == {0, 3, 5}


def test_gold_scores_by_hand():
    found = table(a="0125.4", b="0135.4", c="0145.5", d="02.5.5", e="0...25")
    result = gold(found, min_common=2)
    assert kept(result.judgements) == {"a", "b", "c", "d", "e"}
    assert [(each.pair, each.score, each.labels) for each in result.pairs] == [
        ("p00", 0.0, 5),
        ("p01", 1.0, 4),
        ("p02", 3.0, 3),
        ("p03", 5.0, 4),
        ("p05", 5.0, 5),
    ]
    assert result.pairs[2].spread == pytest.approx(pstdev([2, 3, 4]))
    assert [each[:2] for each in result.left_out] == [("p04", "labels")]
    assert result.left_out[0].reason == "1 of 1 labels are of annotators kept; 3 are needed"
    assert result.by_grade() == [1, 1, 0, 1, 0, 2]
    means = gold(found, min_common=2, aggregate="mean", min_labels=1)
    assert [each.score for each in means.pairs] == pytest.approx([0, 1.25, 3, 5, 2, 4.6])


def test_labels_of_those_dropped_do_not_count():
    found = table(a="012345012345", b="012345012345", c="012345012345", bad="543210543210")
    result = gold(found)
    assert {each.labels for each in result.pairs} == {3}
    assert (result.before.annotators, result.after.annotators) == (4, 3)
    assert result.after.pearson == result.after.alpha_interval == result.after.alpha_ordinal == 1.0
    assert result.before.alpha_interval < 0.5


def test_pairs_on_which_more_annotators_agree_are_preferred():
    #             0123456
    found = table(a="3333300", b="3334301", c="3233250", d="3223450", e="3.22211")
    result = gold(found, min_common=2, per_grade=2, min_correlation=-1, min_kappa=-1)
    # Equal to the median: five of p00, none of p01 (3, 3, 2, 2), three of p02 and p03, of which p02 has less spread.
    assert [each.pair for each in result.pairs if each.score == 3] == ["p00", "p02"]
    assert {each.kind for each in result.left_out} == {"surplus"}
    assert max(result.by_grade()) == 2
    assert len(result.pairs) + len(result.left_out) == 7


def test_controls_get_no_gold_score():
    found = table(a="012345012345", b="012345012345", c="012345012345")
    result = gold(found, known={"p00": 0.0, "elsewhere": 1.0})
    assert [each.pair for each in result.left_out] == ["p00"] and result.settings["controls"] == 1


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(st.randoms(use_true_random=False), st.integers(0, 5), st.sampled_from(["median", "mean"]))
def test_neither_order_nor_names_matter(shuffled, seed, aggregate):
    made = simulate(40, 8, [random, constant], seed=seed).annotations
    first = gold(made, aggregate=aggregate)
    rows = list(made.rows())
    shuffled.shuffle(rows)
    names = list(made.annotators)
    shuffled.shuffle(names)
    renamed = dict(zip(made.annotators, names, strict=True))
    second = gold(Annotations.of(row._replace(annotator=renamed[row.annotator]) for row in rows), aggregate=aggregate)
    assert second.pairs == first.pairs and second.left_out == first.left_out
    assert {renamed[name] for name in dropped(first.judgements)} == dropped(second.judgements)
    assert second.after.alpha_interval == pytest.approx(first.after.alpha_interval, abs=1e-12)


@settings(deadline=None, max_examples=25)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcde"), st.sampled_from("pqrstuv")),
        st.sampled_from([0, 1, 2, 2.5, 3, 4, 5]),
        min_size=1,
    ),
    st.sampled_from(["median", "mean"]),
)
def test_any_table_is_judged_and_every_pair_accounted_for(labels, aggregate):
    found = Annotations.of(Annotation(who, pair, float(x)) for (who, pair), x in labels.items())
    result = gold(found, aggregate=aggregate, min_common=2, per_grade=1)
    assert sorted([each.pair for each in result.pairs] + [each.pair for each in result.left_out]) == list(found.pairs)
    assert all(0 <= each.score <= 5 and each.labels >= 3 for each in result.pairs)
    json.dumps(result.as_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"min_correlation": 1.2}, "the least correlation must be between -1 and 1, got 1.2"),
        ({"min_kappa": -2}, "the least kappa must be between -1 and 1, got -2"),
        ({"min_common": 1}, "must be at least 2 for a correlation, got 1"),
        ({"confidence": 1.0}, "must be at least 0.5 and under 1, got 1"),
        ({"min_labels": 0}, "the least number of labels must be at least 1, got 0"),
        ({"per_grade": 0}, "the number of pairs a grade must be at least 1, got 0"),
        ({"aggregate": "mode"}, "aggregate must be median or mean, got 'mode'"),
    ],
)
def test_settings_out_of_range_are_refused(asked, told):
    with pytest.raises(ValueError, match=told):
        gold(table(a="012", b="012"), **asked)


LONG = "annotator,pair,label\nann,p1,3\nben,p1,4\nann,p2,0\n"
WIDE = "pair,ann,ben\np1,3,4\np2,0,\n"


def written(folder, text, name="labels.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_long_and_wide_tables_say_the_same(tmp_path):
    long, wide = (read_annotations(written(tmp_path, text)) for text in (LONG, WIDE))
    tsv = read_annotations(written(tmp_path, WIDE.replace(",", "\t"), "labels.tsv"))
    lines = "".join(
        json.dumps(dict(zip(LONG.split("\n")[0].split(","), row.split(","), strict=True))) + "\n"
        for row in LONG.split()[1:]
    )
    jsonl = read_annotations(written(tmp_path, lines, "labels.jsonl"))
    for found in (wide, tsv, jsonl):
        assert list(found.rows()) == list(long.rows())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (LONG + ",p3,2\n", "line 5 of .*: the annotator has no name; fill the column 'annotator'"),
        (LONG + "ann,,2\n", "line 5 of .*: the pair has no name"),
        (
            LONG + "ann,p3,6\n",
            "line 5 of .*: the label must be a number from 0 to 5, got '6'; correct or remove the row",
        ),
        (LONG + "ann,p3,\n", "line 5 of .*: the label must be a number from 0 to 5, got ''"),
        (LONG + "ann,p3,nan\n", "line 5 of .*: the label must be a number from 0 to 5, got 'nan'"),
        (LONG + "ann,p3,five\n", "line 5 of .*: the label must be a number from 0 to 5, got 'five'"),
        (
            LONG + "ann,p1,2\n",
            "line 5 of .*: an annotator must label a pair once, got 'ann' with the pair 'p1' in line 2 too; keep one",
        ),
        (LONG + "ann,p3\n", "line 5 of .*: 2 fields instead of 3"),
        ("annotator,label\nann,3\n", "has no column 'pair'"),
        (
            "annotator,pair\nann,p1\n",
            "must have the columns annotator, pair, label, got .*labels.csv with annotator, pair; rename",
        ),
        (
            "pair,sentence1,sentence2\np1,a,b\n",
            "must have the columns annotator, pair, label, or one column for each annotator, got no labels",
        ),
        (
            "pair,ann,genre\np1,3,news\n",
            "line 2 of .*: the label must be a number .*, got 'news'; correct it, or remove the column 'genre'",
        ),
        ("annotator,pair,label\n", "must hold at least one label, got none"),
        (
            "annotator,pair,label,sentence1,sentence2\nann,p1,3,x,y\nben,p1,3,x,z\n",
            "line 3 of .*: a pair must have the same sentences in all rows, got others for 'p1'; rename it",
        ),
    ],
)
def test_bad_tables_are_refused_with_row_and_remedy(tmp_path, text, told):
    with pytest.raises(TableError, match=told):
        read_annotations(written(tmp_path, text))


@pytest.fixture
def crowd(tmp_path):
    made = simulate(60, 10, [random, constant, random], seed=6)
    rows = [f"{row.annotator},{row.pair},{row.label:g}" for row in made.annotations.rows()]
    labels = written(tmp_path, "\n".join(["annotator,pair,label", *rows]) + "\n")
    pairs = [f'{name},"Someone counts {k}, aloud.",Somebody says {k}.' for k, name in enumerate(made.truth)]
    return made, labels, written(tmp_path, "\n".join(["id,sentence1,sentence2", *pairs]) + "\n", "pairs.csv")


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


def test_the_command_writes_what_train_reads(crowd, tmp_path):
    made, labels, pairs = crowd
    done = run(
        "label", "gold", labels, "--pairs", pairs, "-o", tmp_path / "gold.csv", "--report", tmp_path / "gold.html"
    )
    assert done.exit_code == 0, done.output
    found, scores, columns = read_pairs(tmp_path / "gold.csv")
    assert columns.column_names == ["sentence1", "sentence2", "score", "labels", "spread", "pair"]
    assert found[0] == ("Someone counts 0, aloud.", "Somebody says 0.")
    truth = [made.truth[name] for name in columns.column("pair").to_pylist()]
    assert len(scores) > 40 and pearsonr(scores, truth).statistic > 0.95
    page = (tmp_path / "gold.html").read_text()
    for name in made.bad:
        assert name in done.stdout and name in page
    assert "the same label on all" in done.stdout and "the same label on all" in page
    assert f"{10 - len(made.bad)} kept, {len(made.bad)} dropped" in done.stdout


def test_the_command_prints_json(crowd):
    made, labels, _ = crowd
    done = run("label", "gold", labels, "--json")
    facts = json.loads(done.stdout)
    assert {each["annotator"] for each in facts["annotators"] if not each["kept"]} == made.bad
    assert len(facts["pairs"]) + len(facts["left_out"]) == 60
    assert facts["after"]["alpha_interval"] > facts["before"]["alpha_interval"]
    assert facts["settings"]["min_correlation"] == 0.8


def test_the_command_uses_controls_and_balances_grades(crowd, tmp_path):
    made, labels, _ = crowd
    known = written(tmp_path, "pair,score\n" + "".join(f"{n},{x}\n" for n, x in list(made.truth.items())[:30]), "k.csv")
    facts = json.loads(run("label", "gold", labels, "--controls", known, "--per-grade", 3, "--json").stdout)
    assert max(facts["by_grade"]) <= 3 and len(facts["pairs"]) <= 18
    assert sum(each["kind"] == "control" for each in facts["left_out"]) == 30
    assert {each["annotator"] for each in facts["annotators"] if not each["kept"]} == made.bad


def test_the_command_says_what_is_missing(crowd, tmp_path):
    _, labels, pairs = crowd
    done = run("label", "gold", labels, "-o", tmp_path / "gold.csv")
    assert (
        done.exit_code == 1
        and "every pair must have its sentences, got none of 'pair-00'; name their table as --pairs" in done.stderr
    )
    assert not (tmp_path / "gold.csv").exists()
    done = run("label", "gold", labels, "--min-labels", 9)
    assert done.exit_code == 1 and "no pair of" in done.stderr
    assert run("label", "gold", labels, "--aggregate", "mode").exit_code == 2
    assert run("label", "gold", tmp_path / "absent.csv").exit_code == 1
    assert run("label", "gold", labels, "--pairs", pairs, "-o", labels).exit_code == 1
    done = run("label", "gold", labels, "--controls", pairs)
    assert done.exit_code == 1 and "no column" in done.stderr


def test_gold_on_standard_output_is_a_table_alone(crowd):
    _, labels, pairs = crowd
    done = run("label", "gold", labels, "--pairs", pairs, "-o", "-", "--format", "csv")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert done.exit_code == 0 and set(rows[0]) == {"sentence1", "sentence2", "score", "labels", "spread", "pair"}
