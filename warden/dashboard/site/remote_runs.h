#ifndef WARDEN_DASHBOARD_SITE_REMOTE_RUNS_H_
#define WARDEN_DASHBOARD_SITE_REMOTE_RUNS_H_

// Runs that are in S3, for RunSet: found and copied by mirrors (storage/s3/run_mirror.h), so that
// everything reads them as it reads folders.

#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/dashboard/site/places.h"
#include "warden/service/options.h"
#include "warden/storage/s3/run_mirror.h"

namespace warden::dashboard {

// The runs below options.runs_in_s3. No call waits for S3 for more than two seconds. Safe for many
// threads.
class RemoteRuns {
 public:
  // The mirrors are in the data folder. A place that cannot be used is among the problems of every
  // search.
  explicit RemoteRuns(const service::ServiceOptions& options);

  // Adds those that are known by now, which has them looked for again, and what could not be read.
  void AddTo(FoundRuns* found);
  // Somebody looks at the run, which may be one that is not in S3.
  void LookAt(const RunPlaces& places);

 private:
  std::vector<std::unique_ptr<storage::s3::RunMirror>> mirrors_;
  std::vector<std::string> problems_;
};

// kUnavailable, with what to do instead, if the run is in S3: the dashboard only reads there.
Status CheckIsHere(const RunPlaces& places);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_REMOTE_RUNS_H_
