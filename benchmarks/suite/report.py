"""report.html: the results of a session as one page, and the pictures as PNG files next to it."""

import os

from suite import overview, page, plots
from suite.experiments import EXPERIMENTS, LIMITS
from suite.model import COLD, OWN, PLAIN, Outcomes
from suite.scale import SCALES, show_bytes

NAME = "report.html"
PICTURES = "plots"
TITLE = "BushStore, measured"
NOTHING_BUT_DEFAULTS = (
    "db_bench's defaults but for what the commands of each experiment say: 16-byte keys, values "
    "that compress to half, snappy for tables, every read checked, unsynced writes; ycsbc and "
    "peer_bench: no compression, Bloom filters of 10 bits")


def stores_of(runs):
    """Returns each store with its version."""
    found = {}
    for run in runs:
        if run.get("library"):
            store = run["labels"].get("store", OWN)
            found["BushStore" if store in (OWN, COLD, PLAIN) else store] = run["library"]
    return ", ".join("%s %s" % pair for pair in found.items())


def machine_facts(results, scale):
    machine, identity = results["machine"], results["identity"]
    return [
        ("measured", "%s, scale %s%s" % (results["began"], scale.name,
                                         " (%s)" % scale.summary if scale.summary else "")),
        ("commit", machine["commit"]),
        ("CPU", "%s, %d cores" % (machine["cpu"], machine["cores"])),
        ("memory", show_bytes(machine["memory_bytes"])),
        ("kernel", machine["kernel"]),
        ("medium of pools", "%s (%s)" % (identity["medium"], machine["medium"])),
        ("huge pages", machine["huge_pages"]),
        ("medium of tables", machine["disk_kind"]),
        ("write buffer", show_bytes(scale.write_buffer)),
        ("options", NOTHING_BUT_DEFAULTS),
        ("stores", stores_of(results["runs"]))]


def troubles(entries):
    if not entries:
        return ""
    lines = ["%s: %s. %s" % (entry["key"], entry["state"], entry["sentence"]) for entry in entries]
    return "".join(page.paragraph(line, "trouble") for line in lines)


class Report:
    """Assembles the page; pictures are written as they are drawn."""

    def __init__(self, results, directory):
        self.results = results
        self.directory = directory
        self.scale = SCALES[results.data["identity"]["scale"]]
        self.pictures = os.path.join(directory, PICTURES)

    def write(self):
        os.makedirs(self.pictures, exist_ok=True)
        sections = [(name, body) for name, body in self._sections() if body]
        links = "<nav>%s</nav>" % "\n".join(
            '<a href="#%s">%s</a>' % (name, name) for name, _ in sections)
        text = page.whole(TITLE, self._head() + [links] + [body for _, body in sections])
        path = os.path.join(self.directory, NAME)
        draft = path + ".draft"
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
        return path

    def _head(self):
        data = self.results.data
        parts = ["<h1>%s</h1>" % TITLE]
        wrong = [run for run in data["runs"] if run["state"] == "wrong data"]
        if wrong:
            parts.append(page.paragraph("The store returned wrong data in %d runs: no figure here "
                                        "counts before that is understood." % len(wrong),
                                        "trouble"))
        if data["machine"]["medium"].startswith("emulated"):
            parts.append(page.paragraph(
                "Persistent memory is emulated here: pools are on tmpfs, in DRAM. Flushes and "
                "fences are done as on modules, but the medium is faster than modules are, and "
                "nothing survives a power failure.", "emulated"))
        return parts + [page.facts(machine_facts(data, self.scale))]

    def _sections(self):
        yield "overview", self._overview()
        for experiment in [LIMITS] + list(EXPERIMENTS.values()):
            yield experiment.name, self._experiment(experiment)

    def _overview(self):
        shown = overview.show(self.results.of(LIMITS.name), self.results.of("value-size"),
                              self.results.of("beyond-memory"))
        if shown is None:
            return ""
        return page.section("overview", "How far is the store from the limits of its medium?",
                            self._shown("overview", shown))

    def _shown(self, name, shown):
        pictures = [(plot, plots.render(plot, name, self.pictures)) for plot in shown.plots
                    if plot.has_data()]
        return ([page.figures(pictures)] + [page.table(table) for table in shown.tables] +
                [page.paragraph(note, "note") for note in shown.notes])

    def _experiment(self, experiment):
        finished = self.results.of(experiment.name, experiment.runs(self.scale))
        failed = self.results.troubles(experiment.name)
        if not finished and not failed:
            return ""
        shown = []
        if finished:
            shown = self._shown(experiment.name, experiment.show(Outcomes(finished)))
        told = [line for run in finished for line in ["# " + run["key"]] + run["commands"]]
        again = "./run_db_bench.sh --scale %s --pm %s %s" % (
            self.scale.name, self.results.data["identity"]["medium"],
            experiment.name if experiment is not LIMITS else "")
        return page.section(
            experiment.name, experiment.question,
            [page.paragraph(experiment.method, "method"), troubles(failed)] + shown +
            ["<p>Once more: <code>%s</code></p>" % page.escape(again.strip()),
             page.commands(told, "The commands of all runs")])


def write_report(results, directory):
    return Report(results, directory).write()
