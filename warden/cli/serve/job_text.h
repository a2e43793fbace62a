#ifndef WARDEN_CLI_SERVE_JOB_TEXT_H_
#define WARDEN_CLI_SERVE_JOB_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/cli/output.h"
#include "warden/cli/table.h"

namespace warden::cli {

// Answers of a service are untrusted: a member that is missing or has another type reads as empty.
std::string TextIn(const Json& json, const char* member);
std::optional<double> NumberIn(const Json& json, const char* member);
// Empty if missing.
const Json& ObjectIn(const Json& json, const char* member);
const Json& ListIn(const Json& json, const char* member);

// "2026-11-15 20:03:58", local time.
std::string TimeText(std::optional<double> seconds);
// "1 h 02 min", "3.2 s".
std::string SpanText(std::optional<double> start, std::optional<double> end);

// "Completed", "InProgress" ... of a job, in its color.
Cell StatusCell(const std::string& status);
bool IsOver(const std::string& job_status);

struct RuleRow {
  std::string name;
  std::string status;
  std::string details;
  std::string job_name;  // Of its processing job; empty if that was not started.
};
// From a description; debug rules first.
std::vector<RuleRow> RulesIn(const Json& description);
void PrintRules(const std::vector<RuleRow>& rules, Output* out);
bool AnyIssues(const std::vector<RuleRow>& rules);
bool AllOver(const std::vector<RuleRow>& rules);

}  // namespace warden::cli

#endif  // WARDEN_CLI_SERVE_JOB_TEXT_H_
