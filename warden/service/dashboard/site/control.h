#ifndef WARDEN_SERVICE_DASHBOARD_SITE_CONTROL_H_
#define WARDEN_SERVICE_DASHBOARD_SITE_CONTROL_H_

#include <string>
#include <string_view>

#include "warden/service/api/api.h"
#include "warden/service/dashboard/core/open_run.h"
#include "warden/service/http/message.h"

namespace warden::service {

// Answers POST /-/api/runs/ID/<what>: stop, profiling, rules. Jobs are changed by the operations of
// the API, so that what it refuses is refused here in the same words.
Response Control(const ApiParts& parts, const Identity& identity, const RunPlaces& places,
                 std::string_view what, const std::string& body);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_SITE_CONTROL_H_
