#ifndef WARDEN_DASHBOARD_PROFILE_REPORT_FILES_H_
#define WARDEN_DASHBOARD_PROFILE_REPORT_FILES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/http/message.h"

namespace warden::dashboard {

// A report that was written of a run.
struct WrittenReport {
  struct File {
    std::string path;  // Relative to its folder.
    uint64_t bytes = 0;
  };
  std::string name;  // Unlike any other's of the run.
  std::string root;  // The folder of rules that it was found below, ...
  std::string path;  // ... and where in there its own is; may be empty.
  bool xgboost = false;
  double modified = 0;      // Its page, in seconds since 1970.
  std::vector<File> files;  // The page first.
};

// Those below the folders of a run, the newest first. Links are not followed.
std::vector<WrittenReport> FindReports(const RunPlaces& places);

// A file of a report: "<name>/<path>". Nothing outside of its folder is ever opened: no link is
// followed and no way leads up. kNotFound.
Result<http::Response> ReportFile(const RunPlaces& places, std::string_view name_and_path,
                                  bool download);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_PROFILE_REPORT_FILES_H_
