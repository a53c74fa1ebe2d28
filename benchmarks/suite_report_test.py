#!/usr/bin/env python3
"""suite_report_test.py BUILD_DIR [RESULTS_DIR]: tests the report of run_db_bench.sh, its pictures,
and its display in a browser. The results are measured here, or by suite_test.py, which has left
them in RESULTS_DIR. Exit code 77 if a library to draw or a browser is missing.
"""
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SKIPPED = 77
try:
    import matplotlib  # noqa: F401
except ImportError:
    print("Skipped: plots need Debian's python3-matplotlib.")
    sys.exit(SKIPPED)
from suite import overview
from suite.experiments import EXPERIMENTS, LIMITS
from suite.model import Outcomes, Plot, Series
from suite.plots import render
from suite.results import Results
from suite.scale import SCALES

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build/release"
HERE = os.path.dirname(os.path.abspath(__file__))
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PHONE, DESKTOP = (390, 800), (1280, 900)
# Appended to a copy of the page: prints as text what a reader would see at first sight.
LOOK = """<script>addEventListener("load", () => {
  const seen = [...document.querySelectorAll("figure")].map(figure => {
    const box = figure.querySelector("svg").getBoundingClientRect();
    const marks = [...figure.querySelectorAll("svg [id*=-mark]")];  // of data, see plots.py
    return {width: box.width, height: box.height, marks: marks.filter(
      mark => { const own = mark.getBoundingClientRect(); return own.width + own.height > 0; })
      .length};
  });
  const all = {figures: seen, page: document.documentElement.scrollWidth, window: innerWidth};
  document.body.setAttribute("data-seen", JSON.stringify(all));
});</script>"""
SHARED = {}


