#ifndef WARDEN_BASE_JSON_H_
#define WARDEN_BASE_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden {

// kCorrupt says where the text stops being JSON. Nesting is limited, so that a hostile text cannot
// exhaust the stack, and so is the number of keys in one object.
Result<Json> ParseJson(std::string_view text);

// On one line with Python's spacing (", " and ": "), non-ASCII escaped: the bytes that json.dumps
// gives, which is what the original writes. Numbers that are not finite become NaN, Infinity and
// -Infinity as Python spells them.
std::string DumpLikePython(const Json& value);

// The text as a quoted JSON string, escaped as DumpLikePython does.
void AppendJsonString(std::string_view text, std::string* out);

}  // namespace warden

#endif  // WARDEN_BASE_JSON_H_
