#include "warden/dashboard/site/run_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace warden::dashboard {
namespace {

constexpr size_t kMostJobs = 5000;
constexpr size_t kPage = 100;
constexpr std::chrono::seconds kFoldersFresh{2};
constexpr std::chrono::minutes kKept{10};
// So many runs are kept that nobody looks at any more, and so many in all: each may have some 400
// MB in memory.
constexpr size_t kMostKept = 8;
// Of runs that were only listed: each has its job and its summary, some 100 KB. Those beyond are
// read again for the next list.
constexpr size_t kMostListed = 300;
constexpr size_t kMostInUse = 64;
constexpr std::chrono::seconds kInUse{15};

// A job that was deleted and made again under its name is another one. So is a run whose files are
// elsewhere now, as those of a job are for which profiling was switched on: what was read was read
// at the old place.
bool IsAnother(const RunPlaces& before, const RunPlaces& now) {
  if (before.tensors != now.tensors || before.profile != now.profile) return true;
  return before.job && now.job && before.job->created != now.job->created;
}

}  // namespace

FoundRuns RunSet::Search() {
  FoundRuns found = FindRuns(options_->runs);
  if (remote_ != nullptr) remote_->AddTo(&found);
  return found;
}

std::shared_ptr<const FoundRuns> RunSet::Folders() {
  const std::lock_guard searching(search_mutex_);
  {
    const std::lock_guard lock(mutex_);
    if (folders_ && looked_ != Clock::time_point() && Clock::now() - looked_ <= kFoldersFresh) {
      return folders_;
    }
  }
  auto found = std::make_shared<const FoundRuns>(Search());
  const std::lock_guard lock(mutex_);
  looked_ = Clock::now();
  return folders_ = std::move(found);
}

void RunSet::Prepare() {
  const std::lock_guard searching(search_mutex_);
  if (KnownFolders()) return;
  auto found = std::make_shared<const FoundRuns>(Search());
  const std::lock_guard lock(mutex_);
  folders_ = std::move(found);
  looked_ = Clock::time_point();  // Lists look again, also right after the start.
}

std::shared_ptr<const FoundRuns> RunSet::KnownFolders() {
  const std::lock_guard lock(mutex_);
  return folders_;
}

void RunSet::LookAgain() {
  const std::lock_guard searching(search_mutex_);
  const std::lock_guard lock(mutex_);
  folders_.reset();
}

void RunSet::Put(RunPlaces places, Entry* entry, Dropped* dropped) {
  if (entry->run && IsAnother(entry->run->places(), places)) {
    dropped->push_back(std::move(entry->run));
    *entry = Entry();
  }
  if (entry->run) {
    entry->run->set_places(std::move(places));
  } else {
    entry->run = std::make_shared<OpenRun>(std::move(places));
    entry->used = Clock::now();
  }
}

std::shared_ptr<OpenRun> RunSet::Listing(RunPlaces places) {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= kMostListed && !entries_.contains(places.id)) {
    return std::make_shared<OpenRun>(std::move(places));
  }
  Entry& entry = entries_[places.id];
  Put(std::move(places), &entry, &dropped);
  return entry.run;
}

std::shared_ptr<OpenRun> RunSet::Opening(RunPlaces places) {
  // Before anything of it is read: what changes after this is seen the next time.
  FolderMarks marks = MarksOf(places);
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[places.id];
  if (entry.opened && AreOthers(entry.marks, marks)) {
    dropped.push_back(std::move(entry.run));
    entry = Entry();
  }
  Put(std::move(places), &entry, &dropped);
  for (auto& [folder, mark] : marks) entry.marks[folder] = mark;
  entry.used = Clock::now();
  const bool first = !std::exchange(entry.opened, true);
  std::shared_ptr<OpenRun> run = entry.run;  // Held, and so not dropped.
  if (first) DropOldest(&dropped);
  return run;
}

