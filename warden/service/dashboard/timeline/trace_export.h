#ifndef WARDEN_SERVICE_DASHBOARD_TIMELINE_TRACE_EXPORT_H_
#define WARDEN_SERVICE_DASHBOARD_TIMELINE_TRACE_EXPORT_H_

#include <string>

#include "warden/service/http/message.h"

namespace warden::service {

// All timelines in a profiler's folder as one trace, packed, for other viewers. name: of the run,
// from which that of the download is made.
Response TraceAnswer(const std::string& profile, const std::string& name);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_TIMELINE_TRACE_EXPORT_H_
