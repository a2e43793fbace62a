#include "warden/jobs/db/limited_store.h"

#include <algorithm>

namespace warden::jobs {
namespace {

Status Unseen() { return Status(Code::kNotFound, "no such job"); }

Status NoEvents() { return Status(Code::kInvalid, "events are about all jobs"); }

}  // namespace

bool LimitedStore::Shows(const std::string& job) const {
  return std::ranges::any_of(name_prefixes_,
                             [&job](const std::string& prefix) { return job.starts_with(prefix); });
}

ListQuery LimitedStore::Limited(ListQuery query) const {
  query.name_prefixes = name_prefixes_;
  return query;
}

Status LimitedStore::Create(const TrainingJob& job, const Invocation& invocation) {
  if (!Shows(job.name)) return Status(Code::kInvalid, "the name is outside of the limits");
  return store_->Create(job, invocation);
}

std::optional<std::string> LimitedStore::MadeBy(const Invocation& invocation) {
  std::optional<std::string> name = store_->MadeBy(invocation);
  return name && Shows(*name) ? name : std::nullopt;
}

Result<TrainingJob> LimitedStore::Get(const std::string& name) {
  if (!Shows(name)) return Unseen();
  return store_->Get(name);
}

Result<TrainingJob> LimitedStore::Change(const std::string& name,
                                         const std::function<Status(TrainingJob*)>& change) {
  if (!Shows(name)) return Unseen();
  return store_->Change(name, change);
}

Status LimitedStore::Delete(const std::string& name) {
  return Shows(name) ? store_->Delete(name) : Unseen();
}

Result<Page<TrainingJob>> LimitedStore::List(const ListQuery& query) {
  return store_->List(Limited(query));
}

Result<Page<std::pair<TrainingJob, size_t>>> LimitedStore::ListRuleJobs(const ListQuery& query) {
  return store_->ListRuleJobs(Limited(query));
}

Result<std::pair<TrainingJob, size_t>> LimitedStore::FindRuleJob(const std::string& job_name) {
  auto found = store_->FindRuleJob(job_name);
  if (found.ok() && !Shows(found.value().first.name)) return Unseen();
  return found;
}

Result<std::vector<std::string>> LimitedStore::Unfinished() {
  auto names = store_->Unfinished();
  if (names.ok()) {
    std::erase_if(names.value(), [this](const std::string& name) { return !Shows(name); });
  }
  return names;
}

Result<std::vector<StoredEvent>> LimitedStore::EventsAfter(int64_t, size_t) { return NoEvents(); }

Status LimitedStore::SetCursor(const std::string&, int64_t) { return NoEvents(); }

}  // namespace warden::jobs
