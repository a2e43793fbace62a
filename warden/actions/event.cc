#include "warden/actions/event.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/base/text/utf8.h"
#include "warden/base/time.h"
#include "warden/config/json_fields.h"
#include "warden/net/digest.h"

namespace warden::actions {
namespace {

std::string Arn(const Origin& origin, std::string_view resource) {
  return fmt::format("arn:aws:sagemaker:{}:{}:{}", origin.region, origin.account, resource);
}

// One evaluation job for each rule of a job, as the original names them.
std::string EvaluationJob(const Firing& firing) {
  const std::string seed = DumpLikePython(Json::array({firing.job, firing.launch, firing.rule}));
  return fmt::format("{}-{}-{}", firing.job, LowerAscii(firing.rule),
                     net::Hex(net::Sha256(seed)).substr(0, 8));
}

// Findings of profiler rules have a time.
bool OfProfiler(const Firing& firing) { return firing.finding.time_s != 0; }

std::string Where(const Firing& firing) {
  if (!OfProfiler(firing)) return fmt::format("step {}", firing.finding.step);
  const auto time = std::chrono::milliseconds(static_cast<int64_t>(firing.finding.time_s * 1e3));
  return IsoSeconds(Time(time));
}

// As Where, in the counting of the training script too.
std::string WhereForPeople(const Firing& firing) {
  return OfProfiler(firing) ? Where(firing) : rules::StepText(firing.finding);
}

// How many other findings have the same cause.
int64_t OthersIn(const Json& incident) {
  return std::max<int64_t>(0, IntegerOf(MemberOf(incident, "findings")) - 1);
}

// "NotLearning (since step 80), LossSpike (since step 91)"; empty: nothing followed.
std::string EffectsIn(const Json& incident) {
  const Json* effects = MemberOf(incident, "effects");
  std::string text;
  if (effects == nullptr || !effects->is_array()) return text;
  for (const Json& effect : *effects) {
    text += fmt::format("{}{} (since {})", text.empty() ? "" : ", ",
                        TextOf(MemberOf(effect, "rule")), TextOf(MemberOf(effect, "since")));
  }
  return text;
}

// "decoder.3 (step 51) -> decoder.4 -> all gradients"; empty: not known.
std::string SpreadIn(const Json& incident) {
  const Json* places = MemberOf(incident, "spread");
  std::string text;
  if (places == nullptr || !places->is_array()) return text;
  for (const Json& place : *places) {
    text += fmt::format("{}{}", text.empty() ? "" : " -> ", TextOf(&place));
  }
  return text;
}

// "GPU 0 slowed down (heat); host memory 97 % full"; empty: nothing remarkable.
std::string MachineIn(const Json& incident) {
  const Json* facts = MemberOf(incident, "machine");
  std::string text;
  if (facts == nullptr || !facts->is_array()) return text;
  for (const Json& fact : *facts) {
    text += fmt::format("{}{}", text.empty() ? "" : "; ", TextOf(MemberOf(fact, "text")));
  }
  return text;
}

std::string SentenceEnd(std::string_view text) {
  return text.empty() || text.ends_with('.') ? "" : ".";
}

}  // namespace

rules::Severity SeverityOf(const Firing& firing) {
  const auto known = rules::ParseSeverity(TextOf(MemberOf(firing.incident, "severity")));
  return known.value_or(firing.finding.severity);
}

Json ToJson(const Firing& firing) {
  Json json = {{"job", firing.job},
               {"launch", firing.launch},
               {"run", firing.run},
               {"rule", firing.rule},
               {"rule_class", firing.rule_class},
               {"time_ms", firing.time.time_since_epoch().count()},
               {"finding", rules::ToJson(firing.finding)}};
  if (!firing.incident.is_null()) json["incident"] = firing.incident;
  return json;
}

Result<Firing> FiringFromJson(const Json& json) {
  Firing firing;
  std::optional<int64_t> time;
  config::Fields fields(json);
  fields.Read("job", &firing.job);
  fields.Read("launch", &firing.launch);
  fields.Read("run", &firing.run);
  fields.Read("rule", &firing.rule);
  fields.Read("rule_class", &firing.rule_class);
  fields.Read("time_ms", &time);
  if (!fields.status().ok()) return Status(Code::kCorrupt, fields.status().message());
  firing.time = Time(std::chrono::milliseconds(time.value_or(0)));
  const Json* finding = config::Member(json, "finding");
  if (finding == nullptr) return Status(Code::kCorrupt, "a firing has no 'finding'");
  auto found = rules::FindingFromJson(*finding);
  if (!found.ok()) return found.status();
  firing.finding = std::move(found).value();
  if (const Json* incident = config::Member(json, "incident")) firing.incident = *incident;
  return firing;
}

std::string EventId(const Firing& firing) {
  const rules::Finding& finding = firing.finding;
  // When evaluated again, findings of profiler rules begin slightly earlier or later.
  const Step step = OfProfiler(firing) ? -1 : finding.step;
  return net::UuidOf(DumpLikePython(
      Json::array({firing.job, firing.launch, firing.run, firing.rule, firing.rule_class, step,
                   ModeName(finding.mode), finding.worker, finding.tensor})));
}

Json EventOf(const Firing& firing, const Origin& origin) {
  const std::string job_arn = Arn(origin, "training-job/" + firing.job);
  const int64_t time = firing.time.time_since_epoch().count();
  const Json status = {
      {"RuleConfigurationName", firing.rule},
      {"RuleEvaluationJobArn", Arn(origin, "processing-job/" + EvaluationJob(firing))},
      {"RuleEvaluationStatus", "IssuesFound"},
      {"StatusDetails",
       fmt::format("RuleEvaluationConditionMet: Evaluation of the rule {} at {} resulted in the "
                   "condition being met\n",
                   firing.rule_class, Where(firing))},
      {"LastModifiedTime", time}};
  Json detail = {
      {"TrainingJobName", firing.job},
      {"TrainingJobArn", job_arn},
      {"TrainingJobStatus", "InProgress"},
      {"SecondaryStatus", "Training"},
      {"LastModifiedTime", time},
      {OfProfiler(firing) ? "ProfilerRuleEvaluationStatuses" : "DebugRuleEvaluationStatuses",
       Json::array({status})},
      {"Tags", Json::object()},
      {"Finding", rules::ToJson(firing.finding)}};
  if (!firing.incident.is_null()) detail["Incident"] = firing.incident;
  return {{"version", "0"},
          {"id", EventId(firing)},
          {"detail-type", "SageMaker Training Job State Change"},
          {"source", "aws.sagemaker"},
          {"account", origin.account},
          {"time", IsoSeconds(firing.time)},
          {"region", origin.region},
          {"resources", Json::array({job_arn})},
          {"detail", std::move(detail)}};
}

std::string Headline(const Firing& firing) {
  return fmt::format("SMDebugRule:{} fired", OneLine(firing.rule_class));
}

std::string ShortNotice(const Firing& firing) {
  std::string text = fmt::format("{}. Job {}, {}: {}", Headline(firing), firing.job,
                                 WhereForPeople(firing), firing.finding.message);
  if (const int64_t others = OthersIn(firing.incident); others > 0) {
    text += fmt::format(" ({} more finding{} with this cause)", others, others == 1 ? "" : "s");
  }
  return text;
}

std::string WhatFollowed(const Json& incident) {
  std::string text;
  if (const std::string effects = EffectsIn(incident); !effects.empty()) {
    text += fmt::format("Then: {}.\n", OneLine(effects));
  }
  if (const std::string spread = SpreadIn(incident); !spread.empty()) {
    text += fmt::format("Spread: {}.\n", OneLine(spread));
  }
  if (const std::string facts = MachineIn(incident); !facts.empty()) {
    text += fmt::format("Machine at that time: {}.\n", OneLine(facts));
  }
  if (const int64_t others = OthersIn(incident); others > 0) {
    text += fmt::format("{} more finding{} with this cause.\n", others, others == 1 ? "" : "s");
  }
  return text;
}

std::string LongNotice(const Firing& firing) {
  const rules::Finding& finding = firing.finding;
  const std::string count = rules::ScriptCountText(finding);
  const std::string confidence = TextOf(MemberOf(firing.incident, "confidence"));
  std::string text = fmt::format("{}. \n\nSeverity: {}\n", Headline(firing),
                                 rules::SeverityName(SeverityOf(firing)));
  if (!confidence.empty()) text += fmt::format("Confidence: {}\n", OneLine(confidence));
  text += fmt::format("Job:    {}\nRule:   {}\nStep:   {} ({}{}{})\n", OneLine(firing.job),
                      OneLine(firing.rule), finding.step, ModeName(finding.mode),
                      count.empty() ? "" : ", ", count);
  const bool machine = OfProfiler(firing);
  if (!finding.tensor.empty()) {
    text += fmt::format("{} {}\n", machine ? "Device:" : "Tensor:", OneLine(finding.tensor));
  }
  if (!finding.worker.empty()) {
    text += fmt::format("{} {}\n", machine ? "Node:  " : "Worker:", OneLine(finding.worker));
  }
  text += fmt::format("\n{}{}\n", finding.message, SentenceEnd(finding.message));
  text += WhatFollowed(firing.incident);
  if (!finding.advice.empty()) {
    text += fmt::format("Try: {}{}\n", finding.advice, SentenceEnd(finding.advice));
  }
  return text + fmt::format("\nRun:    {}\n", firing.run);
}

}  // namespace warden::actions
