#ifndef WARDEN_JOBS_DB_SQLITE_STORE_H_
#define WARDEN_JOBS_DB_SQLITE_STORE_H_

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "warden/jobs/db/job_cache.h"
#include "warden/jobs/db/job_store.h"
#include "warden/jobs/db/reader_pool.h"
#include "warden/jobs/db/sqlite.h"

namespace warden::jobs::db {

// One connection writes, one thread at a time; others read what was committed last, and never wait
// for it. See migrations.cc for the tables.
class SqliteStore : public JobStore {
 public:
  static Result<std::unique_ptr<JobStore>> Open(const std::string& path);
  SqliteStore(const std::string& path, std::unique_ptr<Connection> writer);

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
  int64_t LastEvent() override;
  std::optional<int64_t> CursorOf(const std::string& receiver) override;
  Status SetCursor(const std::string& receiver, int64_t number) override;
  void OnEvent(std::function<void()> listener) override {
    const std::lock_guard lock(listeners_mutex_);
    listeners_.push_back(std::move(listener));
  }

 private:
  // Inside a transaction of the writer.
  Status Insert(const TrainingJob& job, const Invocation& invocation);
  Status KeepRules(const TrainingJob& job);
  Status KeepEvents(const std::vector<std::string>& events);
  Status Update(const TrainingJob& job);
  Result<TrainingJob> ChangeLocked(const std::string& name,
                                   const std::function<Status(TrainingJob*)>& change, bool* told);
  void TellListeners() {
    const std::lock_guard lock(listeners_mutex_);
    for (const auto& listener : listeners_) listener();
  }

  // kNotFound.
  Result<TrainingJob> Read(Connection* connection, const std::string& name);

  std::mutex writing_;
  const std::unique_ptr<Connection> writer_;  // Under writing_.
  ReaderPool readers_;
  JobCache cache_;
  std::mutex listeners_mutex_;
  std::vector<std::function<void()>> listeners_;  // Under listeners_mutex_.
};

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_SQLITE_STORE_H_
