#ifndef WARDEN_DASHBOARD_PROFILE_PROFILE_ENDPOINTS_H_
#define WARDEN_DASHBOARD_PROFILE_PROFILE_ENDPOINTS_H_

#include "warden/dashboard/core/run_endpoints.h"

namespace warden::dashboard {

// Where the time of a run went (profile), and the reports that were written of it (reports,
// reports/*). Sends no events: the page asks again while "pending" is true. See RunProfile and
// report_files.h for what is read and when.
RunEndpoints ProfileEndpoints();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_PROFILE_PROFILE_ENDPOINTS_H_
