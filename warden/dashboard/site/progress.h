#ifndef WARDEN_DASHBOARD_SITE_PROGRESS_H_
#define WARDEN_DASHBOARD_SITE_PROGRESS_H_

// How far a run has come, cheaply enough to be shown for every run of a list. Saved steps are
// counted, not trained ones: a run that saves every 500 steps moves in steps of 500.

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "warden/base/types.h"

namespace warden::dashboard {

// How far a run has come, by the names and times of its index files alone: no file is opened. Times
// are seconds since 1970, as the file system has them. Without a saved step all optional members
// are empty.
struct RunProgress {
  // Steps that were saved, which may be fewer than were trained.
  int64_t steps = 0;
  std::optional<Step> last_step;                // Global.
  std::optional<double> first_time, last_time;  // When the first and the last were saved.
  // Global steps a second over the last minute of saved steps; none if fewer than two were saved in
  // it, or all at the same time. Of a run that has ended it is that of its end.
  std::optional<double> rate;
};

// Follows the index folder of one run; folders that have not changed are not read again, so that it
// may be asked several times a second. A view of OpenRun. Safe for many threads.
//
//   ProgressReader reader(places.tensors);
//   const RunProgress progress = reader.Now();
class ProgressReader {
 public:
  // run: the folder of tensors, which need not exist yet.
  explicit ProgressReader(std::string run) : run_(std::move(run)) {}
  // Never fails: a folder that cannot be read counts as empty. Reads the list of folders, and those
  // that have changed. Several threads wait for each other.
  RunProgress Now();

 private:
  struct Folder {
    int64_t changed_ns = 0;
    int64_t steps = 0;
    std::string first, last;  // Names of files.
  };
  Folder Read(const std::string& path, int64_t changed_ns) const;

  const std::string run_;
  std::mutex mutex_;
  std::map<std::string, Folder> folders_;  // By name, which is the order of steps.
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_PROGRESS_H_
