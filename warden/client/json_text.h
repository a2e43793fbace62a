#ifndef WARDEN_CLIENT_JSON_TEXT_H_
#define WARDEN_CLIENT_JSON_TEXT_H_

#include <string>

#include "warden/base/json.h"

namespace warden::client {

// The member's text; empty if it is not there or something else.
inline std::string TextOf(const Json& json, const char* member) {
  const auto found = json.find(member);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace warden::client

#endif  // WARDEN_CLIENT_JSON_TEXT_H_
