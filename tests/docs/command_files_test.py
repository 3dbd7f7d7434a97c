"""What is made from the program's help says all that the program says: every command and option is
in the reference, the man page and the three completions; and those complete.

    command_files_test.py PROGRAM TOOLS
"""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, TOOLS = sys.argv[1], sys.argv[2]
sys.dont_write_bytecode = True
sys.path.insert(0, TOOLS)
import command_files  # noqa: E402
import command_help  # noqa: E402
import reference_page  # noqa: E402


def help_lines(*words):
    text = subprocess.run([PROGRAM, *words, "--help"], check=True, capture_output=True,
                          text=True).stdout
    return text.splitlines()


# Read from the help without the parser that the tools use: it may be what is wrong.
def command_names():
    lines = help_lines()
    return [line.split()[0] for line in lines[lines.index("Subcommands:") + 1:] if line.strip()]


def option_names(command):
    return {name for line in help_lines(command) if re.match(r"  ?-", line)
            for name in line.split()[0].split(",")}


class Made(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = command_files.command_files(PROGRAM)
        root, commands = command_help.read_commands(PROGRAM)
        cls.reference = reference_page.reference_page(root, commands, "1")
        cls.folder = tempfile.TemporaryDirectory()
        for name, text in cls.files.items():
            path = Path(cls.folder.name) / name
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return str(Path(self.folder.name) / name)

    def bash(self, *words):
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _flymc; '
                  'echo "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", self.path(command_files.BASH), *words],
                              check=True, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()


class Everything(Made):
    def test_the_program_has_commands(self):
        self.assertGreater(len(command_names()), 5)
        self.assertIn("--model", option_names("fit"))

    def test_reference_has_every_command_and_option(self):
        for command in command_names():
            section = self.reference.partition(f"\n## flymc {command}\n")[2].partition("\n## ")[0]
            self.assertTrue(section, f"no section for {command}")
            for name in option_names(command):
                self.assertRegex(section, rf"\| `[^`]*(?<![\w-]){name}(?![\w-])", command)

    def test_man_page_has_every_command_and_option(self):
        page = self.files[command_files.MAN].replace("\\-", "-")
        for command in command_names():
            section = page.partition(f"\n.SS flymc {command} ")[2].partition("\n.SS ")[0]
            self.assertTrue(section, f"no section for {command}")
            for name in option_names(command):
                self.assertIn(f"\\fB{name}\\fR", section, command)

    def test_bash_offers_every_command_and_option(self):
        self.assertLessEqual(set(command_names()), set(self.bash("flymc", "")))
        for command in command_names():
            self.assertLessEqual(option_names(command), set(self.bash("flymc", command, "-")))

    def test_zsh_and_fish_name_every_command_and_option(self):
        zsh, fish = self.files[command_files.ZSH], self.files[command_files.FISH]
        for command in command_names():
            self.assertIn(f"'{command}:", zsh)
            self.assertIn(f" -a {command} ", fish)
            section = zsh.partition(f"\n        {command})\n")[2].partition(";;")[0]
            lines = [line for line in fish.splitlines() if f"_from {command}'" in line]
            for name in option_names(command):
                self.assertIn(f"'{name}[", section, command)
                flag = f" -l {name[2:]} " if name.startswith("--") else f" -s {name[1:]} "
                self.assertTrue(any(flag in line for line in lines), f"fish: {command} {name}")


class Completion(Made):
    def test_bash_completes_commands_options_and_values(self):
        self.assertEqual(self.bash("flymc", "insp"), ["inspect"])
        self.assertEqual(self.bash("flymc", "fit", "--mod"), ["--model"])
        self.assertEqual(self.bash("flymc", "fit", "--model", "s"), ["softmax", "student-t"])
        self.assertEqual(self.bash("flymc", "fit", "--model", "=", "poi"), ["poisson"])
        self.assertEqual(self.bash("flymc", "export", "run/", "--to", "z"), ["zarr"])

    def test_bash_leaves_files_to_the_shell(self):
        self.assertEqual(self.bash("flymc", "fit", "fi"), [])
        self.assertEqual(self.bash("flymc", "fit", "--response", "in"), [])

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_reads_its_file(self):
        subprocess.run(["zsh", "-n", self.path(command_files.ZSH)], check=True)

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish_completes(self):
        script = 'source $argv[1]; complete -C "flymc fit --model s"'
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run(["fish", "-c", script, self.path(command_files.FISH)], check=True,
                                  capture_output=True, text=True,
                                  env={"HOME": home, "PATH": "/usr/bin:/bin"})
        words = [line.split("\t")[0] for line in done.stdout.splitlines()]
        self.assertEqual(words, ["softmax", "student-t"])


class ManPage(Made):
    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_has_no_warnings(self):
        done = subprocess.run(["groff", "-ww", "-man", "-Tutf8", self.path(command_files.MAN)],
                              check=True, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")

    def test_has_the_exit_codes(self):
        page = self.files[command_files.MAN].partition(".SH EXIT STATUS")[2]
        for code in (0, 2, 64, 65, 66, 70, 71, 73, 74, 75, 77, 130, 143):
            self.assertIn(f"\\fB{code}\\fR\n", page)


class Parser(unittest.TestCase):
    def test_reads_groups_long_names_and_choices(self):
        text = ("what it does\nUsage: flymc x [OPTIONS]\n\nOptions:\n  -h,--help    Print\n\n"
                "Engine:\n  --a-name-longer-than-the-column TEXT REQUIRED\n"
                "                  which [one, two]\n")
        command = command_help.parse_help("x", text)
        self.assertEqual(list(command.groups), ["Options", "Engine"])
        option = command.options[1]
        self.assertEqual((option.names, option.value, option.required, option.choices),
                         (["--a-name-longer-than-the-column"], "TEXT", True, ["one", "two"]))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
