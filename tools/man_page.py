"""flymc.1 as text, from the commands of command_help.py and the tables of docs/folder.md."""
import re


def in_roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("~", "\\(ti").replace("^", "\\(ha")
    text = text.replace("'", "\\(aq").replace("`", "")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def entry(term, text):
    return f".TP\n\\fB{in_roff(term)}\\fR\n{in_roff(text)}"


def option_entry(option):
    names = ", ".join(f"\\fB{in_roff(name)}\\fR" for name in option.names)
    value = f" \\fI{in_roff(option.value)}\\fR" if option.value else ""
    needed = " Required." if option.required and not option.positional else ""
    return f".TP\n{names}{value}\n{in_roff(option.help)}{needed}"


def table_rows(page, heading):
    """First two cells of every row of the table that follows a heading of a Markdown page."""
    body = page.partition(f"## {heading}\n\n")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")]
            for line in body.splitlines() if line.startswith("|")]
    if len(rows) < 3:
        raise SystemExit(f"no table below '{heading}'")
    return [(row[0].replace("`", ""), row[1]) for row in rows[2:]]


def man_page(root, commands, version, folder_page):
    title, _, start = root.description.partition("\n\n")
    lines = [f'.TH FLYMC 1 "" "flymc {version}" "User Commands"', ".SH NAME",
             "flymc \\- exact Bayesian regression on tall data by Firefly Monte Carlo",
             ".SH SYNOPSIS"]
    for command in commands:
        words = command.usage.replace("flymc ", "", 1)
        lines += [f"\\fBflymc\\fR {in_roff(words)}", ".br"]
    lines += [".SH DESCRIPTION", in_roff(" ".join(title.split())), ".PP", ".nf", in_roff(start),
              ".fi", ".SH OPTIONS", *map(option_entry, root.options), ".SH COMMANDS"]
    for command in commands:
        lines += [f".SS {in_roff(command.usage)}", in_roff(command.sentence),
                  *map(option_entry, command.positionals), *map(option_entry, command.options)]
    lines += [".SH EXIT STATUS", *(entry(*row) for row in table_rows(folder_page, "Exit codes"))]
    lines += [".SH FILES", *(entry(*row) for row in table_rows(folder_page, "The run folder"))]
    return "\n".join(lines) + "\n"
