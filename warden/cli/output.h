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
// other. Every command gets one; text that comes from a run or a service goes through Printable or
// a Table first. For one thread.
//
//   out->Print("{} steps\n", count);     // A result: can be piped.
//   out->Tell("2 files were skipped");   // "warden: 2 files were skipped" on standard error.
//
// Results are written in blocks of 64 KB. After an error of writing, such as a pipe that was
// closed, nothing more is written and Flush returns the error; the command need not check before.
class Output {
 public:
  // results, messages: descriptors, which are not owned and stay open. terminal describes that of
  // the results.
  Output(int results, int messages, const Terminal& terminal);
  // Does not write what is still buffered: call Flush, which can report errors.
  ~Output() { RemoveProgress(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  const Terminal& terminal() const { return terminal_; }

  // Results, buffered. Errors are kept for Flush.
  void Write(std::string_view text);
  // Formats into the buffer; otherwise as Write.
  template <class... Args>
  void Print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    WriteIfFull();
  }
  // One line of JSON. Numbers must be finite; see JsonNumber.
  void PrintJson(const Json& value);

  // "warden: <message>" and a line break to the messages, at once and after all results so far.
  // Errors of it are ignored: there is nobody left to tell.
  void Tell(std::string_view message);
  // For slow work: a line that replaces itself, on a terminal only. Call it as often as you like:
  // line is called only when it is shown, which is not before 0.7 s and then at most every 0.1 s.
  // It has to be printable, and is cut to the width. Removed before anything else is printed, so it
  // never stands between lines.
  void ShowProgress(const std::function<std::string()>& line);

  // Writes what was printed. Returns the first error of all writes (kIo); nothing is written after
  // one.
  Status Flush();

 private:
  void WriteIfFull();
  void RemoveProgress();

  const int results_;
  const int messages_;
  const Terminal terminal_;
  // Results that were not written yet.
  std::string buffer_;
  Status status_;
  bool progress_shown_ = false;
  std::chrono::steady_clock::time_point next_progress_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_OUTPUT_H_
