#include "warden/dashboard/site/summary_memo.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/dashboard/site/folder_state.h"
#include "warden/format/layout.h"

namespace warden::dashboard {
namespace {

constexpr double kSoonest = 1, kLatest = 60;  // Seconds.
constexpr double kShare = 0.1;                // Of the time for which it has been over.

// For how long it is good; 0 of a run that goes on.
double GoodFor(const Json& summary) {
  const std::string status = TextOf(MemberOf(summary, "status"));
  if (status == "InProgress" || status == "Stopping") return 0;
  const Json* rules = MemberOf(summary, "rules", "running");
  if (rules == nullptr || *rules != 0) return 0;
  const Json* ended = MemberOf(summary, "ended");
  if (ended == nullptr || !ended->is_number()) return kSoonest;
  return std::clamp((SecondsNow() - ended->get<double>()) * kShare, kSoonest, kLatest);
}

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
  const std::chrono::duration<double> good(GoodFor(summary));
  const std::lock_guard lock(mutex_);
  stamp_ = stamp;
  summary_ = summary;
  until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(good);
  return summary;
}

}  // namespace warden::dashboard
