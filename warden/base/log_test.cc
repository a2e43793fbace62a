#include "warden/base/log.h"

#include <gtest/gtest.h>

#include <string>

namespace warden {
namespace {

size_t Count(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Log, GoesToStderrWithItsLevel) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  LogWarning("{} of {} {{}}", 1, "log_test");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("warden warning: 1 of log_test {}\n"), std::string::npos) << log;
}

TEST(Log, RepeatsItselfThreeTimesOnly) {
  testing::internal::CaptureStderr();
  for (int i = 0; i < 10; ++i) LogError("log_test says the same");
  LogError("log_test says the other");
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(Count(log, "says the same"), 3u);
  EXPECT_EQ(Count(log, "says the other"), 1u);
}

TEST(Log, DebugIsSilentUnlessAskedFor) {
  testing::internal::CaptureStderr();
  LogMessage(LogLevel::kDebug, "log_test whispers");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace warden
