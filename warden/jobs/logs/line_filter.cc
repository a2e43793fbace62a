#include "warden/jobs/logs/line_filter.h"

#include <algorithm>
#include <array>

#include "warden/base/strings.h"

namespace warden::jobs {
namespace {

constexpr char kEscape = '\x1B';
constexpr std::string_view kErrorEnd = "Error";
constexpr auto kErrorWords =
    std::to_array<std::string_view>({"error", "exception", "traceback", "fatal", "critical"});
constexpr auto kWarningWords = std::to_array<std::string_view>({"warn", "warning"});
constexpr auto kLevels = {LineLevel::kPlain, LineLevel::kWarning, LineLevel::kError};

bool IsWordByte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

LineLevel LevelOfWord(std::string_view word) {
  const std::string lower = LowerAscii(word);
  if (std::ranges::find(kErrorWords, lower) != kErrorWords.end()) return LineLevel::kError;
  if (word.ends_with(kErrorEnd)) return LineLevel::kError;
  if (std::ranges::find(kWarningWords, lower) != kWarningWords.end()) return LineLevel::kWarning;
  return LineLevel::kPlain;
}

// The bytes of the sequence that a text begins with; 0: it is none that terminals know. The same as
// in web/src/base/plain_line.ts.
size_t SequenceSize(std::string_view text) {
  if (text.size() < 2 || text[0] != kEscape) return 0;
  if (text[1] == '[') {  // Colors, the cursor: parameters, then a letter.
    const size_t middle = std::min(text.find_first_not_of("0123456789;?", 2), text.size());
    const size_t end = text.find_first_not_of(" !\"#$%&'()*+,-./", middle);
    if (end < text.size() && text[end] >= '@' && text[end] <= '~') return end + 1;
  }
  if (text[1] == ']') {  // A title, a link: text, then a bell or an escape.
    const size_t end = text.find_first_of("\x07\x1B", 2);
    if (end < text.size() && text[end] != kEscape) return end + 1;
    if (end < text.size() - 1 && text[end + 1] == '\\') return end + 2;
  }
  return text[1] >= '@' && text[1] <= '_' ? 2 : 0;
}

}  // namespace

std::string_view LevelName(LineLevel level) {
  switch (level) {
    case LineLevel::kWarning: return "warning";
    case LineLevel::kError: return "error";
    case LineLevel::kPlain: break;
  }
  return "";
}

std::optional<LineLevel> LevelNamed(std::string_view name) {
  for (const LineLevel level : kLevels) {
    if (LevelName(level) == name) return level;
  }
  return std::nullopt;
}

LineLevel LevelOf(std::string_view plain) {
  LineLevel level = LineLevel::kPlain;
  for (size_t at = 0; at < plain.size() && level != LineLevel::kError;) {
    size_t end = at;
    while (end < plain.size() && IsWordByte(plain[end])) ++end;
    level = std::max(level, LevelOfWord(plain.substr(at, end - at)));
    at = end + 1;
  }
  return level;
}

std::string PlainLine(std::string_view line) {
  std::string plain;
  plain.reserve(line.size());
  while (!line.empty()) {
    const size_t size = SequenceSize(line);
    if (size == 0) plain += line.front();
    line.remove_prefix(std::max<size_t>(size, 1));
  }
  plain.erase(plain.find_last_not_of('\r') + 1);
  return plain.substr(plain.rfind('\r') + 1);
}

LineFilter::LineFilter(std::string_view text, LineLevel least)
    : text_(LowerAscii(text)), least_(least) {}

bool LineFilter::Matches(std::string_view line) const {
  if (text_.empty() && least_ == LineLevel::kPlain) return true;
  const std::string plain = PlainLine(line);
  return LevelOf(plain) >= least_ && LowerAscii(plain).find(text_) != std::string::npos;
}

}  // namespace warden::jobs
