#ifndef WARDEN_MONITOR_SCAN_H_
#define WARDEN_MONITOR_SCAN_H_

// Pieces of the texts that the kernel writes, without a copy: views into the text that was given.
// What is left of it is in *text. Used by all collectors. Nothing fails or throws; odd texts give
// empty words and no counts.

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace warden::monitor {

// The next line, without its end; empty at the end of the text (check text->empty() before).
inline std::string_view TakeLine(std::string_view* text) {
  const size_t end = text->find('\n');
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return line;
}

// The next word between blanks and tabs; empty at the end. Does not stop at the end of a line: take
// lines first.
inline std::string_view TakeWord(std::string_view* text) {
  const size_t start = text->find_first_not_of(" \t");
  text->remove_prefix(start == std::string_view::npos ? text->size() : start);
  const size_t end = text->find_first_of(" \t");
  const std::string_view word = text->substr(0, end);
  text->remove_prefix(word.size());
  return word;
}

// The word as a count, the highest possible one if it does not fit. Nothing if it is not a number:
// empty, negative, or followed by something else.
inline std::optional<uint64_t> ParseCount(std::string_view word) {
  uint64_t count = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), count);
  if (parsed.ptr == word.data() || parsed.ptr != word.data() + word.size()) return std::nullopt;
  if (parsed.ec == std::errc::result_out_of_range) return std::numeric_limits<uint64_t>::max();
  return count;
}

// The next word as a count; the word is taken even if it is not a number. Files of /proc are read
// several times a second for hundreds of lines: nothing here allocates.
inline std::optional<uint64_t> TakeCount(std::string_view* text) {
  return ParseCount(TakeWord(text));
}

// By how much a counter grew; 0 if it went back, as it does when a device is taken out and put in.
inline double Growth(uint64_t before, uint64_t now) {
  return now > before ? static_cast<double>(now - before) : 0;
}

// The count after that word at the start of a line: "MemTotal: 123 kB", "inactive_file 5". Nothing
// if no line has it. Searches from the start of the text: for a few names in a short one.
//
//   const auto total_kib = CountNamed(meminfo.Read(), "MemTotal:");
inline std::optional<uint64_t> CountNamed(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = TakeLine(&text);
    if (TakeWord(&line) == name) return TakeCount(&line);
  }
  return std::nullopt;
}

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_SCAN_H_
