#ifndef WARDEN_BASE_JSON_FWD_H_
#define WARDEN_BASE_JSON_FWD_H_

#include <nlohmann/json_fwd.hpp>

namespace warden {

// Enough for headers that only name the type; warden/base/json.h, slow to compile, has the rest.
// Objects keep the order in which keys were written, as the original's files do. They are searched
// key by key, and adding a member may move the others: references to members do not survive it.
using Json = nlohmann::ordered_json;

}  // namespace warden

#endif  // WARDEN_BASE_JSON_FWD_H_
