#ifndef WARDEN_JOBS_DB_LIMITED_STORE_H_
#define WARDEN_JOBS_DB_LIMITED_STORE_H_

// The store as the holder of a limited key sees it: other jobs do not exist. Whoever answers
// requests with it cannot forget to check a name.

#include <string>
#include <utility>
#include <vector>

#include "warden/jobs/db/job_store.h"

namespace warden::jobs {

// Passes calls on to another store, as far as they are about jobs whose names begin with one of the
// given texts; rule jobs count by their training job. Others are kNotFound, and creating one is
// kInvalid. Events, which are about all jobs, are not to be had. Cheap to make for one request.
// Safe for many threads.
class LimitedStore : public JobStore {
 public:
  // store: not owned; outlives this one. name_prefixes: at least one.
  LimitedStore(JobStore* store, std::vector<std::string> name_prefixes)
      : store_(store), name_prefixes_(std::move(name_prefixes)) {}

  Status Create(const TrainingJob& job, const Invocation& invocation) override;
  std::optional<std::string> MadeBy(const Invocation& invocation) override;
  Result<TrainingJob> Get(const std::string& name) override;
  Result<TrainingJob> Change(const std::string& name,
                             const std::function<Status(TrainingJob*)>& change) override;
  Status Delete(const std::string& name) override;
  Result<Page<TrainingJob>> List(const ListQuery& query) override;
  Result<Page<std::pair<TrainingJob, size_t>>> ListRuleJobs(const ListQuery& query) override;
  Result<std::pair<TrainingJob, size_t>> FindRuleJob(const std::string& job_name) override;
  Result<std::vector<std::string>> Unfinished() override;
  Result<std::vector<StoredEvent>> EventsAfter(int64_t number, size_t limit) override;
  int64_t LastEvent() override { return 0; }
  std::optional<int64_t> CursorOf(const std::string&) override { return std::nullopt; }
  Status SetCursor(const std::string& receiver, int64_t number) override;
  void OnEvent(std::function<void()>) override {}

 private:
  bool Shows(const std::string& job) const;
  ListQuery Limited(ListQuery query) const;

  JobStore* const store_;
  const std::vector<std::string> name_prefixes_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_DB_LIMITED_STORE_H_
