#ifndef WARDEN_DASHBOARD_TIMELINE_TIMELINE_PART_H_
#define WARDEN_DASHBOARD_TIMELINE_TIMELINE_PART_H_

#include "warden/dashboard/core/part.h"

namespace warden::dashboard {

// The timeline of a run: what its programs and GPUs did when.
DashboardPart TimelinePart();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TIMELINE_TIMELINE_PART_H_
