#include "warden/cli/doctor/subprocess.h"

#include <gtest/gtest.h>

namespace warden::cli {
namespace {

using std::chrono::milliseconds;

TEST(OutputOfTest, ReturnsWhatIsPrinted) {
  const auto output =
      OutputOf({"sh", "-c", "echo one; echo two >&2; echo three"}, milliseconds(9000));
  ASSERT_TRUE(output.ok()) << output.status().message();
  EXPECT_EQ(output.value(), "one\nthree\n");
}

TEST(OutputOfTest, TellsWhatWentWrong) {
  EXPECT_EQ(OutputOf({"no-such-program-anywhere"}, milliseconds(9000)).status().code(),
            Code::kNotFound);
  EXPECT_EQ(OutputOf({"false"}, milliseconds(9000)).status().code(), Code::kIo);
}

TEST(OutputOfTest, DoesNotWaitForever) {
  const auto start = std::chrono::steady_clock::now();
  // The second process holds the pipe open; it has to end too.
  const auto output = OutputOf({"sh", "-c", "sleep 60 & sleep 60"}, milliseconds(100));
  EXPECT_EQ(output.status().code(), Code::kUnavailable);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

}  // namespace
}  // namespace warden::cli
