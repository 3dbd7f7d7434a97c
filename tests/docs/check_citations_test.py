"""The check of citations finds what is wrong, and nothing else: each error is planted once.

    check_citations_test.py TOOLS
"""
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import check_citations  # noqa: E402

TEST = """// Slack and beacons against the integrated posterior.
TEST_P(Quadrature, ChainReproducesMoments) { run(kElliptical); }
TYPED_TEST(JointOf, TheModelIsThePosterior) {}
"""


class Citations(unittest.TestCase):
    def problems(self, page, source=""):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in {"docs/method/engine.md": "# Engine\n\n## Local bounds\n",
                               "docs/page.md": page, "src/kernel/a.hpp": source,
                               "tests/kernel/quadrature_test.cpp": TEST}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            return check_citations.broken_citations(root)

    def expect(self, words, page, source=""):
        found = self.problems(page, source)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_good_ones_pass(self):
        self.assertEqual(self.problems(
            "Checked by `tests/kernel/quadrature_test.cpp`\n(`Quadrature.ChainReproducesMoments`, "
            "`kElliptical`: all families) and\n[here](../tests/kernel/quadrature_test.cpp) "
            "(`JointOf.TheModelIsThePosterior`); `src/kernel/` and `src/*/a.hpp` have the code.",
            "// Bounds in shells. See docs/method/engine.md, Local\n// bounds.\n"), [])

    def test_a_test_that_is_cited_for_what_it_does_not_test_is_found(self):
        self.expect("does not say 'kSplitHmc'",
                    "By `tests/kernel/quadrature_test.cpp` (`kSplitHmc`).")

    def test_a_test_that_is_not_in_the_file_is_found(self):
        self.expect("has no test Quadrature.SplitHmc",
                    "By [it](../tests/kernel/quadrature_test.cpp) (`Quadrature.SplitHmc`).")

    def test_a_part_of_a_name_is_not_the_name(self):
        self.expect("has no test Quadrature.ChainReproduces",
                    "By `tests/kernel/quadrature_test.cpp` (`Quadrature.ChainReproduces`).")

    def test_a_citation_that_does_not_say_for_what_is_found(self):
        self.expect("without saying for what", "Checked by `tests/kernel/quadrature_test.cpp`.")
        self.expect("without saying for what",
                    "By `tests/kernel/quadrature_test.cpp` (with all priors).")

    def test_a_file_that_is_gone_is_found(self):
        self.expect("no such file", "By `tests/model/quadrature_test.cpp` (`kElliptical`).")
        self.expect("no such file", "The code is in `apps/kernel/a.hpp`.")

    def test_a_test_without_its_file_is_found(self):
        self.expect("without its file", "As `Quadrature.ChainReproducesMoments` shows.")

    def test_a_section_or_page_that_is_gone_is_found(self):
        self.expect("no section 'Global bounds'", "", "// See docs/method/engine.md, Global bounds.")
        self.expect("no such page", "", "// See docs/method.md, Local bounds.")

    def test_commands_are_not_citations(self):
        self.assertEqual(self.problems("```sh\nctest `src/none.cpp` `Quadrature.None`\n```\n"), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
