#ifndef WARDEN_DASHBOARD_SITE_CONTROL_H_
#define WARDEN_DASHBOARD_SITE_CONTROL_H_

#include <string>
#include <string_view>

#include "warden/dashboard/core/open_run.h"
#include "warden/http/message.h"
#include "warden/sagemaker/api.h"

namespace warden::dashboard {

// Answers POST /-/api/runs/ID/<what>: stop, profiling, rules. Jobs are changed by the operations of
// the API, so that what it refuses is refused here in the same words. body: a JSON object, or
// empty.
//
// 202 when the change was accepted, which does not mean that it has happened. 400 for a body or
// value that is not accepted, 403 if the identity may not, 404 for an unknown <what>, 409 for a run
// that this service cannot change; other errors have the status of the API. Stopping a run of
// `warden run` waits until its processes have ended. The caller has checked that the identity may
// write. Safe for many threads.
http::Response Control(const sagemaker::ApiParts& parts, const auth::Identity& identity,
                       const RunPlaces& places, std::string_view what, const std::string& body);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_CONTROL_H_
