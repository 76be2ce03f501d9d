"""Reports: one file that fetches nothing, a summary that says what the numbers say, tables as Markdown and LaTeX."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import base64
import re
from html.parser import HTMLParser

import matplotlib.pyplot as plt
import pytest
from plots_helpers import LINES, LONG, made_up

import simlib as sl
from simlib import cli, report
from simlib.report import comparison as comparison_report
from simlib.report.page import Section, write
from simlib.report.runs import lead
from simlib.report.tables import numeric, tables_of
from simlib.report.words import interval_text, p_text, share_interval_text

GAMES = list(LINES)


class Page(HTMLParser):
    """What a page consists of."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.addresses, self.alts, self.text, self._open = [], [], [], [], []
        self.feed(text)
        assert self._open == [], f"never closed: {self._open}"

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.tags.append(tag)
        if tag not in ("meta", "link", "img", "source", "br"):
            self._open.append(tag)
        self.addresses += [v for k, v in attributes if k in ("src", "srcset", "href", "data", "action")]
        if tag == "img":
            self.alts.append(values["alt"])

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, text):
        if not self._open or self._open[-1] != "style":
            self.text.append(text)

    @property
    def words(self):
        """All that can be read, blanks collapsed."""
        return " ".join(" ".join(self.text).split())


@pytest.fixture(scope="module", params=[(g, k) for g in GAMES for k in ("rows", "summary")], ids=str)
def written(request, tmp_path_factory):
    """A run of each game, with rows and without, and its report."""
    game, keep = request.param
    runs = made_up(game, keep=keep)
    path = runs.report(tmp_path_factory.mktemp("report"))
    return runs, path.read_text(encoding="utf-8")


# --- the file ------------------------------------------------------------------------------------


def test_report_is_self_contained(written):
    """Every address holds its data; no script, no style sheet, no font to fetch, no address in pictures."""
    _, text = written
    page = Page(text)
    assert page.addresses
    assert all(address.startswith("data:") for address in page.addresses)
    assert not {"script", "iframe", "object", "embed"} & set(page.tags)
    assert not re.search(r"https?:|@import|url\(", text)
    for address in page.addresses:
        if ";base64," in address:
            svg = base64.b64decode(address.split(",", 1)[1]).decode()
            assert svg.startswith("<svg")
            hosts = set(re.findall(r'(?:href|src)="(?!#)([^"]*)"', svg))
            assert not hosts, hosts
            assert "<text" not in svg  # outlines, so that no font is needed


def test_every_picture_is_there_for_wide_and_narrow_and_in_words(written):
    _, text = written
    page = Page(text)
    assert page.tags.count("img") == page.tags.count("source") == page.tags.count("picture") >= 3
    assert all(len(alt) > 20 for alt in page.alts)
    assert "viewport" in text
    assert "@media print" in text


def test_summary_on_top_and_manifest_at_the_bottom(written):
    runs, text = written
    words = Page(text).words
    assert words.index("300 deals") < words.index("Who wins how often") < words.index("How it was computed")
    assert str(runs.manifest["seed"]) in words
    for policy in runs.manifest["policies"]:
        assert f"{policy['text']} (code {policy['digest']}" in words
    for option in runs.manifest["rules"]:
        assert f"{option}=" in words


#: Words of each game's own sections: in every report, and in those of a run with rows.
OWN_WORDS = {
    "drei_zu_viel": (["Cards taken in each third", "cards face down"], ["Lead changes"]),
    "big_three": (["cards left"], ["The declarer by the winning bid", "by place in the bidding", "bombs a game"]),
    "three_thirteen": (["Penalty of each round", "rounds gone out"], ["stalled", "Lead changes"]),
}


def test_each_game_has_its_own_sections(written):
    runs, text = written
    words = Page(text).words
    always, with_rows = OWN_WORDS[runs.game.name]
    assert all(part in words for part in always)
    assert all((part in words) == (runs.keep == "rows") for part in with_rows)


def test_same_run_same_report(tmp_path):
    """The report is a function of the run."""
    a = made_up("drei_zu_viel", deals=40).report(tmp_path / "a.html").read_bytes()
    assert made_up("drei_zu_viel", deals=40).report(tmp_path / "b.html").read_bytes() == a


def test_no_figure_stays_open(tmp_path):
    plt.close("all")
    made_up("three_thirteen", deals=20).report(tmp_path)
    assert plt.get_fignums() == []


def test_names_are_text(tmp_path):
    """A policy called like HTML changes nothing on the page."""
    line = ["<script>alert(1)</script>", 'a"b&c', "random", LONG]
    text = made_up("drei_zu_viel", line, 20).report(tmp_path).read_text(encoding="utf-8")
    page = Page(text)
    assert "script" not in page.tags
    assert "<script>alert(1)</script>" in page.words
    assert 'a"b&c' in page.words


