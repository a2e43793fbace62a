#include "warden/dashboard/site/run_json.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/site/folder_state.h"
#include "warden/dashboard/site/marking.h"
#include "warden/dashboard/site/progress.h"
#include "warden/dashboard/site/rule_views.h"
#include "warden/dashboard/site/run_facts_reader.h"
#include "warden/dashboard/site/run_logs.h"
#include "warden/format/profiler_layout.h"
#include "warden/os/open_beneath.h"
#include "warden/os/open_inside.h"
#include "warden/timeline/profile_files.h"
#include "warden/trial/run_marks.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

Json Seconds(const std::optional<Time>& time) { return time ? jobs::SecondsJson(*time) : Json(); }
template <class T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

RunProgress ProgressOf(OpenRun* run) {
  auto reader = run->View<ProgressReader>([](const RunPlaces& places) {
    return Result<std::shared_ptr<ProgressReader>>(
        std::make_shared<ProgressReader>(places.tensors));
  });
  return reader.value()->Now();
}

watch::RunFacts FactsOf(OpenRun* run) {
  auto reader = run->View<RunFactsReader>([](const RunPlaces& places) {
    return Result<std::shared_ptr<RunFactsReader>>(
        std::make_shared<RunFactsReader>(places.tensors));
  });
  return reader.value()->Now();
}

// What summary and detail are made of.
struct Facts {
  RunPlaces places;
  RunProgress progress;
  Json rules;
  Json incidents;
  std::optional<trial::RunRecord> record;  // Of a folder.
  FolderState folder;
};

// The view of the run that remembers what its machines did.
std::shared_ptr<watch::MachineLog> MachineOf(OpenRun* run) {
  auto log = run->View<watch::MachineLog>([](const RunPlaces& places) {
    return Result<std::shared_ptr<watch::MachineLog>>(
        std::make_shared<watch::MachineLog>(places.profile));
  });
  return log.value();
}

// machine: null where incidents are only counted.
Facts Gather(const service::ServiceOptions& options, OpenRun* run, watch::MachineLog* machine) {
  Facts facts;
  facts.places = run->places();
  facts.progress = ProgressOf(run);
  facts.rules = RuleViews(options, facts.places);
  // Reading its facts takes longer than all else here.
  const bool doubts = std::any_of(facts.rules.begin(), facts.rules.end(), [](const Json& rule) {
    return rule["status"] == "NotEvaluated";
  });
  MarkApplicable(doubts ? FactsOf(run) : watch::RunFacts(), &facts.rules);
  facts.incidents = IncidentsOf(facts.rules, machine);
  if (facts.incidents.empty() && facts.places.job) {
    facts.incidents = KeptIncidents(*facts.places.job);
  }
  if (!facts.places.job) {
    facts.record = trial::ReadRunRecord(facts.places.tensors);
    facts.folder = StateOfFolder(options, facts.places, facts.record);
    if (facts.folder.status != "InProgress") EndRules(&facts.rules);
  }
  return facts;
}

Json TextMap(const Json* object) {
  Json map = Json::object();
  if (object == nullptr || !object->is_object()) return map;
  for (const auto& [name, value] : object->items()) map[name] = TextOf(&value);
  return map;
}

void AddJob(const jobs::TrainingJob& job, Json* summary) {
  Json tags = Json::object();
  for (const auto& [key, value] : job.tags) tags[key] = value;
  const std::string& message = job.transitions.empty() ? "" : job.transitions.back().message;
  summary->update({{"kind", "job"},
                   {"status", jobs::NameOf(job.status)},
                   {"secondary", jobs::NameOf(job.secondary)},
                   {"message", job.failure_reason.empty() ? message : job.failure_reason},
                   {"created", jobs::SecondsJson(job.created)},
                   {"started", Seconds(job.started)},
                   {"ended", Seconds(job.ended)},
                   {"modified", jobs::SecondsJson(job.modified)},
                   {"hosts", job.Hosts()},
                   {"tags", std::move(tags)},
                   {"hyper_parameters", TextMap(MemberOf(job.request, "HyperParameters"))}});
}

