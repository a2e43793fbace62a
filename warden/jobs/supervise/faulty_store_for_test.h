#ifndef WARDEN_JOBS_SUPERVISE_FAULTY_STORE_FOR_TEST_H_
#define WARDEN_JOBS_SUPERVISE_FAULTY_STORE_FOR_TEST_H_

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "warden/jobs/db/job_store.h"

// For tests: a store that fails now and then, before or after it has done what it was asked.
namespace warden::jobs {

class FaultyStore : public JobStore {
 public:
  explicit FaultyStore(JobStore* store) : store_(store) {}

  // Every so many calls one fails; 0: none.
  void FailEvery(int calls) { every_ = calls; }

  Status Create(const TrainingJob& job, const Invocation& invocation) override {
    return store_->Create(job, invocation);
  }
  std::optional<std::string> MadeBy(const Invocation& invocation) override {
    return store_->MadeBy(invocation);
  }
  Result<TrainingJob> Get(const std::string& name) override {
    if (Fails()) return Failure();
    return store_->Get(name);
  }
  Result<TrainingJob> Change(const std::string& name,
                             const std::function<Status(TrainingJob*)>& change) override {
    if (Fails()) return Failure();
    auto changed = store_->Change(name, change);
    // Done, but whoever asked for it does not get to know.
    if (Fails()) return Failure();
    return changed;
  }
  Status Delete(const std::string& name) override { return store_->Delete(name); }
  Result<Page<TrainingJob>> List(const ListQuery& query) override {
    if (Fails()) return Failure();
    return store_->List(query);
  }
  Result<Page<std::pair<TrainingJob, size_t>>> ListRuleJobs(const ListQuery& query) override {
    return store_->ListRuleJobs(query);
  }
  Result<std::pair<TrainingJob, size_t>> FindRuleJob(const std::string& name) override {
    return store_->FindRuleJob(name);
  }
  Result<std::vector<std::string>> Unfinished() override {
    if (Fails()) return Failure();
    return store_->Unfinished();
  }
  Result<std::vector<StoredEvent>> EventsAfter(int64_t number, size_t limit) override {
    if (Fails()) return Failure();
    return store_->EventsAfter(number, limit);
  }
  int64_t LastEvent() override { return store_->LastEvent(); }
  std::optional<int64_t> CursorOf(const std::string& receiver) override {
    return store_->CursorOf(receiver);
  }
  Status SetCursor(const std::string& receiver, int64_t number) override {
    if (Fails()) return Failure();
    return store_->SetCursor(receiver, number);
  }
  void OnEvent(std::function<void()> listener) override { store_->OnEvent(std::move(listener)); }

 private:
  bool Fails() { return every_ > 0 && ++calls_ % every_ == 0; }
  static Status Failure() { return Status(Code::kIo, "the disk of the test fails"); }

  JobStore* const store_;
  std::atomic<int> every_ = 0;
  std::atomic<int> calls_ = 0;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_FAULTY_STORE_FOR_TEST_H_
