#ifndef WARDEN_DASHBOARD_SITE_EXPORT_RUN_H_
#define WARDEN_DASHBOARD_SITE_EXPORT_RUN_H_

// A run as one HTML file that opens without a server: the dashboard's own page, with the answers
// that it would ask for inside. For `warden export`, and the button on the page of a run.

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::dashboard {

struct ExportLimits {
  size_t most_bytes = size_t{24} << 20;  // Of all answers together, before they are compressed.
  std::chrono::milliseconds patience{10'000};  // For the run to be read; then it is as it is.
};

struct ExportedRun {
  std::string page;                   // The HTML.
  std::vector<std::string> left_out;  // What is not in it, for people: sentences.
};

// Answers GET runs/ID/<what>?<query>; `what` is empty for the run itself.
using AskOfRun = std::function<http::Response(const std::string& what, const std::string& query)>;

// Asks for everything that fits, the most important first. id: of the run; folder: of the page's
// title. kUnavailable: this build has no pages. Errors of the first answer are returned; what
// cannot be answered later is left out. Takes seconds for a large run.
Result<ExportedRun> ExportRun(const std::string& id, const AskOfRun& ask,
                              const ExportLimits& limits);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_EXPORT_RUN_H_
