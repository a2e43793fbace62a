#ifndef WARDEN_BASE_TEXT_URI_H_
#define WARDEN_BASE_TEXT_URI_H_

// Percent-encoding of paths and queries as AWS signs them. Used for signatures, links, forms, and
// by all who read the query of a request.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warden {

// Encodes as signatures require: every byte but letters, digits and "-._~" becomes "%XX" with
// upper-case digits; '/' only if also_slash.
std::string UriEncode(std::string_view text, bool also_slash);
// Replaces "%XX" by the byte it stands for. Never fails: a '%' without two digits stays. '+' stays.
// The result may contain any byte, also '\0' and "..".
std::string UriDecode(std::string_view text);

// Returns names and values of a query (without the '?'), decoded, in their order, repeated ones
// included. '+' means a blank. A name without '=' has an empty value; empty parts are skipped.
std::vector<std::pair<std::string, std::string>> ParseQuery(std::string_view query);

}  // namespace warden

#endif  // WARDEN_BASE_TEXT_URI_H_