void RunSet::DropOldest(Dropped* dropped) {
  const auto now = Clock::now();
  std::vector<std::pair<Clock::time_point, std::map<std::string, Entry>::iterator>> idle;
  size_t opened = 0;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (!entry->second.opened) continue;
    ++opened;
    if (entry->second.run.use_count() == 1) idle.emplace_back(entry->second.used, entry);
  }
  std::sort(idle.begin(), idle.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [used, entry] : idle) {
    // What somebody looks at is asked for again and again, and must not be read again each time.
    if (opened <= kMostKept || (now - used < kInUse && opened <= kMostInUse)) return;
    dropped->push_back(std::move(entry->second.run));
    entries_.erase(entry);
    --opened;
  }
}

RunSet::Listed RunSet::List() {
  Listed listed;
  listed.problems =
      ForEach([&](const std::shared_ptr<OpenRun>& run) { listed.runs.push_back(run); });
  return listed;
}

std::vector<std::string> RunSet::ForEach(
    const std::function<void(const std::shared_ptr<OpenRun>&)>& visit) {
  std::vector<std::string> problems;
  jobs::ListQuery query;
  query.limit = kPage;
  size_t visited = 0;
  while (store_ != nullptr && visited < kMostJobs) {
    auto page = store_->List(query);
    if (!page.ok()) {
      problems.push_back(page.status().message());
      break;
    }
    for (const jobs::TrainingJob& job : page.value().items) {
      visit(Listing(PlacesOfJob(*options_, job)));
    }
    visited += page.value().items.size();
    query.next_token = page.value().next_token;
    if (query.next_token.empty()) break;
  }
  const auto folders = Folders();
  for (const RunPlaces& places : folders->runs) visit(Listing(places));
  problems.insert(problems.end(), folders->problems.begin(), folders->problems.end());
  return problems;
}

RunSet::Newest RunSet::ListNewest(
    size_t most,
    const std::function<std::vector<double>(const std::vector<RunPlaces>& folders)>& began) {
  Newest newest;
  std::vector<RunPlaces> jobs;
  std::vector<double> times;
  if (store_ != nullptr) {
    jobs::ListQuery query;
    query.limit = most;
    const auto page = store_->List(query);
    if (!page.ok()) newest.listed.problems.push_back(page.status().message());
    if (page.ok()) {
      newest.more = !page.value().next_token.empty();
      for (const jobs::TrainingJob& job : page.value().items) {
        jobs.push_back(PlacesOfJob(*options_, job));
        times.push_back(std::chrono::duration<double>(job.created.time_since_epoch()).count());
      }
    }
  }
  auto folders = KnownFolders();
  if (!folders || folders->runs.size() <= most) folders = Folders();
  newest.listed.problems.insert(newest.listed.problems.end(), folders->problems.begin(),
                                folders->problems.end());
  const std::vector<double> of_folders = began(folders->runs);
  times.insert(times.end(), of_folders.begin(), of_folders.end());
  std::vector<size_t> order(times.size());
  std::iota(order.begin(), order.end(), 0);
  const size_t taken = std::min(most, order.size());
  newest.more = newest.more || taken < order.size();
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(taken);
  std::partial_sort(order.begin(), end, order.end(), [&](size_t a, size_t b) {
    return times[a] != times[b] ? times[a] > times[b] : a < b;
  });
  for (auto at = order.begin(); at != end; ++at) {
    newest.listed.runs.push_back(
        Listing(*at < jobs.size() ? jobs[*at] : folders->runs[*at - jobs.size()]));
  }
  return newest;
}

Result<std::shared_ptr<OpenRun>> RunSet::Open(const std::string& id) {
  const Status none(Code::kNotFound, fmt::format("no run '{}'", id));
  // Jobs have no dot in their names, folders have one in their ids.
  if (id.find('.') == std::string::npos) {
    if (store_ == nullptr) return none;
    auto job = store_->Get(id);
    if (!job.ok()) return job.status().code() == Code::kNotFound ? none : job.status();
    return Opening(PlacesOfJob(*options_, job.value()));
  }
  for (const RunPlaces& places : Folders()->runs) {
    if (places.id != id) continue;
    if (remote_ != nullptr) remote_->LookAt(places);
    return Opening(places);
  }
  return none;
}

void RunSet::Forget() {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  std::erase_if(entries_, [&](auto& entry) {
    const bool old = entry.second.run.use_count() == 1 && now - entry.second.used > kKept;
    if (old) dropped.push_back(std::move(entry.second.run));
    return old;
  });
}

}  // namespace warden::dashboard
