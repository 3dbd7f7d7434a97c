// Group terms: what is read, how it is written again, and which level each row has.
#include "data/table/group_terms.hpp"

#include "data/load_support.hpp"
#include "data/table/formula.hpp"

namespace flymc {
namespace {

using Names = std::vector<std::string>;

Names texts_of(const std::vector<GroupTerm>& terms) {
  Names texts;
  for (const GroupTerm& term : terms) {
    texts.push_back(to_text(term));
  }
  return texts;
}
Names read_and_written(const std::string& formula) {
  return texts_of(split_group_terms(formula).groups);
}
Names read_as_formula(const std::string& formula) {
  return texts_of(parse_formula(formula).groups);
}

TEST(GroupTerms, AreWrittenAsTheyAreRead) {
  for (const std::string text :
       {"(1 | g)", "(0 + x | g)", "(1 + x + `a b` | g)", "(1 + x || g)", "(1 | g:h)", "(1 | a - b)",
        "(0 + x | a + b)", "(1 | `white player` - black)", "(1 | a - b + c)"}) {
    EXPECT_EQ(read_and_written("y ~ 1 + " + text), Names{text});
  }
}

TEST(GroupTerms, NestedFactorsAreSeveralTerms) {
  EXPECT_EQ(read_and_written("y ~ x + (1 | g/h)"), (Names{"(1 | g)", "(1 | g:h)"}));
  EXPECT_EQ(read_and_written("y ~ (1 | g/h/k) + x"),
            (Names{"(1 | g)", "(1 | g:h)", "(1 | g:h:k)"}));
  EXPECT_EQ(split_group_terms("y ~ (1 | g/h)").groups[1].factor, "g:h");
}

TEST(GroupTerms, WithoutCorrelationsAreTermsOfTheirOwnWhereFactorsAreSeveral) {
  EXPECT_EQ(read_and_written("y ~ x + (x || g)"), Names{"(1 + x || g)"});
  EXPECT_EQ(read_as_formula("y ~ x + (x || g)"), Names{"(1 + x || g)"});
  EXPECT_EQ(read_as_formula("y ~ x + (x || g) + (1 | h)"),
            (Names{"(1 | g)", "(0 + x | g)", "(1 | h)"}));
  EXPECT_EQ(read_as_formula("y ~ x + (x || a - b)"), (Names{"(1 | a - b)", "(0 + x | a - b)"}));
  EXPECT_EQ(read_as_formula("y ~ s(x) + (x || g)"), (Names{"(1 | g)", "(0 + x | g)", "s(x)"}));
}

TEST(GroupTerms, NameTheirCoefficients) {
  const GroupTerm term = parse_formula("y ~ x + (x || a - b)").groups[1];
  EXPECT_EQ(coefficient_names(term), Names{"a-b.x"});
  EXPECT_EQ(term.all_members()[1], (GroupMember{{"b"}, -1.0}));
}

std::vector<Factor> factors(const std::string& csv, const std::string& formula) {
  const testing::TempDir dir;
  LoadSpec spec;
  spec.path = dir.write("t.csv", csv);
  spec.formula = formula;
  return load(spec).table.factors;
}

using Codes = std::vector<std::uint32_t>;

TEST(GroupLevels, OfPairsAreThoseThatThereAre) {
  const auto found = factors("y,g,h\n0,b,2\n1,a,10\n0,b,10\n1,b,2\n", "y ~ 1 + (1 | g/h)");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].labels, (Names{"a", "b"}));
  EXPECT_EQ(found[1].labels, (Names{"a:10", "b:2", "b:10"}));
  EXPECT_EQ(found[1].codes, (Codes{1, 0, 2, 1}));
}

TEST(GroupLevels, OfOneSetAreSharedByItsMembers) {
  const auto found = factors("y,a,b\n0,p,q\n1,r,p\n0,q,r\n1,s,p\n", "y ~ 1 + (1 | a - b)");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].labels, found[1].labels);
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(found[0].labels[found[0].codes[n]], (Names{"p", "r", "q", "s"}[n]));
    EXPECT_EQ(found[1].labels[found[1].codes[n]], (Names{"q", "p", "r", "p"}[n]));
  }
}

}  // namespace
}  // namespace flymc
