#include "warden/storage/s3/run_mirror.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stop_token>
#include <string_view>
#include <utility>

#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/os/blocked_signals.h"
#include "warden/storage/s3/run_search.h"
#include "warden/storage/s3_location.h"

namespace warden::storage::s3 {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr int64_t kMirrorMegabytes = 2048;
constexpr seconds kWanted{60};    // So long after somebody asked for the list,
constexpr seconds kLookedAt{30};  // or for a run.
constexpr seconds kBetweenSearches{3};
constexpr seconds kBetweenLooks{1};     // At a run that somebody looks at,
constexpr seconds kBetweenGlances{10};  // at others that may grow,
constexpr seconds kBetweenChecks{600};  // and at those that have ended.
// Of the time, at most, that requests are under way for the same thing.
constexpr int kShare = 10;
constexpr seconds kPatience{2};
constexpr seconds kSilence{5};  // After this long, the list says that there is no answer yet.

std::string WithoutSlash(std::string text) {
  while (text.ends_with('/')) text.pop_back();
  return text;
}

// The thread comes back to what has failed: it need not try for long at once.
Variables WithFewAttempts(const Variables& variables) {
  return [variables](const char* name) {
    std::string value = variables(name);
    const bool ours = value.empty() && std::string_view(name) == "AWS_MAX_ATTEMPTS";
    return ours ? std::string("3") : value;
  };
}

}  // namespace

Result<uint64_t> RunMirror::BoundFrom(const Variables& variables) {
  const std::string text = variables("WARDEN_S3_MIRROR_MB");
  const int64_t megabytes = text.empty() ? kMirrorMegabytes : ParseInt(text).value_or(-1);
  if (megabytes >= 1 && megabytes <= 1 << 30) return static_cast<uint64_t>(megabytes) << 20;
  return Status(
      Code::kInvalid,
      fmt::format("WARDEN_S3_MIRROR_MB is {:?}; expected a number of megabytes from 1 on", text));
}

Result<std::unique_ptr<RunMirror>> RunMirror::Start(const std::string& url,
                                                    const std::string& folder, uint64_t most_bytes,
                                                    const Variables& variables) {
  auto location = ParseLocation(url);
  if (!location.ok()) return location.status();
  auto source = OpenSource(location.value().bucket, WithFewAttempts(variables));
  if (!source.ok()) return source.status().WithContext(url);
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) fs::create_directories(folder, error);
  if (error) return Status(Code::kIo, fmt::format("{}: {}", folder, error.message()));
  return std::unique_ptr<RunMirror>(new RunMirror(std::move(source).value(), WithoutSlash(url),
                                                  std::move(location.value().prefix), folder,
                                                  most_bytes));
}

RunMirror::RunMirror(std::shared_ptr<Source> source, std::string url, std::string prefix,
                     std::string folder, uint64_t most_bytes)
    : source_(std::move(source)),
      url_(std::move(url)),
      prefix_(std::move(prefix)),
      folder_(std::move(folder)),
      most_bytes_(most_bytes) {
  const os::BlockedSignals blocked;
  thread_ = std::jthread([this](const std::stop_token& stop) { Work(stop); });
}

RunMirror::~RunMirror() {
  thread_ = {};
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::string RunMirror::UrlOf(const std::string& path) const {
  return url_ + path.substr(std::min(path.size(), folder_.size()));
}

std::string RunMirror::FolderOf(const std::string& prefix) const {
  return WithoutSlash(folder_ + "/" + prefix.substr(prefix_.size()));
}

void RunMirror::Want() {
  const std::lock_guard lock(mutex_);
  wanted_ = Clock::now();
  wake_.notify_all();
}

void RunMirror::LookAt(const std::string& run) {
  std::string prefix = prefix_ + run.substr(std::min(run.size(), folder_.size()));
  if (run.size() > folder_.size()) prefix = prefix_ + run.substr(folder_.size() + 1) + "/";
  std::unique_lock lock(mutex_);
  const auto found = runs_.find(prefix);
  if (found == runs_.end()) return;
  const RunPtr looked = found->second;
  const auto now = Clock::now();
  if (now - looked->looked > kLookedAt) looked->due = now;
  wanted_ = looked->looked = now;
  wake_.notify_all();
  if (std::exchange(looked->looked_at, true)) return;
  copied_.wait_for(lock, kPatience, [&] { return looked->here; });
}

std::vector<std::string> RunMirror::Problems() const {
  std::vector<std::string> problems;
  const std::lock_guard lock(mutex_);
  if (!problem_.empty()) {
    problems.push_back(fmt::format("{}: {}", url_, problem_));
  } else if (!searched_ && Clock::now() - begun_ > kSilence) {
    problems.push_back(
        fmt::format("{}: {} has not answered yet", url_, source_->client->endpoint()));
  }
  size_t failed = 0;
  std::string first;
  bool full = false;
  for (const auto& [prefix, run] : runs_) {
    full = full || run->full;
    if (!run->problem.empty() && failed++ == 0) first = run->problem;
  }
  if (failed > 0) {
    const std::string others = failed > 1 ? fmt::format(" (and {} more)", failed - 1) : "";
    problems.push_back(
        fmt::format("{}: not all of a run could be read: {}{}", url_, first, others));
  }
  if (full) {
    problems.push_back(
        fmt::format("{}: not all of its runs fits into {} MB on this machine's disk; set "
                    "WARDEN_S3_MIRROR_MB",
                    url_, most_bytes_ >> 20));
  }
  return problems;
}

void RunMirror::Work(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    RunPtr run;
    bool search = false;
    {
      std::unique_lock lock(mutex_);
      const auto now = Clock::now();
      if (now - wanted_ > kWanted || wanted_ == Clock::time_point()) {
        wake_.wait(lock, stop, [&] { return Clock::now() - wanted_ < kWanted; });
        continue;
      }
      run = NextDue(now);
      search = now >= next_search_;
      if (!search && !run) {
        const auto seen = wanted_;
        wake_.wait_for(lock, stop, kBetweenLooks / 2, [&] { return wanted_ != seen; });
        continue;
      }
    }
    if (search) Search();
    if (run) Update(run);
  }
}

