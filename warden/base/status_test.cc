#include "warden/base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

namespace warden {
namespace {

TEST(Status, IsOkByDefault) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), Code::kOk);
  EXPECT_EQ(status.message(), "");
}

TEST(Status, ContextStandsBeforeTheMessage) {
  const Status error = Status(Code::kCorrupt, "bad length").WithContext("file 'x'");
  EXPECT_EQ(error.code(), Code::kCorrupt);
  EXPECT_EQ(error.message(), "file 'x': bad length");
  EXPECT_EQ(Status().WithContext("file 'x'").message(), "");
}

TEST(Code, EachHasANameOfItsOwn) {
  std::set<std::string_view> names;
  const int last = static_cast<int>(Code::kInvalidWorker);
  for (int code = 0; code <= last; ++code) names.insert(CodeName(static_cast<Code>(code)));
  EXPECT_EQ(names.size(), static_cast<size_t>(last) + 1);
  EXPECT_FALSE(names.contains("Unknown"));
  EXPECT_EQ(CodeName(Code::kInvalidCollection), "InvalidCollectionConfiguration");
}

TEST(Result, HoldsAValueOrAnError) {
  Result<std::string> good = std::string("yes");
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good.value(), "yes");
  EXPECT_TRUE(good.status().ok());
  const Result<std::string> bad = Status(Code::kNotFound, "no");
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.status().code(), Code::kNotFound);
  EXPECT_EQ(bad.status().message(), "no");
}

TEST(Result, GivesAwayWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 5);
}

}  // namespace
}  // namespace warden
