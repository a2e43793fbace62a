#ifndef WARDEN_BASE_JSON_H_
#define WARDEN_BASE_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden {

// JSON in and out, as the files of a run, configurations and the service's API have it. Parsing
// never throws; a Json value itself does on misuse (get<T> of another type), so check types first.
//
//   const Result<Json> json = ParseJson(text);
//   if (!json.ok()) return json.status().WithContext(path);
//   if (!json.value().is_object()) return Status(Code::kInvalidType, "expected an object");

// Parses one JSON document. kCorrupt says at which byte the text stops being JSON. Texts from
// outside are safe to parse: more than 64 levels of nesting, which could exhaust the stack, and
// more than 10,000 keys in one object, which are searched one by one, are kCorrupt, too. The result
// does not refer to the text.
Result<Json> ParseJson(std::string_view text);

// On one line with Python's spacing (", " and ": "), non-ASCII escaped: the bytes that json.dumps
// gives, which is what the original writes. Numbers that are not finite become NaN, Infinity and
// -Infinity as Python spells them; ParseJson does not accept those. Invalid UTF-8 in strings
// becomes U+FFFD. Recursive: each level of nesting takes stack.
std::string DumpLikePython(const Json& value);

// Appends the text as a quoted JSON string, escaped as DumpLikePython does. The text may be any
// bytes. For writers that are too hot to build a Json value first.
void AppendJsonString(std::string_view text, std::string* out);

// The number itself, or, where it is not finite and JSON has no number for it, one of the strings
// "NaN", "Infinity" and "-Infinity".
Json JsonNumber(double value);

}  // namespace warden

#endif  // WARDEN_BASE_JSON_H_
