#include "warden/dashboard/profile/run_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "warden/base/json.h"
#include "warden/dashboard/profile/dashboard_sections.h"
#include "warden/report/profiler/profiler_report.h"
#include "warden/report/report_document.h"
#include "warden/rules/catalog/presets.h"
#include "warden/timeline/feed/tapped_feed.h"

namespace warden::dashboard {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kPiecesAtOnce = 8;
constexpr auto kFirstWait = std::chrono::milliseconds(300);
// A run without a job that has saved nothing for so long has come to its end.
constexpr double kQuietSeconds = 60;
constexpr std::string_view kNothing = R"({"report":null,"dashboard":[])";

std::vector<std::string> HostsOf(const RunPlaces& places) {
  return places.job ? places.job->Hosts() : std::vector<std::string>();
}

}  // namespace

struct RunProfile::Evaluator {
  ProfileTally tally;  // Outlives the engine, whose feed tells it.
  std::unique_ptr<rules::Engine> engine;
  bool closed = false;  // The rules were told that nothing more comes.
};

RunProfile::RunProfile(const RunPlaces& places, const Options& options)
    : name_(places.name),
      folder_(places.folder),
      profile_(places.profile),
      hosts_(HostsOf(places)),
      options_(options),
      text_(kNothing),
      begun_at_(Clock::now()) {
  if (profile_.empty()) {
    there_ = true;
    working_ = false;
    return;
  }
  thread_ = std::thread([this] { Work(); });
}

RunProfile::~RunProfile() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool RunProfile::stopped() const {
  const std::lock_guard lock(mutex_);
  return stop_;
}

Result<std::unique_ptr<RunProfile::Evaluator>> RunProfile::MakeEvaluator() const {
  std::vector<rules::RuleConfig> configs;
  if (auto report = rules::ReportRule({})) configs.push_back(std::move(*report));
  std::vector<std::string> notices;
  auto prepared = rules::PrepareRules(std::move(configs), &notices);
  if (!prepared.ok()) return prepared.status();
  auto engine = rules::Engine::Make(std::move(prepared.value()), nullptr, {});
  if (!engine.ok()) return engine.status();
  auto evaluator = std::make_unique<Evaluator>();
  evaluator->engine = std::move(engine.value());
  evaluator->engine->SetProfile(
      timeline::Tap(timeline::OpenProfileFeed(profile_),
                    [tally = &evaluator->tally](const auto& batch, const auto& names) {
                      tally->See(batch, names);
                    }));
  return evaluator;
}

// Reads all that is there by now. True if there was any.
bool RunProfile::Advance(Evaluator* evaluator) {
  const auto ignore = [](const rules::RuleState&, const rules::Finding&) {};
  bool any = false;
  while (!stopped() && evaluator->engine->Advance(kPiecesAtOnce, ignore) > 0) any = true;
  return any;
}

bool RunProfile::IsRunning(const Evaluator& evaluator) const {
  if (evaluator.engine->ended()) return false;
  {
    const std::lock_guard lock(mutex_);
    if (running_) return *running_;
  }
  return static_cast<double>(std::time(nullptr)) - evaluator.tally.last_time() < kQuietSeconds;
}

void RunProfile::Work() {
  std::unique_ptr<Evaluator> evaluator;
  while (true) {
    bool news = evaluator == nullptr;
    if (evaluator != nullptr && evaluator->closed) {
      // More came although it was over: rules that were told so do not evaluate any more.
      if (Advance(evaluator.get())) evaluator = nullptr;
    }
    if (evaluator == nullptr) {
      auto made = MakeEvaluator();
      if (made.ok()) evaluator = std::move(made.value());
    }
    if (evaluator != nullptr) {
      news = Advance(evaluator.get()) || news;
      const bool running = IsRunning(*evaluator);
      if (!running && !evaluator->closed && !stopped()) {
        evaluator->engine->End([](const rules::RuleState&, const rules::Finding&) {});
        evaluator->closed = news = true;
      }
      if (news && !stopped()) {
        std::string text = Build(*evaluator, running);
        const std::lock_guard lock(mutex_);
        text_ = std::move(text);
      }
    }
    std::unique_lock lock(mutex_);
    there_ = true;
    working_ = false;
    changed_.notify_all();
    changed_.wait(lock, [this] { return stop_ || asked_; });
    if (stop_) return;
    asked_ = false;
    begun_at_ = Clock::now();
  }
}

std::string RunProfile::Build(const Evaluator& evaluator, bool running) const {
  report::ProfilerInputs inputs;
  inputs.results = evaluator.engine->ProfilerResults();
  if (inputs.results.empty()) return std::string(kNothing);
  inputs.job = {name_, folder_, hosts_, "", running, static_cast<double>(std::time(nullptr))};
  const Json report = report::ToJson(report::BuildProfilerReport(inputs));
  Json dashboard = Json::array();
  for (const report::Section& section : DashboardSections(evaluator.tally, inputs)) {
    dashboard.push_back(report::ToJson(section));
  }
  const auto dump = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  return fmt::format(R"({{"report":{},"dashboard":{})", dump(report), dump(dashboard));
}

std::string RunProfile::Answer(std::optional<bool> running) {
  std::unique_lock lock(mutex_);
  running_ = running;
  changed_.wait_for(lock, kFirstWait, [this] { return there_; });
  if (!profile_.empty() && !working_ && Clock::now() - begun_at_ >= options_.anew_after) {
    asked_ = working_ = true;
    changed_.notify_all();
  }
  return text_ + (working_ ? R"(,"pending":true})" : R"(,"pending":false})");
}

}  // namespace warden::dashboard
