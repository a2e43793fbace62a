#ifndef WARDEN_DASHBOARD_SITE_PROGRESS_H_
#define WARDEN_DASHBOARD_SITE_PROGRESS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "warden/base/types.h"

namespace warden::dashboard {

// How far a run has come, by the names of its index files alone.
struct RunProgress {
  int64_t steps = 0;                            // Saved ones.
  std::optional<Step> last_step;                // Global.
  std::optional<double> first_time, last_time;  // When the first and the last were saved.
  std::optional<double> rate;  // Global steps a second over the last minute of them.
};

// Follows the index folder of one run; folders that have not changed are not read again. Safe for
// many threads.
class ProgressReader {
 public:
  explicit ProgressReader(std::string run) : run_(std::move(run)) {}
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
