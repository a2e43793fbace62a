#ifndef WARDEN_JOBS_LOGS_LINE_FILTER_H_
#define WARDEN_JOBS_LOGS_LINE_FILTER_H_

// What lines of a log mean to a person: without a terminal's colors, by level, and by what they
// contain. Lines may be any bytes. Safe for many threads.

#include <optional>
#include <string>
#include <string_view>

namespace warden::jobs {

// How bad what a line says is.
enum class LineLevel { kPlain, kWarning, kError };

// "", "warning", "error".
std::string_view LevelName(LineLevel level);
// Nothing for other names.
std::optional<LineLevel> LevelNamed(std::string_view name);

// The level of a plain line, by its words: "error", "exception", "traceback", "fatal", "critical"
// in any case and names such as ValueError; "warn" and "warning" in any case.
LineLevel LevelOf(std::string_view plain);

// A line without the sequences that color text and move the cursor. Of what overwrites itself
// ("\r") only the last state.
std::string PlainLine(std::string_view line);

// Finds lines.
class LineFilter {
 public:
  // text: what a line contains; the case of ASCII letters does not count; empty: any line.
  // least: of lines that are not as bad, none matches.
  LineFilter(std::string_view text, LineLevel least);

  bool Matches(std::string_view line) const;

 private:
  std::string text_;  // In lower case.
  LineLevel least_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LOGS_LINE_FILTER_H_
