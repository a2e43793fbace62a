#ifndef WARDEN_JOBS_DB_JOB_STORE_H_
#define WARDEN_JOBS_DB_JOB_STORE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Which jobs to list. Times are exclusive.
struct ListQuery {
  enum class SortBy : uint8_t { kCreationTime, kName, kStatus };

  std::string name_contains;  // In any case.
  std::string status_equals;  // As the API spells it; empty: all.
  std::optional<Time> created_after, created_before, modified_after, modified_before;
  SortBy sort_by = SortBy::kCreationTime;
  bool ascending = false;
  size_t limit = 10;
  std::string next_token;  // Of the page before; empty: the first page.
};

template <class T>
struct Page {
  std::vector<T> items;
  std::string next_token;  // Empty: this was the last one.
};

// Who asked for a job to be made, so that the same request sent again makes no second one.
struct Invocation {
  std::string owner;
  std::string id;  // Empty: the client names none.
};

struct StoredEvent {
  int64_t number = 0;  // Grows by one from event to event.
  std::string body;    // One JSON object on a line.
};

// Where jobs are kept: safe for many threads, and whatever was told done survives a crash of the
// process and of the machine. kIo if the storage fails, kCorrupt if it holds what it cannot.
class JobStore {
 public:
  virtual ~JobStore() = default;

  // kExists if there is one of that name, or a rule job of a name that this one would use.
  virtual Status Create(const TrainingJob& job, const Invocation& invocation) = 0;
  // The name of the job that an invocation made in the last minutes, if it made one.
  virtual std::optional<std::string> MadeBy(const Invocation& invocation) = 0;

  // kNotFound, as in all that follow.
  virtual Result<TrainingJob> Get(const std::string& name) = 0;
  // Hands the job as it is now to change and keeps what that makes of it, all or nothing, with
  // nobody else in between. If change fails, nothing is kept and its error is returned. What it
  // changed in the statuses of the job or a rule becomes an event, kept together with it. Sets the
  // time of the change. Returns the job as it is afterwards.
  virtual Result<TrainingJob> Change(const std::string& name,
                                     const std::function<Status(TrainingJob*)>& change) = 0;
  virtual Status Delete(const std::string& name) = 0;

  // kInvalid: a token that none of our pages gave.
  virtual Result<Page<TrainingJob>> List(const ListQuery& query) = 0;
  // Each with the place of the rule among the job's.
  virtual Result<Page<std::pair<TrainingJob, size_t>>> ListRuleJobs(const ListQuery& query) = 0;
  virtual Result<std::pair<TrainingJob, size_t>> FindRuleJob(const std::string& job_name) = 0;

  // Names of those that are not over, or have rules that are not.
  virtual Result<std::vector<std::string>> Unfinished() = 0;

  // What happened, in order: at most limit events after the one of that number. Old ones go.
  virtual Result<std::vector<StoredEvent>> EventsAfter(int64_t number, size_t limit) = 0;
  virtual int64_t LastEvent() = 0;
  // How far a receiver has got; nothing if it was never told.
  virtual std::optional<int64_t> CursorOf(const std::string& receiver) = 0;
  virtual Status SetCursor(const std::string& receiver, int64_t number) = 0;
  // Called after each event was kept, from the thread that kept it; returns at once. There may be
  // several; they are kept as long as the store.
  virtual void OnEvent(std::function<void()> listener) = 0;
};

// In an SQLite database, made if it is not there. kCorrupt if it is something else, or of a later
// version than we know.
Result<std::unique_ptr<JobStore>> OpenJobStore(const std::string& path);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_DB_JOB_STORE_H_
