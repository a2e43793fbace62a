#ifndef WARDEN_BASE_JSON_MEMBERS_H_
#define WARDEN_BASE_JSON_MEMBERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"

namespace warden {

// Reading requests, whatever they hold: a member that is missing, null or of another type is not
// there.

// Null if json is no object, has none of that name, or has null.
const Json* MemberOf(const Json& json, std::string_view name);
// As MemberOf, over several objects: "ResourceConfig", then "InstanceCount".
const Json* MemberOf(const Json& json, std::string_view object, std::string_view name);

// Empty, 0 and false if it is not there.
std::string TextOf(const Json* member);
int64_t IntegerOf(const Json* member);
bool IsTrue(const Json* member);

}  // namespace warden

#endif  // WARDEN_BASE_JSON_MEMBERS_H_
