#!/usr/bin/env python3
"""Writes what is made from the program's own help: the man page and the shell completions, in the
folders below a prefix where they are installed. Runs whenever the program is linked.

    command_files.py PROGRAM OUT
"""
import sys
from pathlib import Path

import command_help
import completions
import man_page

MAN = "man/man1/flymc.1"
BASH = "bash-completion/completions/flymc"
ZSH = "zsh/site-functions/_flymc"
FISH = "fish/vendor_completions.d/flymc.fish"


def command_files(program):
    root, commands = command_help.read_commands(program)
    folder_page = Path(__file__).parent.parent / "docs" / "folder.md"
    return {MAN: man_page.man_page(root, commands, command_help.version(program),
                                   folder_page.read_text(encoding="utf-8")),
            BASH: completions.bash(root, commands),
            ZSH: completions.zsh(root, commands),
            FISH: completions.fish(root, commands)}


def main():
    program, out = sys.argv[1], Path(sys.argv[2])
    for name, text in command_files(program).items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
