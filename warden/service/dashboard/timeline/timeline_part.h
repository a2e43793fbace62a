#ifndef WARDEN_SERVICE_DASHBOARD_TIMELINE_TIMELINE_PART_H_
#define WARDEN_SERVICE_DASHBOARD_TIMELINE_TIMELINE_PART_H_

#include "warden/service/dashboard/core/part.h"

namespace warden::service {

// The timeline of a run: what its programs and GPUs did when.
DashboardPart TimelinePart();

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_TIMELINE_TIMELINE_PART_H_
