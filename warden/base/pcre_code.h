#ifndef WARDEN_BASE_PCRE_CODE_H_
#define WARDEN_BASE_PCRE_CODE_H_

// How all patterns are compiled. For pattern.cc and number_pattern.cc alone; nobody else includes
// the library's header.

// Before the library's header, which is one for each width of characters.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <string_view>

#include "warden/base/status.h"

namespace warden {

// The caller frees it with pcre2_code_free. kInvalid names the pattern, what is wrong with it and
// at which byte.
inline Result<pcre2_code*> CompilePcre(std::string_view pattern) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                    PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF, &error, &offset, nullptr);
  if (code != nullptr) return code;
  PCRE2_UCHAR message[256] = {};
  pcre2_get_error_message(error, message, sizeof(message));
  return Status(Code::kInvalid, fmt::format("invalid pattern '{}': {} at offset {}", pattern,
                                            reinterpret_cast<const char*>(message), offset));
}

}  // namespace warden

#endif  // WARDEN_BASE_PCRE_CODE_H_
