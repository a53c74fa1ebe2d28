"""Formats tables for the terminal, and numbers for readers."""


def show_number(value):
    """Returns three significant digits, without long rows of zeros."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1000:
        return "{:,.0f}".format(value)
    if size >= 100:
        return "%.0f" % value
    if size >= 10:
        return "%.1f" % value
    if size >= 0.01:
        return "%.2f" % value
    return "%.2g" % value


def show_cell(value):
    return show_number(value) if not isinstance(value, int) else "{:,}".format(value)


def format_table(table):
    """Returns lines; the first column is aligned to the left, all others to the right."""
    rows = [table.columns] + [[show_cell(cell) for cell in row] for row in table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.columns))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width)
                                             for cell, width in zip(row[1:], widths[1:])]
        lines.append(("  " + "  ".join(cells)).rstrip())
    if table.title:
        lines.insert(0, "  " + table.title)
    return lines
