#ifndef WARDEN_DASHBOARD_SITE_MARKING_H_
#define WARDEN_DASHBOARD_SITE_MARKING_H_

// Tags, notes and the like of runs (trial/run_marks.h). Safe for many threads.

#include <string>

#include "warden/auth/authenticator.h"
#include "warden/base/json_fwd.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/http/message.h"

namespace warden::dashboard {

// RunMarks of the API. Those of a job are kept in its folder in the service's data. Reads one small
// file; never fails.
Json MarksJson(const RunPlaces& places);

// Answers POST /-/api/runs/ID/marks: changes the marks that the body names, and returns all of
// them. 400 for what is not accepted. The deed goes into the audit log. The caller has checked that
// the identity may write.
http::Response ChangeMarksOf(const auth::Authenticator& authenticator,
                             const auth::Identity& identity, const RunPlaces& places,
                             const std::string& body);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_MARKING_H_
