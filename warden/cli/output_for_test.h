#ifndef WARDEN_CLI_OUTPUT_FOR_TEST_H_
#define WARDEN_CLI_OUTPUT_FOR_TEST_H_

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "warden/cli/output.h"

namespace warden::cli {

// An output whose results and messages can be looked at.
class CapturedOutput {
 public:
  explicit CapturedOutput(const Terminal& terminal = {})
      : results_(memfd_create("results", 0)),
        messages_(memfd_create("messages", 0)),
        output_(results_, messages_, terminal) {}
  ~CapturedOutput() {
    close(results_);
    close(messages_);
  }

  Output* output() { return &output_; }
  std::string results() {
    EXPECT_TRUE(output_.Flush().ok());
    return Contents(results_);
  }
  std::string messages() { return Contents(messages_); }

 private:
  static std::string Contents(int descriptor) {
    std::string text(static_cast<size_t>(lseek(descriptor, 0, SEEK_END)), '\0');
    EXPECT_EQ(pread(descriptor, text.data(), text.size(), 0), std::ssize(text));
    return text;
  }

  const int results_;
  const int messages_;
  Output output_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_OUTPUT_FOR_TEST_H_
