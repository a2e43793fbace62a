#ifndef WARDEN_AUTH_URI_TEXT_H_
#define WARDEN_AUTH_URI_TEXT_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warden::auth {

// As signatures want it: every byte but letters, digits and "-._~" becomes "%XX", the slash only
// where it is asked for.
std::string UriEncode(std::string_view text, bool also_slash);
// The bytes that "%XX" stand for; a '%' without digits is one.
std::string UriDecode(std::string_view text);

// The parts of a query, decoded; a '+' is a blank.
std::vector<std::pair<std::string, std::string>> ParseQuery(std::string_view query);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_URI_TEXT_H_
