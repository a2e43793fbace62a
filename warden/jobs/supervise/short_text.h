#ifndef WARDEN_JOBS_SUPERVISE_SHORT_TEXT_H_
#define WARDEN_JOBS_SUPERVISE_SHORT_TEXT_H_

#include <string>
#include <string_view>

#include "warden/base/text/utf8.h"

namespace warden::jobs {

// A text as the API's FailureReason and StatusDetails may be: in valid UTF-8, not longer than they
// may be, cut between characters.
inline std::string ShortText(std::string_view text, size_t bytes = 1024) {
  // What is replaced grows, so it is cut afterwards; before, only so that it does not cost much.
  const std::string valid = ValidUtf8(text.substr(0, 2 * bytes));
  return std::string(CutUtf8(valid, bytes));
}

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_SHORT_TEXT_H_
