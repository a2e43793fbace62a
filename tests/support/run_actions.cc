// Runs actions for firings, as a program that evaluates rules does. Settings come from the
// environment. Prints one line of JSON for each outcome, then what was not done; with "hold", it
// tells the port of its metrics and waits for its input to end before it finishes.
//   run_actions REQUEST.json
//   {"journal": "path", "firings": [...], "actions": [...], "jobs": {"name": pid}, "waits_ms": [],
//    "finish_ms": 10000, "hold": false}
#include <fmt/format.h>
#include <sys/types.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "warden/actions/action_maker.h"
#include "warden/actions/dispatcher.h"
#include "warden/base/json.h"
#include "warden/os/process_tree.h"

namespace {

using warden::Json;
using warden::Status;
using warden::actions::ActionConfig;
using warden::actions::Outcome;

// Processes under the names of jobs.
class Processes : public warden::actions::JobControl {
 public:
  Processes(const Json& jobs, std::chrono::milliseconds grace) : grace_(grace) {
    for (const auto& [name, pid] : jobs.items()) pids_[name] = pid.get<pid_t>();
  }

  std::vector<std::string> RunningJobs() override {
    std::vector<std::string> names;
    for (const auto& [name, pid] : pids_) names.push_back(name);
    return names;
  }
  Status Stop(const std::string& job, std::string_view) override {
    return warden::os::StopProcessTree(pids_.at(job), grace_);
  }

 private:
  const std::chrono::milliseconds grace_;
  std::map<std::string, pid_t> pids_;
};

void Print(const Json& line) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  fmt::print("{}\n", warden::DumpLikePython(line));
  std::fflush(stdout);
}

Json ToJson(const Outcome& outcome) {
  return {{"action", warden::actions::ToJson(outcome.action)},
          {"state", warden::actions::StateName(outcome.state)},
          {"attempts", outcome.attempts},
          {"reason", outcome.status.message()},
          {"next_try_ms", outcome.next_try.count()}};
}

int Refuse(const Status& status) {
  fmt::print(stderr, "{}\n", status.message());
  return 2;
}

std::string ReadAll(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int Run(const Json& request) {
  const auto settings = warden::actions::LoadSettings();
  if (!settings.ok()) return Refuse(settings.status());
  const auto actions = warden::actions::ParseActionJson(
      warden::DumpLikePython(request.value("actions", Json::array())));
  if (!actions.ok()) return Refuse(actions.status());
  Processes jobs(request.value("jobs", Json::object()), settings.value().grace);
  warden::actions::ActionMaker maker(settings.value(), &jobs);
  if (Status status = maker.Check(actions.value()); !status.ok()) return Refuse(status);

  warden::actions::DispatcherOptions options;
  options.journal = request.value("journal", "");
  options.waits.clear();
  for (const Json& wait : request.value("waits_ms", Json::array())) {
    options.waits.emplace_back(wait.get<int64_t>());
  }
  options.on_outcome = [](const Outcome& outcome) { Print(ToJson(outcome)); };
  const auto dispatcher = warden::actions::Dispatcher::Open(
      options, [&](const ActionConfig& config) { return maker.Make(config); });
  if (!dispatcher.ok()) return Refuse(dispatcher.status());
  for (const Json& json : request.value("firings", Json::array())) {
    const auto firing = warden::actions::FiringFromJson(json);
    if (!firing.ok()) return Refuse(firing.status());
    dispatcher.value()->Submit(firing.value(), actions.value());
  }
  if (request.value("hold", false)) {
    Print({{"metrics_port", maker.metrics_port()}});
    while (std::getchar() != EOF) {
    }
  }
  Json left = Json::array();
  const std::chrono::milliseconds timeout(request.value("finish_ms", 10'000));
  for (const Outcome& outcome : dispatcher.value()->Finish(timeout))
    left.push_back(ToJson(outcome));
  Print({{"left", left}});
  return left.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto request = warden::ParseJson(ReadAll(argv[1]));
  return request.ok() ? Run(request.value()) : Refuse(request.status());
}
