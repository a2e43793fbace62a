#ifndef WARDEN_DASHBOARD_SITE_DELETED_RUNS_H_
#define WARDEN_DASHBOARD_SITE_DELETED_RUNS_H_

// Deleting runs of the folders given with --runs, with undo (trial/run_trash.h).

#include <memory>
#include <string>
#include <thread>

#include "warden/auth/authenticator.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/dashboard/site/run_set.h"
#include "warden/http/message.h"
#include "warden/sagemaker/api.h"
#include "warden/trial/run_trash.h"

namespace warden::dashboard {

// Moves runs into the trash and back, and removes for good what has been there for long: at once
// and then every hour, on its own thread. Safe for many threads. What is changed goes into the
// audit log; the caller has checked that the identity may write.
class DeletedRuns {
 public:
  // Options and runs outlive this. A service that only reads removes nothing.
  DeletedRuns(const sagemaker::ApiParts& parts, RunSet* runs);

  // Answers POST /-/api/runs/ID/delete with DeletedRun of the API. 409 for a job, a run that is
  // still running, and a folder that was itself given with --runs.
  http::Response Delete(const auth::Identity& identity, const RunPlaces& places);
  // Answers GET /-/api/trash.
  http::Response List();
  // Answers POST /-/api/trash/ID/restore. 404 if it is not there, 409 if its place is taken.
  http::Response Restore(const auth::Identity& identity, const std::string& id);

 private:
  Result<trial::TrashedRun> Move(const RunPlaces& places) const;
  std::vector<trial::TrashedRun> All();
  void Audit(const auth::Identity& identity, const char* action, const std::string& id,
             const Status& status) const;

  const sagemaker::ApiParts parts_;
  RunSet* const runs_;
  std::jthread purging_;  // Last: it uses the others.
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_DELETED_RUNS_H_
