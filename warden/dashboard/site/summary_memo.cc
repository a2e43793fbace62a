#include "warden/dashboard/site/summary_memo.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/site/folder_state.h"
#include "warden/format/layout.h"

namespace warden::dashboard {
namespace {

constexpr double kSoonest = 1, kLatest = 60, kLatestOfTexts = 600;  // Seconds.
constexpr double kShare = 0.1;  // Of the time for which it has been over.

// For how long it is good; 0 of a run that goes on.
double GoodFor(const Json& summary, double latest) {
  const std::string status = TextOf(MemberOf(summary, "status"));
  if (status == "InProgress" || status == "Stopping") return 0;
  const Json* rules = MemberOf(summary, "rules", "running");
  if (rules == nullptr || *rules != 0) return 0;
  const Json* ended = MemberOf(summary, "ended");
  if (ended == nullptr || !ended->is_number()) return kSoonest;
  return std::clamp((SecondsNow() - ended->get<double>()) * kShare, kSoonest, latest);
}

std::chrono::steady_clock::time_point GoodUntil(const Json& summary, double latest) {
  const std::chrono::duration<double> good(GoodFor(summary, latest));
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(good);
}

// Runs that are gone are forgotten with all others when there are so many.
constexpr size_t kMostTexts = 30'000;

}  // namespace

std::string StampOf(const RunPlaces& places) {
  std::string stamp;
  if (places.job) {
    stamp = fmt::format("{} {} ", jobs::NameOf(places.job->status),
                        places.job->modified.time_since_epoch().count());
  }
  const std::string end = fmt::format("/{}", format::kEndMarker);
  for (const std::string_view path : {"", "/index", "/warden", end.c_str()}) {
    stamp += fmt::format("{} ", ChangedAt(fmt::format("{}{}", places.tensors, path)).value_or(0));
  }
  return stamp + fmt::format("{}", ChangedAt(places.rule_records).value_or(0));
}

Json SummaryMemo::Get(const std::string& stamp, const std::function<Json()>& make) {
  {
    const std::lock_guard lock(mutex_);
    if (stamp == stamp_ && Clock::now() < until_) return summary_;
  }
  Json summary = make();
  const std::lock_guard lock(mutex_);
  stamp_ = stamp;
  summary_ = summary;
  until_ = GoodUntil(summary, kLatest);
  return summary;
}

std::string SummaryTexts::Get(const std::string& id, const std::string& stamp,
                              const std::function<Json()>& make) {
  {
    const std::lock_guard lock(mutex_);
    const auto kept = kept_.find(id);
    if (kept != kept_.end() && kept->second.stamp == stamp && Clock::now() < kept->second.until) {
      return kept->second.text;
    }
  }
  const Json summary = make();
  std::string text = JsonText(summary);
  const std::lock_guard lock(mutex_);
  if (kept_.size() >= kMostTexts) kept_.clear();
  kept_[id] = {stamp, text, GoodUntil(summary, kLatestOfTexts)};
  return text;
}

}  // namespace warden::dashboard
