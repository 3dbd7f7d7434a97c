"""The command line as a value, read from what `flymc --help` and `flymc CMD --help` print.

The reference page, the man page and the shell completions are made from this, so none of them
can say anything that the program does not.
"""
import re
import subprocess
from dataclasses import dataclass, field


@dataclass
class Option:
    names: list  # ["-n", "--rows"], or ["DATA"] for a positional
    value: str  # what follows it: "TEXT", "FLOAT ..."; empty for a flag
    required: bool
    help: str
    choices: list  # the words it takes, where the help lists them

    @property
    def positional(self):
        return not self.names[0].startswith("-")

    @property
    def shown(self):
        """Names and value, as a manual writes them: "-n, --rows TEXT"."""
        return ", ".join(self.names) + (f" {self.value}" if self.value else "")


@dataclass
class Command:
    name: str  # empty: flymc itself
    description: str
    usage: str
    groups: dict = field(default_factory=dict)  # heading -> options
    commands: list = field(default_factory=list)  # (name, description); flymc itself only

    @property
    def sentence(self):
        return self.description[:1].upper() + self.description[1:] + "."

    @property
    def options(self):
        return [option for group in self.groups.values() for option in group
                if not option.positional]

    @property
    def positionals(self):
        return [option for group in self.groups.values() for option in group if option.positional]


CHOICES = re.compile(r"\[([\w-]+(?:, [\w-]+)+)\]$")


def parse_entry(left, text):
    """One line of help: "--model TEXT REQUIRED", and what is right of it."""
    names, *words = left.split()
    required = "REQUIRED" in words
    value = " ".join(word for word in words if word != "REQUIRED")
    found = CHOICES.search(text)
    return Option(names.split(",") if names.startswith("-") else [names], value, required, text,
                  found.group(1).split(", ") if found else [])


def entries(lines):
    """(left, right) of every entry; where the left is long its help begins on the next line."""
    found = []
    for line in lines:
        if re.match(r"  ?\S", line):
            left, _, right = line.strip().partition("  ")
            found.append([left, right.strip()])
        elif line.strip() and found:
            found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
    return found


def parse_help(name, text):
    """Description, "Usage: ...", then sections with a heading each."""
    before, _, after = text.partition("Usage: ")
    usage, *lines = after.splitlines()
    command = Command(name, before.strip(), usage.strip())
    sections = {}
    heading = ""
    for line in lines:
        if re.match(r"\S.*:$", line):
            heading = line[:-1]
            sections[heading] = []
        elif heading:
            sections[heading].append(line)
    for heading, body in sections.items():
        if heading == "Subcommands":
            command.commands = [tuple(entry) for entry in entries(body)]
        else:
            command.groups[heading] = [parse_entry(*entry) for entry in entries(body)]
    return command


def help_text(program, *words):
    return subprocess.run([program, *words, "--help"], check=True, capture_output=True,
                          text=True, encoding="utf-8").stdout


def read_commands(program):
    """flymc itself, and every command it names, in its order."""
    root = parse_help("", help_text(program))
    if not root.commands:
        raise SystemExit(f"{program} --help names no commands")
    return root, [parse_help(name, help_text(program, name)) for name, _ in root.commands]


def version(program):
    return subprocess.run([program, "--version"], check=True, capture_output=True,
                          text=True).stdout.split()[1]
