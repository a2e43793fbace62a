#ifndef WARDEN_JOBS_RECORD_SHORT_TEXT_H_
#define WARDEN_JOBS_RECORD_SHORT_TEXT_H_

// Texts for members of the API that are limited in length. Used wherever a reason is stored.

#include <cstddef>
#include <string>
#include <string_view>

#include "warden/base/text/utf8.h"

namespace warden::jobs {

// The API's limit for FailureReason, StatusDetails and ExitMessage, in bytes.
inline constexpr size_t kLongestReason = 1024;

// Returns any text as those members may have it: valid UTF-8 with at most so many bytes, cut
// between characters. What is not UTF-8 is replaced (ValidUtf8).
inline std::string ShortText(std::string_view text, size_t bytes = kLongestReason) {
  // What is replaced grows, so it is cut afterwards; before, only so that it does not cost much.
  const std::string valid = ValidUtf8(CutUtf8(text, 2 * bytes));
  return std::string(CutUtf8(valid, bytes));
}

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RECORD_SHORT_TEXT_H_
