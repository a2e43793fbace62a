#ifndef WARDEN_SERVICE_DASHBOARD_PROFILE_PROFILE_PART_H_
#define WARDEN_SERVICE_DASHBOARD_PROFILE_PROFILE_PART_H_

#include "warden/service/dashboard/core/part.h"

namespace warden::service {

// Where the time of a run went (profile), and the reports that were written of it (reports,
// reports/*).
DashboardPart ProfilePart();

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_PROFILE_PROFILE_PART_H_
