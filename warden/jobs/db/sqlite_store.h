#ifndef WARDEN_JOBS_DB_SQLITE_STORE_H_
#define WARDEN_JOBS_DB_SQLITE_STORE_H_

// The store behind OpenJobStore. Writing functions are in sqlite_store.cc, reading ones in
// sqlite_store_reads.cc; nobody else includes this.

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warden/jobs/db/job_cache.h"
#include "warden/jobs/db/job_store.h"
#include "warden/jobs/db/reader_pool.h"
#include "warden/jobs/db/sqlite.h"

namespace warden::jobs::db {

// The JobStore of the service. One connection writes, one thread at a time; others read what was
// committed last, and never wait for it. See migrations.cc for the tables and job_store.h for the
// contracts. Each commit waits for the disk, so a job that was acknowledged survives a loss of
// power. The last 20,000 events are kept.
class SqliteStore : public JobStore {
 public:
  // As OpenJobStore. The file is created readable for its owner alone, since variables of jobs may
  // be secrets.
  static Result<std::unique_ptr<JobStore>> Open(const std::string& path);
  // writer: checked, migrated, in WAL mode. Use Open().
  SqliteStore(const std::string& path, std::unique_ptr<Connection> writer);

  // Contracts as in JobStore.
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
  // Called by the thread that made the change, after the commit; keep it short, and do not call
  // OnEvent in it. Listeners are never removed: they outlive the store.
  void OnEvent(std::function<void()> listener) override {
    const std::lock_guard lock(listeners_mutex_);
    listeners_.push_back(std::move(listener));
  }

 private:
  // The writer's lock and a transaction, for one write. Writes that were waiting for their turn
  // while another process kept the database locked fail at once, instead of waiting for it one
  // after the other: everyone gets an answer within the patience of one.
  class Turn {
   public:
    explicit Turn(SqliteStore* store);
    const Status& status() const { return status_; }  // Check it before the first statement.
    Status Commit() { return transaction_->Commit(); }

   private:
    std::unique_lock<std::mutex> lock_;
    Status status_;
    std::optional<Transaction> transaction_;
  };

  // Inside a transaction of the writer, as the next three: adds the job and its invocation.
  Status Insert(const TrainingJob& job, const Invocation& invocation);
  // Replaces the rows of the job's rules.
  Status KeepRules(const TrainingJob& job);
  // Adds events, and drops those that are too old.
  Status KeepEvents(const std::vector<std::string>& events);
  // Replaces the row of the job.
  Status Update(const TrainingJob& job);
  // In a turn of its own. *told: whether there are events, for TellListeners. Reads the job, lets
  // `change` edit it, compares, and writes it with the events that the difference means, in one
  // transaction. An error of `change` undoes everything.
  Result<TrainingJob> ChangeInTurn(const std::string& name,
                                   const std::function<Status(TrainingJob*)>& change, bool* told);
  // Not in a turn, so that a listener may read the store.
  void TellListeners() {
    const std::lock_guard lock(listeners_mutex_);
    for (const auto& listener : listeners_) listener();
  }

  // By either kind of connection. kNotFound. Through the cache.
  Result<TrainingJob> Read(Connection* connection, const std::string& name);

  std::mutex writing_;                            // Held by a Turn, for a whole transaction.
  std::chrono::steady_clock::time_point locked_;  // See Turn. Under writing_.
  const std::unique_ptr<Connection> writer_;      // Under writing_.
  ReaderPool readers_;                            // Up to 8 connections.
  JobCache cache_;                                // For readers and the writer.
  std::mutex listeners_mutex_;                    // Apart: OnEvent does not wait for a writer.
  std::vector<std::function<void()>> listeners_;  // Under listeners_mutex_.
};

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_SQLITE_STORE_H_
