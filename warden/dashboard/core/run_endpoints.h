#ifndef WARDEN_DASHBOARD_CORE_RUN_ENDPOINTS_H_
#define WARDEN_DASHBOARD_CORE_RUN_ENDPOINTS_H_

// How the sides of a run (tensors, metrics, profile, timeline) add to the dashboard. Each
// sub-folder makes one RunEndpoints; dashboard/site routes requests to them and sends their
// events. docs/reference/dashboard_api.md describes every answer.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/dashboard/core/query.h"
#include "warden/http/message.h"

namespace warden::dashboard {

// A GET of something of a run, by somebody who is allowed to read it: authentication and the search
// for the run are done. Valid during the call.
struct RunRequest {
  std::shared_ptr<OpenRun> run;
  // The URL's parameters; nothing of them is checked yet.
  Query query;
  std::string rest;  // Of an endpoint that ends in "/*": what stands for the star, decoded.
  // Another run by its id, for comparisons; kNotFound if there is none. Safe for many threads.
  std::function<Result<std::shared_ptr<OpenRun>>(const std::string& id)> other;
};

// Answers GET /-/api/runs/ID/<path>. Called from many threads at once; may take as long as reading
// the answer takes, but does in the background what takes seconds, since a caller waits and a
// thread of the server with it. Errors are answers too: see ErrorAnswer.
//
//   RunEndpoint{"steps", [](const RunRequest& request) {
//     const auto mode = request.query.ModeOf("mode");
//     if (!mode.ok()) return ErrorAnswer(mode.status());
//     return JsonAnswer(StepsOf(*request.run, mode.value()));
//   }};
struct RunEndpoint {
  std::string path;  // "series", "timeline/slices", "reports/*".
  std::function<http::Response(const RunRequest&)> answer;
};

// What the dashboard shows of one side of a run. Made once, at the start; its functions live as
// long as the service.
struct RunEndpoints {
  // Looked up in this order; paths are unique over all sides.
  std::vector<RunEndpoint> endpoints;
  // The event that is sent to those who look at the run when its data changes: "steps"; empty:
  // none.
  std::string live_event = {};
  // The data of that event now; null: nothing to report yet. Sent only if it differs from the last.
  // Asked four times a second, from one thread, while somebody looks: it must return within
  // milliseconds. A view that it opens continues to read in the background.
  std::function<Json(OpenRun&)> live = {};
};

// JSON for an answer; bytes that are not UTF-8 are replaced, since names may be any bytes.
std::string JsonText(const Json& json);
// Answers that no cache keeps. Of JSON, or of columns as view::Columns encodes them.
http::Response JsonAnswer(const Json& json);
http::Response JsonTextAnswer(std::string text);
// JSON with an ETag, for large answers that are asked for again and again: 304 without the text for
// a request that has it already (If-None-Match), so that nothing is sent, parsed or drawn again.
http::Response TaggedAnswer(const http::RequestHead& head, std::string text);
http::Response ColumnsAnswer(std::string columns);
// {"message": ...} with the HTTP status of the code: 400 for kInvalid, kInvalidType and
// kInvalidWorker; 404 for kNotFound and for tensors and steps that are unavailable; 500 for all
// others.
http::Response ErrorAnswer(const Status& error);
http::Response ErrorAnswer(int status, std::string_view message);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_CORE_RUN_ENDPOINTS_H_
