#ifndef WARDEN_DASHBOARD_TIMELINE_TRACE_EXPORT_H_
#define WARDEN_DASHBOARD_TIMELINE_TRACE_EXPORT_H_

#include <string>

#include "warden/http/message.h"
#include "warden/timeline/host_clocks.h"

namespace warden::dashboard {

// All timelines in a profiler's folder as one trace, compressed, for other viewers. name: of the
// run, from which the name of the download is made. clocks: by how much times of hosts are moved;
// the trace says so. Blocks while the trace is written to a
// temporary folder, which is removed when the response was sent.
//
// One export at a time in the whole process: 409 for a second one. 413 above 4 GiB of profiler
// files; other errors as ErrorAnswer has them. Safe for many threads.
http::Response TraceAnswer(const std::string& profile, const std::string& name,
                           timeline::HostClocks clocks);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TIMELINE_TRACE_EXPORT_H_