def setUpModule():
    SHARED["scratch"] = tempfile.mkdtemp(prefix="suite_report_test.")
    pools = tempfile.mkdtemp(prefix="suite_test.", dir="/dev/shm")
    out = os.path.join(SHARED["scratch"], "out")
    how = ["--scale=test", "--build=" + BUILD, "--pm=" + pools, "--dir=" + SHARED["scratch"]]
    if len(sys.argv) > 2:
        shutil.copytree(sys.argv[2], out)
        how = ["--report"]
    try:
        done = subprocess.run(
            [sys.executable, os.path.join(HERE, "run_suite.py"), "--out=" + out, *how],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    finally:
        shutil.rmtree(pools)
    assert done.returncode == 0, done.stdout
    assert "The report is " + os.path.join(out, "report.html") in done.stdout, done.stdout
    SHARED["out"] = out
    with open(os.path.join(out, "report.html"), encoding="utf-8") as file:
        SHARED["page"] = file.read()
    SHARED["results"] = Results(out)
    SHARED["results"].load()


def tearDownModule():
    shutil.rmtree(SHARED["scratch"])


def had():
    """Returns the experiments whose program this build has."""
    return [experiment for experiment in EXPERIMENTS.values()
            if SHARED["results"].of(experiment.name)]


def shown_of(experiment):
    finished = SHARED["results"].of(experiment.name, experiment.runs(SCALES["test"]))
    return experiment.show(Outcomes(finished))


def overview_shown():
    return overview.show(SHARED["results"].of("limits"), SHARED["results"].of("value-size"),
                         SHARED["results"].of("beyond-memory"))


class Tags(html.parser.HTMLParser):
    """Collects the links of a page and its ids, and checks that it closes its tags."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.figures, self.open, self.names = [], [], [], [], set()
        self.feed(text)

    def handle_startendtag(self, tag, attributes):
        self._note(tag, dict(attributes))

    def handle_starttag(self, tag, attributes):
        self._note(tag, dict(attributes))
        if tag not in ("meta", "link", "br", "img"):
            self.open.append(tag)

    def _note(self, tag, attributes):
        self.names.add(tag)
        self.links += [attributes[name] for name in ("href", "src", "xlink:href")
                       if name in attributes]
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "figure":
            self.figures.append(int(attributes["data-points"]))

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, "</%s> closes nothing" % tag


class Page(unittest.TestCase):
    def setUp(self):
        self.tags = Tags(SHARED["page"])

    def test_it_is_well_formed_and_needs_nothing_from_elsewhere(self):
        self.assertEqual(self.tags.open, [])
        for link in self.tags.links:
            self.assertTrue(link.startswith(("#", "data:")), link)
        self.assertNotIn("@import", SHARED["page"])
        self.assertNotIn("script", self.tags.names)

    def test_ids_are_unique_and_links_lead_somewhere(self):
        self.assertEqual(len(self.tags.ids), len(set(self.tags.ids)))
        for link in self.tags.links:
            if link.startswith("#"):
                self.assertIn(link[1:], self.tags.ids)

    def test_every_plot_is_there_and_has_data(self):
        wanted = sum(len(shown.plots) for shown in
                     [shown_of(experiment) for experiment in [LIMITS] + had()] + [overview_shown()])
        self.assertEqual(len(self.tags.figures), wanted)
        self.assertTrue(all(points > 0 for points in self.tags.figures), self.tags.figures)
        pictures = os.listdir(os.path.join(SHARED["out"], "plots"))
        self.assertEqual(len(pictures), wanted)

    def test_every_series_has_data(self):
        for experiment in had():
            for plot in shown_of(experiment).plots:
                for series in plot.series:
                    if "theory" not in series.name and "measured" not in series.name:
                        self.assertTrue(any(y is not None for y in series.ys),
                                        (experiment.name, plot.name, series.name))

    def test_it_says_what_was_measured_where(self):
        machine = SHARED["results"].data["machine"]
        for words in (machine["commit"], machine["kernel"], "huge pages", "BushStore 1.",
                      "emulated here", "./run_db_bench.sh --scale test --pm /dev/shm/suite_test."):
            self.assertIn(words, SHARED["page"])
        for experiment in had():
            self.assertIn('<section id="%s">' % experiment.name, SHARED["page"])

    def test_published_figures_are_marked(self):
        rows = shown_of(EXPERIMENTS["wal-granularity"]).tables[0].rows
        published = [row[0] for row in rows if row[1] is None]
        self.assertEqual(len(published), 7)
        self.assertTrue(all(name.endswith("(published)") for name in published))

    def test_failures_are_on_it(self):
        directory = tempfile.mkdtemp(dir=SHARED["scratch"])
        results = Results(directory)
        results.data = json.loads(json.dumps(SHARED["results"].data))
        results.data["runs"][3].update(state="wrong data", sentence="a <key> is lost")
        results.write()
        subprocess.run([sys.executable, os.path.join(HERE, "run_suite.py"), "--report",
                        "--out=" + directory], stdout=subprocess.DEVNULL, check=True)
        with open(os.path.join(directory, "report.html"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("wrong data in 1 runs", text)
        self.assertIn("a &lt;key&gt; is lost", text)

    def test_the_overview_holds_the_store_against_the_medium(self):
        shown = overview_shown()
        self.assertEqual(len(shown.tables[0].rows), 4)
        self.assertIsNone(overview.show([], []))

    def test_the_overview_holds_stores_against_the_device(self):
        results = [{"name": "readrandom", "operations": 100, "operations_per_second": 1000.0,
                    "device_reads": 90},
                   {"name": "readseq_values", "operations": 100, "megabytes_per_second": 100.0}]
        runs = [{"labels": {"part": "the device"}, "results": [],
                 "values": {"random_reads_depth_1": 1800, "sequential_bytes": 1 << 28}},
                {"labels": {"store": "a store", "ratio": 4}, "results": results}]
        table = overview.show([], [], runs).tables[0]
        self.assertEqual(table.rows[0][-1], 0.5)
        self.assertAlmostEqual(table.rows[1][-1], 100 / 256)
        # Without a measurement of the device, there is nothing to compare with.
        self.assertIsNone(overview.show([], [], runs[1:]))


class Drawing(unittest.TestCase):
    def test_same_numbers_same_picture_and_the_colours_of_the_page(self):
        plot = Plot("p", "A \"title\"", "lines", "x", "y", [
            Series("a", [1, 2, 4], [1.0, None, 3.0]), Series("b", [1, 2], [None, None])])
        svg = render(plot, "test", SHARED["scratch"])
        self.assertEqual(svg, render(plot, "test", SHARED["scratch"]))
        self.assertIn("var(--ink)", svg)
        self.assertNotIn("#010203", svg)


def browser():
    for name in BROWSERS:
        if shutil.which(name):
            return name
    return None


@unittest.skipUnless(browser(), "there is no Chromium; install it with: apt-get install chromium")
class InChromium(unittest.TestCase):
    def look(self, size):
        path = os.path.join(SHARED["scratch"], "look.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(SHARED["page"].replace("</body>", LOOK + "</body>"))
        profile = tempfile.mkdtemp(dir=SHARED["scratch"])
        done = subprocess.run(
            [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
             "--user-data-dir=" + profile, "--window-size=%d,%d" % size,
             "--virtual-time-budget=2000", "--dump-dom", "file://" + path],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
        self.assertEqual([line for line in done.stderr.splitlines() if "CONSOLE" in line], [])
        seen = re.search(r'data-seen="([^"]*)"', done.stdout)
        self.assertTrue(seen, done.stderr)
        return json.loads(html.unescape(seen.group(1)))

    def check(self, size):
        seen = self.look(size)
        self.assertEqual(len(seen["figures"]), len(Tags(SHARED["page"]).figures))
        self.assertLessEqual(seen["page"], seen["window"], "the page scrolls sideways")
        for figure in seen["figures"]:
            self.assertGreater(figure["width"], 280)
            self.assertGreater(figure["height"], 150)
            self.assertGreater(figure["marks"], 0)

    def test_on_a_phone(self):
        self.check(PHONE)

    def test_on_a_desk(self):
        self.check(DESKTOP)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
