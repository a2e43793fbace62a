#ifndef WARDEN_DASHBOARD_PROFILE_REPORT_FILES_H_
#define WARDEN_DASHBOARD_PROFILE_REPORT_FILES_H_

// The reports that rules have written into a run's folders, and their files for a browser. The
// files may be written by a training that is not trusted: paths are checked, links are not
// followed, and pages are sent with a sandbox policy. Used by ProfileEndpoints. Reads the disk on
// each call; safe for many threads.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/http/message.h"

namespace warden::dashboard {

// A report that was written of a run: a page, and the files that belong to it. Found by the name of
// its page: profiler-report.html or xgboost_report.html.
struct WrittenReport {
  struct File {
    std::string path;  // Relative to its folder.
    uint64_t bytes = 0;
  };
  // Of its folder, with a number where two have the same: part of its address.
  std::string name;
  std::string root;  // The folder of rules that it was found below, ...
  std::string path;  // ... and where in there its own is; may be empty.
  bool xgboost = false;
  double modified = 0;      // Its page, in seconds since 1970.
  std::vector<File> files;  // The page first.
};

// Those below the folders of a run (places.reports), the newest first. Folders are searched 4
// levels deep, for at most 200 reports each. Links are not followed. Folders that cannot be read
// are skipped. At most 20,000 names are looked at, and 200 files listed for each folder of a
// report: a training could fill it with anything.
std::vector<WrittenReport> FindReports(const RunPlaces& places);

// A file of a report: "<name>/<path>". Nothing outside of its folder is ever opened: no link is
// followed and no path leads up. kNotFound if there is no such report or file. download: sent with
// a name to save it under, or else to be shown. The response holds the file open until it is sent.
// The policy lets the page run its own script and draw itself, without access to the dashboard, its
// cookies or the network.
Result<http::Response> ReportFile(const RunPlaces& places, std::string_view name_and_path,
                                  bool download);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_PROFILE_REPORT_FILES_H_
