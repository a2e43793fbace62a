#ifndef WARDEN_JOBS_RECORD_CUT_TEXT_H_
#define WARDEN_JOBS_RECORD_CUT_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace warden::jobs {

// FailureReason, StatusDetails and ExitMessage are not longer than this.
inline constexpr size_t kLongestReason = 1024;

// At most so many bytes from the front, and no half of a character of UTF-8.
inline std::string CutText(std::string_view text, size_t limit = kLongestReason) {
  if (text.size() <= limit) return std::string(text);
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return std::string(text.substr(0, limit));
}

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RECORD_CUT_TEXT_H_
