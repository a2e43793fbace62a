#include "warden/jobs/events/mail_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "warden/actions/event.h"
#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/base/text/utf8.h"
#include "warden/jobs/events/event_members.h"

namespace warden::jobs {
namespace {

constexpr size_t kMostFindings = 5;
constexpr size_t kLongestHeadline = 120;  // In a subject, in bytes.
constexpr const char* kRuleStatuses[] = {"DebugRuleEvaluationStatuses",
                                         "ProfilerRuleEvaluationStatuses"};

const Json& DetailOf(const Json& event) {
  static const Json none = Json::object();
  const Json* detail = MemberOf(event, "detail");
  return detail == nullptr ? none : *detail;
}

bool IsOfRule(const Json& detail) { return MemberOf(detail, "ProcessingJobStatus") != nullptr; }

// A list's elements; none if it is no list.
const Json& ListIn(const Json& detail, const char* name) {
  static const Json none = Json::array();
  const Json* list = MemberOf(detail, name);
  return list == nullptr || !list->is_array() ? none : *list;
}

bool HasFound(const Json& detail) {
  return TextIn(detail, "ProcessingJobStatus") == "Completed" &&
         TextIn(detail, "ExitMessage").starts_with("RuleEvaluationConditionMet");
}

// Null if it is not the event of an incident.
const Json* IncidentIn(const Json& detail) { return MemberOf(detail, "Incident"); }

bool HasFailed(const Json& detail) { return TextIn(detail, "ProcessingJobStatus") == "Failed"; }

bool HasEnded(const Json& detail) {
  const std::string status = TextIn(detail, "TrainingJobStatus");
  return status == "Completed" || status == "Failed" || status == "Stopped";
}

// Whether the job entered its status with this event. Later ones, when a rule comes to its end
// after the job has, tell the same status of the job; what has changed is what has the event's own
// time.
bool IsOwnChange(const Json& detail) {
  const int64_t changed = IntegerOf(MemberOf(detail, "LastModifiedTime"));
  const auto distance = [&](const Json& element, const char* time) {
    return std::abs(changed - IntegerOf(MemberOf(element, time)));
  };
  const Json& transitions = ListIn(detail, "SecondaryStatusTransitions");
  if (transitions.empty()) return true;
  const int64_t of_job = distance(transitions.back(), "StartTime");
  for (const char* statuses : kRuleStatuses) {
    for (const Json& rule : ListIn(detail, statuses)) {
      if (distance(rule, "LastModifiedTime") < of_job) return false;
    }
  }
  return true;
}

// Each line of a text after the indent; nothing in it can move a terminal's cursor.
std::string Indented(std::string_view text, std::string_view indent) {
  std::string lines;
  for (const std::string& line : SplitTrimmed(text, '\n')) {
    lines += fmt::format("{}{}\n", indent, OneLine(line));
  }
  return lines;
}

std::string Row(const char* title, const std::string& value) {
  return value.empty() ? "" : fmt::format("{:<9}{}\n", title, value);
}

std::string RuleHeadline(const std::string& job, const std::string& rule, const Json& detail) {
  if (HasFound(detail)) return fmt::format("{}: rule {} found problems", job, rule);
  if (HasFailed(detail)) return fmt::format("{}: rule {} failed", job, rule);
  return fmt::format("{}: rule {} is {}", job, rule, TextIn(detail, "ProcessingJobStatus"));
}

std::string JobHeadline(const std::string& job, const Json& detail) {
  const std::string status = TextIn(detail, "TrainingJobStatus");
  if (status == "Completed") return job + " completed";
  if (status == "Failed") return job + " failed";
  if (status == "Stopped") return job + " was stopped";
  return fmt::format("{} is {} ({})", job, status, TextIn(detail, "SecondaryStatus"));
}

// "demo-001: problem since step 12"
std::string IncidentHeadline(const std::string& job, const Json& incident) {
  return fmt::format("{}: {} since {}", job, TextIn(incident, "severity"),
                     TextIn(incident, "since"));
}

// What is wrong, as far as it fits into a subject.
std::string ShortHeadline(const Json& incident) {
  const std::string text = TextIn(incident, "headline");
  const std::string_view shown = CutUtf8(text, kLongestHeadline);
  return fmt::format("{}{}", shown, shown.size() < text.size() ? "..." : "");
}

std::string IncidentBody(const Json& incident) {
  std::string text = fmt::format("Confidence: {}\n\n{}.\n", TextIn(incident, "confidence"),
                                 TextIn(incident, "headline"));
  text += actions::WhatFollowed(incident);
  const std::string advice = TextIn(incident, "advice");
  if (!advice.empty()) text += fmt::format("Try: {}\n", advice);
  return text;
}

std::string RuleStatusOf(const Json& detail) {
  if (HasFound(detail)) return "IssuesFound";
  return HasFailed(detail) ? "Error" : TextIn(detail, "ProcessingJobStatus");
}

std::string RuleBody(const Json& detail, const RuleNews& news) {
  std::string text = Row("Status:", RuleStatusOf(detail));
  const std::string details =
      TextOf(MemberOf(detail, "ExitMessage")) + TextOf(MemberOf(detail, "FailureReason"));
  if (!details.empty()) text += "\n" + Indented(details, "");
  if (!news.findings.empty()) text += "\nFindings:\n";
  const size_t shown = std::min(news.findings.size(), kMostFindings);
  for (size_t i = 0; i < shown; ++i) text += "- " + OneLine(news.findings[i]) + "\n";
  if (news.findings.size() > shown) {
    text += fmt::format("- {} more\n", news.findings.size() - shown);
  }
  return text;
}

std::string JobBody(const Json& detail) {
  std::string text = Row("Status:", fmt::format("{} ({})", TextIn(detail, "TrainingJobStatus"),
                                                TextIn(detail, "SecondaryStatus")));
  if (const Json& transitions = ListIn(detail, "SecondaryStatusTransitions");
      !transitions.empty()) {
    text += Row("Message:", TextIn(transitions.back(), "StatusMessage"));
  }
  const std::string reason = TextOf(MemberOf(detail, "FailureReason"));
  if (!reason.empty()) text += "\nFailure reason:\n" + Indented(reason, "  ");
  std::string rules;
  for (const char* statuses : kRuleStatuses) {
    for (const Json& rule : ListIn(detail, statuses)) {
      rules += fmt::format("- {}: {}\n", TextIn(rule, "RuleConfigurationName"),
                           TextIn(rule, "RuleEvaluationStatus"));
      rules += Indented(TextOf(MemberOf(rule, "StatusDetails")), "  ");
    }
  }
  return rules.empty() ? text : text + "\nRules:\n" + rules;
}

}  // namespace

bool IsForPeople(const Json& event) {
  const Json& detail = DetailOf(event);
  // Incidents report what rules find, each once.
  if (IncidentIn(detail) != nullptr) return true;
  if (IsOfRule(detail)) return HasFailed(detail);
  return HasEnded(detail) && IsOwnChange(detail);
}

MailText MailTextOf(const Json& event, const RuleNews& news) {
  const Json& detail = DetailOf(event);
  const std::string job = JobOf(event);
  const Json* incident = IncidentIn(detail);
  const bool is_of_rule = IsOfRule(detail);
  const std::string rule = incident != nullptr ? TextIn(*incident, "rule") : OneLine(news.name);
  MailText text;
  const std::string headline =
      "Training job " + (incident != nullptr ? IncidentHeadline(job, *incident)
                         : is_of_rule        ? RuleHeadline(job, rule, detail)
                                             : JobHeadline(job, detail));
  text.subject = headline + (incident != nullptr ? ": " + ShortHeadline(*incident) : "");
  text.body = fmt::format("{}.\n\n{}", headline, Row("Job:", job));
  if (incident != nullptr || is_of_rule) text.body += Row("Rule:", rule);
  text.body += Row("Time:", TextIn(event, "time"));
  if (incident != nullptr) {
    text.body += IncidentBody(*incident);
  } else {
    text.body += is_of_rule ? RuleBody(detail, news) : JobBody(detail);
  }
  return text;
}

}  // namespace warden::jobs