void RunMirror::Search() {
  const auto begun = Clock::now();
  const auto found = FindRunsInS3(source_->client.get(), prefix_,
                                  [this](const std::string& key) { return runs_.contains(key); });
  if (found.ok()) TakeFound(found.value().runs);
  const std::lock_guard lock(mutex_);
  if (!found.ok() && problem_.empty()) LogWarning("{}", found.status().message());
  problem_ = found.status().message();
  if (found.ok() && found.value().cut_off) {
    problem_ = "there are too many folders; runs in the remaining folders are not shown";
  }
  searched_ = true;
  next_search_ =
      Clock::now() + std::max<Clock::duration>(kBetweenSearches, (Clock::now() - begun) * kShare);
}

void RunMirror::TakeFound(const std::vector<std::string>& prefixes) {
  std::map<std::string, RunPtr> now;
  for (const std::string& prefix : prefixes) {
    const auto known = runs_.find(prefix);
    now[prefix] = known != runs_.end() ? known->second
                                       : std::make_shared<Run>(source_, prefix, FolderOf(prefix));
  }
  for (const auto& [prefix, run] : runs_) {
    std::error_code error;
    if (!now.contains(prefix)) fs::remove_all(FolderOf(prefix), error);
  }
  const std::lock_guard lock(mutex_);
  runs_.swap(now);
}

RunMirror::RunPtr RunMirror::NextDue(Clock::time_point now) const {
  RunPtr next;
  for (const auto& [prefix, run] : runs_) {
    if (run->due > now) continue;
    if (!next || std::pair(run->looked, next->due) > std::pair(next->looked, run->due)) next = run;
  }
  return next;
}

void RunMirror::Update(const RunPtr& run) {
  const auto begun = Clock::now();
  uint64_t used = 0;
  bool whole = false;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [prefix, other] : runs_) used += other->copy.bytes();
    whole = run->looked_at;
  }
  const auto outcome =
      run->copy.Update(whole ? RunCopy::Extent::kAll : RunCopy::Extent::kWithoutProfile,
                       most_bytes_ - std::min(used, most_bytes_));
  const bool again = outcome.ok() && outcome.value().full && MakeRoom(run);
  const std::lock_guard lock(mutex_);
  run->problem = outcome.status().message();
  if (outcome.ok()) run->full = outcome.value().full && !again;
  run->here = run->here || (outcome.ok() && outcome.value().complete && whole);
  copied_.notify_all();
  const auto now = Clock::now();
  if (outcome.ok() && outcome.value().changed) run->changed = now;
  // Of those that were killed none says that it has ended.
  Clock::duration pause =
      std::clamp<Clock::duration>((now - run->changed) / kShare, kBetweenGlances, kBetweenChecks);
  if (run->copy.ended()) pause = kBetweenChecks;
  if (now - run->looked < kLookedAt) pause = kBetweenLooks;
  if (!outcome.ok()) pause = kBetweenSearches;
  const auto longest = now - run->looked < kLookedAt ? kBetweenGlances : kBetweenChecks;
  run->due = now + std::clamp<Clock::duration>((now - begun) * kShare, pause, longest);
  if (again || (outcome.ok() && !outcome.value().complete)) run->due = now;
  // Somebody came for all of it meanwhile.
  if (run->looked_at && !whole) run->due = now;
}

bool RunMirror::MakeRoom(const RunPtr& run) {
  RunPtr oldest;
  {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    for (const auto& [prefix, other] : runs_) {
      if (other == run || other->copy.profile_bytes() == 0) continue;
      if (now - other->looked < kLookedAt) continue;
      if (!oldest || other->looked < oldest->looked) oldest = other;
    }
    // It comes back when somebody looks at it again.
    if (oldest) oldest->looked_at = false;
  }
  if (oldest) oldest->copy.DropProfile();
  return oldest != nullptr;
}

}  // namespace warden::storage::s3
