#ifndef WARDEN_DASHBOARD_SITE_FOLDER_STATE_H_
#define WARDEN_DASHBOARD_SITE_FOLDER_STATE_H_

#include <optional>
#include <string>
#include <string_view>

#include "warden/dashboard/core/open_run.h"
#include "warden/dashboard/site/run_record.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// What can be told of a run that no service knows, by its files.
struct FolderState {
  std::string_view status = "Unknown";  // As RunStatus.
  std::string message = {};
  std::optional<double> started, ended;
  bool runs_here = false;  // `warden run` has it on this machine, and can be asked to stop it.
};

FolderState StateOfFolder(const service::ServiceOptions& options, const RunPlaces& places,
                          const std::optional<RunRecord>& record);

// Since 1970.
double SecondsNow();
// When the file or folder was changed last, in seconds since 1970; nothing if it is not there.
std::optional<double> ChangedAt(const std::string& path);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_FOLDER_STATE_H_
