"""Makes the HTML around tables and pictures: one file, no script, no external resources."""

import html

from suite.text import show_cell

STYLE = """
:root { --ground: #ffffff; --ink: #1c2228; --soft: #5b6670; --grid: #a9b2ba; --panel: #f4f6f8;
  --bad: #b3261e; --accent: #1f6fa8; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --ground: #14181c; --ink: #e6eaee; --soft: #9aa6b0;
  --grid: #55606a; --panel: #1d2329; --bad: #ff8a80; --accent: #6db9ee; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--ground);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0; }
h2 { font-size: 1.25rem; margin: 0 0 .3rem; }
section { border-top: 1px solid var(--grid); margin-top: 2rem; padding-top: 1.2rem; }
.name { color: var(--soft); font-size: .85rem; margin: 0; }
.method, .note, figcaption { color: var(--soft); }
.note { font-size: .92rem; }
.emulated { background: var(--panel); border-left: 4px solid var(--accent); padding: .6rem .9rem; }
.trouble { background: var(--panel); border-left: 4px solid var(--bad); padding: .6rem .9rem; }
nav a { display: inline-block; margin: .1rem .8rem .1rem 0; }
a { color: var(--accent); }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr));
  gap: 1rem; margin: 1rem 0; }
.plots.single { max-width: 34rem; }
figure { margin: 0; min-width: 0; }
figcaption { font-weight: 600; color: var(--ink); margin-bottom: .2rem; }
svg { width: 100%; height: auto; display: block; }
.wide { overflow-x: auto; margin: 1rem 0; }
caption { text-align: left; font-weight: 600; padding: .2rem .6rem; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--grid); }
th { color: var(--soft); font-weight: 600; }
td:first-child, th:first-child, .words td, .words th { text-align: left; }
.words td { white-space: normal; }
td.text, th.text { text-align: left; }
code, pre { font: .85rem/1.5 ui-monospace, monospace; background: var(--panel); }
pre { padding: .6rem .8rem; overflow-x: auto; }
details { margin: .6rem 0; }
summary { cursor: pointer; color: var(--accent); }
"""


def escape(text):
    return html.escape(str(text), quote=True)


def paragraph(text, kind=""):
    return "<p%s>%s</p>" % (' class="%s"' % kind if kind else "", escape(text))


def table(shown):
    """Aligns columns of words to the left, of numbers to the right."""
    words = [all(isinstance(row[column], str) for row in shown.rows)
             for column in range(len(shown.columns))]

    def cells(row, tag):
        return "".join("<%s%s>%s</%s>" % (tag, ' class="text"' if word else "",
                                          escape(show_cell(cell)), tag)
                       for cell, word in zip(row, words))

    lines = ["<tr>%s</tr>" % cells(shown.columns, "th")]
    lines += ["<tr>%s</tr>" % cells(row, "td") for row in shown.rows]
    caption = "<caption>%s</caption>" % escape(shown.title) if shown.title else ""
    return '<div class="wide"><table>%s%s</table></div>' % (caption, "\n".join(lines))


def facts(pairs):
    rows = "\n".join("<tr><th>%s</th><td>%s</td></tr>" % (escape(name), escape(value))
                     for name, value in pairs)
    return '<table class="words">%s</table>' % rows


def figures(pictures):
    """Returns the HTML of a list of (plot, svg)."""
    if not pictures:
        return ""
    parts = []
    for plot, svg in pictures:
        points = sum(y is not None for series in plot.series for y in series.ys)
        parts.append('<figure data-points="%d"><figcaption>%s</figcaption>%s</figure>' % (
            points, escape(plot.title), svg))
    kind = "plots single" if len(parts) == 1 else "plots"
    return '<div class="%s">%s</div>' % (kind, "\n".join(parts))


def commands(lines, title):
    return "<details><summary>%s</summary><pre>%s</pre></details>" % (
        escape(title), escape("\n".join(lines)))


def section(name, heading, parts):
    return '<section id="%s"><p class="name">%s</p><h2>%s</h2>\n%s</section>' % (
        escape(name), escape(name), escape(heading), "\n".join(part for part in parts if part))


def whole(title, parts):
    return ("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<link rel=\"icon\" href=\"data:,\">\n<title>%s</title>\n<style>%s</style></head>\n"
            "<body>\n%s\n</body></html>\n" % (escape(title), STYLE, "\n".join(parts)))
