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

// What a program gives to the C API, checked before anything else sees it. All functions return
// kInvalid for what is not accepted; the message begins with what, which says what it is ("name"),
// and has the value and what is accepted. Views that are returned point to the program's memory:
// they are valid during the call of the API. Safe for many threads.
//
//   const auto name = NameFrom(argument, "name");
//   if (!name.ok()) return name.status();  // "name is NULL", "name is not UTF-8", ...

// A text that is not NULL, has at least one byte, and is UTF-8: manifests and index files are JSON.
Result<std::string_view> TextFrom(const char* text, std::string_view what);
// One of at most WD_MOST_NAME_BYTES.
Result<std::string_view> NameFrom(const char* name, std::string_view what);
// Copies of texts[0] to texts[count - 1], which may be empty only if empty_too. texts may be NULL
// if count is 0.
Result<std::vector<std::string>> TextsFrom(const char* const* texts, size_t count, bool empty_too,
                                           std::string_view what);

// WD_TRAIN to WD_GLOBAL; a program may pass any number.
Result<Mode> ModeFrom(wd_mode mode);
// "plain", "pytorch", "tensorflow", "mxnet" or "xgboost".
Result<config::Framework> FrameworkFrom(const char* name);
// 0 to WD_LARGEST_STEP.
Status CheckStep(int64_t step);

// A dense tensor in C order whose size fits the address space. The view is valid as long as what
// value points to. Checks struct_size, type, dimensions, shape and strides; that the data is really
// there cannot be checked.
Result<stats::TensorRef> TensorFrom(const wd_value* value);

}  // namespace warden::hook

#endif  // WARDEN_HOOK_ARGUMENTS_H_
