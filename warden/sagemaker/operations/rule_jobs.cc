#include "warden/sagemaker/operations/rule_jobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "warden/base/json_members.h"
#include "warden/os/random.h"
#include "warden/rules/catalog/registry.h"

namespace warden::sagemaker::operations {
namespace {

constexpr size_t kNamePart = 26;
// Of the one rule image that no rule of ours stands for. The SDK adds such a rule by itself to jobs
// that are profiled in detail: they run, and the rule says that it cannot.
constexpr std::string_view kDetailedProfiler = "detailed-profiler-processing";

// The first characters (of UTF-8), those that are no letters or digits as '-'.
std::string NamePart(std::string_view text) {
  std::string part;
  for (size_t i = 0; i < text.size() && part.size() < kNamePart; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) == 0x80) continue;  // The character was counted by its first byte.
    part += byte < 0x80 && std::isalnum(byte) ? text[i] : '-';
  }
  return part;
}

std::string KnownRules() {
  std::vector<std::string_view> names;
  for (const rules::RuleEntry& entry : rules::BuiltinRules()) names.push_back(entry.spec->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Nothing would run it: better said now than by a rule in status Error.
std::optional<ApiError> CheckWhatRuns(const std::string& name, const Json& config) {
  const std::string image = TextOf(MemberOf(config, "RuleEvaluatorImage"));
  if (image.empty()) {
    return ValidationError(
        fmt::format("Rule Image for rule configuration \"{}\" is invalid: it is empty", name));
  }
  if (image.find(kDetailedProfiler) != std::string::npos) return std::nullopt;
  const std::string rule = TextOf(MemberOf(config, "RuleParameters", "rule_to_invoke"));
  if (rule.empty()) {
    return ValidationError(fmt::format(
        "Rule configuration \"{}\" has no rule: set rule_to_invoke in RuleParameters", name));
  }
  if (MemberOf(config, "RuleParameters", "source_s3_uri") != nullptr) return std::nullopt;
  if (rules::FindRule(rule).ok()) return std::nullopt;
  return ValidationError(
      fmt::format("Rule configuration \"{}\": unknown rule '{}'; expected one of: {}. Custom rules "
                  "need source_s3_uri in RuleParameters",
                  name, rule, KnownRules()));
}

}  // namespace

std::string RuleJobName(std::string_view job, std::string_view rule) {
  return fmt::format("{}-{}-{}", NamePart(job), NamePart(rule), os::RandomHex(8));
}

void AddRuleJobs(const Json* configurations, jobs::RuleJob::Kind kind, Time now,
                 jobs::TrainingJob* job) {
  if (configurations == nullptr) return;
  for (const Json& config : *configurations) {
    jobs::RuleJob rule;
    rule.kind = kind;
    rule.config = config;
    if (!rule.config.contains("VolumeSizeInGB")) rule.config["VolumeSizeInGB"] = 0;
    rule.job_name = RuleJobName(job->name, rule.Name());
    rule.created = rule.modified = now;
    job->rules.push_back(std::move(rule));
  }
}

std::optional<ApiError> CheckRules(const Json* configurations, std::vector<std::string>* taken) {
  if (configurations == nullptr) return std::nullopt;
  for (const Json& config : *configurations) {
    const std::string name = TextOf(MemberOf(config, "RuleConfigurationName"));
    if (std::find(taken->begin(), taken->end(), name) != taken->end()) {
      return ValidationError("Rule configuration names must be unique. Duplicate name: " + name);
    }
    taken->push_back(name);
    if (auto error = CheckWhatRuns(name, config)) return error;
  }
  return std::nullopt;
}

void AskToStop(size_t rule, Time now, jobs::TrainingJob* job) {
  if (job->rules[rule].status != jobs::RuleStatus::kInProgress) return;
  job->rules[rule].stop_requested = true;
  jobs::SetRuleStatus(job, rule, jobs::RuleStatus::kStopping, "", now);
}

}  // namespace warden::sagemaker::operations
