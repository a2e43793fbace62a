#ifndef WARDEN_SERVICE_API_WITHOUT_NULLS_H_
#define WARDEN_SERVICE_API_WITHOUT_NULLS_H_

#include "warden/base/json_fwd.h"

namespace warden::service {

// A copy without the members and elements that are null: to the API they are not there.
Json WithoutNulls(const Json& json);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_API_WITHOUT_NULLS_H_