@pytest.mark.parametrize(
    ("game", "line"),
    [("drei_zu_viel", ["a", "b"]), ("big_three", ["a"] * 4), ("three_thirteen", [f"p{i}" for i in range(8)])],
)
def test_report_of_one_deal(tmp_path, game, line):
    words = Page(made_up(game, line, 1).report(tmp_path).read_text(encoding="utf-8")).words
    assert "1 deal of" in words
    assert "inf" not in words.replace("information", "")
    assert "nan" not in words


def test_report_when_nobody_declares(tmp_path):
    runs = made_up("big_three", ["never"] * 3, 5)
    for _, rows in runs.chunks():
        rows["declarer"], rows["bid"] = -1, 0
    assert "Nobody declared in any deal" in runs.report(tmp_path).read_text(encoding="utf-8")


def test_where_it_is_written(tmp_path):
    page = tmp_path / "deep" / "er" / "r.html"
    assert write("x", page) == page
    assert write("x", tmp_path) == tmp_path / "report.html"
    assert write("y", tmp_path).read_text() == "y"
    assert {p.name for p in tmp_path.iterdir()} == {"deep", "report.html"}
    with pytest.raises(ValueError, match="cannot be written"):
        write("x", tmp_path / "report.html" / "below")


def test_report_of_something_else(tmp_path):
    with pytest.raises(TypeError, match="needs Runs or a Comparison, not int"):
        report.write_report(7, tmp_path)
    with pytest.raises(TypeError, match="not str"):
        report.summary_table("runs")


# --- the summary in words ------------------------------------------------------------------------


def test_a_clear_winner():
    first, second, third = lead(made_up("drei_zu_viel", strength=4))
    assert (
        first
        == "300 deals of 3 sind eine zu viel! for 4 players were played in every seat in turn, 1,200 games in all."
    )
    assert second.startswith("careful wins most often: ")
    assert "against" in second
    assert "An equal share would be 25.0 %." in second
    assert third.startswith("random wins least often, ")


def test_no_clear_winner():
    text = lead(made_up("drei_zu_viel", strength=0))
    assert "has the highest win rate, though not clearly: " in text[1]
    assert "has the lowest win rate, " in text[2]


def test_clear_is_said_of_pairs_not_of_intervals_apart():
    """The test is that of the difference on the same deals: of two in a game it is clear when 50 % is excluded."""
    runs = made_up("drei_zu_viel", ["a", "b"], 400, strength=0.25)
    table = runs.summary().sort_values("win_rate")
    clear = table.win_lo.iloc[1] > 0.5
    assert ("wins most often" in lead(runs)[1]) == clear


def test_one_policy_in_every_seat():
    text = lead(made_up("three_thirteen", ["greedy"] * 3, 30))
    assert len(text) == 2
    assert text[1].startswith("Every seat was played by greedy, so that each wins its equal share; the mean score is -")


def test_seats_as_given():
    text = lead(made_up("big_three", seatings=[[0, 1, 2]]))
    assert "in the seats as given" in text[0]
    assert "seats were not changed" in text[-1]


def test_one_deal_tells_nothing():
    assert lead(made_up("big_three", deals=1))[1] == "A single deal tells nothing about which policy is better."


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((1.234, 1.134, 1.334), "1.23 [1.13, 1.33]"),
        ((1234.5, 1134.5, 1334.5), "1234 [1134, 1334]"),
        ((-0.001, -0.5, 0.5), "0.00 [-0.50, 0.50]"),
        ((2.0, 2.0, 2.0), "2.0 [2.0, 2.0]"),
        ((2.0, -float("inf"), float("inf")), "2.0 (no interval)"),
    ],
)
def test_interval_text(numbers, text):
    assert interval_text(*numbers) == text


def test_shares_and_p_in_words():
    assert share_interval_text(0.5, 0.4, 1.2) == "50 % [40, 100]"
    assert share_interval_text(0.0, 0.0, 0.0) == "0.0 % (every deal)"
    assert [p_text(p) for p in (1e-9, 0.0123, 0.5, 1.0)] == ["< 0.0001", "0.012", "0.50", "1.00"]


# --- comparisons ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """A comparison with a worse variant, the baseline itself, and a better one."""
    place = tmp_path_factory.mktemp("compared") / "c"
    found = sl.compare(
        "drei_zu_viel", "filler", {"by chance": "random", "itself": "filler", "<b>care</b>": "careful"}, 120,
        seed=7, progress=False, out=place,
    )  # fmt: skip
    return found, place


def test_comparison_in_words(compared):
    first, worse, same, better = comparison_report.lead(compared[0])
    assert first.startswith(
        "On the same 120 deals of 3 sind eine zu viel!, in the same seats against filler, filler was"
    )
    assert worse.startswith("by chance is worse: -")
    assert "percentage points" in worse
    assert same == "itself makes no difference: the results are the same in every deal."
    assert better.startswith("<b>care</b> is better: +")


def test_comparison_that_cannot_tell():
    found = sl.compare("drei_zu_viel", "filler", {"a": "filler", "b": "greedy"}, 60, seed=3, progress=False)
    assert comparison_report.lead(found)[2].startswith("Whether b is better or worse cannot be told: ")


