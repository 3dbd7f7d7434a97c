"""The link check finds what is broken, and nothing else.

    check_links_test.py TOOLS
"""
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import check_links  # noqa: E402


class Links(unittest.TestCase):
    def problems(self, body):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.html").write_text(f'<h1 id="top">A</h1>{body}', encoding="utf-8")
            (Path(folder) / "b.html").write_text('<h1 id="b">B</h1>', encoding="utf-8")
            return check_links.broken_links(folder)

    def test_good_ones_pass(self):
        self.assertEqual(self.problems('<a href="b.html#b">b</a><a href="#top">a</a>'
                                       '<a href="https://arxiv.org/abs/1403.5693">x</a>'), [])

    def test_a_missing_file_is_found(self):
        self.assertIn("no such file", self.problems('<a href="c.html">c</a>')[0])

    def test_a_missing_picture_is_found(self):
        self.assertIn("no such file", self.problems('<img src="c.svg">')[0])

    def test_a_missing_heading_is_found(self):
        self.assertIn("no such heading", self.problems('<a href="b.html#x">b</a>')[0])

    def test_a_repeated_anchor_is_found(self):
        self.assertIn("two headings", self.problems('<h2 id="top">x</h2>')[0])

    def test_what_comes_from_elsewhere_is_found(self):
        self.assertIn("loaded from elsewhere",
                      self.problems('<script src="https://arxiv.org/x.js"></script>')[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
