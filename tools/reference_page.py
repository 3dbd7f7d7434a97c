"""The command reference as Markdown, from the commands of command_help.py."""
import re


def in_markdown(text):
    """Plain text, with the words that are typed as code."""
    text = re.sub(r"([\\`*_{}<>|$~^\[\]#])", r"\\\1", text)
    return re.sub(r"(?<![\w-])(--?[a-z][\w-]*)", r"`\1`", text)


def meaning(option):
    text = option.help
    if option.choices:
        text = text[:text.rindex("[")].strip()
    parts = [in_markdown(text)] if text else []
    if option.required and not option.positional:
        parts.append("**required**")
    if option.choices:
        parts.append("one of " + ", ".join(f"`{word}`" for word in option.choices))
    return "; ".join(parts)


def command_section(command):
    lines = [f"## flymc {command.name}", "", in_markdown(command.sentence), "",
             "```usage", command.usage, "```", ""]
    for heading, options in command.groups.items():
        name = "argument" if options and options[0].positional else "option"
        if heading not in ("Options", "Positionals"):
            lines += [f"### {command.name}: {heading}", ""]
        lines += [f"| {name} | meaning |", "| --- | --- |"]
        lines += [f"| `{o.names[0] if o.positional else o.shown}` | {meaning(o)} |"
                  for o in options]
        lines.append("")
    return lines


def reference_page(root, commands, version):
    lines = ["# Command reference", "",
             f"What `flymc CMD --help` prints, of version {version}. Durations are a number with "
             "`ms`, `s`, `m` or `h`. Where it says `TEXT ...`, give names with commas between. "
             "[Exit codes and files](folder.md) have a page of their own.", "",
             "| command | what it does |", "| --- | --- |"]
    lines += [f"| [{c.name}](#flymc-{c.name}) | {in_markdown(c.description)} |" for c in commands]
    lines.append("")
    for command in commands:
        lines += command_section(command)
    return "\n".join(lines)