void AddFolder(const Facts& facts, Json* summary) {
  const FolderState& state = facts.folder;
  const auto modified = facts.progress.last_time ? facts.progress.last_time : state.ended;
  Json values = Json::object();
  if (facts.record) {
    for (const auto& [name, value] : facts.record->HyperParameters()) values[name] = value;
  }
  summary->update({{"kind", "folder"},
                   {"status", state.status},
                   {"secondary", ""},
                   {"message", state.message},
                   {"created", OrNull(state.started)},
                   {"started", OrNull(state.started)},
                   {"ended", OrNull(state.ended)},
                   {"modified", OrNull(modified)},
                   {"hosts", Json::array()},
                   {"tags", Json::object()},
                   {"hyper_parameters", std::move(values)}});
}

Json Summary(const Facts& facts) {
  Json summary{{"id", facts.places.id}, {"name", facts.places.name}};
  if (facts.places.job) {
    AddJob(*facts.places.job, &summary);
  } else {
    AddFolder(facts, &summary);
  }
  summary["folder"] = facts.places.folder;
  summary["rules"] = CountRules(facts.rules);
  summary["incident_counts"] = CountIncidents(facts.incidents);
  summary["findings"] = CountFindings(facts.rules);
  summary["last_step"] = OrNull(facts.progress.last_step);
  return summary;
}

bool IsOver(const Json& summary) {
  const std::string status = TextOf(&summary["status"]);
  return status != "InProgress" && status != "Stopping";
}

// Whether the files of a run that is over were written neither before its start nor after its end,
// by a clock that is a little off. Those of a copy were written when it was made.
bool HasOwnTimes(const RunProgress& progress, const Json& start, const Json& end) {
  constexpr double kClocksDiffer = 60;
  if (!progress.first_time || !progress.last_time) return false;
  if (start.is_number() && *progress.first_time < start.get<double>() - kClocksDiffer) return false;
  return !end.is_number() || *progress.last_time <= end.get<double>() + kClocksDiffer;
}

// From the start to the first step, to the last step, to the end.
void AddPhases(const Facts& facts, bool over, Json* detail) {
  const Json& start = (*detail)["started"];
  const auto& first = facts.progress.first_time;
  const auto& last = facts.progress.last_time;
  const bool collecting = (*detail)["secondary"] == "Uploading";
  Json phases = Json::array();
  const auto add = [&](const char* name, const Json& from, const Json& to) {
    if (!from.is_null()) phases.push_back({{"name", name}, {"start", from}, {"end", to}});
  };
  const Json end = over ? (*detail)["ended"] : Json();
  // A run that did not come to its end did not finish anything: it hung, or was killed.
  const bool broken = (*detail)["status"] == "Stopped" || (*detail)["status"] == "Failed";
  if (first && over && !HasOwnTimes(facts.progress, start, end)) {
    add("training", start, end);
  } else {
    add("initialisation", start, first ? Json(*first) : end);
    if (first) add("training", Json(*first), over || collecting ? OrNull(last) : Json());
    if (first && last && (over || collecting)) {
      add(broken ? "without_steps" : "finalisation", Json(*last), end);
    }
  }
  (*detail)["phase"] = over             ? Json("ended")
                       : phases.empty() ? Json("unknown")
                                        : phases.back()["name"];
  (*detail)["phases"] = std::move(phases);
}

// Steps in all, where a hyper-parameter says so and the run has not gone beyond that: the script
// may count something else.
Json ExpectedSteps(const Json& hyper_parameters, std::optional<Step> last) {
  for (const char* name :
       {"max_steps", "total_steps", "num_steps", "train_steps", "num_train_steps", "steps",
        "max-steps", "total-steps", "num-steps", "num_round", "num_boost_round"}) {
    const auto steps = ParseInt(TextOf(MemberOf(hyper_parameters, name)));
    if (steps && *steps > 0 && last.value_or(0) <= *steps) return *steps;
  }
  return nullptr;
}

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NONBLOCK;

