#ifndef WARDEN_JOBS_DB_PAGE_TOKEN_H_
#define WARDEN_JOBS_DB_PAGE_TOKEN_H_

#include <optional>
#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"

namespace warden::jobs::db {

// A text that means nothing to a client, for where the next page begins. It names the last element
// of the page before, not a count, so that pages stay right while elements come and go.
std::string PageToken(const Json& place);

// Nothing for a text that PageToken did not make, whole.
std::optional<Json> PlaceOf(std::string_view token);

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_PAGE_TOKEN_H_