def test_comparison_report(compared, tmp_path):
    found, _ = compared
    text = found.report(tmp_path / "c.html").read_text(encoding="utf-8")
    page = Page(text)
    assert all(address.startswith("data:") for address in page.addresses)
    assert "b" not in page.tags
    for part in ("Differences", "By seat", "What else changes", "3 × filler (code", "pairing saves", "seed"):
        assert part in page.words
    assert page.tags.count("img") == 3
    assert plt.get_fignums() == []


def test_early_stop_is_told(tmp_path):
    found = sl.compare("drei_zu_viel", "greedy", ["random"], 400, until=3.0, seed=1, progress=False)
    words = Page(found.report(tmp_path).read_text(encoding="utf-8")).words
    assert "decided by a test that may be looked at all the time" in words
    assert found.verdict("random") in words


# --- tables --------------------------------------------------------------------------------------


def test_markdown_table():
    runs = made_up("drei_zu_viel", ["a_b", "c|d"], 100)
    lines = report.summary_table(runs).split("\n")
    assert len(lines) == 4
    assert lines[0].startswith("| policy | games | win rate ")
    assert lines[1] == "| --- | ---: | ---: | ---: | ---: |"
    assert lines[2].startswith(r"| a\_b | 200 | ")
    assert r"c\|d" in lines[3]
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 6 for line in lines)


def test_latex_table():
    text = report.summary_table(made_up("drei_zu_viel", ["50%_$#&", r"a\b{c}"], 100), "latex")
    lines = text.split("\n")
    assert lines[0] == r"\begin{tabular}{lrrrr}"
    assert r"50\%\_\$\#\&" in lines[4]
    assert r"a\textbackslash{}b\{c\}" in lines[5]
    assert lines[-1] == r"\end{tabular}"
    assert all(line.endswith(r"\\") for line in (lines[2], *lines[4:6]))
    assert len(re.findall(r"(?<!\\)&", lines[4])) == 4


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_all_tables_of_every_game(game, format):
    runs = made_up(game, deals=40)
    text = report.all_tables(runs, format)
    tables = tables_of(runs)
    assert len(tables) >= 3
    assert text.count("| --- |" if format == "markdown" else r"\toprule") == len(tables)
    for _, rows in tables:
        assert len({tuple(row) for row in rows}) == 1


def test_other_formats_are_refused():
    with pytest.raises(ValueError, match="format='word' must be one of markdown, latex"):
        report.summary_table(made_up("drei_zu_viel", deals=2), "word")
    with pytest.raises(ValueError, match="there are none"):
        report.table_text([])


@pytest.mark.parametrize(
    ("text", "is_number"),
    [("1,200", True), ("-1.2 [-2.0, -0.4]", True), ("50 % [40, 60]", True), ("< 0.0001", True), ("–", True),
     ("1.5 ×", True), ("2.0 (no interval)", True), ("bid 1", False), ("greedy", False), ("3 × filler", False)],
)  # fmt: skip
def test_what_is_flush_right(text, is_number):
    assert numeric(text) == is_number


def test_section_leaves_out_empty_tables():
    assert Section("x").add_table([]).tables == []


# --- the command ---------------------------------------------------------------------------------


def command(capsys, *arguments):
    """Run the command line; return exit code, stdout, stderr."""
    with pytest.raises(SystemExit) as stop:
        cli.main(["report", *map(str, arguments)])
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def test_report_command(capsys, tmp_path):
    place = tmp_path / "run"
    runs = sl.simulate("drei_zu_viel", ["greedy", "random"], 30, 7, out=place, progress=False)
    assert command(capsys, place)[:2] == (0, f"{place / 'report.html'}\n")
    assert command(capsys, place, "--out", tmp_path / "x.html")[0] == 0
    assert (tmp_path / "x.html").is_file()
    assert sl.load(place).summary().equals(runs.summary())  # the report beside them does the rows no harm
    code, out, _ = command(capsys, place, "--format", "markdown")
    assert (code, out) == (0, report.all_tables(runs))
    code, out, _ = command(capsys, place, "--format", "latex", "--out", tmp_path)
    assert (tmp_path / "tables.tex").read_text() == report.all_tables(runs, "latex")
    code, _, err = command(capsys, place, "--format", "word")
    assert (code, err.count("\n")) == (2, 1)
    assert "must be html, markdown or latex" in err


def test_report_command_on_a_comparison(capsys, compared):
    found, place = compared
    code, out, _ = command(capsys, place)
    assert (code, out) == (0, f"{place / 'report.html'}\n")
    code, out, _ = command(capsys, place, "--format", "markdown")
    assert (code, out) == (0, report.all_tables(found))


def test_report_command_on_nothing(capsys, tmp_path):
    code, _, err = command(capsys, tmp_path / "none")
    assert (code, err.count("\n")) == (2, 1)
