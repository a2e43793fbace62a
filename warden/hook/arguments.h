#ifndef WARDEN_HOOK_ARGUMENTS_H_
#define WARDEN_HOOK_ARGUMENTS_H_

#include <warden.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/config/collection.h"
#include "warden/stats/tensor_ref.h"

namespace warden::hook {

// What a program gives, checked. All are kInvalid for what is not accepted; the message begins with
// what, which says what it is ("name"), and tells the value and what is accepted.

// A text that is not NULL, has at least one byte, and is UTF-8.
Result<std::string_view> TextFrom(const char* text, std::string_view what);
// One of at most WD_MOST_NAME_BYTES.
Result<std::string_view> NameFrom(const char* name, std::string_view what);
// names[0] to names[count - 1], which may be empty texts only if empty_too.
Result<std::vector<std::string>> TextsFrom(const char* const* texts, size_t count, bool empty_too,
                                           std::string_view what);

Result<Mode> ModeFrom(wd_mode mode);
Result<config::Framework> FrameworkFrom(const char* name);
// 0 to WD_LARGEST_STEP.
Status CheckStep(int64_t step);

// The view is good as long as what value points to.
Result<stats::TensorRef> TensorFrom(const wd_value* value);

}  // namespace warden::hook

#endif  // WARDEN_HOOK_ARGUMENTS_H_
