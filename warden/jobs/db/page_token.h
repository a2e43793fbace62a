#ifndef WARDEN_JOBS_DB_PAGE_TOKEN_H_
#define WARDEN_JOBS_DB_PAGE_TOKEN_H_

// NextToken of lists: used for lists of jobs and for Search.

#include <optional>
#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"

namespace warden::jobs::db {

// Returns a text that is opaque to clients, for where the next page begins. place names the last
// element of the page before, not a count, so that pages stay right while elements come and go.
std::string PageToken(const Json& place);

// The reverse. Nothing for a text that PageToken did not make or that was cut. A token has a
// checksum, not a signature: the caller checks what place contains.
std::optional<Json> PlaceOf(std::string_view token);

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_PAGE_TOKEN_H_
