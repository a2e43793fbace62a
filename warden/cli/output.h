#ifndef WARDEN_CLI_OUTPUT_H_
#define WARDEN_CLI_OUTPUT_H_

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/cli/terminal.h"

namespace warden::cli {

// Where a command prints: results to one descriptor, in large blocks, messages for people to the
// other. For one thread.
class Output {
 public:
  Output(int results, int messages, const Terminal& terminal);
  ~Output() { RemoveProgress(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  const Terminal& terminal() const { return terminal_; }

  void Write(std::string_view text);
  template <class... Args>
  void Print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    WriteIfFull();
  }
  // One line of JSON. Numbers must be finite; see JsonNumber.
  void PrintJson(const Json& value);

  // "warden: <message>" to the messages.
  void Tell(std::string_view message);
  // For slow work: a line that replaces itself, on a terminal only. The line is made only when it
  // is shown, which is neither at once nor often.
  void ShowProgress(const std::function<std::string()>& line);

  // Writes what was printed. Returns the first error of all writes; nothing is written after one.
  Status Flush();

 private:
  void WriteIfFull();
  void RemoveProgress();

  const int results_;
  const int messages_;
  const Terminal terminal_;
  std::string buffer_;
  Status status_;
  bool progress_shown_ = false;
  std::chrono::steady_clock::time_point next_progress_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_OUTPUT_H_
