#include "warden/config/pattern_list.h"

#include <algorithm>

#include "warden/base/strings.h"

namespace warden::config {
namespace {

// Past the class that opens at text[at]. A bracket that closes it at once is one of its letters.
size_t SkipClass(std::string_view text, size_t at) {
  ++at;
  if (at < text.size() && text[at] == '^') ++at;
  if (at < text.size() && text[at] == ']') ++at;
  while (at < text.size() && text[at] != ']') at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

// Past the quantifier that opens at text[at], or past the brace if it is only a brace.
size_t SkipBraces(std::string_view text, size_t at) {
  const size_t end = text.find_first_not_of("0123456789,", at + 1);
  return end != std::string_view::npos && text[end] == '}' ? end + 1 : at + 1;
}

// The comma that ends the first pattern of text, or the end.
size_t EndOfPattern(std::string_view text) {
  int depth = 0;
  size_t at = 0;
  while (at < text.size()) {
    switch (text[at]) {
      case '\\': at += 2; continue;
      case '[': at = SkipClass(text, at); continue;
      case '{': at = SkipBraces(text, at); continue;
      case '(': ++depth; break;
      case ')': depth = std::max(depth - 1, 0); break;
      case ',':
        if (depth == 0) return at;
        break;
      default: break;
    }
    ++at;
  }
  return text.size();
}

}  // namespace

std::vector<std::string> SplitPatterns(std::string_view text) {
  std::vector<std::string> patterns;
  while (!text.empty()) {
    const size_t end = EndOfPattern(text);
    const std::string_view pattern = Trim(text.substr(0, end));
    if (!pattern.empty()) patterns.emplace_back(pattern);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return patterns;
}

}  // namespace warden::config
