#ifndef WARDEN_SERVICE_SUPERVISE_SHORT_TEXT_H_
#define WARDEN_SERVICE_SUPERVISE_SHORT_TEXT_H_

#include <string>
#include <string_view>

#include "warden/actions/text.h"

namespace warden::service {

// A text as the API's FailureReason and StatusDetails may be: in valid UTF-8, not longer than they
// may be, cut between characters.
inline std::string ShortText(std::string_view text, size_t bytes = 1024) {
  // What is replaced grows, so it is cut afterwards; before, only so that it does not cost much.
  const std::string valid = actions::ValidUtf8(text.substr(0, 2 * bytes));
  return std::string(actions::CutUtf8(valid, bytes));
}

}  // namespace warden::service

#endif  // WARDEN_SERVICE_SUPERVISE_SHORT_TEXT_H_
