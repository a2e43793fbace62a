#include "warden/dashboard/site/summary_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/site/folder_state.h"
#include "warden/format/layout.h"

namespace warden::dashboard {
namespace {

constexpr double kSoonest = 1, kLatest = 600;  // Seconds.
constexpr double kShare = 0.1;                 // Of the time for which it has been over.

// For how long it is good; 0 for a run that is still running.
double GoodFor(const Json& summary) {
  const std::string status = TextOf(MemberOf(summary, "status"));
  if (status == "InProgress" || status == "Stopping") return 0;
  const Json* rules = MemberOf(summary, "rules", "running");
  if (rules == nullptr || *rules != 0) return 0;
  const Json* ended = MemberOf(summary, "ended");
  if (ended == nullptr || !ended->is_number()) return kSoonest;
  return std::clamp((SecondsNow() - ended->get<double>()) * kShare, kSoonest, kLatest);
}

std::optional<double> BeganAt(const Json& summary) {
  for (const char* name : {"started", "created", "modified"}) {
    const Json* time = MemberOf(summary, name);
    if (time != nullptr && time->is_number()) return time->get<double>();
  }
  return std::nullopt;
}

// Runs that are gone are forgotten with all others when there are so many.
constexpr size_t kMostTexts = 30'000;
// Runs that are saved while others wait for the lock: a few milliseconds.
constexpr int kSavedAtOnce = 500;

}  // namespace

std::string StampOf(const RunPlaces& places) {
  std::string stamp;
  const std::string own = fmt::format("/{}", format::kOwnPrefix);
  if (places.job) {
    stamp = fmt::format("{} {} {} ", jobs::NameOf(places.job->status),
                        places.job->modified.time_since_epoch().count(),
                        ChangedAt(places.folder + own).value_or(0));
  }
  const std::string end = fmt::format("/{}", format::kEndMarker);
  for (const std::string_view path : {"", "/index", own.c_str(), end.c_str()}) {
    stamp += fmt::format("{} ", ChangedAt(fmt::format("{}{}", places.tensors, path)).value_or(0));
  }
  return stamp + fmt::format("{}", ChangedAt(places.rule_records).value_or(0));
}

SummaryTexts::SummaryTexts(std::string file, std::string version)
    : file_(std::move(file)), version_(std::move(version)) {
  if (!file_.empty()) kept_ = ReadKnownRuns(file_, version_);
}

SummaryTexts::~SummaryTexts() { Save(); }

SummaryTexts::Known SummaryTexts::Find(const std::string& id, const std::string& stamp) {
  const std::lock_guard lock(mutex_);
  const auto kept = kept_.find(id);
  if (kept == kept_.end()) return {};
  const KnownRun& run = kept->second;
  const bool current = run.stamp == stamp;
  return {run.text, current, current && SecondsNow() < run.until};
}

std::vector<double> SummaryTexts::Began(const std::vector<RunPlaces>& runs) {
  constexpr double kEver = std::numeric_limits<double>::infinity();
  std::vector<double> began;
  began.reserve(runs.size());
  const std::lock_guard lock(mutex_);
  for (const RunPlaces& places : runs) {
    const auto kept = kept_.find(places.id);
    began.push_back(kept == kept_.end() ? kEver : kept->second.began.value_or(-kEver));
  }
  return began;
}

std::string SummaryTexts::Make(const std::string& id, const std::string& stamp,
                               const std::function<Json()>& make) {
  const Json summary = make();
  std::string text = JsonText(summary);
  const double good_for = GoodFor(summary);
  const std::lock_guard lock(mutex_);
  if (kept_.size() >= kMostTexts) kept_.clear();
  KnownRun& run = kept_[id];
  changed_ = changed_ || (good_for > 0 && (run.text != text || run.stamp != stamp));
  run.stamp = stamp;
  run.text = std::string(text);  // As long as needed: assigning may take twice the old length.
  run.until = good_for > 0 ? SecondsNow() + good_for : 0;
  run.began = BeganAt(summary);
  return text;
}

void SummaryTexts::Save() {
  {
    const std::lock_guard lock(mutex_);
    if (file_.empty() || !std::exchange(changed_, false)) return;
  }
  KnownRunsText text(version_);
  for (std::optional<std::string> after = ""; after;) after = AddOver(*after, &text);
  const Status written = text.Write(file_);
  if (!written.ok()) LogWarning("the summaries of runs are not kept: {}", written.message());
}

std::optional<std::string> SummaryTexts::AddOver(const std::string& after, KnownRunsText* text) {
  const std::lock_guard lock(mutex_);
  auto kept = kept_.upper_bound(after);
  std::string last;
  for (int count = 0; count < kSavedAtOnce && kept != kept_.end(); ++count, ++kept) {
    last = kept->first;
    if (kept->second.until > 0) text->Add(kept->first, kept->second);
  }
  return kept == kept_.end() ? std::nullopt : std::optional(last);
}

}  // namespace warden::dashboard
