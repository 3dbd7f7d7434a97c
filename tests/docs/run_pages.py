"""Runs every command line that the pages of docs/ show in ```sh blocks, page after page in one
folder, as a reader would. A line may end in `# exits N`; without it N is 0.

    run_pages.py PROGRAM PAGE...
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def commands(page):
    """(line number, command, exit code) of every command; a backslash joins lines."""
    lines = page.read_text(encoding="utf-8").splitlines()
    inside, begun = False, None
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            inside = line == "```sh"
        elif inside:
            first, text = begun or (number, "")
            text += line
            begun = (first, text[:-1]) if text.endswith("\\") else None
            if begun is None:
                code = re.search(r"# exits (\d+)$", text)
                yield first, text, int(code[1]) if code else 0


def main():
    program, pages = Path(sys.argv[1]).resolve(), [Path(page).resolve() for page in sys.argv[2:]]
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    ran = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        play = Path(folder) / "play"
        play.mkdir()
        (Path(folder) / "docs").symlink_to(Path(__file__).resolve().parents[2] / "docs")
        for page in pages:
            for line, command, code in commands(page):
                done = subprocess.run(["bash", "-c", command], cwd=play, env=environment,
                                      capture_output=True, text=True, timeout=300, check=False)
                ran += 1
                if done.returncode != code:
                    failed += 1
                    print(f"{page.name}:{line}: exit {done.returncode}, not {code}: {command}\n"
                          f"{done.stdout[-500:]}{done.stderr[-1000:]}")
    print(f"{ran} commands, {failed} failed")
    sys.exit(1 if failed or ran == 0 else 0)


main()
