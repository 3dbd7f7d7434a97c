#include "flymc/error.hpp"

#include <gtest/gtest.h>

#include "core/message.hpp"

namespace flymc {
namespace {

TEST(Error, SaysTheProblemThenTheRemedy) {
  const Error error(ErrorKind::kData, "column 'city' holds text",
                    message("drop it ({}).", Setting{"drop", "city"}));
  EXPECT_STREQ(error.what(), "column 'city' holds text; drop it (drop = city).");
  EXPECT_EQ(error.message().in(field_wording()), error.what());
  EXPECT_EQ(error.problem().in(field_wording()), "column 'city' holds text");
  EXPECT_EQ(error.remedy().in(field_wording()), "drop it (drop = city).");
  EXPECT_EQ(error.kind(), ErrorKind::kData);
  EXPECT_EQ(error.exit_code(), 65);
}

TEST(Error, NeedsNoRemedy) {
  EXPECT_STREQ(Error(ErrorKind::kData, "it is so; and so.").what(), "it is so; and so.");
}

TEST(Error, CanHaveAnotherRemedy) {
  const Error error(ErrorKind::kIo, "no space left writing 'a; b'", "free space.");
  EXPECT_STREQ(with_remedy(error, "resume.").what(), "no space left writing 'a; b'; resume.");
  EXPECT_EQ(with_remedy(error, "resume.").kind(), ErrorKind::kIo);
  EXPECT_STREQ(with_remedy({ErrorKind::kData, "it is so"}, "stop.").what(), "it is so; stop.");
  EXPECT_STREQ(with_remedy({ErrorKind::kData, "a; b"}, "stop.").what(), "a; b; stop.");
}

}  // namespace
}  // namespace flymc