bool HasAny(const os::UniqueFd& folder) {
  if (!folder.ok()) return false;
  const auto opened = os::ReadFolderBeneath(folder.get(), "");
  if (!opened.ok()) return false;
  while (const dirent* const entry = readdir(opened.value().get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") return true;
  }
  return false;
}

// Nothing that a link in the run leads out of it.
bool HasTensors(const RunPlaces& places, std::string_view key) {
  return !places.tensors.empty() && HasAny(os::OpenInside(places.tensors + "/", key, kFolder));
}

bool HasProfile(const RunPlaces& places, std::string_view key) {
  return !places.profile.empty() && HasAny(timeline::OpenInProfile(places.profile, key, kFolder));
}

bool HasReport(const std::vector<std::string>& folders) {
  std::error_code error;
  for (const std::string& folder : folders) {
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
      if (it.depth() > 3) it.disable_recursion_pending();
      if (it->path().extension() == ".html") return true;
    }
  }
  return false;
}

Json Has(const RunPlaces& places) {
  return {{"tensors", HasTensors(places, "index") || HasTensors(places, "collections")},
          {"metrics", HasProfile(places, format::kSystemPrefix)},
          {"timeline", HasProfile(places, format::kFrameworkPrefix)},
          {"reports", HasReport(places.reports)},
          {"logs", places.job.has_value() || HasTensors(places, trial::kLogFolder)}};
}

Json Outputs(const RunPlaces& places) {
  Json outputs = Json::object();
  const auto add = [&](const char* name, const std::string& place) {
    if (!place.empty()) outputs[name] = place;
  };
  if (places.job) {
    add("tensors", places.job->DebugOutput());
    add("profile", places.job->ProfilerOutput());
    add("tensorboard", places.job->TensorBoardOutput());
    add("model", places.job->ModelArtifacts());
  } else {
    const bool here = places.tensors_url.empty();
    add("tensors", here ? places.tensors : places.tensors_url);
    add("profile", here ? places.profile : format::ProfilerFolder(places.tensors_url));
  }
  return outputs;
}

void AddControl(const Facts& facts, Json* detail) {
  const bool in_progress = (*detail)["status"] == "InProgress";
  const bool is_job = facts.places.job.has_value();
  const bool stop = in_progress && (is_job || facts.folder.runs_here);
  std::string why_not;
  if (!in_progress) {
    why_not = "the run has ended";
  } else if (!is_job) {
    why_not = stop ? "this can be changed only for jobs of this service"
                   : "the run was not started by this service or by 'warden run' on this machine";
  }
  const bool changes = in_progress && is_job;
  (*detail)["control"] = {{"stop", stop},
                          {"profiling", changes},
                          {"details", stop},
                          {"rules", changes},
                          {"why_not", why_not}};
}

Json Profiler(const RunPlaces& places) {
  if (!places.job) {
    return {{"enabled", HasProfile(places, "")},
            {"interval_ms", nullptr},
            {"framework", HasProfile(places, format::kFrameworkPrefix)}};
  }
  const Json* interval =
      MemberOf(places.job->request, "ProfilerConfig", "ProfilingIntervalInMilliseconds");
  // An empty map means that only the machine is monitored.
  const Json* parameters = MemberOf(places.job->request, "ProfilerConfig", "ProfilingParameters");
  const bool framework = parameters != nullptr && parameters->is_object() && !parameters->empty();
  return {{"enabled", places.job->IsProfiled()},
          {"interval_ms", interval == nullptr ? Json() : *interval},
          {"framework", framework && places.job->IsProfiled()}};
}

