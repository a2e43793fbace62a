#include "warden/dashboard/site/live_hub.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>

#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/site/run_json.h"
#include "warden/os/blocked_signals.h"
#include "warden/os/freed_memory.h"
#include "warden/os/pause.h"

namespace warden::dashboard {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{250};
constexpr milliseconds kRounds{1000};  // The list of runs is looked at this much less often,
constexpr milliseconds kPatience{50};  // for so long at once,
constexpr int kLooksForForget = 240;   // and old ones are forgotten, summaries saved.
constexpr int kLooksForGone = 8;

std::string Message(std::string_view event, const Json& data) {
  return fmt::format("event: {}\ndata: {}\n\n", event,
                     data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void SendTo(std::vector<std::shared_ptr<http::LivePipe>>* pipes, const std::string& message) {
  std::erase_if(*pipes, [&](const auto& pipe) { return !pipe->Send(message); });
}

// All of a run but what has events of its own.
std::string StateOf(Json detail) {
  detail.erase("progress");
  detail.erase("last_step");
  detail.erase("modified");
  for (Json& rule : detail["rules_seen"]) rule.erase("coverage");
  return detail.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// What the list shows of a run, but not every step.
std::string StateOfSummary(const std::string& text) {
  Json told;
  if (const auto summary = ParseJson(text); summary.ok()) {
    for (const char* name : {"status", "rules", "incident_counts", "findings", "marks"}) {
      if (const Json* member = MemberOf(summary.value(), name)) told[name] = *member;
    }
  }
  return JsonText(told);
}

}  // namespace

LiveHub::LiveHub(const service::ServiceOptions* options, jobs::JobStore* store, RunSet* runs,
                 SummaryTexts* summaries, const std::vector<RunEndpoints>* sides)
    : options_(options), store_(store), runs_(runs), summaries_(summaries), sides_(sides) {
  const os::BlockedSignals blocked;
  thread_ = std::jthread([this](const std::stop_token& stop) { Serve(stop); });
}

LiveHub::~LiveHub() {
  thread_.request_stop();
  thread_.join();
  for (auto& [id, watched] : watched_) {
    for (const auto& pipe : watched.pipes) pipe->Close();
    for (const auto& pipe : watched.fresh) pipe->Close();
  }
  for (const auto& [pipe, run] : added_) pipe->Close();
}

void LiveHub::Add(std::shared_ptr<http::LivePipe> pipe, const std::string& run) {
  if (!pipe->Send("retry: 1000\n\n")) return;
  const std::lock_guard lock(mutex_);
  added_.emplace_back(std::move(pipe), run);
}

void LiveHub::Serve(const std::stop_token& stop) {
  for (int look = 0; !stop.stop_requested(); ++look) {
    try {
      Look(look);
    } catch (const std::exception& error) {  // No memory: the service goes on without this look.
      LogError("dashboard events continue after an error: {}", error.what());
    }
    os::PauseFor(kLook, stop);
  }
}

void LiveHub::Look(int look) {
  if (look == 0) runs_->Prepare();
  TakeAdded();
  if (look % kLooksForGone == 0) DropGone();
  if (look % kLooksForForget == 0) {
    runs_->Forget();
    summaries_->Save();
    os::ReturnMemoryBetween();
  }
  if (!HasClients()) {
    round_ = Round();
    any_round_ = false;
    return;
  }
  LookAtRuns();
  for (auto& [run, watched] : watched_) {
    if (!run.empty()) LookAt(run, &watched);
    if (!run.empty() || any_round_) Welcome(&watched);
  }
}

void LiveHub::TakeAdded() {
  const std::lock_guard lock(mutex_);
  for (auto& [pipe, run] : added_) watched_[run].fresh.push_back(std::move(pipe));
  added_.clear();
}

void LiveHub::DropGone() {
  for (auto& [run, watched] : watched_) SendTo(&watched.pipes, "");
  std::erase_if(watched_, [](const auto& entry) {
    return entry.second.pipes.empty() && entry.second.fresh.empty();
  });
}

bool LiveHub::HasClients() const { return !watched_.empty(); }

bool LiveHub::IsNews(OpenRun* run) {
  const RunPlaces places = run->places();
  if (places.job) return false;  // The store tells of those.
  const std::string stamp = StampOf(places);
  auto [text, current, good] = summaries_->Find(places.id, stamp);
  if (!good) {
    text = summaries_->Make(places.id, stamp, [&] { return SummaryOf(*options_, run); });
  }
  const size_t hash = std::hash<std::string>()(text);
  const auto known = states_.find(places.id);
  State& state = round_.states[places.id];
  if (known != states_.end() && known->second.hash == hash) {
    state = known->second;
    return false;
  }
  state = {hash, StateOfSummary(text)};
  return known == states_.end() || known->second.told != state.told;
}

void LiveHub::LookAtRuns() {
  const auto now = Clock::now();
  bool news = false;
  if (!round_.goes_on) {
    if (any_round_ && now - round_.begun < kRounds) return;
    round_ = {{}, {}, now, true};
    if (!options_->runs.empty() || !options_->runs_in_s3.empty()) round_.runs = runs_->List().runs;
    if (store_ != nullptr) {
      std::string& last = round_.states[""].told;
      last = fmt::format("{}", store_->LastEvent());
      news = last != states_[""].told;
    }
  }
  while (!round_.runs.empty() && Clock::now() - now < kPatience) {
    news = IsNews(round_.runs.back().get()) || news;
    round_.runs.pop_back();
  }
  if (round_.runs.empty()) {
    news = news || round_.states.size() != states_.size();
    states_.swap(round_.states);
    round_.goes_on = false;
  }
  // What the first round finds is what pages get by asking.
  const bool tell = news && any_round_;
  any_round_ = any_round_ || !round_.goes_on;
  if (!tell) return;
  for (auto& [id, watched] : watched_) SendTo(&watched.pipes, Message("runs", Json::object()));
}

void LiveHub::LookAt(const std::string& id, Watched* watched) {
  const auto run = runs_->Open(id);
  const bool first = watched->pipes.empty();
  if (run.ok()) {
    if (watched->run.lock() != run.value()) {
      // Another one under its name: what was told of the one before does not count.
      Pipes pipes = std::move(watched->pipes), fresh = std::move(watched->fresh);
      *watched = {run.value(), std::move(pipes), std::move(fresh), {}, {}, {}};
    }
    const Json detail = DetailOf(*options_, run.value().get());
    TellFindings(detail["rules_seen"], first, watched);
    std::string state = StateOf(detail);
    if (state != watched->state && !first) SendTo(&watched->pipes, Message("run", Json::object()));
    watched->state = std::move(state);
    TellChanges(run.value().get(), watched);
  }
}

void LiveHub::Welcome(Watched* watched) {
  const std::string hello = Message("hello", {{"version", WARDEN_VERSION}});
  for (auto& pipe : watched->fresh) {
    bool there = pipe->Send(hello);
    for (const auto& [event, message] : watched->told) there = there && pipe->Send(message);
    if (there) watched->pipes.push_back(std::move(pipe));
  }
  watched->fresh.clear();
}

void LiveHub::TellFindings(const Json& rules, bool first, Watched* watched) {
  for (const Json& rule : rules) {
    const std::string name = TextOf(MemberOf(rule, "name"));
    for (const Json& finding : rule["findings"]) {
      // How far it has grown since is not a new finding.
      const std::string key = fmt::format(
          "{}\n{}\n{}\n{}\n{}", name, finding["step"].dump(), TextOf(MemberOf(finding, "tensor")),
          TextOf(MemberOf(finding, "worker")), TextOf(MemberOf(finding, "mode")));
      if (!watched->findings.insert(key).second || first) continue;
      SendTo(&watched->pipes, Message("finding", {{"rule", name}, {"finding", finding}}));
    }
  }
}

void LiveHub::TellChanges(OpenRun* run, Watched* watched) {
  for (const RunEndpoints& side : *sides_) {
    if (side.live_event.empty() || !side.live) continue;
    const Json data = side.live(*run);
    if (data.is_null()) continue;
    std::string message = Message(side.live_event, data);
    std::string& told = watched->told[side.live_event];
    if (told == message) continue;
    told = std::move(message);
    SendTo(&watched->pipes, told);
  }
}

}  // namespace warden::dashboard
