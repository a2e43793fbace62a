#include "warden/dashboard/site/control.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/config/framework_profile.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/rules/catalog/registry.h"
#include "warden/rules/param.h"
#include "warden/sagemaker/perform.h"

namespace warden::dashboard {
namespace {

constexpr int kAccepted = 202;
constexpr int kConflict = 409;

http::Response Accepted() {
  http::Response response = JsonAnswer(Json::object());
  response.status = kAccepted;
  return response;
}

http::Response Perform(const sagemaker::ApiParts& parts, const auth::Identity& identity,
                       std::string_view name, const Json& body) {
  const sagemaker::operations::Operation* operation = sagemaker::operations::FindOperation(name);
  const auto outcome = sagemaker::Perform(parts, *operation, identity, body, "", nullptr);
  if (const auto* error = std::get_if<sagemaker::ApiError>(&outcome)) {
    return ErrorAnswer(error->code == "AccessDeniedException" ? 403 : error->http, error->message);
  }
  return Accepted();
}

http::Response StopFolder(const service::LocalRuns& local, const RunPlaces& places) {
  if (!local.is_running || !local.is_running(places.tensors)) {
    return ErrorAnswer(
        kConflict, "the run was not started by this service or by 'warden run' on this machine");
  }
  const Status stopped = local.stop(places.tensors);
  return stopped.ok() ? Accepted() : ErrorAnswer(stopped);
}

// What the framework records from now on: the timeline of all steps, and operators and kernels of
// the next three.
Json FrameworkProfiling() {
  return {{"DetailedProfilingConfig", R"({"NumSteps": 3})"},
          {"RotateFileCloseIntervalInSeconds", "60"},
          {"RotateMaxFileSizeInBytes", "10485760"}};
}

constexpr int64_t kMostSteps = 1000;

// The change of ProfilingParameters that {"steps": 10} asks for.
Result<Json> DetailsFrom(const Json& steps) {
  const int64_t count = steps.is_number_integer() ? IntegerOf(&steps) : 0;
  if (count < 1 || count > kMostSteps) {
    return Status(Code::kInvalid, fmt::format("steps is {}; expected an integer from 1 to {}",
                                              steps.dump(), kMostSteps));
  }
  return config::DetailsOf({.steps = count});
}

// With the job's other parameters: the service's API replaces all of them.
Result<Json> WithDetails(const jobs::TrainingJob& job, const Json& steps) {
  const auto details = DetailsFrom(steps);
  if (!details.ok()) return details.status();
  const Json* now = MemberOf(job.request, "ProfilerConfig", "ProfilingParameters");
  Json parameters = now != nullptr && now->is_object() ? *now : FrameworkProfiling();
  parameters.merge_patch(details.value());
  return Json{{"DisableProfiler", false}, {"ProfilingParameters", std::move(parameters)}};
}

http::Response ProfileFolder(const service::LocalRuns& local, const RunPlaces& places,
                             const Json& body) {
  const Json* steps = MemberOf(body, "steps");
  if (steps == nullptr || body.size() != 1) {
    return ErrorAnswer(
        kConflict,
        "only steps of this run can be profiled; other settings are for jobs of this service");
  }
  const auto details = DetailsFrom(*steps);
  if (!details.ok()) return ErrorAnswer(details.status());
  if (!local.is_running || !local.is_running(places.tensors)) {
    return ErrorAnswer(kConflict, "the run was not started by 'warden run' on this machine");
  }
  const Status changed = local.change_profiling(
      places.tensors, {{"DisableProfiler", false}, {"ProfilingParameters", details.value()}});
  if (changed.code() == Code::kUnavailable) return ErrorAnswer(kConflict, changed.message());
  return changed.ok() ? Accepted() : ErrorAnswer(changed);
}

Result<Json> ProfilerConfigFrom(const jobs::TrainingJob& job, const Json& body) {
  if (const Json* steps = MemberOf(body, "steps")) return WithDetails(job, *steps);
  const Json* enabled = MemberOf(body, "enabled");
  const Json* interval = MemberOf(body, "interval_ms");
  const Json* framework = MemberOf(body, "framework");
  if (enabled != nullptr && !enabled->is_boolean()) {
    return Status(Code::kInvalid, "enabled is " + enabled->dump() + "; expected true or false");
  }
  if (interval != nullptr && !interval->is_number_integer()) {
    return Status(Code::kInvalid, "interval_ms is " + interval->dump() + "; expected an integer");
  }
  if (framework != nullptr && !framework->is_boolean()) {
    return Status(Code::kInvalid, "framework is " + framework->dump() + "; expected true or false");
  }
  Json config = Json::object();
  if (framework != nullptr) {
    const bool on = framework->get<bool>();
    config["ProfilingParameters"] = on ? FrameworkProfiling() : Json::object();
    if (on) config["DisableProfiler"] = false;
  }
  if (enabled != nullptr) config["DisableProfiler"] = !enabled->get<bool>();
  if (interval != nullptr) config["ProfilingIntervalInMilliseconds"] = *interval;
  if (config.empty())
    return Status(Code::kInvalid,
                  "no setting given; expected steps, enabled, interval_ms or framework");
  return config;
}

// The name, or with a number behind it the first that no rule of the job has.
std::string FreeName(const jobs::TrainingJob& job, const std::string& name) {
  const auto taken = [&](const std::string& one) {
    return std::any_of(job.rules.begin(), job.rules.end(),
                       [&](const jobs::RuleJob& rule) { return rule.Name() == one; });
  };
  std::string free = name;
  for (int number = 2; taken(free); ++number) free = fmt::format("{}-{}", name, number);
  return free;
}

Result<Json> RuleFrom(const jobs::TrainingJob& job, const Json& body) {
  const std::string rule = TextOf(MemberOf(body, "rule"));
  const auto found = rules::FindRule(rule);
  if (!found.ok()) return found.status();
  if (found.value().entry->spec->kind == rules::RuleKind::kDebug) {
    return Status(Code::kInvalid,
                  rule + " checks tensors; only profiler rules can be added to a running job");
  }
  Json parameters{{"rule_to_invoke", rule}};
  const Json* given = MemberOf(body, "parameters");
  if (given != nullptr && !given->is_object()) {
    return Status(Code::kInvalid, "parameters is invalid; expected an object of strings");
  }
  const Json wanted = given == nullptr ? Json::object() : *given;
  rules::ParamTexts texts;
  for (const auto& [name, value] : wanted.items()) {
    parameters[name] = value.is_string() ? value : Json(value.dump());
    texts[name] = parameters[name].get<std::string>();
  }
  // Now, and not as a failure of the rule once it has begun.
  const rules::RuleSpec& spec = *found.value().entry->spec;
  const auto checked = rules::Params::Read(spec.name, rules::AllParams(spec), texts);
  if (!checked.ok()) return checked.status();
  const std::string name = TextOf(MemberOf(body, "name"));
  return Json{{"RuleConfigurationName", FreeName(job, name.empty() ? rule : name)},
              {"RuleEvaluatorImage", "tensorwarden/rules"},
              {"RuleParameters", std::move(parameters)}};
}

http::Response Update(const sagemaker::ApiParts& parts, const auth::Identity& identity,
                      const jobs::TrainingJob& job, const char* member, Result<Json> value) {
  if (!value.ok()) return ErrorAnswer(value.status());
  return Perform(parts, identity, "UpdateTrainingJob",
                 {{"TrainingJobName", job.name}, {member, std::move(value.value())}});
}

}  // namespace

http::Response Control(const sagemaker::ApiParts& parts, const auth::Identity& identity,
                       const RunPlaces& places, std::string_view what, const std::string& text) {
  const auto body = text.empty() ? Result<Json>(Json::object()) : ParseJson(text);
  if (!body.ok() || !body.value().is_object()) {
    return ErrorAnswer(400, "invalid body; expected a JSON object");
  }
  if (what == "stop" && !places.job) return StopFolder(parts.options->local_runs, places);
  if (what != "stop" && what != "profiling" && what != "rules") {
    return ErrorAnswer(404, "not found");
  }
  if (what == "profiling" && !places.job) {
    return ProfileFolder(parts.options->local_runs, places, body.value());
  }
  if (!places.job) {
    return ErrorAnswer(kConflict, "only jobs of this service can be changed while they run");
  }
  if (what == "stop") {
    return Perform(parts, identity, "StopTrainingJob", {{"TrainingJobName", places.job->name}});
  }
  if (what == "profiling") {
    return Update(parts, identity, *places.job, "ProfilerConfig",
                  ProfilerConfigFrom(*places.job, body.value()));
  }
  auto rule = RuleFrom(*places.job, body.value());
  if (rule.ok()) rule = Json::array({std::move(rule.value())});
  return Update(parts, identity, *places.job, "ProfilerRuleConfigurations", std::move(rule));
}

}  // namespace warden::dashboard
