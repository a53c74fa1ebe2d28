"""Draws plots with matplotlib: SVG that follows the colours of the page, and PNG on white."""

import io
import os
import re

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker

from suite.scale import show_bytes

# Placeholders that become variables of the page in SVG, and ink on white in PNG.
INK, GRID = "#010203", "#a0a1a2"
# Colours that colour-blind readers can distinguish, on dark and light backgrounds.
COLOURS = ["#1f83c4", "#e08a00", "#0f9d76", "#d4552a", "#c06ba3", "#7a6ff0", "#8c8c3a", "#5aa9d6"]
MARKS = ["o", "s", "^", "D", "v", "P", "X", "*"]
SIZE = (4.9, 3.4)  # inches: as wide as a phone, so that text keeps its size there
DRAWN = {"main": "-", "cold": "--", "reference": ":"}
TICKS_MAX = 8

STYLE = {
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10.5,
    "axes.edgecolor": GRID, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK,
    "ytick.color": INK, "grid.color": GRID, "grid.alpha": 0.35,
    "legend.frameon": False, "legend.fontsize": 9, "axes.spines.top": False,
    "axes.spines.right": False, "figure.constrained_layout.use": True}


def show_tick(value, _place):
    return "{:,g}".format(value)


def known(series):
    return [(x, y) for x, y in zip(series.xs, series.ys) if y is not None]


def categories(plot):
    """Returns the words of the x axis in their order; none if it has numbers."""
    found = []
    for series in plot.series:
        for x in series.xs:
            if isinstance(x, str) and x not in found:
                found.append(x)
    return found


def draw_lines(axes, plot, words):
    for number, series in enumerate(plot.series):
        points = known(series)
        if not points:
            continue
        xs = [words.index(x) if words else x for x, _ in points]
        few = len(points) <= 30
        axes.plot(xs, [y for _, y in points], DRAWN[series.style], label=series.name,
                  color=COLOURS[number % len(COLOURS)], linewidth=1.6,
                  marker=MARKS[number % len(MARKS)] if few else None, markersize=4.5,
                  gid="mark%d" % number)


def draw_bars(axes, plot, words):
    width = 0.8 / max(1, len(plot.series))
    for number, series in enumerate(plot.series):
        points = known(series)
        places = [words.index(x) + (number + 0.5) * width - 0.4 for x, _ in points]
        # Bars of ratios start at 1, where both are equal, and go up or down.
        base = 1 if plot.parity else 0
        bars = axes.bar(places, [y - base for _, y in points], width * 0.92, base,
                        label=series.name, color=COLOURS[number % len(COLOURS)],
                        alpha=0.55 if series.style == "reference" else 1.0)
        for place, bar in enumerate(bars):
            bar.set_gid("mark%d_%d" % (number, place))


def set_x(axes, plot, words):
    if words:
        turned = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"}
        is_wide = max(map(len, words)) * len(words) > 55
        axes.set_xticks(range(len(words)), words, **(turned if is_wide else {}))
        return
    if plot.x_log:
        axes.set_xscale("log", base=2 if plot.x_bytes else 10)
    if plot.x_bytes:
        ticks = sorted({x for series in plot.series for x, _ in known(series)})
        step = -(-len(ticks) // TICKS_MAX)
        axes.set_xticks(ticks[::step], [show_bytes(tick) for tick in ticks[::step]])
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        axes.tick_params(axis="x", labelrotation=25)


def set_y(axes, plot):
    if plot.parity:
        axes.axhline(1, color=INK, linewidth=0.8)
    if plot.y_log:
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        if high / low < 30:  # too few powers of ten to read values from
            axes.yaxis.set_minor_formatter(ticker.FuncFormatter(show_tick))
            axes.yaxis.set_minor_locator(ticker.LogLocator(subs=(2, 5)))
            axes.tick_params(axis="y", which="minor", labelsize=10)
    else:
        axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(show_tick))


def draw(plot):
    figure, axes = pyplot.subplots(figsize=SIZE)
    words = categories(plot)
    (draw_bars if plot.kind == "bars" else draw_lines)(axes, plot, words)
    set_x(axes, plot, words)
    set_y(axes, plot)
    axes.set_xlabel(plot.x_label)
    axes.set_ylabel(plot.y_label)
    axes.grid(True, axis="y" if plot.kind == "bars" else "both")
    axes.set_axisbelow(True)
    if len(plot.series) > 1:
        names = [series.name for series in plot.series]
        columns = 3 if len(names) > 2 and max(map(len, names)) < 20 else 2
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns)
    return figure


def own_ids(svg, prefix):
    """Makes ids unique, since the ids of an SVG are those of the whole page."""
    svg = re.sub(r'\bid="([^"]+)"', r'id="%s-\1"' % prefix, svg)
    svg = re.sub(r'url\(#([^)]+)\)', r'url(#%s-\1)' % prefix, svg)
    return re.sub(r'href="#([^"]+)"', r'href="#%s-\1"' % prefix, svg)


def to_svg(figure, name, title):
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = svg.replace("<svg", '<svg role="img" aria-label="%s"' % title.replace('"', "'"), 1)
    return own_ids(svg.replace(INK, "var(--ink)").replace(GRID, "var(--grid)"), name)


def render(plot, experiment, directory):
    """Writes EXPERIMENT-NAME.png into the directory and returns the SVG."""
    name = "%s-%s" % (experiment, plot.name)
    with matplotlib.rc_context(dict(STYLE, **{"svg.hashsalt": name})):
        figure = draw(plot)
        svg = to_svg(figure, name, plot.title)
        figure.savefig(os.path.join(directory, name + ".png"), dpi=160, facecolor="white")
        pyplot.close(figure)
    return svg