// What a job runs on, by the names that people know: nothing for a run without a job.
Json Resources(const std::optional<jobs::TrainingJob>& job) {
  Json resources = Json::object();
  if (!job) return resources;
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) resources[name] = text;
  };
  const auto machines = [](const Json& of) {
    const std::string type = TextOf(MemberOf(of, "InstanceType"));
    const int64_t count = IntegerOf(MemberOf(of, "InstanceCount"));
    return count > 1 ? fmt::format("{} × {}", count, type) : type;
  };
  add("ARN", job->Arn());
  std::vector<std::string> types;
  const Json* config = MemberOf(job->request, "ResourceConfig");
  const Json* groups = MemberOf(job->request, "ResourceConfig", "InstanceGroups");
  if (groups != nullptr && groups->is_array() && !groups->empty()) {
    for (const Json& group : *groups) types.push_back(machines(group));
  } else if (config != nullptr) {
    types.push_back(machines(*config));
  }
  add("Instance type", fmt::format("{}", fmt::join(types, ", ")));
  add("Nodes", fmt::format("{}", fmt::join(job->Hosts(), ", ")));
  add("Role", TextOf(MemberOf(job->request, "RoleArn")));
  add("Image", TextOf(MemberOf(job->request, "AlgorithmSpecification", "TrainingImage")));
  for (const jobs::RuleJob& rule : job->rules) {
    if (rule.launched) add(("ARN of " + rule.Name()).c_str(), job->RuleArn(rule));
  }
  return resources;
}

Json Transitions(const jobs::TrainingJob& job) {
  Json list = Json::array();
  for (const jobs::Transition& one : job.transitions) {
    list.push_back({{"status", jobs::NameOf(one.status)},
                    {"start", jobs::SecondsJson(one.start)},
                    {"end", Seconds(one.end)},
                    {"message", one.message}});
  }
  return list;
}

}  // namespace

Json SummaryOf(const service::ServiceOptions& options, OpenRun* run) {
  const Facts facts = Gather(options, run, nullptr);
  Json summary = Summary(facts);
  summary["marks"] = MarksJson(facts.places);
  return summary;
}

std::string UnreadSummaryOf(const RunPlaces& places) {
  const auto summary = [](const RunPlaces& of) {
    Facts facts;
    facts.places = of;
    facts.rules = facts.incidents = Json::array();
    Json json = Summary(facts);
    json["marks"] = trial::ToJson(trial::RunMarks());
    json["pending"] = true;
    return json;
  };
  if (places.job) return JsonText(summary(places));
  // There may be thousands, which differ in little.
  static const std::string common = [&] {
    Json json = summary(RunPlaces());
    for (const char* own : {"id", "name", "folder"}) json.erase(own);
    return JsonText(json).substr(1);
  }();
  return fmt::format(R"({{"id":{},"name":{},"folder":{},{})", JsonText(places.id),
                     JsonText(places.name), JsonText(places.folder), common);
}

Json DetailOf(const service::ServiceOptions& options, OpenRun* run) {
  const Facts facts = Gather(options, run, MachineOf(run).get());
  const std::optional<jobs::TrainingJob>& job = facts.places.job;
  Json detail = Summary(facts);
  const bool over = IsOver(detail);
  AddPhases(facts, over, &detail);
  detail["marks"] = MarksJson(facts.places);
  detail["transitions"] = job ? Transitions(*job) : Json::array();
  detail["progress"] = {
      {"last_step", OrNull(facts.progress.last_step)},
      {"steps", facts.progress.steps},
      {"last_time", OrNull(facts.progress.last_time)},
      {"rate", over ? Json() : OrNull(facts.progress.rate)},
      {"expected", ExpectedSteps(detail["hyper_parameters"], facts.progress.last_step)}};
  detail["has"] = Has(facts.places);
  detail["workers"] = FactsOf(run).workers;
  detail["rules_seen"] = facts.rules;
  detail["incidents"] = facts.incidents;
  AddControl(facts, &detail);
  detail["profiler"] = Profiler(facts.places);
  detail["outputs"] = Outputs(facts.places);
  detail["resources"] = Resources(job);
  detail["command"] = facts.record ? facts.record->CommandLine() : "";
  detail["failure"] = job ? job->failure_reason : "";
  const bool failed = !job && detail["status"] == "Failed";
  detail["failure_output"] = failed ? FailureOutput(facts.places.tensors) : "";
  return detail;
}

}  // namespace warden::dashboard
