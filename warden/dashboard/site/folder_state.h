#ifndef WARDEN_DASHBOARD_SITE_FOLDER_STATE_H_
#define WARDEN_DASHBOARD_SITE_FOLDER_STATE_H_

#include <optional>
#include <string>
#include <string_view>

#include "warden/dashboard/core/open_run.h"
#include "warden/service/options.h"
#include "warden/trial/run_record.h"

namespace warden::dashboard {

// The state of a run that is not a job, as far as its files show it. Times are seconds since 1970.
struct FolderState {
  // As RunStatus of the API: "InProgress", "Completed", "Failed", "Stopped" or "Unknown".
  std::string_view status = "Unknown";
  // For people: an exit code, a signal, or why the status is not known; may be empty.
  std::string message = {};
  std::optional<double> started, ended;
  bool runs_here = false;  // `warden run` has it on this machine, and can be asked to stop it.
};

// Decided by the first of these that is there: a training that `warden run` has on this machine,
// the end in the record, the mark of a finished job, a lock whose process is gone, and files that
// were written within the last minute. record: of trial::ReadRunRecord. Reads the file system;
// never fails. Safe for many threads.
FolderState StateOfFolder(const service::ServiceOptions& options, const RunPlaces& places,
                          const std::optional<trial::RunRecord>& record);

// The time of day, in seconds since 1970.
double SecondsNow();
// When the file or folder was changed last, in seconds since 1970; nothing if it does not exist.
std::optional<double> ChangedAt(const std::string& path);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_FOLDER_STATE_H_
