"""Groups of options and rules on them, on small commands, and the one group that chooses the model."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from samewise.ensemble.commands.option_groups import Rule, only, option_groups, option_rules
from samewise.ensemble.commands.options import model_source
from samewise.ensemble.loading import ModelRef
from typer.testing import CliRunner


@dataclass(frozen=True)
class Paper:
    size: Annotated[str, typer.Option("--size", help="Of the paper.")] = "A4"
    lined: Annotated[bool, typer.Option("--lined", help="With lines.")] = False


def run(command, *arguments):
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, list(arguments))


@option_groups(paper=Paper)
def write(
    text: Annotated[str, typer.Argument(metavar="TEXT")],
    colour: Annotated[str, typer.Option("--colour")] = "black",
    *,
    paper: Paper,
    copies: Annotated[int, typer.Option("--copies")] = 1,
):
    """Write a text."""
    print(text, colour, paper, copies)


def test_a_group_is_one_value():
    done = run(write, "hello", "--lined", "--copies", "3")
    assert done.stdout == "hello black Paper(size='A4', lined=True) 3\n"
    assert run(write, "hello", "--size", "A5").stdout == "hello black Paper(size='A5', lined=False) 1\n"


def test_help_shows_the_options_in_the_place_of_the_group():
    text = run(write, "--help").stdout
    places = [text.index(option) for option in ("--colour", "--size", "--lined", "--copies")]
    assert places == sorted(places)
    assert "Write a text." in text


def test_a_group_may_hold_a_group():
    @dataclass(frozen=True, kw_only=True)
    class Letter:
        to: Annotated[str, typer.Option("--to")] = "nobody"
        paper: Paper

    @option_groups(letter=option_groups(paper=Paper)(Letter))
    def send(letter: Letter):
        print(letter.to, letter.paper.size)

    assert run(send, "--to", "her", "--size", "A6").stdout == "her A6\n"


def test_some_options_of_a_group():
    @option_groups(paper=only(Paper, "lined"))
    def draw(paper: Paper):
        print(paper)

    assert run(draw, "--lined").stdout == "Paper(size='A4', lined=True)\n"
    assert run(draw, "--size", "A5").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["hello"], None),
        (["hello", "--copies", "2", "--lined"], None),
        (["hello", "--copies", "2"], "copies are lined"),
        (["hello", "--copies", "2", "--size", "A5"], "copies are lined"),
        (["hello", "--size", "A4", "--lined"], "sizes are blank"),
    ],
)
def test_rules(arguments, remedy):
    rules = (
        Rule("--copies", "copies are lined", needs=("--lined",)),
        Rule("--size", "sizes are blank", without=("--lined",)),
    )
    done = run(option_rules(*rules)(write), *arguments)
    assert done.exit_code == (0 if remedy is None else 2)
    assert remedy is None or remedy in done.output


def test_the_group_of_the_model():
    @option_groups(source=model_source)
    def show(source: ModelRef):
        print(source)

    assert run(show).stdout == f"{ModelRef('full')}\n"
    files = [
        "--features-file",
        "mine.py",
        "--vectors",
        "v",
        "--encoder",
        "e",
        "--languages",
        "es,en",
        "--translate",
        "apertium",
    ]
    named = ModelRef("a folder", "mine.py", "v", "e", "es,en", "apertium")
    assert run(show, "--model", "a folder", *files).stdout == f"{named}\n"
    assert run(show, "--model", "surface").stdout == f"{ModelRef('surface')}\n"
    assert run(show, "--model", "surfce").exit_code == 2
