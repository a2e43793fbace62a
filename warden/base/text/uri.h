#ifndef WARDEN_BASE_TEXT_URI_H_
#define WARDEN_BASE_TEXT_URI_H_

// Percent-encoding: of paths and queries as AWS signs them, and of names of files. Used for
// signatures, links, forms, exports, and by all who read the query of a request.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warden {

// Names and values in the order of a query, repeated ones included.
using QueryPairs = std::vector<std::pair<std::string, std::string>>;

// Encodes as signatures require: every byte but letters, digits and "-._~" becomes "%XX" with
// upper-case digits; '/' only if also_slash.
std::string UriEncode(std::string_view text, bool also_slash);
// Replaces "%XX" by the byte it stands for. Never fails: a '%' without two digits stays. '+' stays.
// The result may contain any byte, also '\0' and "..".
std::string UriDecode(std::string_view text);
// The same for callers that refuse what is malformed: nothing if a '%' has no two digits behind it.
// With plus_is_blank, as in queries, '+' means a blank.
std::optional<std::string> StrictUriDecode(std::string_view text, bool plus_is_blank);

// Decodes a query (without the '?'). '+' means a blank. A name without '=' has an empty value;
// empty pairs are skipped.
QueryPairs ParseQuery(std::string_view query);
// The same; nothing if a '%' has no two digits behind it.
std::optional<QueryPairs> StrictParseQuery(std::string_view query);

// A name as part of a file's name: what is not a letter, a digit, '_', '-' or '.' becomes %XX, so
// that different names stay different and none leads to another folder; a leading '.' becomes %2E.
// Names too long for a file system are cut and end in a checksum of the whole.
std::string SafeFileName(std::string_view name);

}  // namespace warden

#endif  // WARDEN_BASE_TEXT_URI_H_
