#ifndef WARDEN_JOBS_DB_JOB_STORE_H_
#define WARDEN_JOBS_DB_JOB_STORE_H_

// The store of jobs and events: the memory of the service. Everyone who shows or changes a job does
// so through JobStore; the supervisor, the API and the dashboard share one.
//
//   auto store = OpenJobStore(service::DataLayout(options.data).Database());
//   store.value()->Create(job, {.owner = "AKIA...", .id = "client-token"});
//   store.value()->Change(job.name, [](TrainingJob* job) {
//     if (IsOver(job->status)) return Status(Code::kInvalid, "it has ended");
//     Enter(job, SecondaryStatus::kStopping, "", Now());
//     return Status();
//   });

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

// Which jobs to list, and in which order. Conditions are combined with "and".
struct ListQuery {
  enum class SortBy : uint8_t { kCreationTime, kName, kStatus };

  std::string name_contains;  // In any case (ASCII); empty: all.
  // The name of the training job begins with one of them, case-sensitively (ASCII); empty: all.
  std::vector<std::string> name_prefixes;
  std::string status_equals;  // As the API spells it; empty: all.
  // Exclusive; nothing: no limit.
  std::optional<Time> created_after, created_before, modified_after, modified_before;
  SortBy sort_by = SortBy::kCreationTime;  // kStatus: by its name.
  bool ascending = false;                  // Jobs with equal keys are ordered by name.
  size_t limit = 10;                       // Of one page.
  std::string next_token;  // Of the page before, with the same order; empty: the first page.
};

// One page of a list.
template <class T>
struct Page {
  std::vector<T> items;    // At most ListQuery::limit; fewer if some were unreadable.
  std::string next_token;  // For the next page; empty: this is the last one.
};

// Who asked for a job to be created, so that the same request sent again creates no second one.
struct Invocation {
  std::string owner;  // The access key.
  std::string id;     // The client's token for the request; empty: it sent none.
};

// An event that receivers get (EventBridge's form, record/describe.h).
struct StoredEvent {
  int64_t number = 0;  // Grows from event to event; never used twice.
  std::string body;    // One JSON object on a line.
};

// Where jobs are kept. Safe for many threads. What was reported as done survives a crash of the
// process and of the machine: writes wait for the disk. Reads see the last commit, and never wait
// for a writer. All calls: kIo if the storage fails, kUnavailable if another process keeps it
// locked for more than 1.5 s, kCorrupt if it contains something invalid.
class JobStore {
 public:
  virtual ~JobStore() = default;

  // Stores a new job and the event of its creation. kExists if there is one of that name, or a rule
  // job of a name that this one would use.
  virtual Status Create(const TrainingJob& job, const Invocation& invocation) = 0;
  // The name of the job that this invocation created in the last 15 minutes. Nothing if there is
  // none, the invocation has no id, or the storage fails.
  virtual std::optional<std::string> MadeBy(const Invocation& invocation) = 0;

  // Returns a copy of the job as it is now. kNotFound, as in all that follow.
  virtual Result<TrainingJob> Get(const std::string& name) = 0;
  // Passes the job as it is now to change and stores the result, all or nothing, with no other
  // change in between. If change fails, nothing is stored and its error is returned. Changes of the
  // status of the job or a rule become events, stored together with it. Sets `modified`, unless
  // nothing has changed: then nothing is written. Returns the job as it is afterwards. kInvalid if
  // change renames the job.
  //
  // change runs under the writer's lock: it must be quick, and must not call the store.
  virtual Result<TrainingJob> Change(const std::string& name,
                                     const std::function<Status(TrainingJob*)>& change) = 0;
  // Removes a job and its rule jobs; its events stay. Its folders are not touched.
  virtual Status Delete(const std::string& name) = 0;

  // Lists jobs. Pages stay right while jobs come and go: a token names the last job, not a count.
  // Records that cannot be read are logged and skipped. kInvalid: the token is not from a page of
  // this list in this order.
  virtual Result<Page<TrainingJob>> List(const ListQuery& query) = 0;
  // The same for rule jobs; names, statuses and times are theirs. Each comes with its training job
  // and its index in TrainingJob::rules, as does FindRuleJob.
  virtual Result<Page<std::pair<TrainingJob, size_t>>> ListRuleJobs(const ListQuery& query) = 0;
  virtual Result<std::pair<TrainingJob, size_t>> FindRuleJob(const std::string& job_name) = 0;

  // The names of jobs that are not over, or have rules that are not; oldest first.
  virtual Result<std::vector<std::string>> Unfinished() = 0;

  // At most limit events after the one of that number, in order. Only the last 20,000 are kept.
  virtual Result<std::vector<StoredEvent>> EventsAfter(int64_t number, size_t limit) = 0;
  // The number of the last event; 0 if there is none, or the storage fails.
  virtual int64_t LastEvent() = 0;
  // The number of the last event that a receiver was sent; nothing if it has no cursor yet.
  virtual std::optional<int64_t> CursorOf(const std::string& receiver) = 0;
  // Stored at once; replaces the one before.
  virtual Status SetCursor(const std::string& receiver, int64_t number) = 0;
  // Adds a listener that is called after events were stored, by the thread that stored them. It
  // must return at once and must not add listeners. Listeners stay as long as the store, so what
  // they use must outlive it or become inert (events/bell.h).
  virtual void OnEvent(std::function<void()> listener) = 0;
};

// Opens an SQLite database, created if it is missing (readable by its owner alone), and brings it
// to the newest version. kCorrupt if it is another program's or of a later version than we know (it
// is not changed then), or if it is damaged; kIo, also if the file system does not support a
// write-ahead log.
Result<std::unique_ptr<JobStore>> OpenJobStore(const std::string& path);
// Writes a copy of the database to a new file, as it is at one moment. A service may be writing to
// it. kNotFound if there is none, kExists if the new file is there, else as OpenJobStore.
Status CopyJobStore(const std::string& path, const std::string& copy);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_DB_JOB_STORE_H_
