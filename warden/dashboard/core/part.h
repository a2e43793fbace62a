#ifndef WARDEN_DASHBOARD_CORE_PART_H_
#define WARDEN_DASHBOARD_CORE_PART_H_

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

// A GET of something of a run, by somebody who may.
struct RunRequest {
  std::shared_ptr<OpenRun> run;
  Query query;
  std::string rest;  // Of an endpoint that ends in "/*": what stands for the star, decoded.
  // Another run by its id, for comparisons; kNotFound.
  std::function<Result<std::shared_ptr<OpenRun>>(const std::string& id)> other;
};

// Answers GET /-/api/runs/ID/<path>. Called from many threads; may take as long as reading what it
// tells takes, but does in the background what takes seconds.
struct RunEndpoint {
  std::string path;  // "series", "timeline/slices", "reports/*".
  std::function<http::Response(const RunRequest&)> answer;
};

// What the dashboard tells of one side of a run.
struct DashboardPart {
  std::vector<RunEndpoint> endpoints;
  // The event that is sent to those who look at the run when its data changes: "steps"; empty:
  // none.
  std::string live_event = {};
  // Its data now; null: nothing to tell yet. Asked four times a second, from one thread, while
  // somebody looks: it must return within milliseconds. Where it opens a view, that reads on in the
  // background.
  std::function<Json(OpenRun&)> live = {};
};

// Answers. Status by the code of the error: 400 kInvalid, 404 kNotFound and what is unavailable,
// else 500.
http::Response JsonAnswer(const Json& json);
http::Response ColumnsAnswer(std::string columns);
http::Response ErrorAnswer(const Status& error);
http::Response ErrorAnswer(int status, std::string_view message);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_CORE_PART_H_
