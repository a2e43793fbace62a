#ifndef WARDEN_BASE_JSON_MEMBERS_H_
#define WARDEN_BASE_JSON_MEMBERS_H_

// Short ways into JSON of unknown shape: requests of clients, records of jobs. For parsing with
// messages for the user, see config; this is for what was validated before, or where a wrong member
// counts as none. Pure functions, safe for many threads; nothing is copied but texts.
//
//   const int64_t hosts = IntegerOf(MemberOf(request, "ResourceConfig", "InstanceCount"));

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"

namespace warden {

// Reading requests, whatever they hold: a member that is missing, null or of another type is not
// there.

// Null if json is not an object, has no member of that name, or has null there. Points into json.
const Json* MemberOf(const Json& json, std::string_view name);
// As MemberOf, over several objects: "ResourceConfig", then "InstanceCount".
const Json* MemberOf(const Json& json, std::string_view object, std::string_view name);

// "" if it is not there or not a string: numbers are not converted.
std::string TextOf(const Json* member);
// 0 if it is not there or not a number. Fractions are cut off, and what is larger than 64 bits is
// the largest integer, or 0 for floating-point numbers.
int64_t IntegerOf(const Json* member);
// Only true is true: neither 1 nor "true".
bool IsTrue(const Json* member);

}  // namespace warden

#endif  // WARDEN_BASE_JSON_MEMBERS_H_
