#ifndef WARDEN_DASHBOARD_SITE_CONTROL_H_
#define WARDEN_DASHBOARD_SITE_CONTROL_H_

#include <string>
#include <string_view>

#include "warden/dashboard/core/open_run.h"
#include "warden/http/message.h"
#include "warden/sagemaker/api.h"

namespace warden::dashboard {

// Answers POST /-/api/runs/ID/<what>: stop, profiling, rules. Jobs are changed by the operations of
// the API, so that what it refuses is refused here in the same words.
http::Response Control(const sagemaker::ApiParts& parts, const auth::Identity& identity,
                       const RunPlaces& places, std::string_view what, const std::string& body);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_CONTROL_H_
