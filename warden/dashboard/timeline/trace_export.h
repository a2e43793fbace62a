#ifndef WARDEN_DASHBOARD_TIMELINE_TRACE_EXPORT_H_
#define WARDEN_DASHBOARD_TIMELINE_TRACE_EXPORT_H_

#include <string>

#include "warden/http/message.h"

namespace warden::dashboard {

// All timelines in a profiler's folder as one trace, packed, for other viewers. name: of the run,
// from which that of the download is made.
http::Response TraceAnswer(const std::string& profile, const std::string& name);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TIMELINE_TRACE_EXPORT_H_
