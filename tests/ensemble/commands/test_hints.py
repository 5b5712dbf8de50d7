from samewise.ensemble.commands.outputs import suggest_for_pair, suggest_for_table

SPANISH = "Un perro grande corre por la calle mojada."
FRENCH = "Un chien noir court dans la rue mouillée."
SWEDISH = "En svart hund springer på den blöta gatan."


def test_a_pair_in_a_known_language(capsys):
    suggest_for_pair(("A dog runs.", SPANISH), ("non_english",), None, None)
    assert capsys.readouterr().err == "a text looks like Spanish; add --languages es,en\n"
    suggest_for_pair((FRENCH, "A dog runs."), ("non_english",), None, None)
    assert capsys.readouterr().err == "a text looks like French; add --languages fr,en\n"
    suggest_for_pair(("مرحبا بكم في بيتنا", SPANISH), ("non_english",), None, None)
    assert capsys.readouterr().err == "a text looks like Arabic and Spanish; add --languages ar,es,en\n"


def test_nothing_is_said_where_nothing_helps(capsys):
    suggest_for_pair(("A dog runs.", SWEDISH), ("non_english",), None, None)  # Swedish is not known
    suggest_for_pair(("A dog runs.", SPANISH), ("identical",), None, None)  # no such flag
    suggest_for_pair(("A dog runs.", SPANISH), ("non_english",), "es,en", None)  # named already
    suggest_for_table({"identical": 3}, 3, None, None)
    suggest_for_table({"non_english": 3}, 3, "es,en", None)
    suggest_for_table({}, 0, None, None)
    assert capsys.readouterr().err == ""


def test_a_table_with_few_flagged_rows(capsys):
    suggest_for_table({"non_english": 128}, 20_000, None, None)
    assert capsys.readouterr().err == ""
    suggest_for_table({"non_english": 200}, 20_000, None, None)
    said = capsys.readouterr().err
    assert said.startswith("200 of 20,000 rows do not look English; ") and "--languages es,en" in said


def test_a_translator_of_more_languages(capsys):
    suggest_for_pair((SPANISH, FRENCH), ("non_english",), "es", "apertium")
    suggest_for_table({"non_english": 1}, 1_000, None, "apertium")
    said = capsys.readouterr().err.splitlines()
    assert said == ["not every text could be translated; --translate apertium,dictionary knows more languages"] * 2
